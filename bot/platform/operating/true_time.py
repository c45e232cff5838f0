"""Discord's time, carried on by this machine's monotonic clock.

Whatever becomes of the machine's own clock while the bot runs, time goes on here: only Discord can correct it, which
tells the time with each answer, and only if two answers in a row agree. The time is *sure* while there is no reason to
doubt it. It is in doubt at the start, when Discord says something else, and when the machine's two clocks disagree: one
was set, or the machine was suspended.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

log = logging.getLogger(__name__)

Ask = Callable[[], Awaitable[object]]

JUMP_SECONDS: Final = 2.0
"""The machine's two clocks differ by more than this between two looks only if one of them jumped."""
SLACK_SECONDS: Final = 1.0
"""Discord has to differ by more than this to correct the time: it tells only whole seconds."""
OFF_SECONDS: Final = 5.0
"""The operator is warned if the machine's clock differs from Discord's by more than this."""
SLOW_SECONDS: Final = 5.0
"""An answer that takes longer says too little about the time, and isn't waited for."""
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
UNTOLD: Final = 3
"""After this many answers without a time, as through a proxy that drops it, the monotonic clock is believed."""


class TrueTime:
    """The current time as Discord has it.

    `sure`: whether there is no reason to doubt it.

    Args:
        wall: the machine's clock, in seconds since 1970.
        monotonic: its clock that can't be set, in seconds since some moment.
    """

    def __init__(
        self, wall: Callable[[], float] | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.sure = False
        self._wall, self._monotonic = wall or time.time, monotonic
        self._apart = self._ahead = self._first = self._wall() - monotonic()
        """The lead of the machine's clock over the monotonic one; `_ahead`: of the true time; `_first`: of that at the
        start."""
        self._doubted_at = 0.0
        """Answers to earlier requests don't count: they may come from before a suspension."""
        self._told: tuple[float, float] | None = None
        """The least and the most that `_ahead` can be by the latest answer since the time is in doubt."""
        self._answers = 0
        """The number of answers that have told a time."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._ahead + self._monotonic(), UTC)

    def steady(self) -> datetime:
        """The time without corrections since the start, for what only measures how much of it passes."""
        return datetime.fromtimestamp(self._first + self._monotonic(), UTC)

    @property
    def offset(self) -> float:
        """The seconds by which the machine's clock is ahead of Discord's."""
        return self._wall() - self._monotonic() - self._ahead

    def look(self) -> None:
        """Compare the machine's clocks, about once a second."""
        before, self._apart = self._apart, self._wall() - self._monotonic()
        if abs(self._apart - before) > JUMP_SECONDS:
            log.warning("The machine's clock jumped by %+.0f s, or the machine was suspended", self._apart - before)
            self._doubt()

    def heard(self, date: str | None, sent: float) -> None:
        """Note the `Date` of an answer of Discord's to a request sent at this time of the event loop."""
        elapsed = asyncio.get_running_loop().time() - sent
        received = self._monotonic()
        sent = received - elapsed
        if date is None or elapsed > SLOW_SECONDS:
            return
        try:
            second = parsedate_to_datetime(date).timestamp()
        except ValueError:
            return
        self._answers += 1
        told = second - received, second + 1 - sent
        if self.sure and self._fits(told):
            return
        if self.sure:
            log.warning("Discord's time differs by %+.0f s: asking again", (told[0] + told[1]) / 2 - self._ahead)
            self._doubt()
        elif sent < self._doubted_at:
            return
        before, self._told = self._told, told
        if before is not None and max(before[0], told[0]) <= min(before[1], told[1]):
            self._settle(max(before[0], told[0]), min(before[1], told[1]))

    async def ask(self, ask: Ask) -> None:
        """Ask Discord until the time is sure. `ask` makes any request, the answer to which is `heard`."""
        pause, untold = FIRST_PAUSE, 0
        while not self.sure:
            before = self._answers
            try:
                async with asyncio.timeout(SLOW_SECONDS):
                    await ask()
                untold = untold + 1 if self._answers == before else 0
            except Exception as error:
                log.info("Discord doesn't tell the time yet (%s)", type(error).__name__)
            if untold >= UNTOLD:
                log.warning("Discord's answers don't tell the time: this machine's monotonic clock is believed")
                self.sure = True
            elif not self.sure:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _doubt(self) -> None:
        self.sure, self._told, self._doubted_at = False, None, self._monotonic()

    def _fits(self, told: tuple[float, float]) -> bool:
        return told[0] - SLACK_SECONDS <= self._ahead <= told[1] + SLACK_SECONDS

    def _settle(self, least: float, most: float) -> None:
        if not self._fits((least, most)):
            shift = (least + most) / 2 - self._ahead
            self._ahead += shift
            log.info("The time is corrected by %+.1f s, as Discord has it", shift)
        self.sure, self._told = True, None
        if abs(self.offset) > OFF_SECONDS:
            log.warning("The machine's clock differs from Discord's by %+.0f s: synchronise it (NTP)", self.offset)
