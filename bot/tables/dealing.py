"""How a table gets its decks: they are drawn with a seed that only the store has, once its message has an id."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from bot.engine.events import RoundDealt
from bot.store import Deal, Draw, GameRow, StoreError
from bot.tables.chance import Chance, UnavailableChance, Unread, is_drawn
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import LogEvent
from bot.tables.log.state import TableState
from bot.tables.services import Services

T = TypeVar("T")


class Dealing:
    """Deals for one table, whose lock is held while something is decided and committed.

    Attributes:
        commitment: the commitment to its seed, which is shown; None if it has no seed.
        posted: how often its message was posted before its first deal.
        waits: whether it has a seed, but the store doesn't know its message yet.
    """

    __slots__ = ("_deal", "_game_id", "_services", "commitment", "posted", "waits")

    def __init__(self, services: Services, row: GameRow) -> None:
        self.commitment, self.posted = row.commitment, row.posted
        self.waits = row.commitment is not None and row.message_id is None
        self._game_id = row.id
        self._services = services
        self._deal: Deal | None = None
        """The seed and the message as read from the store for what is about to be dealt."""

    def note_posted(self, posted: int) -> None:
        """Note that the store knows the table's message, and how many were posted before the first deal."""
        self.posted, self.waits = posted, False

    async def decide_with_chance(self, decide: Callable[[Chance], T]) -> T:
        """What `decide` returns; if it deals something, it does so with what the store holds at this moment.

        Raises:
            Refusal: what `decide` raises; UNPOSTED if something would be dealt, but the table's message isn't stored;
                UNREADABLE if the store can't be read.
        """
        self._deal = None
        if self.commitment is None:
            return decide(self._services.chance)
        try:
            return decide(UnavailableChance(Unread()))
        except Unread:
            pass
        try:
            self._deal = deal = await self._services.store.deals.of(self._game_id)
        except StoreError as error:
            raise Refusal(RefusalCode.UNREADABLE) from error
        if deal is None or deal.message_id is None:
            return decide(UnavailableChance(Refusal(RefusalCode.UNPOSTED)))
        return decide(self._services.chance.by(deal))

    def draw(self, events: Iterable[LogEvent], then: TableState) -> Draw | None:
        """The round that these events deal with the seed; None if they deal none. `then` is the table after them."""
        deal, match = self._deal, then.match
        if deal is None or deal.message_id is None or match is None:
            return None
        dealt = any(isinstance(event, RoundDealt) for event in events) and is_drawn(match.round_number)
        return Draw(match.round_number, deal.message_id) if dealt else None
