"""The people of the demo, and the language of each one's Discord."""

from __future__ import annotations

from dataclasses import dataclass


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
