"""Once a day somebody is told of all their slow matches together, by one process."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.people import Person
from bot.replays.screens.games import list_button
from bot.tables.boards.digests import Digests, latest_hour, own_minute
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.running import RunningMatch
from bot.tables.live.table import Table
from bot.tables.log.actions import Leave, TakeWin
from bot.tables.log.pace import Tempo
from bot.tables.log.seats import Seat
from bot.tables.screens.digest import Digest, digest_text
from bot.tables.settings import SlowNotice, TablePreferences, TurnNotice, turn_notice
from bot.tables.store.digests import OwedNotices
from bot.training.live.notices import PuzzleNotices
from bot.training.settings import DayNotice, TrainingPreferences
from bot.training.store.rows import DayAnswer
from tests.support.tables.hall import Hall, move_by, person_at, turn_of
from tests.support.tables.kit import ANA, BEA, FRIENDLY, GUILD, config_of
from tests.tables.test_several_processes import OTHERS, process

DAY = 24 * 3600
SLOW = replace(config_of(), tempo=Tempo.THREE_DAYS)
QUICK = replace(config_of(), tempo=Tempo.QUICK)


class Sender:
    """A process that tells people of their matches, with what it has sent."""

    def __init__(self, hall: Hall, manager: TableManager | None = None) -> None:
        self.told: list[tuple[int, str]] = []
        self.rows: list[list[Any]] = []
        self.errors: list[Exception] = []
        stores = hall.store
        tools: Any = SimpleNamespace(
            values=stores.values,
            owed=OwedNotices(stores.values),
            games=stores.games,
            clock=hall.clock,
            preferences=hall.preferences,
            members=hall.members,
            manager=(tables := hall.manager if manager is None else manager),
            closing=lambda: tables.closing,
            channels=self,
            display=lambda locale, *_: Display(words(locale)),
        )
        self.digests = Digests(
            tools, PuzzleNotices(hall.preferences, stores.answers, hall.clock.now), hall.options.of, list_button
        )

    async def open_private(self, person_id: int) -> int:
        return person_id  # the fake's private channels have their people's ids

    async def tell(self, channel_id: int, text: str, *, nonce: str, rows: Sequence[Any] = ()) -> None:
        if self.errors:
            raise self.errors.pop()
        self.told.append((channel_id, text))
        self.rows.append(list(rows))


@asynccontextmanager
async def waiting(hall: Hall, person: Person, games: int = 1) -> AsyncIterator[list[Table]]:
    """Slow matches in each of which it is the person's turn, who is told so once a day, at seven in the evening."""
    await hall.preferences.change(person.id, TablePreferences, slow_notice=SlowNotice.DAILY)
    tables = [await hall.match(ANA, BEA, config=SLOW, channel=100 + number) for number in range(games)]
    for table in tables:
        if person_at(table, turn_of(table)) != person:
            await table.submit(move_by(table))
    yield tables


def refusal() -> discord.Forbidden:
    response: Any = SimpleNamespace(status=403, reason="refused")
    return discord.Forbidden(response, {"code": 50007, "message": "Cannot send messages to this user"})


async def test_somebody_with_six_matches_gets_one_message_a_day(hall: Hall):
    sender = Sender(hall)
    sender.digests.start()
    async with waiting(hall, ANA, 6) as tables:
        await hall.clock.advance(DAY)
        [(person_id, text)] = sender.told
        assert person_id == ANA.id
        assert "**It's your turn in 6 matches.**" in text
        assert all(f"/{table.channel_id})" in text for table in tables)
        assert text.count("⏳") == 6
        await tables[0].submit(move_by(tables[0]))
        await hall.clock.advance(DAY)
        assert ["5 matches" in each for _, each in sender.told] == [False, True]


@pytest.mark.parametrize("many", [26, 40, 60])
async def test_the_message_counts_all_matches_and_begins_with_the_most_urgent(hall: Hall, many: int):
    sender = Sender(hall)
    sender.digests.start()
    async with waiting(hall, ANA, many) as tables:
        urgent = await hall.match(ANA, BEA, config=replace(SLOW, tempo=Tempo.DAY), channel=90)
        if person_at(urgent, turn_of(urgent)) != ANA:
            await urgent.submit(move_by(urgent))
        await hall.clock.advance(20 * 3600)
        text = sender.told[0][1]
        assert f"**It's your turn in {many + 1} matches.**" in text
        assert f"/{urgent.channel_id})" in text.splitlines()[1]
        listed = text.count("⏳")
        assert f"… and {many + 1 - listed} more" in text
        assert f"/{tables[0].channel_id})" in text.splitlines()[2], "the oldest comes next"
        buttons, menu = (each["components"] for each in sender.rows[0])
        play, *others = [each["custom_id"] for each in buttons]
        assert play == Ref(urgent.id).custom_id(Verb.HAND)
        assert len(others) == (many > 25), "all matches, where the menu hasn't room for them"
        assert [each["value"] for each in menu[0]["options"]] == [str(each.id) for each in tables[:25]]


async def test_nothing_is_sent_while_nothing_waits_nor_to_those_who_did_not_ask(hall: Hall):
    sender = Sender(hall)
    sender.digests.start()
    async with waiting(hall, ANA) as [table]:
        await table.submit(move_by(table))
        await hall.clock.advance(DAY)
        assert sender.told == []


async def test_a_match_with_a_hurry_or_against_robots_alone_is_not_listed(hall: Hall):
    sender = Sender(hall)
    await hall.preferences.change(ANA.id, TablePreferences, slow_notice=SlowNotice.DAILY)
    await hall.match(ANA, computers=1, config=replace(SLOW, rated=False), channel=7)
    sender.digests.start()
    await hall.clock.advance(19 * 3600 - 10)
    quick = await hall.match(ANA, BEA, config=QUICK, channel=8)
    if person_at(quick, turn_of(quick)) != ANA:
        await quick.submit(move_by(quick))
    await hall.clock.advance(20)
    assert person_at(quick, turn_of(quick)) == ANA
    assert sender.told == []


async def test_two_processes_never_both_tell_somebody(hall: Hall):
    senders = [Sender(hall), Sender(hall)]
    async with waiting(hall, ANA):
        hour = latest_hour(hall.preferences.cached(ANA.id, TablePreferences), hall.time.now()) + timedelta(days=1)
        for when in (hour, hour + own_minute(ANA.id)):
            hall.time.move_to(when)
            await asyncio.gather(*(sender.digests._look() for sender in senders))
        assert sum(len(sender.told) for sender in senders) == 1
        await senders[1].digests._look()
        assert sum(len(sender.told) for sender in senders) == 1


async def test_matches_of_other_processes_are_read_from_the_store(hall: Hall):
    sender = Sender(hall, process(hall, OTHERS))
    sender.digests.start()
    async with waiting(hall, ANA, 2):
        await hall.clock.advance(DAY)
        [(_, text)] = sender.told
        assert "2 matches" in text
        assert "⏳" not in text, "only its own process knows its clock"


async def test_whoever_takes_no_private_messages_is_mentioned_again_and_told_so(hall: Hall):
    sender = Sender(hall)
    sender.errors.append(refusal())
    sender.digests.start()
    async with waiting(hall, ANA):
        assert turn_notice(hall.preferences, ANA.id, unhurried=True) is TurnNotice.NEVER
        await hall.clock.advance(2 * DAY)
        assert sender.told == []
        assert hall.preferences.cached(ANA.id, TablePreferences).digest_refused
        assert turn_notice(hall.preferences, ANA.id, unhurried=True) is TurnNotice.LATER


async def test_somebody_hears_of_the_daily_puzzle_until_they_have_solved_it(hall: Hall):
    sender = Sender(hall)
    sender.digests.start()
    await hall.preferences.change(ANA.id, TrainingPreferences, day_notice=DayNotice.PRIVATE)
    async with waiting(hall, BEA):
        await hall.clock.advance(DAY)
    told = dict(sender.told)
    assert "`/escoba today`" in told[ANA.id]
    assert "matches" not in told[ANA.id]
    assert "`/escoba today`" not in told[BEA.id]
    today = hall.time.now().date()
    for day in (today, today + timedelta(days=1)):
        answer = DayAnswer(day, ANA.id, None, "Ana", "0 1o", 0, counted=True, at=hall.time.now())
        await hall.store.answers.give(answer)
    await hall.clock.advance(DAY)
    assert [person_id for person_id, _ in sender.told].count(ANA.id) == 1


async def test_whoever_takes_no_private_messages_hears_no_more_of_the_puzzle(hall: Hall):
    sender = Sender(hall)
    sender.errors.append(refusal())
    sender.digests.start()
    await hall.preferences.change(ANA.id, TrainingPreferences, day_notice=DayNotice.PRIVATE)
    await hall.clock.advance(2 * DAY)
    assert sender.told == []
    assert hall.preferences.cached(ANA.id, TrainingPreferences).day_notice is DayNotice.NEVER
    assert hall.preferences.cached(ANA.id, TablePreferences).digest_refused


@pytest.mark.parametrize(("away", "told"), [(timedelta(hours=8.5), 1), (timedelta(hours=12), 0)])
async def test_a_bot_that_was_down_at_their_hour_tells_them_once_it_is_back_on_that_day(
    hall: Hall, away: timedelta, told: int
):
    sender = Sender(hall)
    sender.digests.start()
    await hall.preferences.change(ANA.id, TablePreferences, digest_hour=14)
    async with waiting(hall, ANA):
        hour = latest_hour(hall.preferences.cached(ANA.id, TablePreferences), hall.time.now()) + timedelta(days=1)
        await hall.clock.advance((hour - hall.time.now()).total_seconds() - 3600)
        assert sender.told == []
        hall = await hall.restarted(away=3600 + away.total_seconds())
        sender = Sender(hall)
        sender.digests.start()
        await hall.clock.advance(3600)
        assert len(sender.told) == told
        hall = await hall.restarted(away=60)
        sender = Sender(hall)
        sender.digests.start()
        await hall.clock.advance(3600)
        assert sender.told == []


async def test_the_message_says_since_when_a_robot_plays_for_somebody_and_has_a_button_to_be_back(hall: Hall):
    sender = Sender(hall)
    sender.digests.start()
    await hall.preferences.change(ANA.id, TablePreferences, slow_notice=SlowNotice.DAILY)
    table = await hall.match(ANA, BEA, config=replace(FRIENDLY, tempo=Tempo.DAY), channel=7)
    seat = table.seat_of(ANA.id) or 0
    while table.view().seats[seat].human_here:
        while table.awaited == BEA.id:
            await table.submit(move_by(table))
        await hall.clock.advance(3600)
    left_at = hall.time.now()
    sender.told.clear()
    await hall.clock.advance(2 * DAY)
    texts = [text for person_id, text in sender.told if person_id == ANA.id]
    assert len(texts) == 2, "it goes on"
    found = re.search(r"a robot has played for you since <t:(\d+):f>", texts[0])
    assert found
    assert 0 <= left_at.timestamp() - int(found[1]) <= 3600
    [back] = sender.rows[-1]
    assert [each["custom_id"] for each in back["components"]] == [Ref(table.id).custom_id(Verb.HAND)]


async def test_the_message_tells_of_invitations_and_once_of_how_matches_have_ended(hall: Hall):
    sender = Sender(hall)
    sender.digests.start()
    await hall.preferences.change(ANA.id, TablePreferences, slow_notice=SlowNotice.DAILY)
    table, quick = [
        await hall.match(ANA, BEA, config=replace(config, rated=True), channel=channel)
        for channel, config in ((7, SLOW), (9, QUICK))
    ]
    for each in (table, quick):
        await each.submit(move_by(each))
        await each.submit(Leave(BEA))
        await each.submit(TakeWin(ANA))
    await hall.manager.open(guild_id=GUILD, channel_id=8, opener=BEA, config=SLOW, locale="en", invited=(BEA, ANA))
    await hall.clock.advance(2 * DAY)
    first, second = [text for _, text in sender.told]
    assert "- 📨 against Bea · you're invited · " in first
    assert first.count("🚪 **Bea** left, so Ana wins.") == 1, "the quick one was seen"
    assert "you're invited" in second
    assert "Bea** left" not in second


def test_the_hour_is_that_of_somebodys_clock_on_both_sides_of_a_change_of_the_clocks():
    madrid = TablePreferences(digest_hour=9, digest_zone="Europe/Madrid")
    for month, utc in ((1, 8), (7, 7)):
        day = datetime(2026, month, 10, tzinfo=UTC)
        assert latest_hour(madrid, day.replace(hour=utc)) == day.replace(hour=utc)
        before = day.replace(hour=utc) - timedelta(seconds=1)
        assert latest_hour(madrid, before) == day.replace(hour=utc) - timedelta(days=1)


def test_a_long_list_fits_into_a_message():
    seats = (Seat("*" * 40, BEA.id),) * 6
    when = datetime(2026, 1, 1, tzinfo=UTC)
    match = RunningMatch(1, 2**63, 2**63, 2**63, True, 0, seats, 0, when, True, Tempo.WEEK)
    text = digest_text(Digest([match] * 40), words("es"))
    assert len(text) <= 2000
    assert text.count("⏳") > 3
    text = digest_text(Digest([match] * 40, [(match, when)] * 40, [match] * 40, puzzle=True), words("es"))
    assert len(text) <= 2000
    assert text.count("⏳") > 1
    assert text.count("🤖") >= 1
