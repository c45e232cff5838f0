"""Tells people once a day, at their hour, which of their unhurried matches wait for them, and of the daily puzzle.

One process does this for all servers, since a person gets one message: the one with shard 0. What it doesn't have in
memory it reads from the store. The time up to which people were told is noted before anybody is: whoever notes it first
tells them, so that two processes never do, and a bot that stops in between tells nobody twice.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord

from bot.replays.running import RunningMatch, running_matches
from bot.store import StoreError
from bot.tables.errors import Refusal
from bot.tables.options import TableOptions
from bot.tables.pace import is_unhurried
from bot.tables.server.preferences import DayNotice, Preferences
from bot.tables.server.zones import zone_named
from bot.tables.turn import SlowNotice
from bot.ui.kit.tools import Tools
from bot.ui.tables.screens.digest import digest_text
from bot.ui.transport.trouble import NETWORK

log = logging.getLogger(__name__)

TOLD: Final = "digests"
"""The key under which it is noted up to when people were told."""
EVERY: Final = timedelta(minutes=15)
"""Clocks around the world differ by multiples of it."""
LATEST: Final = timedelta(hours=6)
"""Time after their hour in which people are still told, if the bot was down then."""


class Digests:
    """The clock of these messages.

    Args:
        tools: what they are sent with.
        options: how tables are run on a server.
    """

    def __init__(self, tools: Tools, options: Callable[[int], Awaitable[TableOptions]]) -> None:
        self._tools = tools
        self._options = options

    def start(self) -> None:
        """Tell people from now on; only one process may."""
        now = self._tools.clock.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._tools.clock.schedule(TOLD, midnight + ((now - midnight) // EVERY + 1) * EVERY, self._look)

    async def _look(self) -> None:
        self.start()
        try:
            people = await self._due()
        except StoreError as error:
            log.warning("Could not look for daily notifications (%s)", error)
            return
        for person_id, preferences in people:
            if self._tools.manager.closing:
                return
            await self._tell(person_id, preferences)

    async def _due(self) -> list[tuple[int, Preferences]]:
        """Find the people whose hour has come since the last time, and note that they are told."""
        if not (daily := self._tools.preferences.daily()):
            return []
        now, store = self._tools.clock.now(), self._tools.store
        noted = await store.get_value(TOLD)
        if not await store.add_value(TOLD, f"{now.timestamp():.0f}", instead_of=noted):
            return []
        since = now - EVERY if noted is None else datetime.fromtimestamp(int(noted), UTC)
        return [each for each in daily if max(since, now - LATEST) < latest_hour(each[1], now) <= now]

    async def _tell(self, person_id: int, preferences: Preferences) -> None:
        tools = self._tools
        t = tools.display(preferences.language or preferences.digest_locale, None).words
        try:
            rows = await tools.store.matches.running(person_id)
            found = await running_matches(tools.store, tools.manager, rows, person_id)
            daily = preferences.slow_notice is SlowNotice.DAILY
            mine = [each for each in found if daily and each.own is not None and each.waits]
            waiting = [each for each in mine if await self._is_unhurried(each)]
            today = await self._has_puzzle(person_id, preferences)
            if waiting or today:
                nonce = f"g{latest_hour(preferences, tools.clock.now()).timestamp():.0f}"
                await tools.channels.tell(person_id, digest_text(waiting, t, puzzle=today), nonce=nonce)
        except discord.Forbidden:
            await self._refused(person_id)
        except (*NETWORK, StoreError) as error:
            log.info("Could not tell somebody which matches wait for them (%s)", type(error).__name__)

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

    async def _refused(self, person_id: int) -> None:
        """Mention somebody who takes no private messages in the channels again; `/escoba me` says so once."""
        preferences = self._tools.preferences
        changes: dict[str, Any] = {"digest_refused": True}
        if preferences.get(person_id).slow_notice is SlowNotice.DAILY:
            changes["slow_notice"] = SlowNotice.MENTION
        if preferences.get(person_id).day_notice is DayNotice.PRIVATE:
            changes["day_notice"] = DayNotice.NEVER
        try:
            await preferences.change(person_id, **changes)
        except Refusal as error:
            log.info("Could not note that somebody takes no private messages (%s)", error.code)


def latest_hour(preferences: Preferences, now: datetime) -> datetime:
    """The latest time at which the clock of somebody's zone has shown their hour."""
    local = now.astimezone(zone_named(preferences.digest_zone))
    today = local.replace(hour=preferences.digest_hour, minute=0, second=0, microsecond=0)
    latest = today if today <= local else today - timedelta(days=1)
    return latest.astimezone(UTC)
