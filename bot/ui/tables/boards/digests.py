"""Tells people once a day, in their hour, which of their unhurried matches wait for them, and of the daily puzzle.

One process does this for all servers, since a person gets one message: the one with shard 0. What it doesn't have in
memory it reads from the store.

- When somebody's hour comes, it is noted in one step that they are owed a message, and that nobody else is to note so.
  Each has a minute of their own in that hour.
- Just before a message is sent it is noted as tried, for so long that no other process tries as well. If the bot stops
  then, it is tried again under the same nonce while Discord still knows that, and not at all after that.
- Only when it is sent, or can't be, the note is deleted. After other failures it is tried again, for some hours.
- Private channels are opened one at a time, and few a minute: Discord puts a bot that opens many in quarantine. So
  their ids are kept. Once Discord says that it is too many, none is opened for a while, longer each time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

from bot.replays.running import RunningMatch, running_matches
from bot.store import DIGESTS_OWED, StoreError
from bot.tables.errors import Refusal
from bot.tables.options import TableOptions
from bot.tables.pace import is_unhurried, spread
from bot.tables.server.preferences import DayNotice, Preferences
from bot.tables.server.zones import zone_named
from bot.tables.turn import SlowNotice
from bot.ui.kit.channel_access import Backoff
from bot.ui.kit.tools import Tools
from bot.ui.tables.screens.digest import digest_text
from bot.ui.transport.trouble import NETWORK, Trouble, trouble_of

log = logging.getLogger(__name__)

TOLD: Final = "digests"
"""The key under which it is noted up to which hour people are told, or owed a message."""
EVERY: Final = timedelta(minutes=15)
"""Clocks around the world differ by multiples of it."""
LATEST: Final = timedelta(hours=6)
"""Time after their hour in which people are still told, if the bot was down then or Discord took no messages."""
GAP: Final = timedelta(seconds=20)
"""The least time between two openings of private channels: others were put in quarantine for 20 to 50 at once."""
AT_ONCE: Final = 20
"""The most people who are told at the same time, in private channels that are open."""
ATTEMPT_SECONDS: Final = 60
HELD: Final = timedelta(seconds=90)
"""Time in which nobody else tries to send a message; as long again, Discord still knows its nonce."""
SOONEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(minutes=15)
"""The waits until a message is tried again: as long as it is late already, within these."""
FIRST_REST: Final = 5 * 60
LONGEST_REST: Final = 60 * 60
"""Seconds in which no private channel is opened after Discord has said that it is too many, and the most of them."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A message that somebody is still to get.

    Attributes:
        hour: the hour for which it is.
        at: the time from which it may be sent.
        tried: whether somebody has begun to send it, and hasn't noted since how that went.
    """

    hour: datetime
    at: datetime
    tried: bool = False

    def dump(self) -> str:
        return f"{self.hour.timestamp():.0f} {self.at.timestamp():.0f} {self.tried:d}"

    @classmethod
    def load(cls, text: str) -> Self | None:
        """Read what was stored; None if another version wrote it in another way."""
        try:
            hour, at, tried = map(int, text.split())
        except ValueError:
            return None
        return cls(datetime.fromtimestamp(hour, UTC), datetime.fromtimestamp(at, UTC), bool(tried))


class Digests:
    """The clock of these messages.

    Args:
        tools: what they are sent with.
        options: how tables are run on a server.
    """

    def __init__(self, tools: Tools, options: Callable[[int], Awaitable[TableOptions]]) -> None:
        self._tools = tools
        self._options = options
        self._rest = Backoff(1, FIRST_REST, LONGEST_REST)
        self._opens_at = datetime.min.replace(tzinfo=UTC)
        """The time from which another private channel may be opened."""
        self._reopened: dict[int, datetime] = {}
        """The hour for which somebody's channel was opened again, as Discord no longer took the one that was kept."""
        self._rests = False
        """Whether Discord has said since the latest opening that the bot may not."""

    def start(self) -> None:
        """Tell people from now on; only one process may."""
        self._look_at(self._tools.clock.now() + GAP)

    def _look_at(self, when: datetime | None) -> None:
        """Look then whom to tell, or at the next quarter of an hour if that is earlier."""
        now = self._tools.clock.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        quarter = midnight + ((now - midnight) // EVERY + 1) * EVERY
        self._tools.clock.schedule(TOLD, min(when or quarter, quarter), self._look)

    async def _look(self) -> None:
        now, next_at = self._tools.clock.now(), None
        self._look_at(None)
        try:
            if owed := await self._tell_people(now):
                next_at = max(now + GAP, min(self._next_try(*each) for each in owed.items()))
        except StoreError as error:
            log.warning("Could not look for daily notifications (%s)", error)
            next_at = now + SOONEST
        self._look_at(next_at)

    async def _tell_people(self, now: datetime) -> dict[int, Owed]:
        """Tell those whose time has come; return who is still owed a message.

        Raises:
            StoreError: if the store fails; then nobody was told.
        """
        store, daily = self._tools.store, self._tools.preferences.daily()
        stored = await store.values_of(TOLD)
        noted = stored.pop("", None)
        if self._tools.manager.closing or not (daily or stored):
            return {}
        loaded = {int(key[1:]): each for key, text in stored.items() if (each := Owed.load(text))}
        owed = {person: each for person, each in loaded.items() if self._is_wanted(person, each, now)}
        since = now - EVERY if noted is None else datetime.fromtimestamp(int(noted), UTC)
        since = now if since > now + LATEST else since  # the clock was wrong by much more than any correction
        for person_id, preferences in daily:
            if max(since, now - LATEST) < (hour := latest_hour(preferences, now)) <= now:
                owed[person_id] = Owed(hour, hour + own_minute(person_id))
        texts = await self._choose(owed, now)
        after = {f":{person}": each.dump() for person, each in owed.items()}
        changed = {TOLD + key: after.get(key) for key in {*stored, *after} if stored.get(key) != after.get(key)}
        mark = f"{int(max(now, since).timestamp())}"  # a clock that was set back tells nobody again
        mark = f"0{mark}" if mark == noted else mark  # another process that looks in this second fails
        if not await store.add_value(TOLD, mark, instead_of=noted, along=changed):
            return {}
        left = await asyncio.gather(*(self._tell(person, owed.pop(person), text) for person, text in texts.items()))
        return owed | {person: each for person, each in zip(texts, left, strict=True) if each is not None}

    def _is_wanted(self, person_id: int, owed: Owed, now: datetime) -> bool:
        """Whether somebody is to get a message that is owed to them, and can't have got it already."""
        preferences = self._tools.preferences.get(person_id)
        if not preferences.hears_daily or latest_hour(preferences, now) != owed.hour or now - owed.hour > LATEST:
            return False
        return not owed.tried or now <= owed.at + HELD

    def _next_try(self, person_id: int, owed: Owed) -> datetime:
        opens = self._tools.preferences.get(person_id).digest_channel is None
        return max(owed.at, self._opens_at) if opens else owed.at

    async def _choose(self, owed: dict[int, Owed], now: datetime) -> dict[int, str]:
        """Choose whom to tell what now, and note that this is tried. Only one of them needs a private channel opened;
        those for whom nothing waits are owed nothing."""
        texts: dict[int, str] = {}
        for _, person_id in sorted((each.at, person) for person, each in owed.items()):
            if self._next_try(person_id, owed[person_id]) > now:
                continue
            preferences = self._tools.preferences.get(person_id)
            try:
                text = await self._text(person_id, preferences)
            except StoreError as error:  # maybe because of a match of theirs, which keeps nobody else from being told
                log.warning("Could not read which matches wait for somebody (%s)", error)
                owed[person_id] = replace(owed[person_id], at=now + LONGEST)
                continue
            if text is None:
                del owed[person_id]
                continue
            texts[person_id] = text
            owed[person_id] = replace(owed[person_id], at=now + HELD, tried=True)
            if preferences.digest_channel is None:
                self._opens_at = now + GAP
            if len(texts) == AT_ONCE:
                break
        return texts

    async def _text(self, person_id: int, preferences: Preferences) -> str | None:
        """Write what waits for somebody; None if nothing does."""
        tools = self._tools
        t = tools.display(preferences.language or preferences.digest_locale, None).words
        rows = await tools.store.matches.running(person_id)
        found = await running_matches(tools.store, tools.manager, rows, person_id)
        daily = preferences.slow_notice is SlowNotice.DAILY
        mine = [each for each in found if daily and each.own is not None and each.waits]
        waiting = [each for each in mine if await self._is_unhurried(each)]
        today = await self._has_puzzle(person_id, preferences)
        return digest_text(waiting, t, puzzle=today) if waiting or today else None

    async def _has_puzzle(self, person_id: int, preferences: Preferences) -> bool:
        """Whether somebody wants to hear of the daily puzzle, and hasn't solved it yet."""
        if preferences.day_notice is not DayNotice.PRIVATE:
            return False
        today = self._tools.clock.now().date()
        return today not in (await self._tools.store.answers.record(person_id, today, today, 1)).answers

    async def _is_unhurried(self, match: RunningMatch) -> bool:
        """Whether people play a match who come when they can."""
        if match.guild_id is None or not any(seat.may_return for seat in match.others):
            return False
        pace = (await self._options(match.guild_id)).pace.at(match.tempo)
        return is_unhurried(match.tempo, slow=pace.slow)

    async def _tell(self, person_id: int, owed: Owed, text: str) -> Owed | None:
        """Tell somebody, and note how that went; return what they are owed if another attempt may succeed."""
        store, left = self._tools.store, None
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                channel = self._tools.preferences.get(person_id).digest_channel or await self._open(person_id)
                await self._tools.channels.tell(int(channel), text, nonce=f"g{owed.hour.timestamp():.0f}")
        except NETWORK as error:
            left = await self._failed(person_id, owed, error)
        try:
            if left is None:
                await store.set_value(f"{DIGESTS_OWED}{person_id}", None)
            else:  # unless they have erased their data
                await store.add_value(f"{DIGESTS_OWED}{person_id}", left.dump(), instead_of=owed.dump())
        except StoreError as error:
            log.warning("Could not note whether somebody was told which matches wait for them (%s)", error)
        return left

    async def _open(self, person_id: int) -> str:
        channel = str(await self._tools.channels.open_private(person_id))
        self._rest.reset()
        self._rests = False
        await self._change(person_id, digest_channel=channel)
        return channel

    async def _failed(self, person_id: int, owed: Owed, error: BaseException) -> Owed | None:
        """Decide what somebody is owed after a failure, by whose fault it was."""
        trouble, now = trouble_of(error), self._tools.clock.now()
        if trouble is Trouble.PERSON:
            await self._refused(person_id)
            return None
        level = logging.WARNING if trouble is Trouble.REFUSED else logging.INFO
        log.log(level, "Could not tell somebody which matches wait for them (%s)", error or type(error).__name__)
        late = now - owed.hour - own_minute(person_id)
        at = now + min(max(late, SOONEST), LONGEST)
        if trouble is Trouble.BOT:
            at = max(at, self._stop_opening(error, now))
        elif trouble in (Trouble.GONE, Trouble.SILENCED) and self._reopened.get(person_id) != owed.hour:
            self._reopened[person_id] = owed.hour
            await self._change(person_id, digest_channel=None)
        return replace(owed, at=at, tried=False)

    def _stop_opening(self, error: BaseException, now: datetime) -> datetime:
        """Open no private channel for a while, since Discord says that the bot may not; return until when."""
        if not self._rests:
            log.warning("Discord lets the bot open no private channels for now: people are told later (%s)", error)
        if not self._rests or now >= self._opens_at - GAP:  # not once more for each message of the same moment
            self._opens_at = now + timedelta(seconds=self._rest.seconds_after(error))
        self._rests = True
        return self._opens_at

    async def _refused(self, person_id: int) -> None:
        """Mention somebody who takes no private messages in the channels again; `/escoba me` says so once."""
        preferences = self._tools.preferences
        changes: dict[str, Any] = {"digest_refused": True, "digest_channel": None}
        if preferences.get(person_id).slow_notice is SlowNotice.DAILY:
            changes["slow_notice"] = SlowNotice.MENTION
        if preferences.get(person_id).day_notice is DayNotice.PRIVATE:
            changes["day_notice"] = DayNotice.NEVER
        await self._change(person_id, **changes)

    async def _change(self, person_id: int, **changes: Any) -> None:
        if self._tools.preferences.get(person_id).hears_daily:  # they may have erased their data
            try:
                await self._tools.preferences.change(person_id, **changes)
            except Refusal as error:
                log.info("Could not note how somebody takes private messages (%s)", error.code)


def own_minute(person_id: int) -> timedelta:
    """The minute of their hour in which somebody is told, so that many aren't told at the same moment."""
    return timedelta(minutes=int(4 * spread(person_id) * 60))


def latest_hour(preferences: Preferences, now: datetime) -> datetime:
    """The latest time at which the clock of somebody's zone has first shown their hour."""
    local = now.astimezone(zone_named(preferences.digest_zone))
    today = local.replace(hour=preferences.digest_hour, minute=0, second=0, microsecond=0, fold=0)
    latest = today if today <= local else today - timedelta(days=1)
    return latest.astimezone(UTC)
