"""Forecasts favour no side, are exact where nothing is undecided, and are right on average."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.rules import PRESETS, SWITCHES, Prime, Rules, Seating
from bot.players.choosing import forecaster
from bot.players.counting import counter
from bot.players.fast_round import FastRound
from bot.players.greed import style_of
from bot.players.last_deal import margin
from tests.support.dose import thorough_but

FULL = (1 << 40) - 1
any_rules = st.builds(
    lambda prime, switches: replace(Rules(), prime=prime, **dict(zip(SWITCHES, switches, strict=True))),
    st.sampled_from(Prime),
    st.tuples(*[st.booleans()] * len(SWITCHES)),
)


@pytest.mark.thorough
@given(any_rules, st.integers(0, FULL), st.integers(0, FULL), st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=80, deadline=None)
def test_what_one_side_gains_the_other_loses(rules, some, others, first, second):
    piles = [some & ~others, others & ~some]
    forecast = forecaster(rules)
    assert forecast(piles, [first, second]) == pytest.approx(-forecast(piles[::-1], [second, first]))


@given(any_rules, st.integers(0, FULL), st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=80, deadline=None)
def test_when_all_cards_are_captured_the_forecast_is_the_count(rules, first, ours, theirs):
    """Except for the prime, whose steps are rougher than its values."""
    rules = replace(rules, prime=Prime.NONE, four_sevens=rules.four_sevens and rules.most_sevens)
    piles, escobas = [first, FULL ^ first], [ours, theirs]
    assert forecaster(rules)(piles, escobas) == pytest.approx(margin(counter(rules)(piles, escobas), 0))


@pytest.mark.thorough
@given(any_rules)
def test_before_the_first_capture_nobody_is_ahead(rules):
    assert forecaster(rules)([0, 0], [0, 0]) == pytest.approx(0)


@pytest.mark.parametrize(
    "preset",
    thorough_but([preset for preset in PRESETS.values() if Seating.TWO in preset.seatings], PRESETS["escoba"]),
)
def test_rounds_end_on_average_as_forecast(preset):
    """Greedy rounds, checked after four of six deals and at their end.

    Without cantos, which don't come from captures: a single chorizo would move the average of all these rounds.
    """
    rules, rng = replace(preset.rules, cantos=False), Random(preset.name)
    style, forecast = style_of(rules, Seating.TWO), forecaster(rules)
    told: list[tuple[float, float]] = []
    for number in range(600):
        cards = rng.sample(range(40), 40)
        now = FastRound(rules, Seating.TWO, number % 2)
        now.table = sum(1 << index for index in cards[: rules.table])
        now.deck = cards[rules.table :]
        now.deal()
        now.count_unplayed()
        now.go_on(style, 12)
        ahead = forecast(now.piles, now.escobas)
        told.append((ahead, margin(now.finish(style), 0)))
    for good in (True, False):
        some = [(ahead, came) for ahead, came in told if (ahead > 0) is good]
        foretold, came = (sum(values) / len(some) for values in zip(*some, strict=True))
        assert came == pytest.approx(foretold, abs=0.35)
