"""Ratings in words: with a question mark while they aren't settled, and with the reason where a match counts less."""

import pytest

from bot.club.rules.gains import UNIT, Gains, stakes_of
from bot.club.rules.rating import Rating
from bot.club.store.ratings import RatingChange
from bot.club.words.ratings import own_change_lines, rating_text, signed_points, stake_lines, weight_lines
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.people import Person

EN, ES = words("en"), words("es")
NEW, OLD = Rating(), Rating(30.0, 2.0)
ANA, BEA, CLO = Person(1, "Ana"), Person(2, "Be*a"), Person(3, "Clo")


def test_a_rating_has_a_question_mark_until_it_is_settled():
    assert rating_text(NEW, EN) == "1,000?"
    assert rating_text(OLD, EN) == "1,344"
    assert rating_text(Rating(250.0, 2.0), ES) == "11.904"


@pytest.mark.parametrize(("points", "said"), [(18, "+18"), (-21, "−21"), (0, "±0"), (-1018, "−1,018")])
def test_a_change_has_its_sign(points: int, said: str):
    assert signed_points(points, EN) == said


@pytest.mark.parametrize(("nth", "share"), [(4, "½"), (5, "¼"), (6, "⅛"), (7, "1/16"), (12, "1/512")], ids=str)
def test_a_match_that_counts_less_says_why(nth: int, share: str):
    [said] = weight_lines(nth, EN, limited=False)
    assert said == f"Match {nth} of the same people today: for ratings it counts {share}."


def test_the_first_matches_of_a_day_count_in_full_without_a_word():
    assert [weight_lines(nth, EN, limited=False) for nth in (1, 2, 3)] == [[]] * 3


@pytest.mark.spanish
@pytest.mark.parametrize(("t", "terms"), [(EN, ("win", "loss")), (ES, ("si gana", "si pierde"))], ids=["en", "es"])
def test_between_two_sides_a_win_and_a_loss_are_shown(t: Words, terms: tuple[str, str]):
    stakes = stakes_of([(1, 0), (2, 1)], {1: NEW, 2: NEW}, 4)
    first, second, weight = stake_lines(stakes, (ANA, BEA), t)
    gain, loss = stakes.people[0].first, -stakes.people[0].last
    assert first.startswith("-# Ana (")
    assert first.endswith(f"{terms[0]} +{gain} · {terms[1]} −{loss}")
    assert second.startswith("-# Be\\*a (")
    assert "½" in weight


def test_with_more_sides_the_first_and_the_last_place_are_shown():
    stakes = stakes_of([(1, 0), (2, 1), (3, 2)], {1: NEW, 2: OLD, 3: NEW})
    lines = stake_lines(stakes, (ANA, BEA, CLO), EN)
    assert len(lines) == 3
    assert all("first +" in line and "last −" in line for line in lines)


def test_what_a_match_has_brought_adds_up_as_it_is_shown():
    changes = (RatingChange(1, OLD, Rating(30.5, 1.99), 1.0, 1), RatingChange(2, NEW, Rating(24.0, 4.1), 1.0, 1))
    assert own_change_lines(changes, 1, EN) == ["📈 Rating: 1,344 → **1,368** (+24)"]
    assert own_change_lines(changes, 2, EN) == ["📈 Rating: 1,000 → **955?** (−45)"]
    assert own_change_lines(changes, 3, EN) == []
    half = [RatingChange(1, OLD, NEW, 0.5, 4)]
    assert own_change_lines(half, 1, EN)[-1].startswith("-# Match 4")


def test_a_gain_that_reaches_the_limit_says_so_before_and_after():
    limit = "-# From one person, a rating gains at most 100 points in 30 days."
    gains = Gains(frozenset({1, 2}), {(1, 2): 99 * UNIT})
    stakes = stakes_of([(1, 0), (2, 1)], {1: NEW, 2: NEW}, gains=gains)
    assert stake_lines(stakes, (ANA, BEA), EN)[2:] == [limit]
    assert own_change_lines([RatingChange(1, OLD, NEW, 0.25, 4)], 1, EN)[-1] == limit
