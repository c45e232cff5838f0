"""The travelling sheet tells what each table has done with a board, but only to those who have played it themselves."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.engine.cards import FULL, CardSet
from bot.engine.events import LaterEvent, MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.rules import Rules, Seating
from bot.tables.log.codec import decode
from bot.tournaments.live.sheet import PlayedBoards, RoundSheet, deal_of, is_over, played_of, sheet_of
from bot.tournaments.live.view import TableLink
from bot.tournaments.rules.matchpoints import round_scores
from bot.tournaments.rules.tournament import Outcome, TournamentStage
from tests.support.duplicate import DuplicateRound, deck_of, evening
from tests.support.engine import highlights_of


def sheet(of: DuplicateRound, person_id: int | None = None) -> RoundSheet:
    tables = {table: played_of(log) for table, log in of.logs.items()}
    return sheet_of(7, of.state, of.state.rounds[-1], tables, person_id, over=of.over)


def test_once_all_tables_have_ended_everybody_sees_every_board() -> None:
    of = evening(number=3)
    for person_id in (None, 100, 107, 999):
        boards = sheet(of, person_id).boards
        assert [board and board.number for board in boards] == [5, 6]
        for board in boards:
            assert board is not None
            assert len(board.lines) == 4
            assert all(line.percents is not None and line.score is not None for line in board.lines)


def test_before_that_people_see_the_boards_that_they_have_played_themselves() -> None:
    of, more = evening(boards=4, done=1), evening(boards=4, done=3)
    of.logs[1] = more.logs[1]  # Ana and Bea are two boards ahead
    for person_id, count in ((100, 3), (101, 3), (102, 1), (107, 1), (999, 0), (None, 0)):
        found = sheet(of, person_id)
        assert [board is not None for board in found.boards] == [True] * count + [False] * (4 - count)
        assert not found.over
    first, second, *_ = sheet(of, 100).boards
    assert first is not None
    assert second is not None
    assert (len(first.lines), len(second.lines)) == (4, 1), "those who haven't played it have no line yet"
    assert all(line.percents is None for line in first.lines)


def test_a_board_that_is_dealt_but_not_scored_is_closed() -> None:
    of, further = evening(done=1), evening(done=2)
    of.logs = {table: log[:-1] for table, log in further.logs.items()}
    assert [len(played_of(log).decks) for log in of.logs.values()] == [2] * 4
    assert [board is not None for board in sheet(of, 100).boards] == [True, False]


def test_a_cancelled_tournament_keeps_nothing_closed() -> None:
    of = evening(done=1)
    assert not is_over(of.view(), 1)
    of.state = replace(of.state, stage=TournamentStage.CANCELLED)
    assert is_over(of.view(), 1)


def test_a_round_with_all_outcomes_isnt_over_while_a_table_still_plays() -> None:
    of = evening()
    assert is_over(of.view(), 1)
    still = {(1, 3): TableLink(3, 33, open=True)}
    assert not is_over(replace(of.view(), tables=still), 1), "the organiser has given that table's outcome"
    assert is_over(replace(of.view(), tables={(2, 3): TableLink(3, 33, open=True)}), 1)


@pytest.mark.parametrize("pairs", [False, True])
def test_its_figures_are_the_matches_as_seen_by_the_side_dealt_to_first(pairs: bool) -> None:
    of = evening(4, pairs=pairs)
    judged = round_scores(of.state, of.state.rounds[-1])
    for place, board in enumerate(sheet(of).boards):
        assert board is not None
        for line in board.lines:
            match: Match = of.matches[line.table]
            dealer = (match.dealer + place) % match.seating.seats
            assert line.sides[1] == match.seating.side_of(dealer)
            assert line.points == tuple(match.scores[place].points[side] for side in line.sides)
            assert line.percents == tuple(judged[number][place].percent for number in line.entries)
            pairing = of.state.rounds[-1].pairings[line.table - 1]
            assert line.entries == tuple((pairing.first, pairing.second)[side] for side in line.sides)
        ahead = [line.points[0] - line.points[1] for line in board.lines if line.points is not None]
        assert ahead == sorted(ahead, reverse=True)


def test_the_best_capture_is_one_of_its_own_board() -> None:
    of = evening()
    for log in of.logs.values():
        played = played_of(log)
        assert played.decks == (deck_of(1), deck_of(2))
        begun, *later = (decode(entry.kind, entry.body) for entry in log)
        assert isinstance(begun, MatchStarted)
        states = [start(begun)]
        for event in later:
            assert isinstance(event, LaterEvent)
            states.append(states[-1].apply(event))
        overall = highlights_of(states).best
        assert overall is not None
        bests = [best for best in played.best if best is not None]
        assert [best.round for best in bests] == [1, 2]
        assert max(best.worth for best in bests) == overall.worth


def test_a_table_without_a_log_or_with_a_corrected_outcome_has_the_outcomes_line() -> None:
    of = evening()
    round = of.state.rounds[-1]
    given = Outcome((0, 0), 0, forfeit=True)
    changed = replace(round, outcomes={**round.outcomes, 4: given})
    tables = {table: played_of(log) for table, log in of.logs.items()} | {4: PlayedBoards()}
    found = sheet_of(7, replace(of.state, rounds=(changed,)), changed, tables, None, over=True)
    for place, board in enumerate(found.boards):
        assert board is not None
        [line] = [each for each in board.lines if each.table == 4]
        assert (line.points, line.score) == (None, None)
        assert line.percents == ((Fraction(60), Fraction(0)) if place == 0 else (Fraction(0), Fraction(60)))
        assert line is board.lines[-1]


@pytest.mark.parametrize("seating", [Seating.TWO, Seating.PAIRS])
def test_a_deal_shows_each_card_once_where_the_engine_deals_it(seating: Seating) -> None:
    of = evening(4, pairs=seating is Seating.PAIRS, done=1)
    rules = Rules(rounds=2)
    deal = deal_of(rules, seating, deck_of(1))
    cards = [*deal.table, *(card for hands in deal.hands for hand in hands for card in hand)]
    assert len(cards) == 40
    assert CardSet.of(cards) == FULL
    assert len(deal.hands) == len(rules.hands(seating))
    begun = start(MatchStarted(rules, seating, seating.seats - 1)).apply(RoundDealt(deck_of(1))).round
    assert begun is not None
    assert [CardSet.of(hand) for hand in deal.hands[0]] == list(begun.hands), (
        "the last seat deals, so the first is first"
    )
    assert CardSet.of(deal.table) == begun.table
    board = sheet(of, 100).boards[0]
    assert board is not None
    assert board.deal == deal
