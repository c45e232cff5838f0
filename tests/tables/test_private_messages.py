"""A bad day for private messages: whoever's fault it is that one can't be sent, nobody's choice changes but by them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
import pytest

from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.transport.channels import Channels
from bot.platform.transport.pacer import NO_LIMIT, Pacer
from bot.privacy.live.erasure import erase
from bot.privacy.live.personal_data import personal_data
from bot.replays.screens.games import list_button
from bot.tables.boards.digests import TOLD, Digests
from bot.tables.settings import SlowNotice, TablePreferences
from bot.tables.store.digests import OwedNotices
from bot.training.live.notices import PuzzleNotices
from bot.training.settings import DayNotice, TrainingPreferences
from tests.support.tables.hall import Hall
from tests.support.tables.kit import ANA

HOUR: Final = datetime(2026, 10, 9, 19, tzinfo=UTC)
PEOPLE: Final = [7_000_000_000_000_000 + 4_194_304 * number for number in range(60)]
FEW: Final = 4
"""Openings a minute that are few enough: Discord was seen to be strict about twenty at once."""
NONCE: Final = timedelta(minutes=4)
"""The time for which the fake remembers a nonce."""

Answer = Callable[[str, int], Exception | None]


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="refused")
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 500: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "refused"})


class Mail:
    """Discord's private channels, and what it answers about them.

    Attributes:
        opened: when a channel was asked for, and by whom.
        told: the messages that arrived: when, and to whom.
        answer: the error with which a request ("open" or "send") about somebody fails, if it does.
        after: likewise, but after the message has arrived.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now, self.http = now, self
        self.opened: list[tuple[datetime, int]] = []
        self.told: list[tuple[datetime, int]] = []
        self.answer: Answer = lambda what, person_id: None
        self.after: Answer = lambda what, person_id: None
        self.generation = 1
        """Raised to have Discord forget all channels."""
        self._nonces: dict[tuple[int, str], datetime] = {}

    async def start_private_message(self, person_id: int) -> dict[str, str]:
        self.opened.append((self._now(), person_id))
        if (error := self.answer("open", person_id)) is not None:
            raise error
        return {"id": f"{self.generation}{person_id}"}

    def get_partial_messageable(self, channel_id: int) -> Any:
        return SimpleNamespace(send=partial(self._send, str(channel_id)))

    async def _send(self, channel_id: str, text: str, *, nonce: str, **_: Any) -> None:
        person_id = int(channel_id[1:])
        if (error := self.answer("send", person_id)) is not None:
            raise error
        if channel_id[0] != str(self.generation):
            raise refusal(404, 10003)
        if self._now() - self._nonces.get((person_id, nonce), HOUR - timedelta(days=9)) > NONCE:
            self.told.append((self._now(), person_id))
            self._nonces[person_id, nonce] = self._now()
        if (error := self.after("send", person_id)) is not None:
            raise error

    def times_told(self) -> Counter[int]:
        return Counter(person_id for _, person_id in self.told)

    def most_opened_in_a_minute(self) -> int:
        times = [when for when, _ in self.opened]
        return max(sum(since <= when < since + timedelta(minutes=1) for when in times) for since in times)


class Evening:
    """A bot whose people are told at seven, and the Discord that it tells them through."""

    def __init__(self, hall: Hall, mail: Mail | None = None) -> None:
        self.hall, self.mail = hall, mail or Mail(hall.time.now)
        client: Any = self.mail
        stores = hall.store
        tools: Any = SimpleNamespace(
            values=stores.values,
            owed=OwedNotices(stores.values),
            games=stores.games,
            clock=hall.clock,
            preferences=hall.preferences,
            members=hall.members,
            manager=hall.manager,
            closing=lambda: hall.manager.closing,
            channels=Channels(client, Pacer(NO_LIMIT)),
            display=lambda locale, *_: Display(words(locale)),
        )
        self.digests = Digests(
            tools, PuzzleNotices(hall.preferences, stores.answers, hall.clock.now), hall.options.of, list_button
        )
        self.digests.start()

    async def go_on(self, until: datetime) -> None:
        await self.hall.clock.advance((until - self.hall.time.now()).total_seconds())

    async def restarted(self, *, away: float = 30) -> Evening:
        hall = await self.hall.restarted(away=away)
        self.mail._now = hall.time.now
        return Evening(hall, self.mail)

    def all_want(self) -> bool:
        return all(
            self.hall.preferences.cached(each, TrainingPreferences).day_notice is DayNotice.PRIVATE for each in PEOPLE
        )


async def evening_of(hall: Hall, people: list[int] = PEOPLE) -> Evening:
    """Sixty people who want to hear of the daily puzzle at seven; it is half past six."""
    hall.time.move_to(HOUR - timedelta(minutes=30))
    for person_id in people:
        await hall.preferences.change(person_id, TrainingPreferences, day_notice=DayNotice.PRIVATE)
    return Evening(hall)


def until(when: datetime, hall: Hall, error: Exception, what: str = "open") -> Answer:
    return lambda asked, _: error if asked == what and hall.time.now() < when else None


async def test_sixty_people_are_told_spread_over_their_hour_and_their_channels_are_kept(hall: Hall):
    evening = await evening_of(hall)
    await evening.go_on(HOUR + timedelta(hours=1, minutes=2))
    assert evening.mail.times_told() == Counter(PEOPLE)
    assert evening.mail.most_opened_in_a_minute() <= FEW
    times = [when for when, _ in evening.mail.told]
    assert min(times) >= HOUR
    assert max(times) < HOUR + timedelta(hours=1, minutes=2)
    assert len({(when - HOUR) // timedelta(minutes=10) for when in times}) == 6
    await evening.go_on(HOUR + timedelta(days=1, hours=1))
    assert evening.mail.times_told() == Counter(PEOPLE * 2)
    assert len(evening.mail.opened) == len(PEOPLE), "nobody's channel is opened again"


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("code", [40003, 20026])
async def test_when_discord_lets_the_bot_open_no_channels_for_an_hour_everybody_is_told_later_that_day(
    hall: Hall, caplog: pytest.LogCaptureFixture, code: int, restarts: bool
):
    caplog.set_level(logging.WARNING)
    evening = await evening_of(hall)
    evening.mail.answer = until(HOUR + timedelta(hours=1), hall, refusal(403, code))
    await evening.go_on(HOUR + timedelta(hours=1))
    assert evening.mail.told == []
    assert 2 <= len(evening.mail.opened) <= 6, "it waits longer each time"
    assert len([each for each in caplog.records if "no private channels for now" in each.message]) == 1
    if restarts:
        evening = await evening.restarted()
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.all_want()
    assert evening.mail.times_told() == Counter(PEOPLE)
    assert evening.mail.most_opened_in_a_minute() <= FEW


@pytest.mark.parametrize("what", ["open", "send"])
@pytest.mark.parametrize(
    "error",
    [
        refusal(500),
        refusal(503, 130000),
        refusal(429),
        refusal(403),
        refusal(404),
        refusal(403, 50001),
        refusal(403, 99_999),
        refusal(400, 50035),
        discord.RateLimited(700),
        aiohttp.ClientConnectionError("lost"),
        TimeoutError(),
    ],
    ids=str,
)
async def test_what_is_not_their_fault_costs_nobody_the_days_message(hall: Hall, error: Exception, what: str):
    evening = await evening_of(hall, PEOPLE[:12])
    evening.mail.answer = until(HOUR + timedelta(hours=1), hall, error, what)
    await evening.go_on(HOUR + timedelta(minutes=59))
    assert evening.mail.told == []
    if what == "send":
        assert len(evening.mail.opened) <= 2 * 12
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.times_told() == Counter(PEOPLE[:12])
    assert evening.mail.most_opened_in_a_minute() <= FEW
    assert all(
        hall.preferences.cached(each, TrainingPreferences).day_notice is DayNotice.PRIVATE for each in PEOPLE[:12]
    )


@pytest.mark.parametrize(("status", "code"), [(403, 50007), (400, 50007), (403, 50278), (400, 50278)])
@pytest.mark.parametrize("what", ["open", "send"])
async def test_only_whoever_takes_no_messages_is_set_back(hall: Hall, what: str, status: int, code: int):
    evening, closed = await evening_of(hall, PEOPLE[:3]), PEOPLE[1]
    await hall.preferences.change(closed, TablePreferences, slow_notice=SlowNotice.DAILY)
    error = refusal(status, code)
    evening.mail.answer = lambda asked, person_id: error if (asked, person_id) == (what, closed) else None
    await evening.go_on(HOUR + timedelta(days=1, hours=6))
    assert evening.mail.times_told() == Counter([PEOPLE[0], PEOPLE[2]] * 2)
    set_back = hall.preferences.cached(closed, TablePreferences)
    assert set_back.slow_notice is SlowNotice.MENTION
    assert hall.preferences.cached(closed, TrainingPreferences).day_notice is DayNotice.NEVER
    assert set_back.digest_refused
    assert hall.preferences.cached(PEOPLE[0], TrainingPreferences).day_notice is DayNotice.PRIVATE


async def test_a_channel_that_discord_no_longer_knows_is_opened_again_once(hall: Hall):
    evening = await evening_of(hall)
    await evening.go_on(HOUR + timedelta(hours=2))
    evening.mail.generation = 2
    evening.mail.opened.clear()
    await evening.go_on(HOUR + timedelta(days=1, hours=3))
    assert evening.mail.times_told() == Counter(PEOPLE * 2)
    assert sorted(person_id for _, person_id in evening.mail.opened) == PEOPLE
    assert evening.mail.most_opened_in_a_minute() <= FEW
    await evening.go_on(HOUR + timedelta(days=2, hours=3))
    assert len(evening.mail.opened) == len(PEOPLE)


@pytest.mark.parametrize("minutes", range(5, 65, 10))
async def test_a_restart_in_their_hour_neither_loses_nor_doubles_a_message(hall: Hall, minutes: int):
    evening = await evening_of(hall)
    await evening.go_on(HOUR + timedelta(minutes=minutes))
    evening = await evening.restarted()
    await evening.go_on(HOUR + timedelta(hours=2))
    assert evening.mail.times_told() == Counter(PEOPLE)


@pytest.mark.parametrize(("away", "arrived", "told"), [(30, True, 1), (30, False, 1), (1800, True, 1)])
async def test_a_bot_that_is_killed_while_it_tells_somebody_does_not_tell_them_twice(
    hall: Hall, away: float, arrived: bool, told: int
):
    """If they may have been told, they are told again only while Discord would not show them the same message twice."""

    class Killed(BaseException):
        pass

    evening = await evening_of(hall, PEOPLE[:1])

    def killed(what: str, _: int) -> Exception | None:
        if what == "send":
            raise Killed
        return None

    if arrived:
        evening.mail.after = killed
    else:
        evening.mail.answer = killed
    hall.clock.cancel(TOLD)
    hall.time.move_to(HOUR)
    await evening.digests._look()
    hall.clock.cancel(TOLD)
    hall.time.move_to(HOUR + timedelta(minutes=59))
    with pytest.raises(Killed):
        await evening.digests._look()
    evening.mail.after = evening.mail.answer = lambda what, person_id: None
    evening = await evening.restarted(away=away)
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.times_told() == Counter(PEOPLE[:1] * told)


@pytest.mark.parametrize("late", [timedelta(), timedelta(hours=2)])
async def test_a_message_that_arrived_though_discord_answered_with_an_error_is_not_shown_twice(
    hall: Hall, late: timedelta
):
    evening = await evening_of(hall, PEOPLE[:6])
    await hall.store.values.set(TOLD, f"{hall.time.now().timestamp():.0f}")
    hall.time.move_to(hall.time.now() + late)
    once: set[int] = set()

    def first(what: str, person_id: int) -> Exception | None:
        if person_id in once:
            return None
        once.add(person_id)
        return refusal(500)

    evening.mail.after = first
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.times_told() == Counter(PEOPLE[:6])


@pytest.mark.parametrize("back", [timedelta(minutes=20), timedelta(hours=1)])
async def test_a_clock_that_is_set_back_tells_nobody_again(hall: Hall, back: timedelta):
    evening = await evening_of(hall)
    await evening.go_on(HOUR + timedelta(hours=1, minutes=2))
    hall.time.move_to(hall.time.now() - back)
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.times_told() == Counter(PEOPLE)
    await evening.go_on(HOUR + timedelta(days=1, hours=2))
    assert evening.mail.times_told() == Counter(PEOPLE * 2)


async def test_a_clock_that_was_two_days_ahead_for_a_while_costs_nobody_the_next_days_message(hall: Hall):
    evening = await evening_of(hall, PEOPLE[:6])
    hall.time.move_to(HOUR + timedelta(days=2, hours=-5))
    await evening.go_on(hall.time.now() + timedelta(minutes=16))
    hall.time.move_to(HOUR - timedelta(minutes=10))
    evening = await evening.restarted()
    await evening.go_on(HOUR + timedelta(hours=2))
    assert evening.mail.times_told() == Counter(PEOPLE[:6])


async def test_whoever_lives_where_the_hour_comes_twice_is_told_once(hall: Hall):
    evening = await evening_of(hall, PEOPLE[:6])
    for person_id in PEOPLE[:6]:
        await hall.preferences.change(
            person_id, TablePreferences, digest_hour=2, digest_zone="Europe/Madrid", quiet_hours="none"
        )
    hall.time.move_to(datetime(2026, 10, 24, 23, 30, tzinfo=UTC))
    evening = await evening.restarted()
    await evening.go_on(datetime(2026, 10, 25, 20, tzinfo=UTC))
    assert evening.mail.times_told() == Counter(PEOPLE[:6])


async def test_people_whom_1_0_has_told_before_the_update_are_not_told_again(hall: Hall):
    evening = await evening_of(hall)
    await hall.store.values.set("digests", f"{HOUR.timestamp():.0f}")
    hall.time.move_to(HOUR + timedelta(minutes=5))
    evening = await evening.restarted()
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.told == []
    noted = await hall.store.values.get("digests")
    assert noted is not None
    assert int(noted) >= HOUR.timestamp(), "1.0 can read it, too"


@pytest.mark.parametrize(
    ("back", "told"),
    [(22.5, [22.5]), (23.4, [32]), (26, [32]), (31.5, [32]), (33.5, [])],
    ids=["in the evening", "at night", "after midnight", "towards morning", "next day"],
)
async def test_a_daily_message_that_is_late_waits_for_the_end_of_the_night_and_comes_once(
    hall: Hall, back: float, told: list[float]
):
    evening = await evening_of(hall, PEOPLE[:3])
    today = HOUR - timedelta(hours=19)
    await evening.go_on(HOUR - timedelta(minutes=10))
    evening = await evening.restarted(away=(today + timedelta(hours=back) - hall.time.now()).total_seconds())
    await evening.go_on(today + timedelta(hours=42))
    assert evening.mail.times_told() == Counter(PEOPLE[:3] * len(told))
    for when, _ in evening.mail.told:
        assert timedelta(0) <= when - today - timedelta(hours=told[0]) < timedelta(minutes=16)


async def test_whoever_takes_their_wish_back_or_chooses_another_hour_is_told_no_more_in_this_one(hall: Hall):
    evening = await evening_of(hall, PEOPLE[:2])
    await evening.go_on(HOUR)
    await hall.preferences.change(PEOPLE[0], TrainingPreferences, day_notice=DayNotice.NEVER)
    await hall.preferences.change(PEOPLE[1], TablePreferences, digest_hour=21)
    await evening.go_on(HOUR + timedelta(hours=1, minutes=30))
    assert evening.mail.told == []
    await evening.go_on(HOUR + timedelta(hours=3))
    assert evening.mail.times_told() == Counter([PEOPLE[1]])


async def test_what_is_kept_about_a_private_message_is_in_the_data_and_goes_with_it(hall: Hall):
    evening = await evening_of(hall, [ANA.id])
    evening.mail.answer = until(HOUR + timedelta(hours=1), hall, refusal(500), "send")
    await evening.go_on(HOUR + timedelta(minutes=59))
    data = await personal_data(hall.store.personal_data, hall.store.games, ANA.id, HOUR)
    assert data["choices"]["digest_channel"] == f"1{ANA.id}"
    assert data["private_message"].startswith(f"{HOUR.timestamp():.0f} ")
    assert {"private_message"} <= data["keys"].keys()
    await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
    assert hall.rows(f"SELECT key FROM key_values WHERE key LIKE '%{ANA.id}%'") == []  # noqa: S608 - a number
    await evening.go_on(HOUR + timedelta(hours=6))
    assert evening.mail.told == []
    assert hall.rows(f"SELECT key FROM key_values WHERE key LIKE '%{ANA.id}%'") == []  # noqa: S608 - a number
    data = await personal_data(hall.store.personal_data, hall.store.games, ANA.id, HOUR)
    assert (data["choices"], data["private_message"]) == (None, None)


def test_1_0_keeps_the_channel_of_a_persons_choices():
    """It reads choices as this version reads those of a newer one."""
    text = TrainingPreferences(digest_channel="123", day_notice=DayNotice.PRIVATE).dump()
    assert text is not None
    older = TrainingPreferences.load(text.replace("digest_channel", "digest_later"))
    assert older.day_notice is DayNotice.PRIVATE
    assert '"digest_later": "123"' in (older.changed(digest_hour=7).dump() or "")
