"""What the cards of a match brought: the normal level plays the same decks again; the rest is play."""

from math import sqrt
from random import Random
from statistics import correlation, mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.coach.luck import (
    DealtRound,
    Luck,
    Replayed,
    added_up,
    ahead,
    compared,
    dump_luck,
    load_luck,
    luck_of,
    played_again,
)
from bot.engine.cards import DECK, Card
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.views import seat_view
from bot.players import Level, choose
from bot.players.lookahead import never
from tests.players.positions import ESCOBA, GAMES


def dealt(seed: int, rules: Rules = ESCOBA, seating: Seating = Seating.TWO) -> DealtRound:
    deck = Random(f"luck {seed}").sample(DECK, len(DECK))
    return DealtRound(rules, seating, seed % seating.seats, tuple(deck))


def replayed(round_: DealtRound, rng: Random, games: int) -> Replayed:
    return compared(played_again(round_, rng, games, never))


def really_played(round_: DealtRound, seed: int) -> tuple[int, ...]:
    """The points when players of the normal level, without characters, play a round."""
    match = start(MatchStarted(round_.rules, round_.seating, round_.dealer)).apply(RoundDealt(round_.deck))
    rng = Random(seed)
    while match.turn is not None:
        match = match.apply(match.event_of(choose(seat_view(match, match.turn), Level.NORMAL, rng)))
    return match.scores[0].points


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[int], list[Replayed]]:
    """The totals of a match, and how the normal level came out in each of its rounds."""
    sides = draw(st.integers(2, 4))
    totals = draw(st.lists(st.integers(0, 120), min_size=sides, max_size=sides))
    leads = st.tuples(st.floats(-15, 15, allow_nan=False), st.floats(0, 20, allow_nan=False))
    return totals, draw(st.lists(st.lists(leads, min_size=sides, max_size=sides), min_size=1, max_size=12))


@given(matches())
def test_cards_and_the_rest_add_up_to_the_real_lead(match: tuple[list[int], list[Replayed]]) -> None:
    totals, rounds = match
    luck = luck_of(totals, rounds)
    for side, own in enumerate(luck):
        assert own.cards + own.rest == own.lead == round(10 * ahead(totals, side))
        assert abs(own.cards / 10 - sum(each[side][0] for each in rounds)) <= 0.05 + 1e-9
        assert abs(own.spread / 10 - sqrt(sum(each[side][1] for each in rounds))) <= 0.05 + 1e-9
    assert load_luck(dump_luck(luck)) == luck


@pytest.mark.parametrize(("rules", "seating"), GAMES)
def test_a_round_can_be_played_again_in_every_preset_and_seating(rules: Rules, seating: Seating) -> None:
    leads = replayed(dealt(3, rules, seating), Random(1), 2)
    assert len(leads) == seating.sides
    assert abs(sum(mean for mean, _ in leads)) < 1e-9
    assert leads == replayed(dealt(3, rules, seating), Random(1), 2)


def test_the_opening_of_the_dealer_belongs_to_the_cards() -> None:
    first = [Card.parse(name) for name in "1o 1c 1e 2o 2c 2e 4o 5c 3o 3c".split()]  # the table gets 4 5 3 3: fifteen
    deck = (*first, *(card for card in DECK if card not in first))
    for dealer in (0, 1):
        leads = replayed(DealtRound(ESCOBA, Seating.TWO, dealer, deck), Random(1), 20)
        without = Rules(opening=PRESETS["quince"].rules.opening)
        assert leads[dealer][0] > replayed(DealtRound(without, Seating.TWO, dealer, deck), Random(1), 20)[dealer][0]


def test_indistinguishable_decks_have_the_same_expected_points() -> None:
    one = dealt(5)
    hands = [one.deck[at : at + 3] for at in range(0, 6, 3)]
    later = [one.deck[at : at + 3] for at in range(10, 40, 3)]
    deck = [card for part in (*hands, one.deck[6:10], *later) for card in reversed(part)]
    assert tuple(deck) != one.deck
    other = DealtRound(one.rules, one.seating, one.dealer, tuple(deck))
    assert replayed(one, Random(2), 50) == replayed(other, Random(2), 50)


def test_the_spread_over_many_matches_grows_with_the_root_of_their_number() -> None:
    assert added_up([Luck(10, -30, 50)] * 16) == Luck(160, -480, 200)
    assert added_up([Luck(3, 1, 30), Luck(-1, -5, 40)]) == Luck(2, -4, 50)


@pytest.mark.parametrize(("rules", "seating"), GAMES[:2])
def test_equals_stray_from_their_cards_about_as_far_as_the_spread_says(rules: Rules, seating: Seating) -> None:
    strayed, expected = 0.0, 0.0
    for seed in range(25):
        round_ = dealt(seed, rules, seating)
        lead, variance = replayed(round_, Random(seed), 40)[0]
        strayed += (ahead(really_played(round_, seed), 0) - lead) ** 2
        expected += variance
    assert 0.4 < sqrt(strayed / expected) < 1.6


@pytest.mark.thorough
def test_expected_points_match_the_average_of_real_normal_games() -> None:
    rounds = [dealt(seed) for seed in range(30)]
    expected = [replayed(each, Random(seed), 40)[0][0] for seed, each in enumerate(rounds)]
    real = [ahead(really_played(each, 1_000 + seed), 0) for seed, each in enumerate(rounds)]
    differences = [one - other for one, other in zip(real, expected, strict=True)]
    assert abs(mean(differences)) < 4 * stdev(differences) / sqrt(len(differences))
    assert correlation(expected, real) > 0.65
