"""Tells people in private which of their unhurried matches wait for them: once a day, in their hour, also of the daily
puzzle, and when a notice of a turn is due to those who want it in private.

One process does this for all servers, since a person gets one message: the one with shard 0. What it doesn't have in
memory it reads from the store.

- When somebody's hour comes, it is noted in one step that they are owed a message, and that nobody else is to note so.
  Each has a minute of their own in that hour.
- Just before a message is sent, that is noted, and no other process sends it for a while. If the bot stops then, it is
  sent again under the same nonce while Discord still knows that, and not at all after that.
- Only when it is sent, or can't be, the note is deleted. After other failures it is tried again, for some hours.
- Private channels are opened one at a time, and few a minute: Discord puts a bot that opens many in quarantine. So
  their ids are kept. Once Discord says that it is too many, none is opened for a while, longer each time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, Final, Protocol

from bot.platform.clock import spread
from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Display
from bot.platform.language.calendar import zone_named
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Either, Layout, box_of
from bot.platform.refusals import Refusal
from bot.platform.settings.language import LanguagePreference
from bot.platform.transport.files import Shown
from bot.platform.transport.trouble import NETWORK, Trouble, is_shut_out, trouble_of
from bot.tables.boards.digest_news import Options, news_of, turns_of
from bot.tables.screens.board import pictured_table
from bot.tables.screens.digest import Digest, digest_rows, digest_text
from bot.tables.settings import DigestPreferences, SlowNotice, TablePreferences, in_private
from bot.tables.store.digests import DIGESTS_OWED, EVERY, Owed
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

TOLD: Final = "digests"
"""The key under which it is noted up to which hour people are told, or owed a message."""
REPLACES: Final = timedelta(hours=3)
"""Time before a daily message in which no notice is sent that a deadline is near."""
LATEST: Final = timedelta(hours=12)
"""Time in which people are still told of a turn, if the bot was down or Discord took no messages. A daily message
still comes on its day."""
GAP: Final = timedelta(seconds=20)
"""The least time between two openings of private channels: others were put in quarantine for 20 to 50 at once."""
ATTEMPT_SECONDS: Final = 60
PICTURE_SECONDS: Final = 5.0
"""Seconds that a message waits for its picture."""
HELD: Final = timedelta(seconds=90)
"""Time in which no other process tries to send a message; as long again, Discord still knows its nonce."""
SOON: Final = timedelta(minutes=1)
"""The wait until a message is sent again that may have arrived, while Discord still knows its nonce."""
LATER: Final = timedelta(hours=1)
"""The wait until one is that Discord has refused."""
FIRST_REST: Final = timedelta(minutes=5)
LONGEST_REST: Final = timedelta(hours=1)
"""Time in which no private channel is opened after Discord has said that it is too many, doubled each time."""


class Puzzle(Protocol):
    """The daily puzzle, as these messages tell of it."""

    def people(self) -> list[int]: ...
    def is_wanted_by(self, person_id: int) -> bool: ...
    async def waits_for(self, person_id: int) -> bool: ...
    async def stop(self, person_id: int) -> None: ...


class Digests:
    """The clock of these messages.

    Args:
        tools: what they are sent with.
        puzzle: the daily one.
        options: how tables are run on a server.
        all_matches: the button of the list of somebody's matches.
    """

    def __init__(
        self,
        tools: TableTools,
        puzzle: Puzzle,
        options: Options,
        all_matches: Callable[[Words], Component],
    ) -> None:
        self._tools = tools
        self._puzzle = puzzle
        self._options = options
        self._all_matches = all_matches
        self._owed: dict[int, Owed] = {}
        """The messages that are owed, as the store has them."""
        self._read_in: datetime | None = None
        """The quarter of an hour in which they were read."""
        self._looking = self._news = False
        """Whether that is being done, and whether somebody is owed a notice since."""
        self._later: dict[int, datetime] = {}
        """The time before which somebody isn't told, because an attempt has failed."""
        self._opens_at = datetime.min.replace(tzinfo=UTC)
        """The time from which another private channel may be opened."""
        self._rest = timedelta()
        """The time for which Discord has kept the bot from opening any since the latest one was opened."""

    def start(self) -> None:
        """Tell people from now on; only one process may."""
        self._tools.owed.on_news = self.note_news
        self._look_in(GAP)

    def note_news(self) -> None:
        """Look soon: a notice is owed to somebody, as another part of this process or another process has noted."""
        self._news = True
        if not self._looking:
            self._look_in(timedelta())

    def _look_in(self, wait: timedelta) -> None:
        self._tools.clock.after(TOLD, wait.total_seconds(), self._look, lasts=False)

    async def _look(self) -> None:
        now, again = self._tools.clock.now, GAP
        self._looking = True
        try:
            await self._note_owed(now())
            for person_id in sorted(self._owed, key=self._due):
                if self._due(person_id) <= now() and not self._tools.closing():
                    await self._tell(person_id, now())
            next_at = min((_quarter(now()) + EVERY, *map(self._due, self._owed)))
            again = max(next_at - now(), GAP)
        except StoreError as error:
            log.warning("Could not find out whom to tell which matches wait for them (%s)", error)
        except NETWORK as error:
            log.info("Could not tell people which matches wait for them (%s)", error or type(error).__name__)
        finally:
            self._looking = False
            self._look_in(timedelta() if self._news else again)

    def forget(self, person_id: int) -> None:
        """Forget when somebody, or for 0 anybody, may be told again."""
        for each in [person_id] if person_id else [*self._later]:
            self._later.pop(each, None)

    async def _note_owed(self, now: datetime) -> None:
        """Note once in a quarter of an hour whose hour has come; read what is owed besides."""
        before, quarter, daily = self._read_in, _quarter(now), self._people()
        if quarter == before and not self._news:
            return
        self._news = False
        if before is not None and not (daily or self._owed or self._told_at_once()):
            self._read_in = quarter
            return
        stored = await self._tools.values.of(TOLD)
        noted = stored.pop("", None)
        since = quarter - EVERY if noted is None else datetime.fromtimestamp(int(noted), UTC)
        since = since if before is None else max(since, before)
        since = quarter if since > now + LATEST else since  # the clock was wrong by much more than any correction
        hours = {person_id: latest_hour(self._chosen(person_id), now) for person_id in daily}
        new = {
            f":{person_id}": Owed(int(hour.timestamp())).dump()
            for person_id, hour in hours.items()
            if since < hour and is_same_day(self._chosen(person_id), hour, now)
        }
        mark = f"{max(quarter, since).timestamp():.0f}"  # a clock that was set back tells nobody again
        along = {TOLD + key: text for key, text in new.items()}
        if mark != noted and not await self._tools.values.add(TOLD, mark, instead_of=noted, along=along):
            return  # another process does
        self._owed = {int(key[1:]): Owed(*map(int, text.split())) for key, text in (stored | new).items()}
        for person_id, owed in self._owed.items():
            if owed.tried:
                self._later[person_id] = datetime.fromtimestamp(owed.tried, UTC) + HELD
        self._read_in = quarter

    def _due(self, person_id: int) -> datetime:
        owed = self._owed[person_id]
        due = owed.at + own_minute(person_id) if owed.daily else owed.at
        chosen = self._chosen(person_id)
        due = max(due, self._later.get(person_id, due), self._opens_at if chosen.digest_channel is None else due)
        return due if (quiet := chosen.quiet) is None else quiet.after(max(due, self._tools.clock.now()))

    async def _tell(self, person_id: int, now: datetime) -> None:
        """Send somebody their message, unless nothing waits for them or another process does, and note how that went.

        Raises:
            StoreError: if the store fails.
            what `trouble.NETWORK` lists: if Discord is in trouble; it may have arrived all the same.
        """
        key, owed = f"{DIGESTS_OWED}{person_id}", self._owed[person_id]
        self._later[person_id] = now + LATER  # if a damaged match of theirs can't be read
        if digest := await self._digest(person_id, owed, now):
            self._later[person_id] = now + SOON
            trying = owed._replace(tried=int(now.timestamp()))
            if not await self._tools.values.add(key, trying.dump(), instead_of=owed.dump()):
                self._read_in = None  # another process does, or they have erased their data
                return
            self._owed[person_id] = trying
            try:
                async with asyncio.timeout(ATTEMPT_SECONDS):
                    await self._send(person_id, digest, nonce=f"g{owed.hour}")
            except NETWORK as error:
                if (trouble := trouble_of(error)) is not Trouble.PERSON:
                    await self._failed(person_id, trouble, error, now)
                    untried = Owed(owed.hour)
                    await self._tools.values.add(key, untried.dump(), instead_of=trying.dump())
                    self._owed[person_id] = untried
                    if trouble is Trouble.PASSING:
                        raise
                    return
                await self._refused(person_id)
        await self._tools.values.set(key, None)
        del self._owed[person_id]

    async def _send(self, person_id: int, digest: Digest, nonce: str) -> None:
        preferences, tools = self._chosen(person_id), self._tools
        language, channel = tools.preferences.cached(person_id, LanguagePreference).language, preferences.digest_channel
        display = tools.display(language or preferences.digest_locale, None, person_id)
        t = display.words
        if channel is None:
            self._opens_at = self._tools.clock.now() + GAP
            channel = str(await self._tools.channels.open_private(person_id))
            self._rest = timedelta()
            await self._change(person_id, digest_channel=channel)
        text, rows = digest_text(digest, t), digest_rows(digest, preferences.own_zone, t, self._all_matches(t))
        tell = partial(tools.channels.tell, int(channel), text, nonce=nonce, rows=rows)
        if (table := self._most_urgent(digest, display)) is None or table.drawing is None:
            await tell()
        else:
            alt = table.drawing.scene.alt(t)
            table = await tools.gallery.illustrated(table, int(channel), PICTURE_SECONDS, editing=False)
            await tools.gallery.post(int(channel), table, Shown(), lambda each: tell(pictured=each, alt=alt))
        for table in tools.manager.awaiting(person_id):
            table.note_heard(person_id)

    def _most_urgent(self, digest: Digest, display: Display) -> Layout | None:
        """The table of the most urgent turn, if it is drawn for its player and this process has it."""
        table = self._tools.manager.get(digest.turns[0].game_id) if digest.turns else None
        pictured = None if table is None else pictured_table(table.view(), display)
        return None if pictured is None else box_of(None, Either(None, pictured.component), scene=pictured.scene)

    async def _failed(self, person_id: int, trouble: Trouble, error: BaseException, now: datetime) -> None:
        """Decide when somebody is told after a failure that isn't their fault, and what is done differently then."""
        if trouble is Trouble.PASSING:
            return
        level = logging.WARNING if trouble is Trouble.REFUSED else logging.INFO
        log.log(level, "Could not tell somebody which matches wait for them (%s)", error)
        self._later[person_id] = now + LATER
        if trouble is Trouble.BOT and self._chosen(person_id).digest_channel is None:
            if not self._rest:
                log.warning("Discord lets the bot open no private channels for now: people are told later (%s)", error)
            self._rest = min(max(2 * self._rest, FIRST_REST), LONGEST_REST)
            self._opens_at = now + self._rest
        elif is_shut_out(error):
            await self._change(person_id, digest_channel=None)

    async def _digest(self, person_id: int, owed: Owed, now: datetime) -> Digest | None:
        """Find what is new for somebody; None if they no longer want to know, or may have been told."""
        tools, preferences = self._tools, self._chosen(person_id)
        if owed.tried and now > datetime.fromtimestamp(owed.tried, UTC) + 2 * HELD:
            return None
        if not owed.daily:
            wanted = in_private(tools.preferences, person_id) and now - owed.at <= LATEST
            return await turns_of(tools, self._options, person_id) if wanted else None
        hour = latest_hour(preferences, now)
        if not self.tells(person_id) or hour != owed.at or not is_same_day(preferences, hour, now):
            return None
        since, digest = hour - timedelta(days=1), Digest()
        if preferences.slow_notice is SlowNotice.DAILY:
            digest = await news_of(tools, self._options, person_id, since, hour)
        return replace(digest, puzzle=await self._puzzle.waits_for(person_id))

    async def _refused(self, person_id: int) -> None:
        """Mention somebody who takes no private messages in the channels again; `/escoba me` says so once."""
        changes: dict[str, Any] = {"digest_refused": True, "digest_channel": None}
        if in_private(self._tools.preferences, person_id):
            changes["slow_notice"] = SlowNotice.MENTION
        await self._change(person_id, **changes)
        await _noted(self._puzzle.stop(person_id))

    async def _change(self, person_id: int, **changes: Any) -> None:
        if self.tells(person_id) or in_private(self._tools.preferences, person_id):  # they may have erased their data
            await _noted(self._tools.preferences.change(person_id, TablePreferences, **changes))

    def tells(self, person_id: int) -> bool:
        """Whether somebody has asked for a private message a day."""
        return self._chosen(person_id).slow_notice is SlowNotice.DAILY or self._puzzle.is_wanted_by(person_id)

    def _people(self) -> list[int]:
        """The people who have asked for a private message a day."""
        slow = self._tools.preferences.people(TablePreferences, lambda each: each.slow_notice is SlowNotice.DAILY)
        return list(dict.fromkeys(slow + self._puzzle.people()))

    def _told_at_once(self) -> bool:
        """Whether anybody is told in private of each turn."""
        return bool(
            self._tools.preferences.people(TablePreferences, lambda each: each.slow_notice is SlowNotice.PRIVATE)
        )

    def _chosen(self, person_id: int) -> TablePreferences:
        return self._tools.preferences.cached(person_id, TablePreferences)


async def _noted(work: Awaitable[None]) -> None:
    try:
        await work
    except Refusal as error:
        log.info("Could not note how somebody takes private messages (%s)", error)


def own_minute(person_id: int) -> timedelta:
    """The minute of their hour in which somebody is told, so that many aren't told at the same moment."""
    return timedelta(minutes=int(4 * spread(person_id) * 60))


def _quarter(now: datetime) -> datetime:
    """The beginning of the present quarter of an hour."""
    return now - (now - datetime.min.replace(tzinfo=UTC)) % EVERY


def latest_hour(preferences: DigestPreferences, now: datetime) -> datetime:
    """The latest time at which the clock of somebody's zone has first shown the hour at which they are told."""
    local = now.astimezone(zone_named(preferences.own_zone))
    today = local.replace(hour=preferences.told_at, minute=0, second=0, microsecond=0, fold=0)
    latest = today if today <= local else today - timedelta(days=1)
    return latest.astimezone(UTC)


def is_same_day(preferences: DigestPreferences, hour: datetime, now: datetime) -> bool:
    """Whether it is still the day of an hour by the clock of somebody's zone, or the quiet hours that end it have just
    ended, and another such hour isn't near."""
    zone, quiet = zone_named(preferences.own_zone), preferences.quiet
    day = hour.astimezone(zone).date()
    if now.astimezone(zone).date() == day or quiet is None:
        return now.astimezone(zone).date() == day
    midnight = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
    morning = quiet.after(midnight)
    return midnight < morning and now < morning + LATER and latest_hour(preferences, now + REPLACES) == hour


def is_told_by(preferences: TablePreferences, person_id: int, now: datetime, deadline: datetime) -> bool:
    """Whether somebody's daily message comes soon, and before a deadline, so that no other has to."""
    if preferences.slow_notice is not SlowNotice.DAILY:
        return False
    hour = latest_hour(preferences, now + REPLACES)
    return now < hour and hour + own_minute(person_id) + EVERY < deadline
