"""What happens at a table as time passes: warnings, deadlines, computers' moves, the next round, empty tables."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.cards import Card
from bot.engine.events import Claimed
from bot.engine.facts import CantosSung
from bot.engine.rules import PRESETS, Duty
from bot.platform.refusals import Refusal
from bot.tables.live.table import Table
from bot.tables.live.timing import FEAT_SECONDS, computers_pause
from bot.tables.live.waiting import LEAST_SECONDS, RETRY_SECONDS
from bot.tables.log.actions import Configure, LayCard, Leave, LetComputerPlay, Touch
from bot.tables.log.events import Phase, Presence
from bot.tables.log.pace import DAY
from bot.tables.log.topics import latest_move
from tests.support.dose import thorough_but
from tests.support.tables.hall import PACE, Build, Hall, move_by, person_at, play_round, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, CLO, FRIENDLY, Stacked, config_of, next_round, stacked


def presences(table: Table) -> list[Presence]:
    return [seat.presence for seat in table.view().seats]


def deadline_in(hall: Hall, table: Table) -> float | None:
    """Seconds until the deadline that players see."""
    deadline = table.view().deadline
    return None if deadline is None else (deadline - hall.time.now()).total_seconds()


# ------------------------------------------------------------------ a turn


async def test_a_turn_has_a_deadline_and_a_warning_before_it(hall: Hall):
    table = await hall.match(ANA, BEA)
    hall.seen.calls.clear()
    assert deadline_in(hall, table) == PACE.turn
    await hall.clock.advance(PACE.turn - PACE.warning - 0.001)
    assert hall.seen.whats() == []
    await hall.clock.advance(0.001)
    assert hall.seen.whats() == ["deadline_near"]
    assert deadline_in(hall, table) == PACE.warning


async def test_when_the_deadline_passes_a_computer_plays_for_the_seat(hall: Hall):
    table = await hall.match(ANA, BEA)
    turn, version = turn_of(table), table.view().version
    await hall.clock.advance(PACE.turn - 0.001)
    assert presences(table)[turn] is Presence.HERE
    await hall.clock.advance(0.001)
    assert presences(table)[turn] is Presence.AWAY
    assert (table.view().version, table.view().deadline) == (version, None)
    await hall.clock.advance(PACE.computer)
    assert (table.view().version, turn_of(table)) == (version + 1, 1 - turn)
    assert deadline_in(hall, table) == PACE.turn


async def test_a_click_by_somebody_away_takes_their_seat_back_with_a_full_deadline(hall: Hall):
    table = await hall.match(ANA, BEA)
    person = person_at(table, turn_of(table))
    await hall.clock.advance(PACE.turn + 1)
    await table.submit(Touch(person))
    assert (presences(table), deadline_in(hall, table)) == ([Presence.HERE] * 2, PACE.turn)
    version = table.view().version
    await hall.clock.advance(PACE.turn - 1)
    assert table.view().version == version


async def test_nobody_holds_a_turn_for_longer_than_two_deadlines(hall: Hall):
    table = await hall.match(ANA, BEA)
    turn, version = turn_of(table), table.view().version
    person = person_at(table, turn)
    for _ in range(2):
        assert deadline_in(hall, table) == PACE.turn
        await hall.clock.advance(PACE.turn)
        await table.submit(Touch(person))
    assert (presences(table), table.view().deadline) == ([Presence.HERE] * 2, None)
    await hall.clock.advance(PACE.computer / 2)
    await table.submit(Touch(person))  # looking at the cards once more holds nothing up
    await hall.clock.advance(PACE.computer / 2)
    assert (table.view().version, turn_of(table)) == (version + 1, 1 - turn)
    await table.submit(move_by(table))
    assert (turn_of(table), deadline_in(hall, table)) == (turn, PACE.turn), "they have their whole next turn"


async def test_each_turn_may_be_held_up_once(hall: Hall):
    table = await hall.match(ANA, BEA)
    for _ in range(2):
        await hall.clock.advance(PACE.turn)
        await table.submit(Touch(person_at(table, turn_of(table))))
        assert deadline_in(hall, table) == PACE.turn
        await hall.clock.advance(PACE.turn - 1)
        await table.submit(move_by(table))


async def test_somebody_who_comes_back_twice_may_still_move_before_the_computer(hall: Hall):
    table = await hall.match(ANA, BEA)
    turn, version = turn_of(table), table.view().version
    for _ in range(2):
        await hall.clock.advance(PACE.turn)
        await table.submit(Touch(person_at(table, turn)))
    await table.submit(move_by(table))
    assert (table.view().version, turn_of(table)) == (version + 1, 1 - turn)
    assert deadline_in(hall, table) == PACE.turn


async def test_each_turn_has_a_full_deadline(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(100)
    await table.submit(move_by(table))
    assert deadline_in(hall, table) == PACE.turn
    await hall.clock.advance(100)
    assert presences(table) == [Presence.HERE] * 2


async def test_a_deadline_stays_when_another_seat_changes_hands(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    other = next(seat for seat in range(3) if seat != turn_of(table))
    deadline = table.view().deadline
    await hall.clock.advance(50)
    await table.submit(Leave(person_at(table, other)))
    assert table.view().deadline == deadline
    await hall.clock.advance(50)
    assert hall.seen.whats()[-1] == "deadline_near"
    assert table.view().deadline == deadline
    await hall.clock.advance(20)
    assert presences(table)[turn_of(table)] is Presence.AWAY


async def test_a_deadline_stays_while_the_capture_of_a_laid_card_is_chosen(build: Build):
    hall = await build(chance=Stacked(deck=stacked("4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"), first=1))
    table = await hall.match(ANA, BEA)  # Ana's 4b takes 1 + 10, or 1 + 3 + 7
    deadline = table.view().deadline
    await hall.clock.advance(50)
    await table.submit(LayCard(ANA, table.view().version, Card.parse("4b")))
    assert table.view().deadline == deadline
    await hall.clock.advance(70)
    assert presences(table)[0] is Presence.AWAY


async def test_a_restart_keeps_a_deadline(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    deadline = table.view().deadline
    assert deadline is not None
    await hall.clock.advance(20)
    other = next(seat for seat in range(3) if seat != turn_of(table))
    await table.submit(Leave(person_at(table, other)))
    await hall.clock.advance(20)
    hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert restored.view().deadline == deadline
    await hall.clock.advance(50)
    assert hall.seen.whats() == ["deadline_near"], "30 seconds before it, as usual"
    await hall.clock.advance(29)
    assert presences(restored)[turn_of(restored)] is Presence.HERE
    await hall.clock.advance(1)
    assert presences(restored)[turn_of(restored)] is Presence.AWAY
    await hall.close()


async def test_a_restart_keeps_the_deadline_of_somebody_who_came_back_during_their_turn(hall: Hall):
    table = await hall.match(ANA, BEA)
    seat = turn_of(table)
    await hall.clock.advance(PACE.turn)
    assert presences(table)[seat] is Presence.AWAY
    await table.submit(Touch(person_at(table, seat)))
    deadline = table.view().deadline
    assert deadline == hall.time.now() + timedelta(seconds=PACE.turn)
    await hall.clock.advance(40)
    hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert restored.view().deadline == deadline
    await hall.close()


async def test_a_restart_keeps_when_an_empty_match_ends_and_when_a_pause_does(hall: Hall):
    left = await hall.match(ANA, BEA)
    paused = await hall.match(CLO, ANA, channel=CHANNEL + 1)
    await play_round(paused)
    ends = paused.view().deadline
    assert ends is not None
    hall = await hall.restarted(away=10)
    again = hall.manager.get(paused.id)
    assert again is not None
    assert again.view().deadline == ends + timedelta(seconds=10)
    table = hall.manager.get(left.id)
    assert table is not None
    await hall.clock.advance(2 * PACE.turn + 10)
    assert table.view().waiting
    ends = table.view().deadline
    assert ends is not None
    hall = await hall.restarted(away=1000)
    table = hall.manager.get(left.id)
    assert table is not None
    assert table.view().deadline == ends + timedelta(seconds=1000)
    await hall.close()


async def test_a_warning_that_came_before_the_bot_went_down_comes_again(build: Build):
    hall = await build(replace(PACE, turn=23 * 3600, warning=3600))
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(23 * 3600 - 1800)
    hall = await hall.restarted(away=7200)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert deadline_in(hall, restored) == 1800
    await hall.clock.advance(0)
    assert hall.seen.whats() == ["deadline_near"]
    await hall.clock.advance(1800)
    assert Presence.AWAY in presences(restored)
    await hall.close()


async def test_a_wait_whose_end_cant_be_stored_leaves_time_to_answer(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    await hall.clock.advance(100)
    other = next(seat for seat in range(3) if seat != turn_of(table))
    await table.submit(Leave(person_at(table, other)))
    hall.store.broken = True
    await hall.clock.advance(20)
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS)
    assert deadline_in(hall, table) == LEAST_SECONDS


@pytest.mark.parametrize(("played", "left"), [(20, 100), (89, 31), (91, 30), (119, 30), (119.999, 30)])
@pytest.mark.parametrize("away", [6, 60, 500, 3 * DAY])
async def test_an_outage_prolongs_a_deadline_by_itself_and_leaves_time_to_answer(
    hall: Hall, away: int, played: float, left: float
):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(played)
    hall = await hall.restarted(away=away)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert deadline_in(hall, restored) == left
    await hall.clock.advance(left - 1)
    assert presences(restored) == [Presence.HERE] * 2
    await hall.clock.advance(1)
    assert Presence.AWAY in presences(restored)
    await hall.close()


async def test_without_a_warning_there_is_only_the_deadline(build: Build):
    hall = await build(replace(PACE, warning=0))
    table = await hall.match(ANA, BEA)
    hall.seen.calls.clear()
    await hall.clock.advance(PACE.turn)
    assert hall.seen.whats() == ["table_changed"]
    assert Presence.AWAY in presences(table)


@pytest.mark.parametrize("warning", [120, 500])
async def test_a_warning_that_would_come_too_early_comes_halfway(build: Build, warning: float):
    hall = await build(replace(PACE, warning=warning))
    await hall.match(ANA, BEA)
    hall.seen.calls.clear()
    await hall.clock.advance(PACE.turn / 2 - 0.001)
    assert hall.seen.whats() == []
    await hall.clock.advance(0.001)
    assert hall.seen.whats() == ["deadline_near"]


async def test_without_deadlines_or_a_limit_on_idle_games_a_turn_lasts_forever(build: Build):
    hall = await build(replace(PACE, turn=0, idle=0, overdue=0))
    table = await hall.match(ANA, BEA)
    calls = len(hall.seen.calls)
    assert table.view().deadline is None
    await hall.clock.advance(10**7)
    assert (presences(table), len(hall.seen.calls)) == ([Presence.HERE] * 2, calls)


async def test_a_match_without_deadlines_ends_when_nobody_moves_for_two_weeks(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.idle - 1)
    await table.submit(move_by(table))
    assert table.view().deadline is None
    await hall.clock.advance(PACE.idle - 1)
    assert table.phase is Phase.PLAYING
    await hall.clock.advance(1)
    assert table.phase is Phase.IDLE
    assert (await hall.stored(table)).phase is Phase.IDLE
    assert hall.manager.get(table.id) is None
    assert hall.rows("select count(*) from results") == [(0,)]


async def test_a_restart_doesnt_change_when_the_two_weeks_end(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, computers=1)
    await hall.clock.advance(PACE.computer)
    await table.submit(move_by(table))
    await hall.clock.advance(PACE.computer)  # the computer's reply isn't a person's move
    for _ in range(3):
        await hall.clock.advance(PACE.idle / 4)
        hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert restored.acted_at == table.acted_at
    await hall.clock.advance(PACE.idle / 4 - PACE.computer - 1)
    assert restored.phase is Phase.PLAYING
    await hall.clock.advance(1)
    assert restored.phase is Phase.IDLE
    await hall.close()


async def test_a_match_whose_two_weeks_ended_while_the_bot_was_down_ends_at_once(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.idle - 1)
    await hall.clock.close()
    await hall.time.pass_by(2)
    hall = await hall.restarted()
    [restored] = hall.brought_back
    await hall.clock.advance(0)
    await hall.clock.settle()
    assert (restored.table.id, restored.table.phase) == (table.id, Phase.IDLE)
    await hall.close()


async def test_a_match_that_is_won_already_ends_soon_if_its_winner_does_nothing(build: Build):
    hall = await build(replace(PACE, turn=0, idle=0))
    table = await hall.match(ANA, BEA)
    winner = person_at(table, turn_of(table))
    await table.submit(Leave(BEA if winner == ANA else ANA))
    await hall.clock.advance(PACE.abandon - 1)
    assert table.phase is Phase.PLAYING
    await hall.clock.advance(1)
    assert table.phase is Phase.FORFEITED
    assert hall.rows("select user_id from result_players where won") == [(winner.id,)]


# ------------------------------------------------- players who keep the others waiting


@pytest.fixture
async def patient(build: Build) -> Hall:
    """A hall without deadlines."""
    return await build(replace(PACE, turn=0))


async def test_a_player_without_a_deadline_is_overdue_after_ten_minutes(patient: Hall):
    table = await patient.match(ANA, BEA)
    await patient.clock.advance(599)
    assert not table.view().overdue
    calls = len(patient.seen.calls)
    await patient.clock.advance(1)
    assert table.view().overdue
    assert patient.seen.whats()[calls:] == ["table_changed"], "others see that the player is overdue"
    await patient.clock.advance(3600)
    assert len(patient.seen.calls) == calls + 1
    await table.submit(move_by(table))
    assert not table.view().overdue
    await patient.clock.advance(600)
    assert table.view().overdue


async def test_with_deadlines_nobody_is_overdue(hall: Hall):
    table = await hall.match(ANA, BEA)
    for _ in range(20):
        await hall.clock.advance(PACE.turn / 4)
        assert not table.view().overdue


async def test_a_click_in_their_turn_begins_the_ten_minutes_again(patient: Hall):
    table = await patient.match(ANA, BEA)
    player = person_at(table, turn_of(table))
    await patient.clock.advance(599)
    await table.submit(Touch(player))
    await patient.clock.advance(599)
    assert not table.view().overdue
    await patient.clock.advance(1)
    assert table.view().overdue
    calls = len(patient.seen.calls)
    await table.submit(Touch(player))
    assert not table.view().overdue
    assert patient.seen.whats()[calls:] == ["table_changed"], "the button disappears"
    await patient.clock.advance(600)
    assert table.view().overdue


async def test_another_players_click_does_not_begin_them_again(patient: Hall):
    table = await patient.match(ANA, BEA)
    await patient.clock.advance(599)
    await table.submit(Touch(person_at(table, 1 - turn_of(table))))
    await patient.clock.advance(1)
    assert table.view().overdue


async def test_nobody_is_overdue_where_nobody_else_plays(patient: Hall):
    table = await patient.match(ANA, computers=1)
    await patient.clock.advance(PACE.computer)
    await patient.clock.advance(3600)
    assert not table.view().overdue


async def test_a_computer_plays_for_somebody_overdue_until_they_click(patient: Hall):
    table = await patient.match(ANA, BEA)
    turn = turn_of(table)
    absent, other = person_at(table, turn), person_at(table, 1 - turn)
    version = table.view().version
    with pytest.raises(Refusal):
        await table.submit(LetComputerPlay(other, version))
    await patient.clock.advance(600)
    await table.submit(LetComputerPlay(other, version))
    assert (presences(table)[turn], table.view().overdue) == (Presence.AWAY, False)
    await patient.clock.advance(computers_pause(state_of(table), PACE))
    assert (table.view().version, turn_of(table)) == (version + 1, 1 - turn)
    await table.submit(move_by(table))
    await patient.clock.advance(computers_pause(state_of(table), PACE))
    assert turn_of(table) == 1 - turn, "the computer played the next turn, too"
    await table.submit(Touch(absent))
    await table.submit(move_by(table))
    await patient.clock.advance(599)
    assert (turn_of(table), table.view().overdue) == (turn, False)


async def test_a_restart_keeps_a_computer_in_the_seat(patient: Hall):
    table = await patient.match(ANA, BEA)
    turn = turn_of(table)
    await patient.clock.advance(600)
    await table.submit(LetComputerPlay(person_at(table, 1 - turn), table.view().version))
    hall = await patient.restarted()
    restored = hall.brought_back[0].table
    assert (presences(restored)[turn], restored.acted_at) == (Presence.AWAY, table.acted_at)
    await hall.clock.advance(PACE.computer)
    assert turn_of(restored) == 1 - turn
    await hall.close()


async def test_after_a_restart_the_ten_minutes_begin_again(patient: Hall):
    table = await patient.match(ANA, BEA)
    await patient.clock.advance(600)
    assert table.view().overdue
    hall = await patient.restarted()
    restored = hall.brought_back[0].table
    assert not restored.view().overdue
    await hall.clock.advance(600 * 1.25)
    assert restored.view().overdue
    await hall.close()


# --------------------------------------------------------------- computers


async def test_a_computer_plays_after_a_pause(hall: Hall):
    table = await hall.match(ANA, computers=1)
    assert turn_of(table) == 1
    version = table.view().version
    assert table.view().deadline is None
    await hall.clock.advance(PACE.computer - 0.001)
    assert table.view().version == version
    await hall.clock.advance(0.001)
    assert (table.view().version, turn_of(table)) == (version + 1, 0)


async def test_several_computers_play_one_after_another(hall: Hall):
    table = await hall.match(ANA, computers=3)
    version, before_ana = table.view().version, (0 - turn_of(table)) % 4
    await hall.clock.advance(before_ana * PACE.computer)
    assert (table.view().version, turn_of(table)) == (version + before_ana, 0)


async def test_a_computer_makes_the_same_move_after_a_restart(build: Build):
    played = []
    for restarts in (0, 1, 2):
        hall = await build()
        table = await hall.match(ANA, computers=1)
        for _ in range(restarts):
            hall = await hall.restarted()
        await hall.clock.advance(PACE.computer)
        played.append((await hall.log(table))[-1])
        await hall.clock.close()
    assert played[0] == played[1] == played[2]


@pytest.mark.parametrize("preset", thorough_but(sorted(PRESETS), "quince", "chorizo"))
async def test_a_table_goes_on_after_any_move_of_a_computer(hall: Hall, preset: str):
    fewest = min(seating.seats for seating in PRESETS[preset].seatings)
    table = await hall.match(ANA, config=config_of(preset), computers=fewest - 1)
    while table.phase is Phase.PLAYING and (match := table.view().match) is not None:
        version = table.view().version
        if match.turn == 0:
            await table.submit(move_by(table))
        else:
            pause = PACE.next_round if match.turn is None else computers_pause(state_of(table), PACE)
            await hall.clock.advance(pause)
        assert table.view().version == version + 1
    if config_of(preset).rules.duty is Duty.CLAIMABLE:
        assert any(isinstance(event, Claimed) for event in await hall.log(table)), "a claim doesn't end the turn"


async def test_a_computer_leaves_time_to_see_an_escoba(hall: Hall):
    table = await hall.match(ANA, computers=2)
    swept = dict.fromkeys((True, False), 0)
    for _ in range(600):
        state = state_of(table)
        if table.phase is not Phase.PLAYING or state.match is None:
            break
        if state.match.turn is None:
            await hall.clock.advance(PACE.next_round)
        elif state.seats[state.match.turn].human_here:
            await table.submit(move_by(table))
        else:
            latest = latest_move(state.match.recent)
            if latest is not None and not isinstance(latest, CantosSung) and latest.escoba:
                by_person = state.seats[latest.seat].human_here
                swept[by_person] += 1
                version = table.view().version
                await hall.clock.advance(max(FEAT_SECONDS, PACE.computer) - 0.1)
                assert table.view().version == version, "nothing has moved yet"
                await hall.clock.advance(0.1)
                assert table.view().version == version + 1
            else:
                await hall.clock.advance(PACE.computer)
    assert min(swept.values()) > 0, "both kinds of escoba occurred"


async def test_a_computer_leaves_time_to_see_an_escoba_at_the_deal(build: Build):
    hall = await build(chance=Stacked(deck=stacked("4b 5c 6c 5b 6b 7b 1o 3c 1c 12o")))
    table = await hall.match(ANA, computers=1)
    version = table.view().version
    assert turn_of(table) == 1
    await hall.clock.advance(FEAT_SECONDS - 0.1)
    assert table.view().version == version
    await hall.clock.advance(0.1)
    assert table.view().version == version + 1


async def test_a_person_may_move_right_after_an_escoba(build: Build):
    hall = await build(chance=Stacked(deck=stacked("4b 5c 6c 5b 6b 7b 1o 3c 1c 12o"), first=1))
    table = await hall.match(ANA, computers=1)
    version = table.view().version
    await table.submit(move_by(table))
    assert table.view().version == version + 1


async def test_a_computer_without_a_pause_plays_at_once(build: Build):
    hall = await build(replace(PACE, computer=0))
    table = await hall.match(ANA, computers=1)
    await hall.clock.advance(0)
    assert turn_of(table) == 0


# ------------------------------------------------------------------ rounds


async def test_the_next_round_is_dealt_automatically_after_a_pause(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    assert deadline_in(hall, table) == PACE.next_round
    version = table.view().version
    await hall.clock.advance(PACE.next_round - 0.001)
    assert table.view().version == version
    await hall.clock.advance(0.001)
    match = table.view().match
    assert match is not None
    assert (match.round_number, table.view().version) == (2, version + 1)


async def test_a_round_that_somebody_dealt_isnt_dealt_again(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    await hall.clock.advance(PACE.next_round - 1)
    await next_round(table)
    version = table.view().version
    await hall.clock.advance(PACE.turn - 1)
    assert table.view().version == version


async def test_the_pause_goes_on_when_a_seat_changes_hands(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    await play_round(table)
    await hall.clock.advance(20)
    await table.submit(Leave(CLO))
    assert deadline_in(hall, table) == PACE.next_round - 20


# --------------------------------------------------------------- empty tables


async def test_a_lobby_that_nobody_touches_expires(hall: Hall):
    table = await hall.lobby(ANA)
    await hall.clock.advance(PACE.lobby - 1)
    await table.submit(Configure(ANA, table.version, config_of(target=11)))
    await hall.clock.advance(PACE.lobby - 1)
    assert table.phase is Phase.LOBBY
    await hall.clock.advance(1)
    assert (table.phase, hall.manager.at(table.place)) == (Phase.EXPIRED, None)
    assert (await hall.stored(table)).phase is Phase.EXPIRED


async def test_when_everybody_is_away_play_stops_and_later_the_match_is_abandoned(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(2 * PACE.turn + PACE.computer)
    assert presences(table) == [Presence.AWAY] * 2
    ends = hall.clock.now() + timedelta(seconds=PACE.abandon)
    assert (table.view().waiting, table.view().deadline) == (True, ends)
    version = table.version
    await hall.clock.advance(PACE.abandon - 0.001)
    assert (table.version, table.phase) == (version, Phase.PLAYING)
    await hall.clock.advance(0.001)
    assert (table.phase, table.view().waiting) == (Phase.ABANDONED, False)
    assert hall.rows("select count(*) from results") == [(0,)]


async def test_somebody_who_comes_back_in_time_saves_the_match(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(2 * PACE.turn + PACE.computer + PACE.abandon - 1)
    await table.submit(Touch(BEA))
    assert not table.view().waiting
    await hall.clock.advance(PACE.abandon // 2)
    assert presences(table)[0] is Presence.AWAY
    assert table.phase is Phase.PLAYING


async def test_a_wait_for_somebody_that_is_nearly_over_at_a_restart_leaves_them_time(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(2 * PACE.turn + PACE.computer + PACE.abandon - 1)
    hall = await hall.restarted(away=1)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert hall.clock.seconds_to(table.id) == LEAST_SECONDS
    await hall.clock.advance(LEAST_SECONDS)
    assert restored.phase is Phase.ABANDONED
    await hall.close()
