"""The people of the demo, and what the page remembers of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import simcord
from simcord.builders import UserHandle

Actor = simcord.MemberActor | UserHandle
"""Somebody who acts on the server, or in their direct message."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who uses the demo in a browser window of their own."""

    slug: str
    """The name in the address: ``/as/ana``."""
    name: str
    """The name everybody sees."""
    locale: str
    """The Discord locale this person starts with."""
    colour: str
    """The avatar's background, dark enough for white letters."""
    member: bool = True
    """Whether they are on the server; others have only a direct message with the bot."""


ROSTER = (
    Visitor("ana", "Ana", "es-ES", "#c2410c"),
    Visitor("luis", "Luis", "es-419", "#0f766e"),
    Visitor("emma", "Emma", "en-US", "#7c3aed"),
    Visitor("jordi", "Jordi", "es-ES", "#b45309"),
    Visitor("marta", "Marta", "es-ES", "#be185d"),
    Visitor("noah", "Noah", "en-GB", "#1d4ed8"),
    Visitor("sofia", "Sofía", "es-419", "#4d7c0f"),
    Visitor("diego", "Diego", "es-419", "#0e7490"),
    Visitor("vera", "Vera", "es-ES", "#6d28d9", member=False),
)
"""All possible people. Only append: the order determines their ids, which the bot's database remembers."""
FIRST = 6
"""The number of them that are made before the channels, whose ids would change otherwise; the rest are made after
these."""

PEOPLE = ROSTER
"""The people of a world unless it is made with fewer: enough for a knockout of four pairs."""


@dataclass(slots=True)
class Resident:
    """A person in the world, with what the page remembers of them."""

    person: Visitor
    user: UserHandle
    actor: simcord.MemberActor | None
    """The person as a member of the server; None if they aren't one."""
    locale: str
    """The locale of their Discord."""
    settled: bool = False
    """Whether their language was chosen since the demo began, on the page or by the browser they came with."""
    dismissed: set[int] = field(default_factory=set[int])
    modals: dict[str, tuple[Actor, simcord.InteractionResult]] = field(
        default_factory=dict[str, tuple[Any, simcord.InteractionResult]]
    )

    @property
    def direct(self) -> simcord.ChannelHandle:
        """Their direct message with the bot."""
        return self.user.dm_channel

    def within(self, channel: simcord.ChannelHandle) -> Actor:
        """The person as they act in a channel."""
        return self.user if self.actor is None or channel.id == self.direct.id else self.actor

    def commands(self, channel: simcord.ChannelHandle) -> tuple[str, ...]:
        actor = self.within(channel)
        return actor.available_commands() if isinstance(actor, UserHandle) else actor.available_commands(channel)
