"""Slow matches: a turn takes a day or more, and people come when they can."""

from dataclasses import replace

import pytest

from bot.platform.refusals import CommonRefusal
from bot.tables.live.table import Table
from bot.tables.live.timing import FEAT_SECONDS
from bot.tables.log.actions import Answer, Ask, Configure, LayCard, Leave, Start, Touch
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.pace import DAY, Pace, Tempo
from tests.support.tables.hall import PACE, Build, Hall, move_by, person_at, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, FRIENDLY, config_of, refused

SLOW = replace(config_of(), tempo=Tempo.DAY)


def here(table: Table) -> list[Presence]:
    return [seat.presence for seat in table.view().seats]


async def miss(hall: Hall, table: Table) -> int:
    """Let the current turn pass; returns whose it was."""
    seat, version = turn_of(table), table.view().version
    await hall.clock.advance(DAY)
    if table.phase.open and here(table)[seat] is Presence.HERE:
        assert table.view().version == version
        await hall.clock.advance(FEAT_SECONDS)  # the longest pause of a computer
        assert table.view().version > version
    return seat


async def play(table: Table) -> None:
    await table.submit(move_by(table))


@pytest.mark.parametrize("tempo", [Tempo.DAY, Tempo.THREE_DAYS, Tempo.WEEK])
def test_all_that_waits_for_people_scales_with_slow_turns(tempo: Tempo):
    pace = Pace().at(tempo)
    assert pace.slow
    assert pace.warning == min(pace.turn / 4, DAY)
    assert pace.lobby == pace.abandon == pace.answer == pace.turn
    assert (pace.computer, pace.next_round) == (Pace().computer, Pace().next_round)


def test_the_other_tempos_are_a_minute_the_servers_and_no_deadline():
    assert (Pace().at(Tempo.QUICK).turn, Pace().at(Tempo.QUICK).slow) == (60, False)
    assert Pace(turn=300).at(Tempo.USUAL) == Pace(turn=300)
    assert (Pace().at(Tempo.OPEN).turn, Pace().at(Tempo.OPEN).claim) == (0, Pace().idle)


async def test_the_lobby_chooses_the_tempo_and_the_match_keeps_it_across_restarts(hall: Hall):
    table = await hall.lobby(ANA, BEA)
    await table.submit(Configure(ANA, table.view().version, SLOW))
    await table.submit(Answer(BEA, table.view().changed, agrees=True))
    await hall.clock.advance(DAY - 1)
    assert table.phase is Phase.LOBBY, "a lobby of a slow match is kept for a day"
    await table.submit(Start(ANA, table.version))
    deadline = table.view().deadline
    assert deadline is not None
    assert (deadline - hall.time.now()).total_seconds() == DAY
    hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert (restored.view().deadline, restored.view().config.tempo) == (deadline, Tempo.DAY)


async def test_a_missed_slow_turn_costs_one_move_which_is_marked(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    seat = await miss(hall, table)
    assert here(table) == [Presence.HERE] * 2
    assert (turn_of(table), table.view().missed) == (1 - seat, (seat,))
    assert table.view().stand_ins
    deadline = table.view().deadline
    assert deadline is not None
    assert DAY - FEAT_SECONDS <= (deadline - hall.time.now()).total_seconds() <= DAY


async def test_a_move_of_ones_own_ends_the_row_of_missed_turns(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    for _ in range(2):
        seat = await miss(hall, table)
        await play(table)
        assert turn_of(table) == seat
    assert table.view().missed == (seat, seat)
    await play(table)
    assert table.view().missed == ()


async def test_the_third_missed_turn_in_a_row_loses_a_rated_match_of_two(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    assert table.view().lost_by_misses
    for _ in range(2):
        seat = await miss(hall, table)
        await play(table)
    await hall.clock.advance(DAY)
    assert table.phase is Phase.FORFEITED
    view = table.view()
    assert (view.forfeits, view.late, view.default_winner) == ({seat}, {seat}, 1 - seat)


@pytest.mark.parametrize(("people", "config"), [((ANA, BEA), FRIENDLY), ((ANA, BEA, CLO), config_of())])
async def test_in_other_matches_it_makes_the_seat_away(hall: Hall, people: tuple, config: Config):
    table = await hall.match(*people, config=replace(config, tempo=Tempo.DAY))
    assert not table.view().lost_by_misses
    late = turn_of(table)
    for _ in range(2):
        await miss(hall, table)
        while turn_of(table) != late:
            await play(table)
    await hall.clock.advance(DAY)
    assert here(table)[late] is Presence.AWAY
    assert table.phase is Phase.PLAYING
    await table.submit(Touch(people[late]))
    assert here(table)[late] is Presence.HERE
    assert table.view().missed == (), "who is back begins again"


async def test_a_missed_turn_is_no_longer_its_persons(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    person, move = person_at(table, turn_of(table)), move_by(table)
    await hall.clock.advance(DAY)
    with refused(CommonRefusal.STALE):
        await table.submit(move)
    card = next(iter(table.seat_view(turn_of(table)).hand))  # type: ignore[union-attr]
    with refused(CommonRefusal.STALE):
        await table.submit(LayCard(person, table.view().version, card))
    await hall.clock.advance(PACE.computer)
    assert table.view().version > move.version


async def test_a_restart_between_the_deadline_and_the_robots_move_changes_nothing(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    seat = turn_of(table)
    await hall.clock.advance(DAY)
    hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    await hall.clock.advance(2 * PACE.computer)
    assert turn_of(restored) == 1 - seat
    assert (restored.view().missed, len(restored.view().stand_ins)) == ((seat,), 1)
    assert here(restored) == [Presence.HERE] * 2


async def test_a_week_with_nobody_there_ends_a_friendly_match_of_seven_days_a_turn(build: Build):
    hall = await build(PACE)
    table = await hall.match(ANA, BEA, config=replace(FRIENDLY, tempo=Tempo.WEEK))
    for _ in range(5):
        await hall.clock.advance(7 * DAY)
        await hall.clock.advance(PACE.computer)
    assert here(table) == [Presence.AWAY] * 2 or table.phase is Phase.PLAYING
    await hall.clock.advance(3 * 7 * DAY)
    assert table.phase is Phase.ABANDONED


async def test_a_question_is_open_for_a_turn(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await table.submit(Ask(ANA))
    question = table.view().question
    assert question is not None
    assert question.until == int(hall.time.now().timestamp()) + DAY


async def test_the_same_turn_of_the_next_deal_isnt_missed_too(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    seat = await miss(hall, table)
    for _ in range(5):
        await play(table)
    match = table.view().match
    assert match is not None
    assert (match.deal, turn_of(table)) == (2, seat)
    version = table.view().version
    await hall.clock.advance(DAY / 2)
    assert table.view().version == version, "no robot plays it"
    await play(table)


async def test_whoever_leaves_before_the_robots_move_holds_up_nobody(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, config=replace(FRIENDLY, tempo=Tempo.DAY))
    late = turn_of(table)
    await hall.clock.advance(DAY)
    await table.submit(Leave(person_at(table, late)))
    await hall.clock.advance(FEAT_SECONDS)
    assert turn_of(table) != late
