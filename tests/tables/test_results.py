"""Results of finished matches: one each, stored in the same transaction as the last event."""

from dataclasses import replace
from typing import Any

import pytest

from bot.club.rules.achievements import deeds_of
from bot.club.store.standing import Leaderboard, Metric
from bot.engine.events import RoundDealt
from bot.engine.rules import PRESETS
from bot.tables.live.result import result_of, shares_of
from bot.tables.live.table import Table
from bot.tables.log.actions import AddComputer, Join, Leave, Start
from bot.tables.log.events import Closed, Config, Phase, Presence, PresenceChanged, TurnMissed
from bot.tables.log.state import TableState
from tests.support.tables.hall import Build, Hall, move_by, state_of
from tests.support.tables.kit import (
    ANA,
    BEA,
    CHANNEL,
    CLO,
    DON,
    FRIENDLY,
    GUILD,
    PEOPLE,
    Stacked,
    act,
    config_of,
    finish_round,
    lobby,
    next_round,
    play_to,
    playing,
    the_match,
)
from tests.support.tables.timing import START


def finished(state: TableState, leaver: int | None = None) -> TableState:
    """The table after its match is over; the player of seat `leaver` left before that."""
    if leaver is not None:
        state = play_to(state, PresenceChanged(leaver, Presence.LEFT))
    number = 1
    while state.phase is Phase.PLAYING:
        if the_match(state).turn is None:
            number += 1
            state = state.apply(RoundDealt(Stacked("results").deck(1, number)))
        state = finish_round(state)
    return state


def with_robot(seat: int, state: TableState, *, number: int) -> TableState:
    """The table after another round, in which a computer plays for a seat."""
    away = play_to(state, RoundDealt(Stacked("results").deck(1, number)), PresenceChanged(seat, Presence.AWAY))
    return finish_round(away).apply(PresenceChanged(seat, Presence.HERE))


def finish_turn(state: TableState) -> TableState:
    """The table once the current player has played a card."""
    match = the_match(state)
    return state.apply(match.event_of(match.legal_moves()[-1]))


def result(state: TableState) -> Any:
    """The result of a table's match."""
    return result_of(state, guild_id=GUILD, channel_id=CHANNEL, ended_at=START)


async def play_out(hall: Hall, table: Table) -> None:
    """Play a match to its end; the clock plays for computers."""
    while table.phase is Phase.PLAYING:
        match = table.view().match
        assert match is not None
        if match.turn is None:
            await next_round(table)
        elif table.view().seats[match.turn].human_here:
            await table.submit(move_by(table))
        else:
            await hall.clock.advance(hall.pace.computer)


async def test_a_result_is_stored_once_with_the_last_event(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, config=config_of("juegon", target=5))
    await play_out(hall, table)
    match = the_match(state_of(table))
    assert hall.rows("select game_id, version, preset, target, seating, rounds, ranked from results") == [
        (table.id, table.version, "juegon", 5, "3", len(match.scores), 1)
    ]
    assert hall.rows("select count(*) from events where game_id = 1") == [(table.version,)]
    assert hall.rows("select seat, user_id, won, points, escobas from result_players order by seat") == [
        (seat, person.id, int(match.winner == seat), match.totals[seat], match.escobas[seat])
        for seat, person in enumerate((ANA, BEA, CLO))
    ]
    assert [call.results for call in hall.seen.calls][-2:] == [0, 1]


async def test_a_result_counts_in_the_leaderboard(hall: Hall):
    table = await hall.match(ANA, BEA, config=config_of(target=5))
    await play_out(hall, table)
    page = await hall.store.leaderboards.page(GUILD, Leaderboard(Metric.WINS), limit=10, offset=0)
    assert sorted(row.wins for row in page.rows) == [0, 1]
    assert {row.name for row in page.rows} == {"Ana", "Bea"}


async def test_a_match_against_computers_is_practice(hall: Hall):
    table = await hall.match(ANA, computers=1, config=config_of(target=5))
    await play_out(hall, table)
    assert hall.rows("select ranked from results") == [(0,)]
    assert hall.rows("select user_id from result_players order by seat") == [(ANA.id,), (None,)]
    stats = await hall.store.leaderboards.stats(GUILD, ANA.id)
    assert (stats.matches, stats.practice_matches) == (0, 1)


async def test_an_abandoned_match_has_no_result(build: Build):
    hall = await build()
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await table.submit(Leave(BEA))
    await table.submit(Leave(ANA))
    assert table.phase is Phase.ABANDONED
    assert hall.rows("select count(*) from results") == [(0,)]


@pytest.mark.parametrize(
    ("people", "computers", "config", "ranked"),
    [
        (1, 1, config_of(), False),
        (1, 3, config_of(), False),
        (2, 0, config_of(), True),
        (2, 2, config_of(), True),
        (2, 2, config_of(teams=True), True),
        (4, 0, config_of(teams=True), True),
        (2, 4, config_of("quince"), True),
        (6, 0, config_of("quince"), True),
    ],
)
def test_a_match_is_ranked_when_people_sit_on_two_sides(people: int, computers: int, config: Config, ranked: bool):
    state = finished(playing(*PEOPLE[:people], computers=computers, config=config))
    assert result(state).ranked is ranked


def test_two_people_on_one_side_against_computers_are_practice():
    table = act(lobby(ANA, computers=1, config=config_of(teams=True)), Join(BEA))
    table = act(table, AddComputer(ANA, table.version))
    table = act(table, Start(ANA, table.version))
    assert [seat.person_id for seat in table.seats] == [ANA.id, None, BEA.id, None]
    assert not result(finished(table)).ranked


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_partners_win_and_score_together(preset: str):
    state = finished(playing(ANA, BEA, CLO, DON, config=config_of(preset, teams=True)))
    match, highlights = the_match(state), state.highlights
    assert highlights is not None
    players = result(state).players
    assert [player.side for player in players] == [0, 1, 0, 1]
    for seat, player in enumerate(players):
        assert player.deeds == deeds_of(match, highlights, seat)
        assert player.won == (player.side == match.winner)
        assert (player.points, player.escobas) == (match.totals[player.side], match.escobas[player.side])


@pytest.mark.parametrize("leaver", [0, 1, 2, 3])
def test_a_player_who_left_for_good_has_lost_whatever_their_seat_scored(leaver: int):
    state = finished(playing(ANA, BEA, CLO, DON, config=config_of(teams=True)), leaver)
    match = the_match(state)
    players = result(state).players
    assert (players[leaver].won, players[leaver].points, players[leaver].escobas) == (False, 0, 0)
    assert players[leaver].deeds == frozenset()
    assert players[leaver].user_id == PEOPLE[leaver].id
    partner = players[(leaver + 2) % 4]
    assert (partner.won, partner.points) == (partner.side == match.winner, match.totals[partner.side])
    assert result(state).ranked


def test_being_away_costs_a_player_nothing_but_what_they_would_gain():
    state = play_to(playing(), PresenceChanged(0, Presence.AWAY))
    there, away = result(finished(playing())), result(finished(state))
    assert [(player.played, player.gains) for player in there.players] == [(True, True)] * 2
    assert [(player.played, player.gains) for player in away.players] == [(False, False), (True, False)]
    nothing = {"played": None, "gains": None, "deeds": frozenset()}
    assert [replace(each, **nothing) for each in there.players] == [replace(each, **nothing) for each in away.players]


def test_whoevers_robot_has_played_more_than_half_of_their_cards_gains_nothing():
    state = finish_round(playing(ANA, BEA, CLO, DON, config=config_of(teams=True, target=99)))
    half = with_robot(0, state, number=2)
    assert [share.mostly_robot for share in shares_of(half)] == [False] * 4
    more = with_robot(0, half, number=3)
    assert [share.mostly_robot for share in shares_of(more)] == [True, False, False, False]
    ended = result(replace(more, phase=Phase.FINISHED))
    assert [player.gains for player in ended.players] == [False, True, True, True]
    assert [player.played for player in ended.players] == [True] * 4


def test_a_turn_that_was_missed_is_the_robots():
    state = playing()
    match = the_match(state)
    late = play_to(state, TurnMissed(match.turn or 0))
    cards = finish_turn(late).cards[match.turn or 0]
    assert (cards.own, cards.by_robot, cards.first_round) == (0, 1, None)


def test_a_card_counts_only_once_its_round_is_scored():
    state = finish_turn(finish_turn(playing()))
    left = state.apply(PresenceChanged(1, Presence.LEFT))
    ended = result(left.apply(Closed(Phase.FORFEITED)))
    assert [(player.won, player.played, player.gains) for player in ended.players] == [
        (True, False, False),
        (False, False, False),
    ]
    scored = finish_round(left)
    ended = result(scored.apply(Closed(Phase.FORFEITED)))
    assert [player.gains for player in ended.players] == [True, False], "whoever has left played a card, too"


def test_nobody_gains_from_people_who_have_not_played():
    state = playing().apply(PresenceChanged(1, Presence.LEFT))
    ended = result(finish_round(state).apply(Closed(Phase.FORFEITED)))
    assert [(player.won, player.played, player.gains) for player in ended.players] == [
        (True, True, False),
        (False, False, False),
    ]


def test_a_match_that_1_0_began_is_counted_as_it_counted():
    state = play_to(playing(), PresenceChanged(0, Presence.AWAY))
    ended = result_of(finished(state), guild_id=GUILD, channel_id=CHANNEL, ended_at=START, gains_by_play=False)
    assert ended is not None
    assert [(player.played, player.gains) for player in ended.players] == [(None, None)] * 2


@pytest.mark.parametrize("state", [playing(config=FRIENDLY), playing(ANA, computers=1)], ids=["friendly", "practice"])
def test_only_in_rated_matches_it_is_asked_who_has_played(state: TableState):
    ended = result(finished(state))
    assert {(player.played, player.gains) for player in ended.players} == {(None, None)}


@pytest.mark.parametrize("phase", [Phase.CANCELLED, Phase.ABANDONED, Phase.EXPIRED])
def test_a_match_that_isnt_finished_has_no_result(phase: Phase):
    assert result(playing()) is None
    assert result(playing().apply(Closed(phase))) is None
