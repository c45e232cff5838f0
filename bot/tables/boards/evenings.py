"""Posts the card of an evening that is over, and deletes the results that it takes the place of. Messages that its
tables have left for newer ones go as well, with or without a card.

A result goes only once the card is noted as posted. That it is about to be posted is noted, too: if the bot stops in
between, the card may be there or not, so none is posted again, and the results stay. Whatever can't be done is tried
again, later and later; after a day the results stay.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from bot.engine.errors import IllegalMove
from bot.platform.database.errors import StoreError
from bot.platform.eventlog import CodecError, LogEntry
from bot.platform.observers import Observer
from bot.platform.place import Spot
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.trouble import NETWORK, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from bot.tables.boards.presenter import Presenter
from bot.tables.boards.table_message import LEFT
from bot.tables.live.table import Table
from bot.tables.log.codec import LOG
from bot.tables.log.evening_card import Evening, ToldMatch
from bot.tables.log.evenings import QUIET, PastMatch, evenings_of, goes_on, over_at
from bot.tables.log.events import Phase
from bot.tables.log.votes import Votes
from bot.tables.refusals import TableRefusal
from bot.tables.screens.evening import evening_layout
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

LATEST: Final = timedelta(days=1)
"""The time after the end of an evening in which its card is still posted."""
_AGAIN: Final = timedelta(minutes=1)
"""The wait after a first failure. Each further one doubles it."""
_LONGEST: Final = timedelta(hours=1)
_SHOWN: Final = QUIET + _LONGEST
"""The time after a match's end for which its result may be yet to be shown, or the message yet to be noted."""


class Evenings(Observer[Table]):
    """Follows the evenings of all channels. `presenter`: shows the tables."""

    def __init__(self, tools: TableTools, presenter: Presenter) -> None:
        self._tools = tools
        self._store = tools.evenings
        self._presenter = presenter
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._failures = Counter[int]()
        self._unnoted: dict[int, tuple[list[int], int | None]] = {}
        """By channel, the matches of a card, and its message, None if it isn't posted, until that is noted."""

    async def start(self) -> None:
        """Go on with the evenings that the bot before this one has left; the tables are back."""
        try:
            shards = self._tools.manager.shards
            for place in {*await self._store.channels(shards), *await self._places_left()}:
                self._look_after(place, timedelta())
        except StoreError as error:
            log.warning("Could not read which evenings aren't over: %s", error)

    def table_over(self, table: Table) -> None:
        self._tools.tonight.forget(table.id)
        if not (table.alone or table.taken_out):
            self._look_after(table.spot, QUIET)
        if table.thread_id is not None:  # what its lobby has left in the channel before it moved
            self._tools.clock.after(("evenings", table.id), QUIET.total_seconds(), self._look_at_left)

    def table_rests(self, table: Table) -> None:
        self._tools.tonight.forget(table.id)

    def _look_after(self, place: Spot, wait: timedelta) -> None:
        key = ("evening", place.channel_id)
        self._tools.clock.after(key, wait.total_seconds(), partial(self._look, place))

    def _again(self, place: Spot) -> None:
        self._failures[place.channel_id] += 1
        self._look_after(place, min(_AGAIN * 2 ** (self._failures[place.channel_id] - 1), _LONGEST))

    def _lock(self, place: Spot) -> asyncio.Lock:
        return self._locks.setdefault(place.channel_id, asyncio.Lock())

    async def _look(self, place: Spot) -> None:
        """Do whatever is due in a channel."""
        if self._tools.closing():
            return
        try:
            async with self._lock(place):
                if await self._settle(place):
                    self._failures.pop(place.channel_id, None)
                else:
                    self._again(place)
        except StoreError as error:
            log.warning("Channel %s: could not see whether an evening is over: %s", place.channel_id, error)
            self._again(place)

    async def _settle(self, place: Spot) -> bool:
        """End the evenings that are over; returns whether all is done that can be done now. Raises StoreError."""
        await self._note(place)
        matches = await self._store.of_channel(place.channel_id)
        if uncertain := [each for each in matches if each.card_id == 0]:
            log.info("Channel %s: the bot stopped while it posted a card; the results stay", place.channel_id)
            await self._forget(place, uncertain)
        done = await self._tidy(place, [each for each in matches if each.card_id])
        over = True
        for evening in evenings_of([each for each in matches if each.card_id is None]):
            ends_at, now = over_at(evening), self._tools.clock.now()
            if now < ends_at:
                over = False
                self._look_after(place, ends_at - now)
            elif evening[-1] is matches[-1] and await self._goes_on(place, evening):
                over = False
                self._look_after(place, QUIET)  # in case the match is taken out of the channel
            else:
                done = await self._end(place, evening, now) and done
        if over and self._tools.manager.at(place.channel_id) is None:
            done = await self._delete_left(place) and done
        return done

    async def _goes_on(self, place: Spot, evening: Sequence[PastMatch]) -> bool:
        """Whether a match is played in the channel that belongs to its evening. Raises StoreError."""
        await self._tools.manager.wake_at(place.channel_id)
        table = self._tools.manager.at(place.channel_id)
        if table is None or table.phase is not Phase.PLAYING:
            return False
        view = table.view()
        if view.unhurried or view.fixture is not None:
            return False
        begun_at = await self._store.began_at(table.id)
        return begun_at is not None and goes_on(evening, begun_at)

    async def _end(self, place: Spot, evening: Sequence[PastMatch], now: datetime) -> bool:
        """End an evening: post its card, if it had several matches; returns whether that is done."""
        late = now - evening[-1].ended_at > LATEST
        if len(evening) > 1 and not late:
            if _has_unshown(evening, now) or await self._post(place, evening) is None:
                return False
            return place.channel_id not in self._unnoted and await self._tidy(place, evening)
        await self._forget(place, evening)
        return True

    async def _post(self, place: Spot, evening: Sequence[PastMatch]) -> int | None:
        """Post the card of an evening; returns its message, None if it can't be posted now. Raises StoreError if it
        wasn't tried: what becomes of it is noted sooner or later."""
        await self._note(place)  # of another evening, which has just ended, too
        ids = [each.game_id for each in evening]
        logs, (_, votes) = await self._tools.games.with_logs(ids), await self._tools.games.crowds_of(ids)
        if not all(game_id in logs and logs[game_id][1] for game_id in ids):
            log.info("Channel %s: an evening has no card, as its logs are gone", place.channel_id)
            return None
        try:
            told = await asyncio.to_thread(_summed_up, evening, {game_id: logs[game_id][1] for game_id in ids}, votes)
        except (CodecError, IllegalMove) as error:
            log.warning("Channel %s: can't read what was played in an evening: %s", place.channel_id, error)
            return None
        display = self._tools.display(logs[ids[-1]][0].locale, place.guild_id)
        layout = evening_layout(told, display.words)
        self._unnoted[place.channel_id] = (ids, None)  # if the store keeps what it says has failed, that is undone
        await self._store.close(ids, 0)
        try:
            async with self._tools.channels.turn(place, Priority.POST) as ticket:
                nonce = f"v{ids[-1]}"
                sent = await self._tools.channels.post(ticket, place, layout, nonce=nonce, allowed_mentions=NOBODY)
            card_id = sent.message_id
        except NETWORK as error:
            log.info("Channel %s: could not post an evening's card (%s)", place.channel_id, type(error).__name__)
            card_id = None
        self._unnoted[place.channel_id] = (ids, card_id)
        try:
            await self._note(place)
        except StoreError as error:
            log.warning("Channel %s: could not note an evening's card: %s", place.channel_id, error)
        self._show_lobby(place)
        return card_id

    async def _note(self, place: Spot) -> None:
        """Note what has become of a card, if that isn't noted yet. Raises StoreError."""
        if place.channel_id in self._unnoted:
            await self._store.close(*self._unnoted[place.channel_id])
            del self._unnoted[place.channel_id]

    async def _forget(self, place: Spot, evening: Sequence[PastMatch]) -> None:
        """Leave the results of an evening as they are. Raises StoreError."""
        await self._store.forget([each.game_id for each in evening])
        self._show_lobby(place)

    def _show_lobby(self, place: Spot) -> None:
        """Show the lobby in a channel, if there is one, without the score of an evening that is over."""
        table = self._tools.manager.at(place.channel_id)
        if table is not None:
            self._tools.tonight.forget(table.id)
            self._presenter.board_of(table).message.surface.invalidate()

    async def _tidy(self, place: Spot, matches: Sequence[PastMatch]) -> bool:
        """Delete the results of matches whose evening's card is posted; returns whether none is left.

        Raises StoreError.
        """
        gone: list[int] = []
        for each in matches:
            now = self._tools.clock.now()
            if each.message_id is None:
                done = not _has_unshown([each], now)
            else:
                done = now - each.ended_at > LATEST or await self._delete(place, each.message_id)
            gone += [each.game_id] * done
        if gone:
            await self._store.forget(gone)
        return len(gone) == len(matches)

    async def _look_at_left(self) -> None:
        try:
            for place in await self._places_left():
                self._look_after(place, timedelta())
        except StoreError as error:  # at the next start
            log.warning("Could not read which messages tables have left: %s", error)

    async def _places_left(self) -> set[Spot]:
        """The channels with messages that tables have left. Raises StoreError."""
        left = (await self._tools.values.of(LEFT)).items()
        places = {Spot(int(key.partition(":")[0]), int(value.partition(":")[0])) for key, value in left}
        return {place for place in places if self._tools.manager.shards.has(place.guild_id)}

    async def _delete_left(self, place: Spot) -> bool:
        """Delete the messages in a channel that tables have left; returns whether none is left.

        Raises StoreError.
        """
        done, prefix = True, f"{LEFT}{place.channel_id}:"
        for key, value in (await self._tools.values.of(prefix)).items():
            left_at = datetime.fromtimestamp(int(value.partition(":")[2]), UTC)
            late = self._tools.clock.now() - left_at > LATEST
            if late or await self._delete(place, int(key)):
                await self._tools.values.set(prefix + key, None)
            else:
                done = False
        return done

    async def _delete(self, place: Spot, message_id: int) -> bool:
        """Delete a message; returns whether it is gone."""
        try:
            async with self._tools.channels.turn(place, Priority.LEFT_BEHIND, edits=False) as ticket:
                await self._tools.channels.delete(ticket, place, message_id)
        except NETWORK as error:
            log.info("Channel %s: could not delete a message (%s)", place.channel_id, type(error).__name__)
            return getattr(error, "code", 0) == UNKNOWN_MESSAGE
        return True

    async def finish(self, place: Spot, game_id: int, person_id: int) -> int:
        """End the evening that a match belongs to, because one of the match's people wants that; return the card's
        message.

        Raises:
            Refusal: if it is over or had one match only, they didn't play, a table is there, a result isn't shown yet,
                or it can't be posted.
            StoreError: if it can't be read or noted.
        """
        async with self._lock(place):
            await self._note(place)
            matches = [each for each in await self._store.of_channel(place.channel_id) if each.card_id is None]
            evening = evenings_of(matches)[-1] if matches else ()
            match = next((each for each in evening if each.game_id == game_id), None)
            if len(evening) < 2 or match is None:
                raise Refusal(TableRefusal.EVENING_OVER)
            if not any(person_id in side for side in match.outcome.sides):
                raise Refusal(TableRefusal.NOT_TONIGHT)
            await self._tools.manager.wake_at(place.channel_id)
            if self._tools.manager.at(place.channel_id) is not None:
                raise Refusal(TableRefusal.TABLE_LEFT)
            if _has_unshown(evening, self._tools.clock.now()):
                raise Refusal(CommonRefusal.TOO_FAST)
            card_id = await self._post(place, evening)
            if card_id is None:
                raise Refusal(CommonRefusal.UNAVAILABLE)
            self._tools.spawn(self._look(place))  # its results are deleted once whoever pressed has their answer
            return card_id


def _has_unshown(matches: Sequence[PastMatch], now: datetime) -> bool:
    """Whether a result of these matches may be yet to be shown."""
    return any(each.message_id is None and now - each.ended_at < _SHOWN for each in matches)


def _summed_up(evening: Sequence[PastMatch], logs: dict[int, list[LogEntry]], votes: Mapping[int, Votes]) -> Evening:
    return Evening.of((ToldMatch.of(each, LOG.events(logs[each.game_id])) for each in evening), votes)
