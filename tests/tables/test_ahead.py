"""If … then …: a card named ahead plays itself in one's next turn, and nobody else ever sees it."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import EMPTY, CardSet
from bot.engine.events import Played
from bot.engine.moves import Play
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.ahead import may_name, move_of, name_ahead, next_turn
from bot.tables.live.table import Table
from bot.tables.log.actions import Leave, PlayMove
from bot.tables.log.ahead import Ahead
from bot.tables.log.ahead import turn_of as turn_of_hand
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from tests.support.engine import card
from tests.support.tables.hall import Hall, move_by, person_at, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, Stacked, config_of, playing, refused, the_match
from tests.support.tables.timing import spin

SLOW = replace(config_of(), tempo=Tempo.DAY)


async def name(
    hall: Hall, table: Table, person: Person, code: str, taken: CardSet = EMPTY, *, untaken: bool = False
) -> None:
    seat = table.seat_of(person.id)
    assert seat is not None
    view = table.seat_view(seat)
    assert view is not None
    ahead = Ahead(next_turn(view), card(code), taken, untaken)
    await name_ahead(hall.store.games, view, table.view(), person, ahead)


def waiting(table: Table) -> Person:
    return person_at(table, 1 - turn_of(table))


def hand_of(table: Table, person: Person) -> CardSet:
    view = table.seat_view(table.seat_of(person.id) or 0)
    assert view is not None
    return view.hand


def laying(table: Table) -> Play:
    """A move of the current player that takes nothing."""
    view = table.seat_view(turn_of(table))
    assert view is not None
    return next(move for move in view.moves if isinstance(move, Play) and not move.captured)


def laid_by(table: Table, person: Person) -> str | None:
    """A card of a waiting person that would take nothing."""
    view = table.seat_view(table.seat_of(person.id) or 0)
    assert view is not None
    now = state_of(table).match.round  # type: ignore[union-attr]
    return next((str(each) for each in view.hand if not now.captures_of(each)), None)  # type: ignore[union-attr]


async def at_a_quiet_card(hall: Hall, table: Table) -> tuple[Person, str]:
    """Play until the current player can lay a card, and the other holds one that takes nothing."""
    while True:
        view = table.seat_view(turn_of(table))
        assert view is not None
        quiet = [move for move in view.moves if isinstance(move, Play) and not move.captured]
        other = waiting(table)
        if quiet and len(view.hand) == 3 and (code := laid_by(table, other)) is not None:
            return other, code
        await table.submit(move_by(table))


async def plays(hall: Hall, table: Table, since: int) -> list[Played]:
    return [event for event in (await hall.log(table))[since:] if isinstance(event, Played)]


async def test_it_plays_in_the_transaction_of_the_move_before_it(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    person, code = await at_a_quiet_card(hall, table)
    await name(hall, table, person, code)
    version, calls = table.version, len(hall.seen.calls)
    await table.submit(PlayMove(person_at(table, turn_of(table)), table.view().version, laying(table)))
    made = await plays(hall, table, version)
    seat = table.seat_of(person.id)
    shown = [event for event in made if event.seat == seat and not event.forced]
    if not shown:  # what the other laid made it capture
        assert code in str(hand_of(table, person))
        return
    assert str(shown[0].card) == code
    assert [call.what for call in hall.seen.calls[calls:]].count("table_changed") == 1
    assert await hall.store.games.ahead_of(table.id, person.id) is None, "it is forgotten"
    assert await hall.stored(table) == state_of(table)


async def test_a_card_named_ahead_is_kept_if_the_move_before_it_can_not_be_stored(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    person, code = await at_a_quiet_card(hall, table)
    await name(hall, table, person, code)
    move, version = PlayMove(person_at(table, turn_of(table)), table.view().version, laying(table)), table.version
    hall.store.broken = True
    with pytest.raises(Refusal):
        await table.submit(move)
    hall.store.broken = False
    kept = await hall.store.games.ahead_of(table.id, person.id)
    assert kept is not None
    assert str(kept.card) == code
    await table.submit(move)
    assert {event.seat for event in await plays(hall, table, version)} >= {1 - (table.seat_of(person.id) or 0)}
    assert await hall.store.games.ahead_of(table.id, person.id) is None


@pytest.mark.parametrize("restart", [False, True])
async def test_what_is_named_survives_a_restart_and_can_be_withdrawn(hall: Hall, restart: bool):
    table = await hall.match(ANA, BEA, config=SLOW)
    person, code = await at_a_quiet_card(hall, table)
    await name(hall, table, person, code)
    if restart:
        hall = await hall.restarted()
        found = hall.manager.get(table.id)
        assert found is not None
        table = found
    kept = await hall.store.games.ahead_of(table.id, person.id)
    assert kept is not None
    assert str(kept.card) == code
    await hall.store.games.name_ahead(table.id, person.id, None)
    before = hand_of(table, person)
    await table.submit(PlayMove(person_at(table, turn_of(table)), table.view().version, laying(table)))
    assert hand_of(table, person) == before


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), untaken=st.booleans())
def test_it_takes_nothing_but_what_was_foreseen_and_waits_for_no_taking(seed: int, untaken: bool):
    random = Random(seed)
    match = the_match(playing(ANA, BEA, chance=Stacked(seed)))
    while match.turn is not None:
        now, seat = match.round, 1 - match.turn
        assert now is not None
        named = [
            Ahead(turn_of_hand(match.round_number, now.deal, len(now.hands[seat])), each, group, untaken)
            for each in now.hands[seat]
            for group in now.captures_of(each) or (EMPTY,)
        ]
        event = match.event_of(random.choice(match.legal_moves()))
        assert isinstance(event, Played)
        match = match.apply(event)
        if match.turn != seat:
            continue
        legal = match.legal_moves()
        for ahead in named:
            ways = [move for move in legal if isinstance(move, Play) and move.card is ahead.card]
            move = move_of(ahead, match, seat)
            if not ways or (untaken and event.captured):
                assert move is None, "it is gone with a new deal, or they took something"
            elif move is None:
                assert all(way.captured not in (EMPTY, ahead.captured) for way in ways)
            else:
                assert move in ways
                assert move.captured in (EMPTY, ahead.captured)
            assert move_of(ahead, match, 1 - seat) is None


async def test_nobody_names_one_in_their_own_turn_or_a_card_they_do_not_hold(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    current, other = person_at(table, turn_of(table)), waiting(table)
    own = str(next(iter(hand_of(table, current))))
    with refused(CommonRefusal.STALE):
        await name(hall, table, current, own)
    with refused(CommonRefusal.STALE):
        await name(hall, table, other, own)


@pytest.mark.parametrize("config", [config_of(), replace(config_of("quince"), tempo=Tempo.DAY)])
async def test_there_is_none_in_quick_matches_or_where_captures_may_be_missed(hall: Hall, config: Config):
    table = await hall.match(ANA, BEA, config=config)
    view = table.seat_view(1 - turn_of(table))
    assert view is not None
    assert not may_name(table.view(), view)


async def test_never_a_deals_first_card_where_there_are_cantos(hall: Hall):
    table = await hall.match(ANA, BEA, config=replace(config_of("chorizo"), tempo=Tempo.DAY))
    first = turn_of(table)
    waits = table.seat_view(1 - first)
    assert waits is not None
    assert not may_name(table.view(), waits), "they may still sing"
    while turn_of(table) == first:
        await table.submit(move_by(table))
    own = table.seat_view(first)
    assert own is not None
    assert len(own.hand) == 2
    assert may_name(table.view(), own)


async def test_whoever_has_a_robot_play_for_them_has_named_nothing(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, config=replace(SLOW, rated=False))
    gone = person_at(table, (turn_of(table) + 1) % 3)
    view = table.seat_view(table.seat_of(gone.id) or 0)
    assert view is not None
    code = str(next(iter(view.hand)))
    await name(hall, table, gone, code)
    await table.submit(Leave(gone))
    version = table.version
    await table.submit(move_by(table))
    assert len(await plays(hall, table, version)) == 1


async def test_it_is_gone_with_the_match(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    person, code = await at_a_quiet_card(hall, table)
    await name(hall, table, person, code)
    await table.submit(Leave(waiting(table), for_good=True))
    assert not table.phase.open
    assert hall.rows("select * from ahead_cards") == []


async def test_no_log_line_and_no_view_of_anybody_tells_of_it(hall: Hall, caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG")
    table = await hall.match(ANA, BEA, config=SLOW)
    person, code = await at_a_quiet_card(hall, table)
    before = (table.view(), await hall.log(table), [table.seat_view(seat) for seat in (0, 1)])
    await name(hall, table, person, code)
    assert (table.view(), await hall.log(table), [table.seat_view(seat) for seat in (0, 1)]) == before
    assert caplog.text == "" or code not in caplog.text
    kept = hall.rows("select user_id, card from ahead_cards")
    assert kept == [(person.id, code)]
    assert json.dumps(hall.rows("select body from events")).count('"untaken"') == 0
    await spin()
    assert await hall.log(table) == before[1]
