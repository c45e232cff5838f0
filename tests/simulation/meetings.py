"""People who meet in one channel for one thing, which is rare among those who do what they like.

Duplicate: they play one such tournament after the other, so that some tables have ended while others still play the
same cards. One of them organises; another one manages the server, plays in none, and looks at its results again and
again. Lobbies: one of them changes what is played while others have a seat, and begins. Friends: they play short
matches all evening.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.simulation.offers import Control
from tests.simulation.people import KEEN, Kind, Somebody
from tests.simulation.town import Town
from tests.simulation.world import HOUR
from tests.support.limits_components import BUTTON

AIMS_FIRST: Final = 0.6
"""How often people press what leads to what they are after, if there is anything."""
SENDS: Final = 0.1
"""How often they send the command that leads there, if there is nothing that they like; SELDOM, if there is."""
SELDOM: Final = 0.02
STRAYS: Final = 0.1
"""How often they do anything at all, rather than what they like."""
WAITS: Final = 0.7
"""How often they only wait while they have no move to make."""
LIKES: Final = 0.3
"""What they like is pressed so much more often than other things, at least."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Something to press on the way to what somebody is after: how its custom_id begins, what they choose there, and
    how another control begins without which they don't press it."""

    begins: str
    value: str = ""
    beside: str = ""


FEWEST: Final = 5
TOURNAMENT: Final = "escoba tournament"
PLAY: Final = "escoba play"
SETTINGS: Final = "escoba settings"
ONLY: Final = {"escoba play": 0.0, "escoba challenge": 0.0, "Challenge to Escoba": 0.0}
"""The commands for other matches, which nobody sends."""
NO_MORE: Final = {"rematch": 0.0, "again": 0.0, "react": 0.0}
PLAYER: Final = Kind("duplicate player", plays=1.0, command=0.01, commands=ONLY, likes=NO_MORE)
SLOW: Final = Kind("slow player", pace=(15.0, 40.0), plays=1.0, command=0.01, commands=ONLY, likes=NO_MORE)
ORGANISER: Final = Kind(
    "duplicate organiser", plays=1.0, commands=ONLY, likes={**NO_MORE, "manage": 20.0, "announce": 0.0}
)
LOOKER: Final = Kind("looker", pace=(5.0, 20.0), plays=0.0, commands=ONLY, likes={**NO_MORE, "join": 0.0})
HOST: Final = Kind(
    "host",
    plays=1.0,
    likes={**NO_MORE, "options": 9.0, "target": 9.0, "rated": 20.0, "express": 5.0, "series": 2.0},
)
GUEST: Final = Kind("guest", plays=1.0, commands=ONLY, likes={**NO_MORE, "rated": 9.0, "agree": 0.5, "start": 1.0})
FRIEND: Final = Kind(
    "friend",
    pace=(1.0, 6.0),
    plays=1.0,
    likes={"express": 9.0, "rematch": 20.0, "thatsall": 0.5, "series": 1.0, "addc": 0.5},
)
ORGANISES: Final = (
    Aim("t:beginyes:"),
    Aim("t:announce:duplicate:"),
    Aim("t:format:", "duplicate"),
    Aim("t:edit:", "format"),
)
BOARDS: Final = "b:open:"
"""What stands below a table that is over."""
LOOKS: Final = (
    Aim("s:export", beside=BOARDS),
    Aim("s:change", "results", beside=BOARDS),
    Aim("b:choose:"),
    Aim(BOARDS),
)


class Aiming(Somebody):
    """Somebody who is after something. `aims`: the ways there, the furthest first; `begins_with`: the command;
    `short`: for a match to the fewest points."""

    aims: Sequence[Aim] = ()
    begins_with = ""
    short = False

    def act(self, channel_id: int) -> None:
        """Do what leads on, or what they like; seldom anything else."""
        found = self._on_the_way(channel_id) if self.chance.random() < AIMS_FIRST else None
        weighed = [(self._weight(each), each) for each in self.controls(channel_id)]
        liked = [each for each in weighed if each[0] > LIKES]
        if found is not None:
            control, value = found
            self._tried[control.message.id, control.custom_id] += 1
            values = None if control.kind == BUTTON else [value or self.chance.choice(control.options)]
            self.town.presses.component(self, control.message, control.custom_id, values)
        elif self.begins_with and self.chance.random() < (SELDOM if liked else SENDS):
            self.town.presses.slash(self, channel_id, self.begins_with, {"target": FEWEST} if self.short else {})
        elif self.chance.random() < STRAYS:
            super().act(channel_id)
        elif liked and (max(weight for weight, _ in liked) >= KEEN or self.chance.random() > WAITS):
            self.press(self.chance.choices([each for _, each in liked], [weight for weight, _ in liked])[0])

    def _on_the_way(self, channel_id: int) -> tuple[Control, str] | None:
        controls = self.controls(channel_id)
        for aim in self.aims:
            if aim.beside and not any(each.custom_id.startswith(aim.beside) for each in controls):
                continue
            for each in controls:
                fits = each.custom_id.startswith(aim.begins) and (not aim.value or aim.value in each.options)
                if fits and self.chance.random() < 1 / (1 + self._tried[each.message.id, each.custom_id]):
                    return each, aim.value
        return None


class Meeting(Town):
    """A town in which everybody meets in one channel, for `stays` hours, and comes back after `away` hours."""

    stays = 2.0
    away = 0.0

    def _next_evening(self) -> None:
        if self.plan_over:
            return
        channel, until = self.channels[self.guilds[0]][0], self.world.machine.now + self.stays * HOUR
        self._busy_until = until
        for each in self.people:
            each.arrive()
            self._comes(each, channel, until)
        self._strike_waiting(until)
        self.world.machine.at(until + self.away * HOUR, self._next_evening)

    def _comes_for(self, number: int, kind: Kind, begins_with: str = "", aims: Sequence[Aim] = ()) -> Aiming:
        """Move somebody in who is after something."""
        channels = self.channels[self.guilds[0]][:1]
        manages = kind in (ORGANISER, LOOKER)
        found = Aiming(self, super()._move_in(number).person, kind, channels, manages=manages)
        found.begins_with, found.aims = begins_with, aims
        if manages:
            self.world.realm.backend.add_member_role(self.guilds[0], found.person.id, self._roles[self.guilds[0]])
        return found


class Lobbies(Meeting):
    """One of them opens tables, changes what is played there, and begins."""

    def _move_in(self, number: int) -> Somebody:
        found = self._comes_for(number, GUEST) if number else self._comes_for(number, HOST, PLAY)
        found.short = True
        return found


class Friends(Meeting):
    """They play short matches, one after the other, and come back hours later."""

    stays = 0.4
    away = 2.0

    def _move_in(self, number: int) -> Somebody:
        found = self._comes_for(number, FRIEND, PLAY if number == 0 else "")
        found.short = True
        return found


class Duplicate(Meeting):
    """They play one duplicate tournament after the other."""

    def _move_in(self, number: int) -> Somebody:
        if number > 1:
            return self._comes_for(number, SLOW if number == 2 else PLAYER)  # so that one table takes longer
        return self._comes_for(number, *((ORGANISER, TOURNAMENT, ORGANISES), (LOOKER, SETTINGS, LOOKS))[number])
