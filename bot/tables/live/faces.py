"""The faces that players and onlookers show at a table, each their latest one, until the next deal."""

from collections import Counter

from bot.engine.match import Match
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.state import TableState
from bot.tables.log.topics import Face
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
