"""The crowd around a table: the faces that players and onlookers show, each their latest one, until the next deal, and
the votes of onlookers about who wins the round."""

from collections import Counter
from collections.abc import Collection

from bot.engine.match import Match
from bot.engine.views import PublicView
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.state import TableState
from bot.tables.log.topics import Face
from bot.tables.log.votes import Poll, Votes, is_open, right_about
from bot.tables.refusals import TableRefusal
from bot.tables.store.faces import Shown
from bot.tables.store.logs import Games
from bot.tables.store.rows import GameRow


def deal_of(match: Match | None) -> str | None:
    """Name the latest deal of a match that is played, as in "3.2"; None before the first."""
    now = None if match is None or match.over else match.round
    return None if match is None or now is None else f"{match.round_number}.{now.deal}"


class Faces:
    """The faces of a table. `wanted`: whether the server wants any.

    Nobody shows one where others must not learn what is played, or to themselves alone.
    """

    __slots__ = ("_deal", "_game_id", "_games", "_now", "_shown", "_wanted")

    def __init__(self, games: Games, row: GameRow, state: TableState, *, wanted: bool) -> None:
        sealed = state.fixture is not None and bool(state.fixture.boards)
        self._wanted = wanted and row.channel_id is not None and not sealed
        self._game_id = row.id
        self._games = games
        self._now = deal_of(state.match)
        self._deal: str | None = None
        """The deal in which those that are shown were shown."""
        self._shown: Shown = {}

    def recall(self, deal: str, shown: Shown) -> None:
        """Take over those that the store has of a table that is brought back."""
        self._deal, self._shown = deal, shown

    def follow(self, match: Match | None) -> None:
        """Go on with a newer state of the match, which is stored: with a new deal there are none any more."""
        self._now = deal_of(match)
        if self._now != self._deal:
            self._shown = {}

    def end_with(self, match: Match | None) -> bool:
        """Whether there are some that are gone with a newer state of the match."""
        return bool(self._shown) and deal_of(match) != self._deal

    def counts(self) -> tuple[int, ...] | None:
        """Count the people who show each face, in the order of `Face`; None if nobody may show one now."""
        if self._now is None or not self._wanted:
            return None
        found = Counter(self._shown.values() if self._now == self._deal else ())
        return tuple(found[face] for face in Face)

    async def press(self, person_id: int, face: Face) -> None:
        """Show somebody's face in place of another, or take it back if it is shown. The table must stand still.

        Raises:
            Refusal: if nobody may show one now.
            StoreError: if it can't be stored.
        """
        deal = self._now
        if deal is None or not self._wanted:
            raise Refusal(CommonRefusal.STALE)
        self._deal, self._shown = deal, await self._games.press_face(self._game_id, person_id, deal, face)

    def forget(self, person_id: int) -> bool:
        """Take back the face of somebody of whom nothing is stored any more; returns whether there was one."""
        there = person_id in self._shown
        self._shown = {person: face for person, face in self._shown.items() if person != person_id}
        return there


class Ballot:
    """The votes of onlookers at a table. `wanted`: whether the server wants any.

    Nobody votes at a tournament's table, where the channel sees nothing, or who has had cards in the match.
    """

    __slots__ = ("_cast", "_game_id", "_games", "_state", "_wanted")

    def __init__(self, games: Games, row: GameRow, state: TableState, *, wanted: bool) -> None:
        self._wanted = wanted and row.channel_id is not None and state.fixture is None
        self._game_id = row.id
        self._games = games
        self._state = state
        self._cast: Votes = {}

    def recall(self, votes: Votes) -> None:
        """Take over those that the store has of a table that is brought back."""
        self._cast = votes

    def follow(self, state: TableState) -> None:
        """Go on with a newer state of the table, which is stored."""
        self._without(self.lost_with(state))
        self._state = state

    def lost_with(self, state: TableState) -> set[int]:
        """The people who have voted, and have a seat in a newer state of the table."""
        seated = {seat.person_id for seat in state.seats}
        return {person for votes in self._cast.values() for person in votes if person in seated}

    def poll(self, match: PublicView | None) -> Poll | None:
        """Count the votes, as everybody sees them; None if nobody may vote at all."""
        if match is None or not self._wanted or self._state.taken_out:
            return None
        votes = self._cast.get(match.round_number, {})
        if match.turn is None:
            return Poll(open=False, counts=(), right=right_about(match.scores[-1], votes) if match.scores else ())
        found = Counter(votes.values())
        return Poll(is_open(match), tuple(found[side] for side in range(match.seating.sides)))

    async def press(self, match: PublicView | None, person_id: int, number: int, side: int) -> None:
        """Keep somebody's vote about a round, in place of an earlier one. The table must stand still.

        Raises:
            Refusal: if they have, or had, a seat in the match, or it is too late.
            StoreError: if it can't be stored.
        """
        poll, seated = self.poll(match), {seat.person_id for seat in self._state.seats}
        if match is None or poll is None or not poll.open or match.round_number != number or side >= len(poll.counts):
            raise Refusal(CommonRefusal.STALE)
        if person_id in seated | self._state.replaced:
            raise Refusal(TableRefusal.ALREADY_SEATED)
        self._cast = {**self._cast, number: await self._games.vote(self._game_id, number, person_id, side)}

    def forget(self, person_id: int) -> bool:
        """Drop the votes of somebody of whom nothing is stored any more; returns whether there were any."""
        return self._without({person_id})

    def _without(self, people: Collection[int]) -> bool:
        before = self._cast
        self._cast = {
            number: {person: side for person, side in votes.items() if person not in people}
            for number, votes in before.items()
        }
        return self._cast != before
