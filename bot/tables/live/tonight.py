"""The evening that a channel's table belongs to, as far as it has got."""

import logging

from bot.platform.database.errors import StoreError
from bot.tables.live.view import TableView
from bot.tables.log.evenings import Outcome, evenings_of
from bot.tables.store.evenings import EveningMatches

log = logging.getLogger(__name__)


class Tonight:
    """Tells what was played before a match in its evening. The store is read once for each open table."""

    def __init__(self, store: EveningMatches) -> None:
        self._store = store
        self._known: dict[int, tuple[int, tuple[Outcome, ...]]] = {}
        """By open table, its channel and what was played there before."""

    async def before(self, view: TableView) -> tuple[Outcome, ...]:
        """The outcomes of the matches before a table's own, the earliest first; none if it can't be read."""
        channel_id = view.channel_id
        if channel_id is None or view.fixture is not None or view.unhurried:
            return ()
        where, known = self._known.get(view.id, (None, ()))
        if where == channel_id:
            return known
        try:
            matches = [each for each in await self._store.of_channel(channel_id) if each.card_id is None]
        except StoreError as error:
            log.info("Table %s: could not read what was played before (%s)", view.id, error)
            return ()
        own = next((place for place, each in enumerate(matches) if each.game_id == view.id), None)
        evening = next(iter(evenings_of(matches[: None if own is None else own + 1])[-1:]), ())
        found = tuple(each.outcome for each in evening if each.game_id != view.id)
        if not view.over:
            self._known[view.id] = (channel_id, found)
        return found

    def forget(self, game_id: int) -> None:
        """Forget what was played before a table: it is over, or their evening is."""
        self._known.pop(game_id, None)
