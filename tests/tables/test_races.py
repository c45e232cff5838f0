"""Everybody clicks at once, and twice: the outcome is that of the same clicks one by one, in some order."""

import asyncio
from itertools import permutations
from random import Random

import pytest

from bot.engine.rules import PRESETS
from bot.platform.refusals import Refusal
from bot.tables.live.chance import Chance
from bot.tables.log.actions import Action, AddComputer, Cancel, Join, Leave, NextRound, PlayMove, Start, Touch
from bot.tables.log.decide import Times, decide
from bot.tables.log.events import Phase
from bot.tables.log.state import TableState
from tests.support.dose import thorough_but
from tests.support.tables.hall import Hall, legal, move_by, outcomes, play_round, state_of, submits, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, DON, EVA, FUL, PEOPLE, config_of


def code_of(outcome: object) -> str:
    """The code of a refusal; empty for anything else."""
    assert outcome is None or isinstance(outcome, Refusal)
    return "" if outcome is None else outcome.code.name


def one_by_one(state: TableState, actions: list[Action], game_id: int, chance: Chance) -> tuple[TableState, list[str]]:
    """The table after these clicks in this order, and the refusal code of each."""
    answers: list[str] = []
    ready: set[int | None] = set()
    for action in actions:
        try:
            times = Times(unready=state.people_here - ready)
            state = decide(state, action, game_id, times).dealt(chance, game_id).state
            if isinstance(action, NextRound):
                ready.add(state.seat_of(action.person.id))
        except Refusal as refusal:
            answers.append(refusal.code.name)
            continue
        answers.append("")
    return state, answers


async def click_at_once(hall: Hall, table, actions: list[Action]) -> list[str]:
    """Submit all actions at once; check that some order has the same outcome and that each version is one row."""
    before = state_of(table)
    answers = [code_of(each) for each in await outcomes(submits(table, actions))]
    after = state_of(table)
    for order in permutations(range(len(actions))):
        state, single = one_by_one(before, [actions[index] for index in order], table.id, hall.chance)
        if state == after and single == [answers[index] for index in order]:
            break
    else:
        pytest.fail("no order of single clicks comes to this")
    versions = [entry.version for entry in await hall.store.games.log(table.id)]
    assert versions == list(range(1, after.version + 1))
    assert await hall.stored(table) == after
    return answers


@pytest.mark.parametrize("preset", thorough_but(sorted(PRESETS), "escoba"))
async def test_when_all_seats_click_twice_at_once_one_click_counts(hall: Hall, preset: str):
    table = await hall.match(ANA, BEA, CLO, DON, config=config_of(preset, target=5))
    people = (ANA, BEA, CLO, DON)
    for _ in range(8):
        version = table.view().version
        clicks = [PlayMove(person, version, legal(table)[0]) for person in people] * 2
        told = len(hall.seen.calls)
        answers = [code_of(each) for each in await outcomes(submits(table, clicks))]
        assert answers.count("") == 1
        assert set(answers) == {"", "STALE", "NOT_YOUR_TURN"} or answers[-1]
        assert (table.view().version, len(hall.seen.calls)) == (version + 1, told + 1)
    assert await hall.stored(table) == state_of(table)


async def test_the_last_free_seats_are_taken_only_once(hall: Hall):
    table = await hall.lobby(ANA, BEA)
    joining: list[Action] = [Join(person) for person in (CLO, CLO, DON, EVA, FUL)]
    answers = await click_at_once(hall, table, joining)
    assert answers.count("") == 2
    assert len(table.view().seats) == 4


async def test_a_match_starts_only_once(hall: Hall):
    table = await hall.lobby(ANA, BEA)
    version = table.version
    clicks: list[Action] = [Start(ANA, version), Start(BEA, version), Start(ANA, version), AddComputer(BEA, version)]
    await click_at_once(hall, table, [*clicks, Join(CLO)])
    kinds = [body.split()[0] for (body,) in hall.rows("select body from events where kind = 'match' order by version")]
    assert kinds == ["match", "deal"]


async def test_a_round_is_dealt_only_once(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    version = table.view().version
    clicks: list[Action] = [NextRound(ANA, version), NextRound(BEA, version)] * 2
    assert sorted(await click_at_once(hall, table, [*clicks, Touch(ANA)])) == ["", "", "", *["STALE"] * 2]


@pytest.mark.parametrize("seed", thorough_but(range(12), *range(4)))
async def test_random_clicks_at_once_have_the_outcome_of_some_order(hall: Hall, seed: int):
    rng = Random(seed)
    table = await hall.lobby(ANA, BEA)
    for _ in range(8):
        if not state_of(table).open:
            return
        version = table.view().version
        choices: list[Action] = [Touch(ANA), Join(CLO), Join(DON), Leave(CLO), Leave(DON)]
        choices += [Cancel(ANA)] * (rng.random() < 0.05)
        if table.phase is Phase.LOBBY:
            choices += [Start(ANA, version), Start(BEA, version), AddComputer(BEA, version), Join(EVA)]
        elif (match := state_of(table).match) is not None and match.turn is not None:
            moves = legal(table)
            choices += [PlayMove(person, version, rng.choice(moves)) for person in PEOPLE[:4]] * 2
        actions = [rng.choice(choices) for _ in range(5)]
        await click_at_once(hall, table, actions)


async def test_clicks_wait_while_another_is_stored(hall: Hall):
    table = await hall.match(ANA, BEA)
    click = move_by(table)
    hall.store.gate = asyncio.Event()
    first, second = (asyncio.create_task(table.submit(click)) for _ in range(2))
    await asyncio.sleep(0.01)
    assert (first.done(), second.done()) == (False, False)
    assert table.view().version == click.version, "nothing is shown before it is stored"
    hall.store.gate.set()
    assert [code_of(each) for each in await outcomes([first, second])] == ["", "STALE"]


async def test_a_deadline_and_a_click_at_the_same_instant_happen_one_after_the_other(hall: Hall):
    table = await hall.match(ANA, BEA)
    click, turn = move_by(table), turn_of(table)
    hall.store.gate = asyncio.Event()
    late = asyncio.create_task(table.submit(click))
    await asyncio.sleep(0)
    await hall.clock.strike(max(hall.clock.due.values()))
    hall.store.gate.set()
    await late
    await hall.clock.settle()
    assert turn_of(table) == 1 - turn
    assert await hall.stored(table) == state_of(table)


async def test_tables_of_different_channels_dont_wait_for_each_other(hall: Hall):
    tables = [await hall.match(ANA, BEA, channel=number) for number in range(1, 9)]
    async with tables[0]._lock:
        waiting = asyncio.create_task(tables[0].submit(move_by(tables[0])))
        await asyncio.gather(*(table.submit(move_by(table)) for table in tables[1:]))
        assert not waiting.done()
    await waiting
