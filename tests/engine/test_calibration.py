"""How often openings, escobas and leftovers come: exactly, or in random play with a fixed seed, as the rules expect."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from bot.engine.cards import DECK, CardSet
from bot.engine.events import RoundDealt
from bot.engine.match import Match
from bot.engine.moves import opening_escobas
from bot.engine.rules import Opening, Seating
from tests.support.engine import ROUNDS, begin, finish_round, shuffled, the_round

TABLES = 91_390
"""The number of ways to choose four of forty cards."""


def test_openings_are_as_frequent_as_a_count_of_all_tables_says():
    by_sum: Counter[int] = Counter()
    by_pairs: Counter[int] = Counter()
    fifteen: dict[tuple[int, ...], list[int]] = {}
    for four in combinations(DECK, 4):
        worths = tuple(sorted(one.worth for one in four))
        if sum(worths) not in (15, 30):
            by_sum[0] += 1
            continue
        found = fifteen.setdefault(worths, [])
        if not found:
            table = CardSet.of(four)
            found += [opening_escobas(Opening.SUM, table), opening_escobas(Opening.PAIRS, table)]
        by_sum[found[0]] += 1
        by_pairs[found[1]] += 1
    assert sum(by_sum.values()) == TABLES
    assert (by_sum[1], by_sum[2], by_pairs[1], by_pairs[2]) == (3120, 2492, 3120, 876)
    assert by_sum[1] / TABLES == pytest.approx(0.034, abs=0.0005)
    assert by_sum[2] / TABLES == pytest.approx(0.027, abs=0.0005)
    assert by_pairs[2] / TABLES == pytest.approx(0.010, abs=0.0005)


def test_the_dealer_takes_openings_as_often_as_documented():
    rng = Random("openings")
    deals = 6000
    taken = {}
    for preset in ("escoba", "juegon"):
        match = begin(preset)
        taken[preset] = Counter(the_round(match.apply(RoundDealt(shuffled(rng)))).escobas[0] for _ in range(deals))
    assert taken["escoba"][1] / deals == pytest.approx(0.034, abs=0.008)
    assert taken["escoba"][2] / deals == pytest.approx(0.027, abs=0.008)
    assert taken["juegon"][1] / deals == pytest.approx(0.034, abs=0.008)
    assert taken["juegon"][2] / deals == pytest.approx(0.010, abs=0.005)


def rounds_of(seating: Seating, rounds: int) -> list[Match]:
    rng = Random(f"calibration {seating}")
    match = begin("escoba", seating)
    return [finish_round(match.apply(RoundDealt(shuffled(rng))), rng) for _ in range(rounds)]


@pytest.fixture(scope="module")
def played() -> dict[Seating, list[Match]]:
    """Random rounds of the default preset for each of its seatings."""
    return {
        seating: rounds_of(seating, max(200, 2 * ROUNDS))
        for seating in (Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS)
    }


@pytest.mark.parametrize("seating", [Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS])
def test_a_random_round_has_about_one_and_a_half_escobas(played, seating):
    rounds = played[seating]
    escobas = sum(sum(match.escobas) for match in rounds) / len(rounds)
    assert escobas == pytest.approx(1.47, abs=4 * 1.3 / len(rounds) ** 0.5)


def test_random_rounds_of_all_seatings_have_one_and_a_half_escobas(played):
    rounds = [match for each in played.values() for match in each]
    escobas = sum(sum(match.escobas) for match in rounds) / len(rounds)
    assert escobas == pytest.approx(1.47, abs=4 * 1.3 / len(rounds) ** 0.5)


def test_what_is_left_is_mostly_ten_then_twenty_five_then_forty(played):
    left = Counter(match.scores[-1].leftovers.worth for rounds in played.values() for match in rounds)
    share = {worth: count / left.total() for worth, count in left.items()}
    assert share[10] == pytest.approx(0.70, abs=0.05)
    assert share[25] == pytest.approx(0.16, abs=0.04)
    assert share[40] == pytest.approx(0.13, abs=0.04)
    assert share.get(55, 0) < 0.03
    assert all(worth % 15 == 10 for worth in left)
