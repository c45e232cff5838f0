"""Ratings of moves are fair, paired, and exact if nothing is hidden; and the grades based on them."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from bench.scores import LEVELS, decisions
from bot.coach.analysis import ERROR, LEAST_DRAWS, Analysis, analyse
from bot.coach.explaining import why_best, why_better
from bot.coach.grading import Grade, grade, lost, score, shares
from bot.engine.match import Match
from bot.engine.moves import Claim, Move, Stage
from bot.engine.rules import PRESETS, Duty, Rules, Seating
from bot.engine.scoring import Item
from bot.players.last_deal import margin, played_out, solved
from bot.players.lookahead import Hidden, fast_move
from tests.players.positions import GAMES, USUAL, anything, play, position, states, view_at_turn
from tests.players.test_levels import shuffled_behind, some_state
from tests.players.test_positions import EXACT, POSITIONS, notation, position_in
from tests.support.dose import thorough_but

DRAWS = 300


def analysed(match: Match, draws: int = DRAWS, played: Move | None = None, seed: int = 1) -> Analysis:
    return analyse(view_at_turn(match), Random(seed), draws=draws, played=played)


# ------------------------------------------------------------------------------------------------ ratings


def test_hidden_cards_change_neither_a_rating_nor_a_reason():
    """In every preset and seating, from the first card to the last, also with claims to be made."""
    rng = Random("fair")
    claims = differed = 0
    for game in [*GAMES, (Rules(duty=Duty.CLAIMABLE), Seating.THREE), (Rules(duty=Duty.OPTIONAL), Seating.FOUR)] * 2:
        match = some_state(game, rng.randrange(1_000), rng.randrange(36))
        claims += any(isinstance(move, Claim) for move in match.legal_moves())
        other = shuffled_behind(match, rng.randrange(100))
        differed += other != match
        played = rng.choice(match.legal_moves())
        ours, theirs = (analysed(each, 20, played) for each in (match, other))
        assert ours == theirs
        assert why_best(view_at_turn(match), ours) == why_best(view_at_turn(other), theirs)
        assert why_better(view_at_turn(match), ours, played) == why_better(view_at_turn(other), theirs, played)
    assert claims >= 2
    assert differed >= 15


@pytest.mark.parametrize("game", thorough_but(GAMES, *USUAL), ids=lambda game: game[1].value)
def test_the_terms_add_up_to_the_points_and_the_best_move_comes_first(game: tuple[Rules, Seating]):
    rng = Random("parts")
    for _ in range(4):
        found = analysed(some_state(game, rng.randrange(1_000), rng.randrange(36)), 10)
        assert found.best.behind == found.best.error == 0
        assert [rating.behind for rating in found.ratings] == sorted(rating.behind for rating in found.ratings)
        for rating in found.ratings:
            assert sum(rating.terms.values()) == pytest.approx(rating.points)
            assert 0 <= rating.last <= 1
            assert (Item.SEVENS in rating.terms) is (game[0].most_sevens or game[0].four_sevens)


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_analysis_and_more_draws_a_smaller_error():
    match = some_state(GAMES[0], 3, 5)
    assert analysed(match, 100) == analysed(match, 100)
    few, many = analysed(match, 50), analysed(match, 800)
    move = many.ratings[-1].move
    assert many.rating_of(move).error < few.rating_of(move).error or move == few.best.move


@pytest.mark.thorough
def test_a_move_that_is_far_behind_is_dropped_unless_it_was_played():
    match = position("4c 11e", "2b 7c 7o", gone="6o 6c")
    quick, sure = analysed(match, 1_000), analysed(match, 1_000, play("7o"))
    assert quick.best == sure.best
    assert quick.rating_of(play("7o")).error > 1.5 * sure.rating_of(play("7o")).error


@pytest.mark.thorough
@pytest.mark.parametrize("game", [USUAL[0], USUAL[5]], ids=lambda game: game[1].value)
def test_draws_go_on_until_the_loss_is_known_well_and_end_there(game: tuple[Rules, Seating]):
    rng, longer = Random("settled"), 0
    for _ in range(2):
        view = view_at_turn(some_state(game, rng.randrange(1_000), 12))
        played = view.moves[-1]
        found = analyse(view, Random(1), draws=5_000, played=played, settle=True).rating_of(played)
        assert found.error <= ERROR
        longer += found != analyse(view, Random(1), draws=LEAST_DRAWS, played=played).rating_of(played)
    assert longer
    easy = view_at_turn(position("4c 11e", "2b 7c 7o", gone="6o 6c"))
    assert analyse(easy, Random(1), draws=5_000, settle=True) == analyse(easy, Random(1), draws=LEAST_DRAWS)


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_the_last_deal_of_two_is_exact(path):
    match, moves = position_in(path)
    found = analysed(match)
    assert found.exact
    values = {notation(rating.move): rating.points for rating in found.ratings}
    assert {move: values[move] for move, _ in moves.values()} == dict(moves.values())
    assert all(rating.error == 0 for rating in found.ratings)


@pytest.mark.parametrize("seating", Seating)
def test_playing_out_ends_with_the_margin_that_was_solved(seating: Seating):
    rules = Rules() if seating is not Seating.TRIPLE_PAIRS else PRESETS["quince"].rules
    seen = 0
    for seed in range(6):
        for match in states(rules, seating, [anything] * seating.sides, seed, rounds=1):
            if match.stage is not Stage.TO_PLAY:
                break
            view = view_at_turn(match)
            hidden = Hidden(view)
            if hidden.stock or hidden.left > 4:
                continue
            side = seating.side_of(view.seat)
            state = hidden.with_cards(hidden.unseen)
            for move in view.moves:
                end = played_out(state, fast_move(move))
                assert margin(end.count(end.piles, end.escobas), side) == solved(state, fast_move(move), side)
                seen += 1
    assert seen > 20


# ------------------------------------------------------------------------------------------------ grades


@pytest.mark.parametrize("path", thorough_but(POSITIONS, *EXACT, POSITIONS[-1]), ids=lambda path: path.stem)
def test_a_move_that_normal_gets_wrong_is_graded_a_mistake(path):
    match, moves = position_in(path)
    view = view_at_turn(match)
    worse = next(move for move in view.moves if notation(move) == moves["worse"][0])
    found = analysed(match, 500, worse)
    better = next(rating for rating in found.ratings if notation(rating.move) == moves["better"][0])
    assert grade(better) is Grade.GOOD
    assert lost(found.rating_of(worse)) == pytest.approx(moves["better"][1] - moves["worse"][1], abs=0.3)
    assert grade(found.rating_of(worse)) in (Grade.MISTAKE, Grade.BLUNDER)


def test_grades_depend_on_the_loss_and_ignore_what_may_be_chance():
    rating = analysed(position("4c 11e", "2b 7c", gone="6o 6c 6e 6b")).best
    behind = {
        (0.0, 0.0): Grade.GOOD,
        (0.14, 0.01): Grade.GOOD,
        (0.2, 0.05): Grade.SMALL,
        (0.2, 0.15): Grade.GOOD,
        (0.5, 0.05): Grade.MISTAKE,
        (1.0, 0.0): Grade.BLUNDER,
        (1.5, 0.9): Grade.GOOD,
    }
    for (loss, error), right in behind.items():
        assert grade(replace(rating, behind=loss, error=error)) is right


def test_the_score_is_whole_with_nothing_given_away_and_falls_with_each_loss_to_zero_for_chance():
    assert score([]) == score([(0.0, 0.0)]) == score([(0.0, 0.5)] * 3) == 1
    assert score([(0.5, 0.5)] * 3) == score([(1.0, 0.5)]) == 0
    falling = [score([(given / 1_000, 0.5), (0.0, 0.5)]) for given in range(0, 1_001, 5)]
    assert falling == sorted(set(falling), reverse=True)


def test_a_decision_is_compared_with_what_was_at_stake():
    rated = analysed(position("4c 11e", "2b 7c", gone="6o 6c 6e 6b"))
    behind = [0.0, 0.1, 0.4, 1.0]
    moves = view_at_turn(position("4c 11e", "7o 5c 1b 2b")).moves
    ratings = [replace(rated.best, move=move, behind=each) for move, each in zip(moves, behind, strict=False)]
    analysis = replace(rated, ratings=tuple(ratings))
    assert [shares(analysis, each.move) for each in ratings] == [(own, 0.35) for own in (0.0, 0.0, 0.4, 1.0)]
    assert shares(replace(analysis, ratings=analysis.ratings[:2]), moves[0]) == (0.0, 0.0), "nothing was at stake"


@pytest.mark.thorough
def test_reviews_tell_the_levels_and_chance_apart():
    found: list[float] = []
    for level in LEVELS:
        rounds = [decisions(level, "clasica", Seating.TWO, number, draws=60) for number in range(3)]
        found.append(score((own, drawn) for each in rounds for own, drawn, _ in each))
    assert found == sorted(found)
    assert all(better - worse > 0.05 for worse, better in pairwise(found))
