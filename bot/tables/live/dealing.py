"""The decks of a table, and the beginning of a tournament's table."""

import hmac
from collections.abc import Sequence
from zlib import crc32

from bot.engine.events import MatchStarted, RoundDealt
from bot.platform.database.errors import StoreError
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.chance import Chance, is_drawn
from bot.tables.live.services import Services
from bot.tables.log.change import Change, deck_of
from bot.tables.log.events import Config, Fixture, Joined, LogEvent, Opened
from bot.tables.refusals import Conflicting, TableRefusal
from bot.tables.store.deals import Draw
from bot.tables.store.rows import GameRow


def opening(
    fixture: Fixture, people: Sequence[Person], config: Config, chance: Chance, *, sealed: bool
) -> list[LogEvent]:
    """The first events of a pairing's table: its people sit down, and the first of them is dealt to first.

    If it is `sealed`, the first deal follows once its message has been posted.

    Raises Refusal if this many people can't play by these rules.
    """
    first, *others = people
    seating = config.seating(len(people))
    if seating is None:
        raise Refusal(TableRefusal.NO_SEATING)
    if conflicts := config.conflicts_with(seating):
        raise Conflicting(conflicts)
    lot = crc32(f"{fixture.tournament}/{fixture.key}".encode())  # the table has no number yet
    dealt = [] if sealed else [RoundDealt(deck_of(chance, fixture, lot, 1, seating))]
    return [
        Opened(first, config, fixture=fixture),
        *(Joined(person) for person in others),
        MatchStarted(config.rules, seating, dealer=len(people) - 1),
        *dealt,
    ]


class Dealing:
    """Deals for one table, whose lock is held while something is decided and committed.

    Attributes:
        commitment: the commitment to its seed, which is shown; None if it has no seed.
        posted: how often its message was posted before its first deal.
        waits: whether it has a seed, but the store doesn't know its message yet.
    """

    __slots__ = ("_computers_key", "_game_id", "_opened_at", "_services", "commitment", "posted", "waits")

    def __init__(self, services: Services, row: GameRow) -> None:
        self.commitment, self.posted = row.commitment, row.posted
        self.waits = row.commitment is not None and row.message_id is None
        self._computers_key: bytes | None = None
        self._game_id = row.id
        self._opened_at = row.opened_at
        self._services = services

    def note_posted(self, posted: int) -> None:
        """Note that the store knows the table's message, and how many were posted before the first deal."""
        self.posted, self.waits = posted, False

    async def complete(self, change: Change) -> tuple[Change, Draw | None]:
        """Make the deal that a change has due, with what the store holds at this moment.

        Returns:
            The change with its deal, and the round that is dealt by the table's seed and message, if it is.

        Raises:
            Refusal: if it can't be dealt: UNPOSTED if the table's message isn't stored, UNREADABLE if the store can't
                be read.
        """
        due, chance = change.deal, self._services.chance
        if due is None or self.commitment is None:
            return change.dealt(chance, self._game_id), None
        try:
            deal = await self._services.deals.of(self._game_id)
        except StoreError as error:
            raise Refusal(CommonRefusal.UNREADABLE) from error
        if deal is None:
            return change.dealt(chance, self._game_id), None
        if deal.message_id is None:
            if not due.optional:
                raise Refusal(TableRefusal.UNPOSTED)
            return change.without_deal(), None
        draw = Draw(due.number, deal.message_id) if is_drawn(due.number) else None
        return change.dealt(chance.by(deal), self._game_id), draw

    async def computers_seed(self, version: int, seat: int) -> str:
        """Return what a computer's move in a version of the match is drawn with: the same after a restart.

        Only who knows the table's seed can know it: from the moves of a computer whose chance they know, players could
        learn something of its hand. Raises StoreError if the seed can't be read.
        """
        if self._computers_key is None:
            chance = self._services.chance
            deal = None if self.commitment is None else await self._services.deals.of(self._game_id)
            source = chance if deal is None or deal.message_id is None else chance.by(deal)
            self._computers_key = source.computers_key(self._game_id)
        place = f"{self._game_id}/{version}/{seat}"
        if not self._computers_key:
            return place
        return hmac.digest(self._computers_key, f"{self._opened_at.isoformat()}/{place}".encode(), "sha256").hex()
