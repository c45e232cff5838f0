"""Nudges: players who haven't clicked and want to be notified of their turn are notified once per turn."""

import json
from dataclasses import replace

import pytest

from bot.engine.cards import Card
from bot.engine.moves import Play
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.table import Table
from bot.tables.live.turn import AT_ONCE_SECONDS, PRESENT_SECONDS
from bot.tables.log.actions import LayCard, Leave, Touch
from bot.tables.log.events import Presence
from bot.tables.settings import TablePreferences, TurnNotice, turn_notice
from tests.support.tables.hall import PACE, Build, Hall, move_by, person_at, play_round, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, next_round

NUDGE = 45
WHATS = ("nudge_due", "deadline_near")


@pytest.fixture
async def hall(build: Build) -> Hall:
    return await build(replace(PACE, nudge=NUDGE))


def calls(hall: Hall) -> list[str]:
    """The notifications so far."""
    return [what for what in hall.seen.whats() if what in WHATS]


async def choose(hall: Hall, table: Table, notice: TurnNotice) -> None:
    """Set when both players want to be notified."""
    for seat in range(2):
        await hall.preferences.change(person_at(table, seat).id, TablePreferences, turn_notice=notice)


async def test_a_player_who_doesnt_click_is_notified_after_a_while(hall: Hall):
    await hall.match(ANA, BEA)
    await hall.clock.advance(NUDGE - 0.001)
    assert calls(hall) == []
    await hall.clock.advance(0.001)
    assert calls(hall) == ["nudge_due"]


async def test_nobody_is_nudged_twice_in_a_turn(hall: Hall):
    table = await hall.match(ANA, BEA)
    player = person_at(table, turn_of(table))
    await hall.clock.advance(PACE.turn + 1)
    assert calls(hall) == ["nudge_due", "deadline_near"]
    await table.submit(Touch(player))  # back again, with a full deadline
    await hall.clock.advance(PACE.turn - 1)
    assert calls(hall) == ["nudge_due", "deadline_near", "deadline_near"]


async def test_each_turn_has_its_own_nudge(hall: Hall):
    table = await hall.match(ANA, BEA)
    for turns in (1, 2, 3):
        await hall.clock.advance(NUDGE)
        assert calls(hall) == ["nudge_due"] * turns
        await table.submit(move_by(table))


async def test_a_player_is_still_notified_if_another_leaves_during_their_turn(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    other = next(seat for seat in range(3) if seat != turn_of(table))
    await hall.clock.advance(NUDGE - 1)
    await table.submit(Leave(person_at(table, other)))
    await hall.clock.advance(1)
    assert calls(hall) == ["nudge_due"]


async def test_after_any_click_in_their_turn_a_player_isnt_nudged(hall: Hall):
    table = await hall.match(ANA, BEA)
    await table.submit(Touch(person_at(table, turn_of(table))))
    await hall.clock.advance(PACE.turn - 1)
    assert calls(hall) == ["deadline_near"]


async def test_after_a_refused_click_in_their_turn_a_player_isnt_nudged(hall: Hall):
    table = await hall.match(ANA, BEA)
    player = person_at(table, turn_of(table))
    with pytest.raises(Refusal):
        await table.submit(replace(move_by(table), version=0, person=player))
    await hall.clock.advance(NUDGE)
    assert calls(hall) == []


async def test_a_click_before_the_turn_doesnt_count(hall: Hall):
    table = await hall.match(ANA, BEA)
    waiting = person_at(table, 1 - turn_of(table))
    await table.submit(Touch(waiting))
    await table.submit(move_by(table))
    assert person_at(table, turn_of(table)) == waiting
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]


async def test_the_clicks_that_began_the_turn_dont_count(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    await next_round(table)
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]


async def test_somebody_elses_click_doesnt_count(hall: Hall):
    table = await hall.match(ANA, BEA)
    await table.submit(Touch(person_at(table, 1 - turn_of(table))))
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]


async def test_computers_and_people_who_are_away_arent_notified(hall: Hall):
    table = await hall.match(ANA, computers=1)
    seat = table.seat_of(ANA.id)
    assert seat is not None
    if turn_of(table) == seat:
        await table.submit(move_by(table))
    hall.seen.calls.clear()
    await hall.clock.advance(PACE.computer)  # the computer plays, and it's Ana's turn
    await hall.clock.advance(PACE.turn)
    assert table.view().seats[seat].presence is Presence.AWAY
    hall.seen.calls.clear()
    await hall.clock.advance(10 * NUDGE)
    assert calls(hall) == []


async def test_without_a_deadline_the_nudge_is_the_only_notification(build: Build):
    hall = await build(replace(PACE, turn=0, nudge=NUDGE))
    table = await hall.match(ANA, BEA)
    assert table.view().deadline is None
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]
    await hall.clock.advance(14 * 24 * 3600)
    assert calls(hall) == ["nudge_due"]


async def test_in_day_long_turns_the_nudge_comes_as_soon_as_ever_and_the_warning_a_quarter_before_the_end(build: Build):
    day = 24 * 3600
    hall = await build(replace(PACE, turn=day, nudge=NUDGE))
    await hall.match(ANA, BEA)
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]
    await hall.clock.advance(day * 3 / 4 - NUDGE - 1)
    assert calls(hall) == ["nudge_due"]
    await hall.clock.advance(1)
    assert calls(hall) == ["nudge_due", "deadline_near"]


@pytest.mark.parametrize("nudge", [0, PACE.turn - PACE.warning, PACE.turn], ids=["never", "when warned", "too late"])
async def test_there_is_no_nudge_if_it_would_come_after_the_warning(build: Build, nudge: float):
    hall = await build(replace(PACE, nudge=nudge))
    await hall.match(ANA, BEA)
    await hall.clock.advance(PACE.turn)
    assert calls(hall) == ["deadline_near"]


# ------------------------------------------------------------------ preferences


async def test_players_who_want_to_be_notified_at_once_are(hall: Hall):
    table = await hall.match(ANA, BEA)
    await choose(hall, table, TurnNotice.AT_ONCE)
    await hall.clock.advance(PRESENT_SECONDS)
    await table.submit(move_by(table))
    await hall.clock.advance(AT_ONCE_SECONDS - 0.001)
    assert calls(hall) == []
    await hall.clock.advance(0.001)
    assert calls(hall) == ["nudge_due"]
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["nudge_due"]


async def test_players_who_have_just_clicked_arent_notified_at_once(hall: Hall):
    table = await hall.match(ANA, BEA)
    await choose(hall, table, TurnNotice.AT_ONCE)
    await hall.clock.advance(PRESENT_SECONDS)
    for _ in range(6):  # the two play fast: each has just seen their turn begin
        await table.submit(move_by(table))
        await hall.clock.advance(AT_ONCE_SECONDS - 1)
    await table.submit(Touch(person_at(table, 1 - turn_of(table))))
    await table.submit(move_by(table))
    await hall.clock.advance(NUDGE - 0.001)
    assert calls(hall) == []
    await hall.clock.advance(0.001)
    assert calls(hall) == ["nudge_due"]


async def test_players_who_never_want_to_be_notified_arent(hall: Hall):
    table = await hall.match(ANA, BEA)
    await choose(hall, table, TurnNotice.NEVER)  # chosen during a turn, it applies to that turn too
    for _ in range(2):
        await hall.clock.advance(NUDGE)
        assert calls(hall) == []
        await table.submit(move_by(table))


async def test_preferences_survive_a_restart(hall: Hall):
    table = await hall.match(ANA, BEA)
    await choose(hall, table, TurnNotice.NEVER)
    await hall.preferences.change(CLO.id, TablePreferences, turn_notice=TurnNotice.AT_ONCE)
    restarted = await hall.restarted()
    assert turn_notice(restarted.preferences, ANA.id) is TurnNotice.NEVER
    assert turn_notice(restarted.preferences, CLO.id) is TurnNotice.AT_ONCE
    assert turn_notice(restarted.preferences, None) is TurnNotice.LATER
    await restarted.clock.advance(NUDGE)
    assert calls(restarted) == []
    await restarted.clock.close()


async def test_default_preferences_arent_stored(hall: Hall):
    await hall.preferences.change(ANA.id, TablePreferences, turn_notice=TurnNotice.NEVER)
    assert await hall.store.preferences.all() == {ANA.id: '{"turn_notice": "never"}'}
    await hall.preferences.change(ANA.id, TablePreferences, turn_notice=TurnNotice.LATER)
    assert await hall.store.preferences.all() == {}
    assert hall.preferences.cached(ANA.id, TablePreferences) == TablePreferences()


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"turn_notice": "loudly"}', '{"turn_notice": 1, "coin": "gold"}'])
async def test_nobody_is_notified_while_what_they_chose_cannot_be_read(hall: Hall, text: str):
    table = await hall.match(ANA, BEA)
    player = person_at(table, turn_of(table))
    await hall.store.preferences.put(player.id, text)
    await hall.preferences.refresh(player.id)
    assert turn_notice(hall.preferences, player.id) is TurnNotice.NEVER
    restarted = await hall.restarted()
    await restarted.clock.advance(NUDGE)
    assert calls(restarted) == []
    assert await restarted.store.preferences.get(player.id) == text
    await restarted.clock.close()


async def test_preferences_that_are_not_known_cost_nobody_their_notices(hall: Hall):
    await hall.store.preferences.put(ANA.id, '{"coin": "gold", "turn_notice": "at_once"}')
    await hall.store.preferences.put(BEA.id, '{"coin": "gold"}')
    await hall.preferences.load()
    assert turn_notice(hall.preferences, ANA.id) is TurnNotice.AT_ONCE
    assert turn_notice(hall.preferences, BEA.id) is TurnNotice.LATER
    await hall.preferences.change(ANA.id, TablePreferences, turn_notice=TurnNotice.NEVER)
    await hall.preferences.change(BEA.id, TablePreferences, turn_notice=TurnNotice.LATER)
    assert json.loads(await hall.store.preferences.get(ANA.id) or "") == {"coin": "gold", "turn_notice": "never"}
    assert json.loads(await hall.store.preferences.get(BEA.id) or "") == {"coin": "gold", "turn_notice": "later"}


async def test_preferences_that_cannot_be_read_are_not_overwritten(hall: Hall):
    await hall.store.preferences.put(ANA.id, "never")
    await hall.preferences.load()
    with pytest.raises(Refusal) as raised:
        await hall.preferences.change(ANA.id, TablePreferences, turn_notice=TurnNotice.AT_ONCE)
    assert raised.value.code is CommonRefusal.FROM_NEWER
    assert await hall.store.preferences.get(ANA.id) == "never"
    assert turn_notice(hall.preferences, ANA.id) is TurnNotice.NEVER


# ------------------------------------------------------------------ restarts


async def test_a_player_notified_before_a_restart_isnt_notified_again(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(NUDGE)
    hall = await hall.restarted()
    hall.brought_back[0].table.note_notified()
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["deadline_near"], "the deadline is kept"
    table = hall.brought_back[0].table
    await table.submit(move_by(table))
    await hall.clock.advance(NUDGE)
    assert calls(hall) == ["deadline_near", "nudge_due"]


async def test_a_player_not_notified_before_a_restart_is_afterwards(hall: Hall):
    await hall.match(ANA, BEA)
    await hall.clock.advance(NUDGE - 1)
    hall = await hall.restarted()
    await hall.clock.advance(NUDGE - 1)
    assert calls(hall) == []
    await hall.clock.advance(1)
    assert calls(hall) == ["nudge_due"]


async def test_a_player_who_laid_a_card_before_a_restart_isnt_nudged(hall: Hall):
    table = await hall.match(ANA, BEA)
    while not (choices := _with_choice(table)):
        await table.submit(move_by(table))
    await table.submit(LayCard(person_at(table, turn_of(table)), table.view().version, choices[0]))
    hall = await hall.restarted()
    await hall.clock.advance(NUDGE)
    assert calls(hall) == []


def _with_choice(table: Table) -> list[Card]:
    """The current player's cards with several captures."""
    view = table.seat_view(turn_of(table))
    assert view is not None
    plays = [move for move in view.moves if isinstance(move, Play) and move.captured]
    return [move.card for move in plays if sum(other.card is move.card for other in plays) > 1]
