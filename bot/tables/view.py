"""What may be seen of a table: what renderers and computer players get instead of its state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.engine.cards import EMPTY, CardSet
from bot.engine.match import Match
from bot.engine.views import PublicView, SeatView, public_view, seat_view
from bot.tables.log.events import Config, Person, Phase
from bot.tables.log.state import Seat


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as everybody sees it.

    `version` is what buttons name: the log's in the lobby, the match's in a match. `missing` are those who are invited
    to a rematch and not there yet. `deadline` is when the player at turn, or the pause after a round, is over;
    `waiting`: all people are away and nothing moves until then, when the game is abandoned; `restored`: the bot was
    restarted during this turn; `starts_over`: the deadline begins anew because of that; `stand_ins`: the cards of this
    round that a computer played in a person's place; `ended_by`: who ended it without a result; `hints`: whether who is
    at turn may ask for advice; `talk`: computers say a word now and then.
    """

    id: int
    guild_id: int
    channel_id: int
    opener_id: int
    locale: str
    phase: Phase
    config: Config
    seats: tuple[Seat, ...]
    version: int
    match: PublicView | None
    deadline: datetime | None
    waiting: bool
    restored: bool
    starts_over: bool = False
    missing: tuple[Person, ...] = ()
    stand_ins: CardSet = EMPTY
    ended_by: str | None = None
    hints: bool = False
    talk: bool = True

    @property
    def over(self) -> bool:
        """Whether nothing can happen at it any more."""
        return not self.phase.open


class MatchViews:
    """What may be seen of one state of a match, each view made when it is first asked for; nothing without a match.

    One move is shown in several places, and the views of all of them are made of the same parts.
    """

    __slots__ = ("_match", "_public", "_seats")

    def __init__(self, match: Match | None) -> None:
        self._match = match
        self._public: PublicView | None = None
        self._seats: dict[int, SeatView] = {}

    def public(self) -> PublicView | None:
        """What everybody sees."""
        if self._public is None and self._match is not None:
            self._public = public_view(self._match)
        return self._public

    def seat(self, seat: int) -> SeatView | None:
        """What the player of a seat sees."""
        if self._match is None:
            return None
        if seat not in self._seats:
            self._seats[seat] = seat_view(self._match, seat, self.public())
        return self._seats[seat]
