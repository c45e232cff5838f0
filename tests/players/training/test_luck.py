"""What the cards of a match brought: the normal level plays the same decks again; the rest is play."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import correlation, mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, Card
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.views import seat_view
from bot.players import Level, choose
from bot.players.training.luck import DealtRound, dump_luck, load_luck, luck_of, mean_points
from tests.players.positions import ESCOBA, GAMES


def dealt(seed: int, rules: Rules = ESCOBA, seating: Seating = Seating.TWO) -> DealtRound:
    deck = Random(f"luck {seed}").sample(DECK, len(DECK))
    return DealtRound(rules, seating, seed % seating.seats, tuple(deck))


def ahead(points: Sequence[float], side: int = 0) -> float:
    """By how much a side is ahead of the mean of the others."""
    return points[side] - mean(each for other, each in enumerate(points) if other != side)


def really_played(round_: DealtRound, seed: int) -> tuple[int, ...]:
    """The points when players of the normal level, without characters, play a round."""
    match = start(MatchStarted(round_.rules, round_.seating, round_.dealer)).apply(RoundDealt(round_.deck))
    rng = Random(seed)
    while match.turn is not None:
        match = match.apply(match.event_of(choose(seat_view(match, match.turn), Level.NORMAL, rng)))
    return match.scores[0].points


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[int], list[list[float]]]:
    """The totals of a match, and what the normal level scored on average in each of its rounds."""
    sides = draw(st.integers(2, 4))
    totals = draw(st.lists(st.integers(0, 120), min_size=sides, max_size=sides))
    points = st.floats(0, 15, allow_nan=False)
    return totals, draw(st.lists(st.lists(points, min_size=sides, max_size=sides), min_size=1, max_size=12))


@given(matches())
def test_cards_and_play_add_up_to_the_real_difference(match: tuple[list[int], list[list[float]]]) -> None:
    totals, means = match
    luck = luck_of(totals, means)
    for side, own in enumerate(luck):
        real = ahead(totals, side)
        assert own.cards + own.play == round(10 * real)
        assert abs(own.cards / 10 - sum(ahead(each, side) for each in means)) <= 0.05 + 1e-9
    if len(totals) == 2:
        assert (luck[0].cards, luck[0].play) == (-luck[1].cards, -luck[1].play)
        assert luck[0].cards + luck[0].play == 10 * (totals[0] - totals[1])
    assert load_luck(dump_luck(luck)) == luck


@pytest.mark.parametrize(("rules", "seating"), GAMES)
def test_a_round_can_be_played_again_in_every_preset_and_seating(rules: Rules, seating: Seating) -> None:
    points = mean_points(dealt(3, rules, seating), Random(1), 1)
    assert len(points) == seating.sides
    assert sum(points) >= 1
    assert points == mean_points(dealt(3, rules, seating), Random(1), 1)


def test_the_opening_of_the_dealer_belongs_to_the_cards() -> None:
    first = [Card.parse(name) for name in "1o 1c 1e 2o 2c 2e 4o 5c 3o 3c".split()]  # the table gets 4 5 3 3: fifteen
    deck = (*first, *(card for card in DECK if card not in first))
    for dealer in (0, 1):
        points = mean_points(DealtRound(ESCOBA, Seating.TWO, dealer, deck), Random(1), 20)
        without = Rules(opening=PRESETS["quince"].rules.opening)
        assert points[dealer] > mean_points(DealtRound(without, Seating.TWO, dealer, deck), Random(1), 20)[dealer]


def test_indistinguishable_decks_have_the_same_expected_points() -> None:
    one = dealt(5)
    hands = [one.deck[at : at + 3] for at in range(0, 6, 3)]
    later = [one.deck[at : at + 3] for at in range(10, 40, 3)]
    deck = [card for part in (*hands, one.deck[6:10], *later) for card in reversed(part)]
    assert tuple(deck) != one.deck
    other = DealtRound(one.rules, one.seating, one.dealer, tuple(deck))
    assert mean_points(one, Random(2), 50) == mean_points(other, Random(2), 50)


@pytest.mark.thorough
def test_expected_points_match_the_average_of_real_normal_games() -> None:
    rounds = [dealt(seed) for seed in range(30)]
    expected = [ahead(mean_points(each, Random(seed), 40)) for seed, each in enumerate(rounds)]
    real = [ahead(really_played(each, 1_000 + seed)) for seed, each in enumerate(rounds)]
    differences = [one - other for one, other in zip(real, expected, strict=True)]
    assert abs(mean(differences)) < 4 * stdev(differences) / sqrt(len(differences))
    assert correlation(expected, real) > 0.65
