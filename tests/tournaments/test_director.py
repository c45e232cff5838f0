"""The director: what it does by itself, and that a restart at any point changes nothing."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.platform.database.tools.audit import auditing
from bot.platform.eventlog import named_in
from bot.platform.people import NOBODY, Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.privacy.live.tournament_data import personal_data
from bot.privacy.live.tournament_erasure import erase
from bot.tables.log.actions import Cancel as CancelTable
from bot.tables.log.actions import Leave, Touch
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tournaments.live.codec import wrong_tournaments
from bot.tournaments.live.running import CHECK_IN, UNTOUCHED, LiveTournament
from bot.tournaments.live.steward import AGAIN_SECONDS
from bot.tournaments.live.view import NoThreadsReason, TryLater
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import (
    BeginCheckIn,
    CancelTournament,
    CheckIn,
    Correct,
    DrawRound,
    Enter,
    PlayAgain,
    Withdraw,
)
from bot.tournaments.rules.setup import Start
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Setup, TournamentStage
from bot.tournaments.store.logs import orphans_of_tournaments
from tests.support.databases import with_tables
from tests.support.errors import Expected
from tests.support.tables.kit import CHANNEL, GUILD
from tests.tournaments.evening import CROWD, ORGANISER, Dies, TournamentProcess, over, swiss

KNOCKOUT = Setup(Format.KNOCKOUT, target=5)


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[TournamentProcess]:
    """A process on a file of its own."""
    made = await TournamentProcess.on(with_tables(tmp_path / "evening.sqlite3"))
    yield made
    await made.tournaments.close()
    await made.hall.close()


def begins(at: datetime) -> Setup:
    """Set-up of a tournament with a time."""
    return replace(swiss(), start=Start(round(at.timestamp()), "UTC"))


async def finish_round(evening: TournamentProcess) -> None:
    while waiting := evening.waiting():
        await evening.forfeit(waiting[0])


async def test_each_pairing_gets_a_table_in_a_thread_of_its_own_and_their_ends_bring_the_next_round(
    evening: TournamentProcess,
) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    first, second = evening.waiting()
    assert evening.table_of(first).channel_id != evening.table_of(second).channel_id
    assert evening.threads.opened == 2
    await evening.play(first)
    assert evening.state.round is not None
    assert evening.state.round.outcomes[first.table].forfeit is False
    await evening.forfeit(second)
    deadline = evening.live.view().deadline
    assert deadline is not None
    await evening.advance((deadline - evening.hall.clock.now()).total_seconds() - 1)
    assert len(evening.state.rounds) == 1
    await evening.advance(2)
    assert len(evening.state.rounds) == 2
    await finish_round(evening)
    assert over(evening.state)
    assert len(evening.threads.let_go) == 3
    assert evening.hall.rows("SELECT count(*) FROM results") == [(1,)], "only one was played"
    assert evening.seen.versions[-1] == evening.state.version


async def test_killing_the_bot_after_every_write_changes_nothing_in_an_evening(evening: TournamentProcess) -> None:
    await evening.announce(KNOCKOUT)
    await evening.submit(*(Enter(person) for person in CROWD[:4]), BeginCheckIn(ORGANISER))
    await evening.submit(*(CheckIn(person) for person in CROWD[:4]))
    killer, kills = Dies(evening), 0
    while not over(await evening.stored()):
        killer.lives = 0
        evening = await evening.restarted()
        if killer.lives == 0 and (waiting := evening.waiting()):
            with pytest.raises(Refusal):
                await evening.forfeit(waiting[0])
        elif killer.lives == 0:
            await evening.advance(700)
        assert killer.lives < 0, "each process has lived until its first write"
        kills += 1
    state = await evening.stored()
    assert kills == 11, "the beginning, the next round, and three times: open a table, leave it, record its outcome"
    assert evening.hall.rows("SELECT fixture, count(*) FROM games GROUP BY fixture ORDER BY fixture") == [
        ("1.1", 1),
        ("1.2", 1),
        ("2.1", 1),
    ]
    assert [len(each.outcomes) for each in state.rounds] == [2, 1]
    assert evening.threads.opened == 3


@pytest.mark.parametrize(
    ("error", "seconds", "logged"),
    [
        (ZeroDivisionError("on purpose"), AGAIN_SECONDS, [("bot.tournaments.live.steward", "could not go on")]),
        (TryLater(AGAIN_SECONDS * 3), AGAIN_SECONDS * 3, []),
    ],
    ids=["unexpected", "later"],
)
async def test_after_an_error_the_rest_is_done_later(
    evening: TournamentProcess,
    monkeypatch: pytest.MonkeyPatch,
    expected_errors: Expected,
    error: Exception,
    seconds: float,
    logged: Expected,
) -> None:
    async def fail(*_: object) -> int:
        raise error

    expected_errors += logged
    with monkeypatch.context() as broken:
        broken.setattr(evening.threads, "thread", fail)
        await evening.begun(CROWD[:4], swiss())
    await evening.advance(seconds - 1)
    assert evening.waiting() == []
    await evening.advance(1)
    assert len(evening.waiting()) == 2


async def test_a_missed_deadline_loses_the_match_and_a_second_takes_the_entry_out(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:6], swiss())
    table = evening.table_of(evening.waiting()[0])
    view = table.view()
    assert view.deadline is not None
    assert (view.deadline - evening.hall.clock.now()).total_seconds() == 300
    assert view.match is not None
    assert view.match.turn == 0
    await table.submit(Touch(evening.state.entry(evening.waiting()[0].second).people[0]))
    await evening.advance(301)
    assert table.phase is Phase.FORFEITED
    assert evening.state.rounds[0].outcomes[1] == Outcome((0, 0), 1, forfeit=True)
    while not over(evening.state):
        await evening.advance(301)
    assert any(each.gone is Gone.FORFEITS for each in evening.state.entries)


async def test_both_lose_a_match_that_neither_came_to_and_it_counts_for_nobody(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], swiss())
    tables = [evening.table_of(each) for each in evening.waiting()]
    await evening.advance(301)
    assert [each.phase for each in tables] == [Phase.FORFEITED] * 2
    assert [*evening.state.rounds[0].outcomes.values()] == [Outcome((0, 0), None, forfeit=True)] * 2
    assert evening.hall.rows("SELECT count(*) FROM results") == [(0,)]


async def test_nobody_loses_because_a_restart_forgot_their_click(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], swiss())
    pairing = evening.waiting()[0]
    await evening.table_of(pairing).submit(Touch(evening.state.entry(pairing.second).people[0]))
    evening = await evening.restarted()
    await evening.advance(400)
    assert evening.state.rounds[0].outcomes[pairing.table] == Outcome((0, 0), 1, forfeit=True)


async def test_only_moderators_cancel_a_table_and_then_the_organiser_decides(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    first, second = evening.waiting()
    table = evening.table_of(first)
    opener = evening.state.entry(first.first).people[0]
    with pytest.raises(Refusal):
        await table.submit(CancelTable(opener))
    await table.submit(CancelTable(ORGANISER, moderator=True))
    await evening.settled()
    link = evening.live.view().link(1, first.table)
    assert link is not None
    assert not link.open
    assert first.table not in ((evening.state.round and evening.state.round.outcomes) or {})
    await evening.submit(PlayAgain(ORGANISER, 1, first.table))
    again = evening.table_of(first)
    assert again.id != table.id
    await evening.submit(Correct(ORGANISER, 1, first.table, Outcome((5, 3), 0)))
    assert again.phase is Phase.CANCELLED, "nobody waits for the table any more"
    await evening.forfeit(second)
    await evening.submit(DrawRound(ORGANISER))
    assert len(evening.state.rounds) == 2


async def test_without_threads_the_tables_are_played_one_after_the_other_and_the_organiser_is_told_once(
    evening: TournamentProcess,
) -> None:
    evening.threads.none = NoThreadsReason.NO_PERMISSION
    await evening.begun(CROWD[:6], swiss())
    assert evening.threads.told == [NoThreadsReason.NO_PERMISSION]
    for _ in range(3):
        [pairing] = evening.waiting()
        assert evening.table_of(pairing).channel_id == CHANNEL
        evening = await evening.restarted()
        await evening.forfeit(pairing)
    assert evening.threads.let_go == []
    assert evening.threads.told == [NoThreadsReason.NO_PERMISSION]
    evening.threads.none = None
    await evening.submit(DrawRound(ORGANISER))
    assert len(evening.waiting()) == 3
    assert evening.live.view().no_threads_reason is None


async def test_check_in_ends_by_itself_but_waits_for_enough_and_for_a_bot_that_was_away(
    evening: TournamentProcess,
) -> None:
    await evening.announce(swiss())
    await evening.submit(*(Enter(each) for each in CROWD[:5]), BeginCheckIn(ORGANISER), CheckIn(CROWD[0]))
    await evening.advance(601)
    assert evening.state.stage is TournamentStage.CHECK_IN
    assert evening.live.view().deadline is None
    evening = await evening.restarted(away=500)
    await evening.submit(*(CheckIn(each) for each in CROWD[1:4]))
    assert evening.state.stage is TournamentStage.CHECK_IN
    await evening.advance(61)
    assert evening.state.stage is TournamentStage.PLAYING
    assert evening.state.entry(5).gone is Gone.ABSENT


async def test_an_evening_by_appointment_waits_for_its_time_and_begins_by_itself(evening: TournamentProcess) -> None:
    start = evening.hall.clock.now() + timedelta(days=9)
    await evening.announce(begins(start))
    await evening.submit(*(Enter(person) for person in CROWD[:4]))
    evening = await evening.restarted(away=7 * 24 * 3600)
    await evening.advance(2 * 24 * 3600 - CHECK_IN.total_seconds() - 5)
    assert evening.state.stage is TournamentStage.SIGN_UP
    await evening.advance(6)
    assert evening.state.stage is TournamentStage.CHECK_IN
    assert evening.threads.called == [1]
    await evening.submit(*(CheckIn(person) for person in CROWD[:4]))
    assert evening.live.deadline is not None
    assert timedelta(0) <= evening.live.deadline - start < timedelta(seconds=5)
    await evening.advance(CHECK_IN.total_seconds())
    assert len(evening.state.rounds) == 1


async def test_a_bot_that_was_away_at_the_time_begins_check_in_when_it_is_back(evening: TournamentProcess) -> None:
    await evening.announce(begins(evening.hall.clock.now() + timedelta(hours=1)))
    await evening.submit(*(Enter(person) for person in CROWD[:4]))
    evening = await evening.restarted(away=2 * 3600)
    assert evening.state.stage is TournamentStage.CHECK_IN
    await evening.submit(*(CheckIn(person) for person in CROWD[:4]))
    await evening.advance(CHECK_IN.total_seconds() - 60)
    assert evening.state.stage is TournamentStage.CHECK_IN, "people have as long as ever"
    await evening.advance(61)
    assert len(evening.state.rounds) == 1


async def test_an_evening_to_which_too_few_came_is_cancelled_a_day_later(evening: TournamentProcess) -> None:
    await evening.announce(begins(evening.hall.clock.now() + timedelta(days=3)))
    for seconds in (3 * 24 * 3600 - 600 + 1, 600, 24 * 3600 - 60):
        await evening.advance(seconds)
        assert evening.state.stage is TournamentStage.CHECK_IN
    await evening.advance(61)
    assert evening.live.state.stage is TournamentStage.CANCELLED


async def test_check_in_that_the_organiser_begins_early_lasts_until_the_time(evening: TournamentProcess) -> None:
    await evening.announce(begins(evening.hall.clock.now() + timedelta(hours=1)))
    await evening.submit(*(Enter(person) for person in CROWD[:4]), BeginCheckIn(ORGANISER))
    await evening.submit(*(CheckIn(person) for person in CROWD[:4]))
    await evening.advance(3600 - 60)
    assert evening.state.stage is TournamentStage.CHECK_IN
    assert evening.threads.called == [], "the organiser has called people"
    await evening.advance(61)
    assert len(evening.state.rounds) == 1


async def test_sign_up_that_nobody_touches_for_a_day_is_cancelled_and_the_channel_is_free(
    evening: TournamentProcess,
) -> None:
    live = await evening.announce()
    with pytest.raises(Refusal) as refused:
        await evening.announce()
    assert refused.value.code is TableRefusal.CHANNEL_BUSY
    await evening.advance(86_000)
    await evening.submit(Enter(CROWD[0]))
    await evening.advance(86_000)
    assert live.open
    await evening.advance(500)
    assert live.state.stage is TournamentStage.CANCELLED
    assert evening.tournaments.at(CHANNEL) is None
    await evening.tournaments.open(
        guild_id=GUILD, channel_id=CHANNEL, locale="es-ES", organiser=ORGANISER, setup=swiss()
    )


async def test_a_thread_is_archived_once_and_not_again_after_a_restart(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    await evening.forfeit(evening.waiting()[0])
    evening = await evening.restarted()
    assert len(evening.threads.let_go) == 1


async def test_a_tournament_stays_open_while_a_table_is_and_isnt_looked_at_all_the_time(
    evening: TournamentProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tournaments.live.running.UNTOUCHED", timedelta(seconds=100))
    await evening.begun(CROWD[:4], swiss())
    await evening.advance(150)
    assert evening.live.open
    assert evening.hall.clock.seconds_to(("tournament", evening.live.id)) is None, "a table that ends will tell"
    await evening.advance(151)
    assert [*evening.state.rounds[0].outcomes.values()] == [Outcome((0, 0), None, forfeit=True)] * 2


async def test_cancelling_ends_the_tables_and_a_lost_channel_everything(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    tables = [evening.table_of(each) for each in evening.waiting()]
    await evening.submit(CancelTournament(ORGANISER))
    assert {table.phase for table in tables} == {Phase.CANCELLED}
    await evening.tournaments.open(
        guild_id=GUILD, channel_id=CHANNEL, locale="es-ES", organiser=ORGANISER, setup=swiss()
    )
    evening.tournaments.lose(CHANNEL)
    await evening.settled()
    assert evening.tournaments.within() == []
    assert len(evening.seen.lost) == 1


async def test_only_the_tournaments_of_a_server_that_the_bot_left_sleep_until_it_is_back(
    evening: TournamentProcess,
) -> None:
    here = await evening.announce()
    there = await evening.tournaments.open(
        guild_id=GUILD + 1, channel_id=CHANNEL + 1, locale="es-ES", organiser=ORGANISER, setup=swiss()
    )
    left_at = evening.hall.time.now()
    await evening.tournaments.leave(GUILD)
    await evening.advance(UNTOUCHED.total_seconds() + 1)
    assert (here.open, there.open) == (True, False)
    await evening.hall.away.note(GUILD, left_at)
    await evening.tournaments.return_to(GUILD)
    await evening.advance(UNTOUCHED.total_seconds() - 60)
    assert here.open
    await evening.advance(120)
    assert not here.open


async def test_withdrawing_before_a_table_opens_loses_the_match_without_a_table(evening: TournamentProcess) -> None:
    evening.threads.none = NoThreadsReason.NO_PLACE
    await evening.begun(CROWD[:4], KNOCKOUT)
    assert evening.state.round is not None
    first, second = evening.state.round.pairings
    await evening.submit(Withdraw(evening.state.entry(second.second).people[0]))
    assert evening.state.round.outcomes[second.table] == Outcome((0, 0), 0, forfeit=True)
    await evening.forfeit(first)
    assert evening.hall.rows("SELECT count(*) FROM games") == [(1,)]


async def knocked_out(evening: TournamentProcess) -> int:
    """Play a knockout of four to its end; returns the tournament's number."""
    await evening.begun(CROWD[:4], KNOCKOUT)
    await finish_round(evening)
    await evening.submit(DrawRound(ORGANISER))
    await finish_round(evening)
    return evening.live.id


async def test_corrections_come_after_the_end_too_and_after_a_restart(evening: TournamentProcess) -> None:
    number = await knocked_out(evening)
    evening = await evening.restarted()
    assert evening.tournaments.get(number) is None
    found = await evening.tournaments.find(number)
    assert found is not None
    await found.submit(Correct(ORGANISER, 2, 1, Outcome((2, 5), 1)))
    with pytest.raises(Refusal) as refused:
        await found.submit(Enter(CROWD[5]))
    assert refused.value.code is TournamentRefusal.OVER


async def test_everybody_who_looks_for_a_finished_tournament_at_once_finds_the_same_one(
    evening: TournamentProcess,
) -> None:
    number = await knocked_out(evening)
    evening = await evening.restarted()
    first, second = await asyncio.gather(*(evening.tournaments.find(number) for _ in range(2)))
    assert first is not None
    assert first is second is await evening.tournaments.find(number)


async def test_an_erased_person_leaves_their_table_and_the_log(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:5], swiss())
    pairing = evening.waiting()[0]
    gone = evening.state.entry(pairing.first).people[0]
    document = await personal_data(
        evening.hall.store.personal_data,
        evening.hall.store.games,
        evening.hall.store.tournaments,
        gone.id,
        evening.hall.clock.now(),
    )
    assert [each["what"] for each in document["tournaments"][0]["you"]] == ["entered", "checked_in", "paired"]
    await erase(
        evening.hall.store.personal_data,
        evening.hall.store.tournaments,
        evening.hall.manager,
        evening.tournaments,
        evening.hall.preferences,
        gone,
    )
    await evening.settled()
    entry = evening.state.entry(pairing.first)
    assert (entry.people[0].name, entry.gone) == (NOBODY, Gone.WITHDREW)
    assert evening.state.round is not None
    assert evening.state.round.outcomes[pairing.table].winner == 1
    assert not [body for (body,) in evening.hall.rows("SELECT body FROM tournament_events") if str(gone.id) in body]
    assert (gone.id,) not in evening.hall.rows("SELECT user_id FROM tournament_people")
    evening = await evening.restarted()
    assert evening.state.entry(pairing.first).people[0].name == NOBODY


async def test_somebody_who_was_knocked_out_is_erased_while_the_others_play_on(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    pairing = evening.waiting()[0]
    gone = evening.state.entry(pairing.second).people[0]
    await evening.forfeit(pairing)
    await erase(
        evening.hall.store.personal_data,
        evening.hall.store.tournaments,
        evening.hall.manager,
        evening.tournaments,
        evening.hall.preferences,
        gone,
    )
    assert evening.state.entry(pairing.second).people[0].name == NOBODY
    assert not [body for (body,) in evening.hall.rows("SELECT body FROM tournament_events") if str(gone.id) in body]
    await finish_round(evening)
    await evening.submit(DrawRound(ORGANISER))
    await finish_round(evening)
    assert over(evening.state)


async def finished(evening: TournamentProcess) -> tuple[LiveTournament, Person]:
    """A knockout that has been played to its end, and who lost its final."""
    await evening.begun(CROWD[:4], KNOCKOUT)
    await finish_round(evening)
    await evening.submit(DrawRound(ORGANISER))
    [final] = evening.waiting()
    await finish_round(evening)
    live = evening.live
    assert live.id not in [each.id for each in evening.tournaments.attended]
    return live, live.state.entry(final.second).people[0]


async def test_an_erased_person_is_replaced_in_a_finished_tournament_that_stays_the_same_object(
    evening: TournamentProcess,
) -> None:
    live, gone = await finished(evening)
    shown = len(evening.seen.versions)
    await erase(
        evening.hall.store.personal_data,
        evening.hall.store.tournaments,
        evening.hall.manager,
        evening.tournaments,
        evening.hall.preferences,
        gone,
    )
    await evening.tournaments.reread_finished(gone.id)  # as every process does when it hears of it
    assert gone not in named_in(live.state)
    assert live.state == await evening.stored()
    assert len(evening.seen.versions) == shown + 1, "its message is made again, without the name"
    assert await evening.tournaments.find(live.id) is live


async def test_a_finished_tournament_whose_log_is_gone_is_forgotten_by_an_erasure(evening: TournamentProcess) -> None:
    live, gone = await finished(evening)
    await evening.hall.store.tournaments.drop_logs(evening.hall.clock.now() + timedelta(seconds=1))
    await erase(
        evening.hall.store.personal_data,
        evening.hall.store.tournaments,
        evening.hall.manager,
        evening.tournaments,
        evening.hall.preferences,
        gone,
    )
    await evening.tournaments.reread_finished(gone.id)  # as every process does when it hears of it
    assert evening.seen.lost == [live.id]
    assert await evening.tournaments.find(live.id) is None


@pytest.mark.thorough
async def test_a_swiss_evening_with_every_disturbance_is_played_to_its_end(
    evening: TournamentProcess,
) -> None:
    people, late = CROWD[:9], CROWD[9]
    await evening.begun(people, swiss())
    assert evening.state.round is not None
    assert len(evening.state.round.byes) == 1
    await evening.play(evening.waiting()[0])
    evening = await evening.restarted(away=20)
    await evening.submit(Enter(late), Withdraw(people[0]))
    for pairing in evening.waiting()[:-1]:
        await evening.forfeit(pairing)
    await evening.advance(301)  # the player at the last table doesn't come
    assert evening.state.round is not None
    assert evening.state.round.over
    while not over(evening.state):
        await evening.advance(130)
        evening = await evening.restarted()
        await finish_round(evening)
    met: set[frozenset[int]] = set()
    for round in evening.state.rounds:
        for each in round.pairings:
            assert frozenset((each.first, each.second)) not in met
            met.add(frozenset((each.first, each.second)))
    assert all(each.over for each in evening.state.rounds)
    assert evening.state.entry(10).people == (late,)
    assert len(evening.state.rounds) == evening.state.planned


async def test_a_match_lost_by_leaving_the_table_is_rated(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    pairing = evening.waiting()[0]
    await evening.play_cards(pairing, 2)
    await evening.table_of(pairing).submit(Leave(evening.state.entry(pairing.first).people[0]))
    await evening.settled()
    assert evening.hall.rows("SELECT ranked, friendly FROM results") == [(1, 0)]
    won = dict(evening.hall.rows("SELECT seat, won FROM result_players"))
    assert won == {0: 0, 1: 1}


async def test_a_pairing_has_one_table_whoever_opens_it_again(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    view = evening.table_of(evening.waiting()[0]).view()
    assert view.fixture is not None
    people = [Person(seat.person_id or 0, seat.name) for seat in view.seats]
    with pytest.raises(Refusal) as refused:
        await evening.hall.manager.open_fixture(
            view.fixture, people, view.config, guild_id=GUILD, channel_id=7, locale="es-ES"
        )
    assert refused.value.code is CommonRefusal.STALE


async def test_the_check_finds_what_is_wrong_with_tournaments(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], KNOCKOUT)
    newer = list[str]()
    with closing(sqlite3.connect(evening.hall.path)) as connection, auditing(evening.hall.path) as audit:
        assert list(wrong_tournaments(audit, newer.append)) == []
        connection.execute("UPDATE tournaments SET closed_at = opened_at")
        connection.execute("UPDATE games SET tournament_id = 9 WHERE fixture = '1.2'")
        connection.commit()
        assert list(wrong_tournaments(audit, newer.append)) == ["tournament 1: it is closed, but its log says playing"]
        assert orphans_of_tournaments(audit) == ["a game of tournament 9"]
        connection.execute("UPDATE tournament_events SET body = 'x' WHERE version = 2")
        connection.commit()
        assert list(wrong_tournaments(audit, newer.append)) == ["tournament 1: its log can't be read (CodecError)"]


async def test_a_servers_tournaments_go_with_it_and_old_logs_after_their_time(evening: TournamentProcess) -> None:
    await evening.announce()
    await evening.submit(CancelTournament(ORGANISER))
    store = evening.hall.store
    assert await store.kept.guilds() == [GUILD]
    assert await store.tournaments.drop_logs(evening.hall.clock.now() + timedelta(seconds=1)) == 1
    assert await store.tournaments.log(1) == []
    assert evening.hall.rows("SELECT organiser_id FROM tournaments") == [(0,)]
    assert (await evening.restarted()).tournaments.attended == []
    assert await store.kept.drop_rest(GUILD, [])
    assert evening.hall.rows("SELECT count(*) FROM tournaments") == [(0,)]
