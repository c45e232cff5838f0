"""The evening that a channel's table belongs to, as far as it has got."""

import logging

from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.log.evenings import Outcome, evenings_of, goes_on
from bot.tables.log.events import Phase
from bot.tables.store.evenings import EveningMatches

log = logging.getLogger(__name__)


class Tonight:
    """Tells what was played before a match in its evening. The store is read once for each open table."""

    def __init__(self, store: EveningMatches, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[int, tuple[int, tuple[Outcome, ...]]] = {}
        """By open table, its channel and what was played there before."""
        self._forgotten = 0

    async def before(self, view: TableView, table: Table) -> tuple[Outcome, ...]:
        """The outcomes of the matches before a table's own, the earliest first; none if it can't be read."""
        channel_id = view.channel_id
        if channel_id is None or not view.of_evening:
            return ()
        where, known = self._known.get(view.id, (None, ()))
        if where == channel_id:
            return known
        forgotten, begun_at = self._forgotten, None
        try:
            if view.phase is not Phase.LOBBY:
                begun_at = await self._store.began_at(view.id)
            matches = [each for each in await self._store.of_channel(channel_id) if each.card_id is None]
        except StoreError as error:
            log.info("Table %s: could not read what was played before (%s)", view.id, error)
            return ()
        own = next((place for place, each in enumerate(matches) if each.game_id == view.id), None)
        evening = next(iter(evenings_of(matches[: None if own is None else own + 1])[-1:]), ())
        if own is None and evening and not goes_on(evening, begun_at or self._clock.now()):
            evening = ()
        found = tuple(each.outcome for each in evening if each.game_id != view.id)
        if table.phase.open and forgotten == self._forgotten:
            self._known[view.id] = (channel_id, found)
        return found

    def forget(self, game_id: int) -> None:
        """Forget what was played before a table: it is over, or their evening is."""
        self._known.pop(game_id, None)
        self._forgotten += 1  # whoever is reading it has read it too early

    def forget_people(self, _: int = 0) -> None:
        """Forget all that was played before, since it may name somebody who was erased."""
        self._known.clear()
        self._forgotten += 1  # whoever is reading it has read it too early
