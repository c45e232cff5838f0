"""The same tournament every week: once, at the same time by the clocks there, however the bot is stopped."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.platform.eventlog import named_in
from bot.platform.language.appointments import minute_of_week
from bot.platform.language.calendar import zone_named
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.privacy.live.tournament_data import personal_data
from bot.privacy.live.tournament_erasure import erase
from bot.tables.log.actions import Leave
from bot.tournaments.live.outcome import next_week
from bot.tournaments.live.running import CHECK_IN, LiveTournament
from bot.tournaments.live.steward import BUSY_SECONDS
from bot.tournaments.rules.log import Begin, CancelTournament, DrawRound, Enter, Repeat
from bot.tournaments.rules.setup import Start
from bot.tournaments.rules.standings import podium
from bot.tournaments.rules.tournament import Format, Setup, Tournament
from tests.support.club import RecordedTournament
from tests.support.databases import with_tables
from tests.support.tables.kit import CHANNEL, GUILD
from tests.tournaments.evening import CROWD, ORGANISER, Dies, TournamentProcess, swiss

WEEK = timedelta(days=7)


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[TournamentProcess]:
    """A process on a file of its own."""
    made = await TournamentProcess.on(with_tables(tmp_path / "evening.sqlite3"))
    yield made
    await made.tournaments.close()
    await made.hall.close()


def weekly(evening: TournamentProcess, zone: str = "UTC") -> Setup:
    """Set-up of a knockout that is held in two days, and then every week."""
    at = (evening.hall.clock.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    start = Start(round(at.timestamp()), zone, minute_of_week(at, zone_named(zone)))
    return Setup(Format.KNOCKOUT, target=5, title="Copa", start=start)


async def play(evening: TournamentProcess) -> LiveTournament:
    """Begin the open tournament by hand with four people, and end each of its tables."""
    [live] = evening.tournaments.within()
    for person in CROWD[:4]:
        await live.submit(Enter(person))
    await live.submit(Begin(ORGANISER))
    await evening.settled()
    while live.open:
        for link in [each for each in live.games.values() if each.open]:
            table = evening.hall.manager.get(link.game_id)
            assert table is not None
            await table.submit(Leave(named(table.view().seats[1].person_id)))
            await evening.settled()
        if live.open:
            await live.submit(DrawRound(ORGANISER))
            await evening.settled()
    return live


def named(person_id: int | None) -> Person:
    return next(each for each in CROWD if each.id == person_id)


async def test_the_next_sign_up_opens_a_week_later_with_the_podium(evening: TournamentProcess) -> None:
    setup = weekly(evening)
    await evening.announce(setup)
    over = await play(evening)
    [live] = evening.tournaments.within()
    assert setup.start is not None
    assert live.state.setup == replace(setup, start=replace(setup.start, at=setup.start.at + 7 * 24 * 3600))
    assert (live.state.organiser, live.channel_id, live.locale) == (ORGANISER, CHANNEL, "es-ES")
    assert [(each.rank, each.people) for each in live.state.last] == [
        (each.rank, over.state.entry(each.entry).people) for each in podium(over.state)
    ]
    again = await play(evening)
    assert again is live
    assert len(evening.tournaments.within()) == 1


@pytest.mark.parametrize("lives", [0, 6, 11, 12, 13, 14, 15])  # the last two: it is over, and the next one is open
async def test_killing_the_bot_anywhere_opens_exactly_one_sign_up(evening: TournamentProcess, lives: int) -> None:
    await evening.announce(weekly(evening))
    killer = Dies(evening)
    killer.lives = lives
    with suppress(Refusal):
        await play(evening)
    killer.lives = 10_000
    evening = await evening.restarted()
    [live] = evening.tournaments.within()
    if live.id == 1:
        await live.submit(CancelTournament(ORGANISER))
        await evening.settled()
        [live] = evening.tournaments.within()
    assert live.id == 2
    evening = await evening.restarted()
    assert [each.id for each in evening.tournaments.within()] == [2]
    assert evening.hall.rows("SELECT count(*), sum(repeats) FROM tournaments") == [(2, 0)]


async def test_one_press_stops_it_even_while_it_is_played(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    [live] = evening.tournaments.within()
    for person in CROWD[:4]:
        await live.submit(Enter(person))
    await live.submit(Begin(ORGANISER))
    await live.submit(Repeat(ORGANISER, None))
    await live.submit(CancelTournament(ORGANISER))
    await evening.settled()
    assert evening.tournaments.within() == []


async def test_one_that_is_cancelled_is_on_again_next_week_with_the_latest_podium(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    await play(evening)
    [second] = evening.tournaments.within()
    await second.submit(Enter(CROWD[0]))
    await second.submit(CancelTournament(ORGANISER))
    await evening.settled()
    [third] = evening.tournaments.within()
    assert third.id == second.id + 1
    assert third.state.last == second.state.last != ()


async def test_one_for_which_nobody_signed_up_is_the_last(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    await evening.advance(timedelta(days=2).total_seconds() - CHECK_IN.total_seconds() + 60)
    await evening.advance(timedelta(days=1, minutes=20).total_seconds())
    assert evening.tournaments.within() == []


async def test_while_the_channel_has_another_tournament_the_next_one_waits(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    [live] = evening.tournaments.within()
    await live.submit(Enter(CROWD[0]))
    live.row = replace(live.row, message_id=7)  # its end isn't shown yet
    await live.submit(CancelTournament(ORGANISER))
    await evening.settled()
    assert evening.tournaments.within() == []
    other = await evening.tournaments.open(
        guild_id=GUILD, channel_id=CHANNEL, locale="es-ES", organiser=ORGANISER, setup=swiss()
    )
    live.row = replace(live.row, message_id=None)
    evening.tournaments.release(live)
    await evening.settled()
    assert evening.tournaments.within() == [other]
    await other.submit(CancelTournament(ORGANISER))
    await evening.advance(BUSY_SECONDS + 1)
    [follower] = evening.tournaments.within()
    assert follower.state.setup.title == "Copa"


async def test_it_ends_with_its_organiser_and_its_channel(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    [live] = evening.tournaments.within()
    await live.submit(Enter(CROWD[0]))
    hall = evening.hall
    await erase(
        hall.store.personal_data, hall.store.tournaments, hall.manager, evening.tournaments, hall.preferences, ORGANISER
    )
    await live.submit(CancelTournament(CROWD[5]), manages=True)
    await evening.settled()
    assert evening.tournaments.within() == []
    await evening.announce(weekly(evening))
    [live] = evening.tournaments.within()
    await live.submit(Enter(CROWD[0]))
    evening.tournaments.lose(CHANNEL)
    await evening.settled()
    assert evening.tournaments.within() == []


async def test_somebody_on_the_podium_of_the_week_before_can_be_erased(evening: TournamentProcess) -> None:
    await evening.announce(weekly(evening))
    await play(evening)
    [live] = evening.tournaments.within()
    best = live.state.last[0].people[0]
    data = await personal_data(
        evening.hall.store.personal_data,
        evening.hall.store.games,
        evening.hall.store.tournaments,
        best.id,
        evening.hall.clock.now(),
    )
    assert {"what": "announced", "last_rank": 1, "name": best.name}.items() <= data["tournaments"][-1]["you"][0].items()
    hall = evening.hall
    await erase(
        hall.store.personal_data, hall.store.tournaments, hall.manager, evening.tournaments, hall.preferences, best
    )
    assert best.id not in {person.id for person in named_in(live.state)}
    assert best.name not in str(await hall.store.tournaments.log(live.id))


@pytest.mark.parametrize("zone", ["Europe/Madrid", "America/Santiago", "Australia/Lord_Howe", "UTC"])
def test_it_keeps_its_time_by_the_clocks_there(zone: str) -> None:
    clocks = zone_named(zone)
    first = datetime(2026, 9, 4, 21, 30, tzinfo=clocks)
    start = Start(round(first.timestamp()), zone, minute_of_week(first, clocks))
    evening = RecordedTournament(start=start).now
    for week in range(1, 60):
        announced = next_week(evening, evening_start(evening) + timedelta(hours=3), week)
        assert announced.setup.start is not None
        local = announced.setup.start.moment.astimezone(clocks).replace(tzinfo=None)
        assert local == first.replace(tzinfo=None) + week * WEEK
        evening = replace(evening, setup=announced.setup)


def test_weeks_for_which_the_bot_was_away_are_left_out() -> None:
    first = datetime(2026, 9, 4, 21, 30, tzinfo=UTC)
    start = Start(round(first.timestamp()), "UTC", minute_of_week(first, UTC))
    announced = next_week(RecordedTournament(start=start).now, first + 3 * WEEK + timedelta(days=1), 1)
    assert announced.setup.start is not None
    assert announced.setup.start.moment == first + 4 * WEEK


def evening_start(evening: Tournament) -> datetime:
    assert evening.setup.start is not None
    return evening.setup.start.moment
