"""The two primes: the setenta (000, 003, 004) and 002's table of points (RULES.md, decisions 8 and 9)."""

from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given

from bot.engine.cards import DECK, EMPTY, FULL, CardSet, Rank, Suit
from bot.engine.scoring import Item, points_prime, score_round, setenta

from .kit import QUICK, any_cards, cards, rules_of

BEST_FIRST = ["7", "6", "1", "5", "4", "3", "2", "10"]
PRIME_POINTS = {"7": 21, "6": 18, "1": 16, "5": 15, "4": 14, "3": 13, "2": 12, "10": 10, "11": 10, "12": 10}


def point_of(preset: str, *piles: str) -> tuple[int, ...]:
    items = score_round(rules_of(preset), [cards(pile) for pile in piles], [0] * len(piles))
    return next(each.points for each in items if each.item is Item.PRIME)


class TestSetenta:
    """One card of each suit, compared highest first."""

    def test_seven_seven_six_five_beats_seven_seven_ace_ace(self):
        assert point_of("escoba", "7o 7c 6e 5b", "1o 1c 7e 7b") == (1, 0)
        assert point_of("escoba", "1o 1c 7e 7b", "7o 7c 6e 5b") == (0, 1)

    def test_seven_seven_six_ace_beats_seven_seven_six_five(self):
        assert point_of("escoba", "7o 7c 6e 5b", "6o 1c 7e 7b") == (0, 1)

    def test_equal_setentas_score_for_nobody(self):
        assert point_of("escoba", "7o 7c 6e 6b", "6o 6c 7e 7b") == (0, 0)
        assert point_of("escoba", "7o 7c 6e 10b", "6o 12c 7e 7b") == (0, 0)

    def test_the_ace_ranks_between_the_six_and_the_five(self):
        assert point_of("escoba", "7o 7c 6e 4b", "6o 7e 7b 1c") == (0, 1)
        assert point_of("escoba", "7o 7c 1e 4b", "5c 4o 7e 7b") == (1, 0)
        assert point_of("escoba", "7o 7c 1e 4b", "6c 4o 7e 7b") == (0, 1)

    @pytest.mark.parametrize(("better", "worse"), list(pairwise(BEST_FIRST)))
    def test_the_order_is_seven_six_ace_five_four_three_two_figure(self, better, worse):
        high = f"{better}o {better}c {better}e {better}b"
        low = f"{worse}o {worse}c {worse}e {worse}b"
        assert point_of("escoba", high, low) == (1, 0)
        assert point_of("escoba", low, high) == (0, 1)

    def test_all_figures_are_equal(self):
        assert len({setenta(cards(f"{n}o {n}c {n}e {n}b"))[0] for n in (10, 11, 12)}) == 1

    def test_the_highest_card_counts_before_all_others(self):
        assert point_of("escoba", "7o 12c 12e 12b", "6o 6c 6e 6b") == (1, 0)

    def test_a_side_that_lacks_a_suit_has_none(self):
        assert setenta(cards("7o 7c 7e 6o 6c 6e")) == (0, EMPTY)
        assert point_of("escoba", "7o 7c 7e", "10o 10c 10e 10b") == (0, 1)
        assert point_of("escoba", "7o 7c 7e", "7b 6c 6e") == (0, 0)

    def test_a_suits_best_card_counts_even_if_another_suit_has_better_ones(self):
        assert setenta(cards("7o 6o 1c 2e 12b"))[1] == cards("7o 1c 2e 12b")

    def test_among_three_sides_the_best_scores_unless_two_share_it(self):
        assert point_of("escoba", "7o 6c 6e 6b", "6o 7c 5e 5b", "5o 5c 7e 7b") == (0, 0, 1)
        assert point_of("escoba", "7o 6c 1e 5b", "5o 7c 6e 1b", "12o 12c 12e 12b") == (0, 0, 0)

    @QUICK
    @given(any_cards)
    def test_no_four_cards_of_four_suits_are_better_than_those_found(self, pile):
        amount, made = setenta(pile)
        by_suit = [sorted({BEST_FIRST.index(place(one)) for one in pile.of_suit(suit)}) for suit in Suit]
        every = [sorted(four) for four in product(*by_suit)]
        assert bool(amount) == bool(every)
        if every:
            assert sorted(BEST_FIRST.index(place(one)) for one in made) == min(every)
            assert made <= pile
            assert {one.suit for one in made} == set(Suit)

    def test_a_better_setenta_has_the_larger_amount(self):
        rng = Random("setenta")
        found = []
        for _ in range(300):
            four = [rng.choice(list(FULL.of_suit(suit))) for suit in Suit]
            found.append((sorted(BEST_FIRST.index(place(one)) for one in four), setenta(CardSet.of(four))[0]))
        for (one, amount), (other, other_amount) in combinations(found, 2):
            assert (one < other) == (amount > other_amount)
            assert (one == other) == (amount == other_amount)


class TestPointsTable:
    """The sum of the four highest cards of any suit by the table."""

    @pytest.mark.parametrize("rank", Rank)
    def test_what_each_rank_is_worth(self, rank):
        one = next(each for each in DECK if each.rank is rank)
        assert points_prime(CardSet.of([one]))[0] == PRIME_POINTS[str(rank.printed)]

    def test_the_four_highest_cards_are_added(self):
        assert points_prime(cards("7o 6c 1e 5b 4o 3c 2e 12b")) == (21 + 18 + 16 + 15, cards("7o 6c 1e 5b"))

    def test_they_may_be_of_one_suit(self):
        assert points_prime(cards("7o 6o 1o 5o 12c"))[0] == 70
        assert point_of("clasica", "7o 6o 1o 5o", "5c 5e 5b 6c") == (1, 0)

    def test_fewer_than_four_cards_count_as_they_are(self):
        assert points_prime(cards("7o 7c 7e"))[0] == 63
        assert points_prime(cards("12o")) == (10, cards("12o"))
        assert points_prime(EMPTY) == (0, EMPTY)
        assert point_of("clasica", "7o 7c 7e", "2o 2c 2e 2b") == (1, 0)
        assert point_of("clasica", "7o 7c", "12o 12c 12e 12b 2o") == (0, 0)

    def test_equal_sums_score_for_nobody(self):
        assert point_of("quince", "7o 7c 12o 12c", "7e 7b 12e 12b") == (0, 0)
        assert point_of("quince", "1o 1c", "6o 4c") == (0, 0)

    def test_only_the_sum_counts_not_the_highest_card(self):
        assert point_of("quince", "7o 12c 12e 12b", "6o 6c 6e 6b") == (0, 1)

    def test_among_three_sides_the_highest_sum_scores(self):
        assert point_of("quince", "7o 7c 7e 7b", "6o 6c 6e 6b", "1o 1c 1e 1b") == (1, 0, 0)
        assert point_of("quince", "7o 6c", "7c 6o", "1o") == (0, 0, 0)

    @QUICK
    @given(any_cards)
    def test_no_four_cards_add_up_to_more(self, pile):
        values = sorted((PRIME_POINTS[str(one.printed)] for one in pile), reverse=True)
        amount, made = points_prime(pile)
        assert amount == sum(values[:4])
        assert made <= pile
        assert len(made) == min(4, len(pile))


def place(one) -> str:
    """The rank as `BEST_FIRST` writes it: every figure as a sota."""
    return str(one.printed) if one.worth <= 7 else "10"
