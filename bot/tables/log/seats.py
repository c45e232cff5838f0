"""The place of a game, and the seats at its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot.engine.rules import Seating
from bot.platform.people import Person
from bot.platform.place import Spot
from bot.players import Character, Level
from bot.tables.log.events import Config, Configured, Presence
from bot.tables.log.topics import Topic


@dataclass(frozen=True, slots=True)
class Alone:
    """A person who plays alone in private."""

    person_id: int


Place = int | Alone
"""A channel or thread, by its id, or a person."""


class Placed(Protocol):
    """A game that has a place. Without a channel it is that of its opener, and belongs to no server."""

    @property
    def guild_id(self) -> int | None: ...
    @property
    def channel_id(self) -> int | None: ...
    @property
    def opener_id(self) -> int: ...


def place_of(game: Placed) -> Place:
    return Alone(game.opener_id) if game.channel_id is None else game.channel_id


def spot_of(game: Placed) -> Spot:
    """Return a game's channel on its server; it must have one."""
    channel_id, guild_id = game.channel_id, game.guild_id
    assert channel_id is not None, "it isn't played in private"
    assert guild_id is not None, "a channel is on a server"
    return Spot(channel_id, guild_id)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat's holder: a person, or a computer player with a level and a character.

    `agreed`: what a person in a lobby has agreed to, who still has to press OK on what has changed since; else None.
    """

    name: str
    person_id: int | None = None
    level: Level = Level.NORMAL
    presence: Presence = Presence.HERE
    character: Character | None = None
    agreed: Config | None = None

    @property
    def is_computer(self) -> bool:
        return self.person_id is None

    @property
    def human_here(self) -> bool:
        """Whether a person plays it now."""
        return self.person_id is not None and self.presence is Presence.HERE

    @property
    def may_return(self) -> bool:
        """Whether its holder is a person who plays it, or can take it back with a click."""
        return self.person_id is not None and self.presence is not Presence.LEFT


@dataclass(frozen=True, slots=True)
class Cards:
    """The number of cards that somebody has played from their seat in a match.

    Attributes:
        own: the cards that they played themselves.
        by_robot: those that a computer played in their place.
        first_round: the first round in which they played one themselves; None if they never did.
    """

    own: int = 0
    by_robot: int = 0
    first_round: int | None = None

    @property
    def mostly_robot(self) -> bool:
        """Whether a computer played more than half of them."""
        return self.by_robot > self.own

    def after(self, round_number: int, *, by_robot: bool) -> Cards:
        """Count one more card, played in a round."""
        if by_robot:
            return replace(self, by_robot=self.by_robot + 1)
        first = round_number if self.first_round is None else self.first_round
        return replace(self, own=self.own + 1, first_round=first)


def after_change(seats: Sequence[Seat], before: Config, change: Configured) -> tuple[Seat, ...]:
    """The seats of a lobby after a change of its configuration. Nobody is asked who had agreed to the new one."""

    def after(index: int, seat: Seat) -> Seat:
        agreed = seat.agreed
        if change.until is not None and seat.person_id is not None:
            agreed = None if index == change.by else agreed or before
        return replace(seat, agreed=agreed if agreed is not None and change.config.needs_ok(agreed) else None)

    return tuple(after(index, seat) for index, seat in enumerate(seats))


def dealer_due(dealer: int | None, invited: Sequence[Person | None], seats: Sequence[Seat]) -> int | None:
    """The seat that deals a rematch first; None if its players or their seats are others now, so that it is drawn."""
    before = [None if person is None else person.id for person in invited]
    return dealer if before == [seat.person_id for seat in seats] else None


def is_against_people(seats: Sequence[Seat], seating: Seating) -> bool:
    """Whether there are, or were, people on at least two sides: otherwise it is practice."""
    return len({seating.side_of(index) for index, seat in enumerate(seats) if seat.person_id is not None}) > 1


def is_ranked(config: Config, seats: Sequence[Seat], seating: Seating) -> bool:
    """Whether a match counts for the leaderboard."""
    return config.rated and is_against_people(seats, seating)


@dataclass(frozen=True, slots=True)
class Question:
    """A proposal that everybody who still plays is asked about.

    Attributes:
        number: tells it from others of this table.
        seat: the seat of the person who asks, or the one that somebody else would take.
        until: when the answers must be there, in seconds since 1970.
        agreed: the seats whose people agree.
        topic: what is proposed.
        days: how long a pause is to be.
        by: the person who would take the seat.
    """

    number: int
    seat: int
    until: int
    agreed: frozenset[int]
    topic: Topic = Topic.END
    days: int = 0
    by: Person | None = None
