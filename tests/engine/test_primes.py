"""The primes: the setenta (000, 003, 004), 002's table of points, by suits, and by sevens (RULES.md, decisions 8, 9, 14
and 15)."""

from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given

from bot.engine.cards import DECK, EMPTY, FULL, CardSet, Rank, Suit
from bot.engine.rules import Prime
from bot.engine.scoring import Item, ItemScore, points_prime, score_round, setenta, suits_prime
from tests.support.engine import QUICK, any_cards, cards, rules_of

BEST_FIRST = ["7", "6", "1", "5", "4", "3", "2", "10"]
PRIME_POINTS = {"7": 21, "6": 18, "1": 16, "5": 15, "4": 14, "3": 13, "2": 12, "10": 10, "11": 10, "12": 10}


def point_of(preset: str, *piles: str, **changes: Any) -> tuple[int, ...]:
    return prime_of(preset, *piles, **changes).points


def prime_of(preset: str, *piles: str, **changes: Any) -> ItemScore:
    items = score_round(rules_of(preset, **changes), [cards(pile) for pile in piles], [0] * len(piles))
    return next(each for each in items if each.item is Item.PRIME)


def by_suits(*piles: str) -> tuple[int, ...]:
    return point_of("escoba", *piles, prime=Prime.SUITS)


def by_sevens(*piles: str) -> tuple[int, ...]:
    return point_of("escoba", *piles, prime=Prime.SEVENS)


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
    def test_each_rank_is_worth_its_points_in_the_table(self, rank):
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


class TestSuits:
    """The best card of each suit by the table of points, added."""

    def test_the_best_of_each_suit_is_added(self):
        assert suits_prime(cards("7o 6o 1c 2c 5e 3e 12b")) == (21 + 16 + 15 + 10, cards("7o 1c 5e 12b"))

    def test_the_ace_is_worth_more_than_the_five(self):
        assert suits_prime(cards("1o 5o 5c 5e 5b"))[1] == cards("1o 5c 5e 5b")

    def test_only_the_sum_counts_not_the_highest_card(self):
        assert by_suits("7o 12c 12e 12b", "6o 6c 6e 6b") == (0, 1)

    def test_a_side_that_lacks_a_suit_has_none(self):
        assert suits_prime(cards("7o 7c 7e 6o 6c 6e")) == (0, EMPTY)
        assert by_suits("7o 7c 7e", "12o 12c 12e 12b") == (0, 1)
        assert by_suits("7o 7c 7e", "7b 6c 6e") == (0, 0)

    def test_equal_sums_score_for_nobody(self):
        assert by_suits("7o 7c 12e 12b", "12o 12c 7e 7b") == (0, 0)
        assert by_suits("6o 6c 4e 5b", "5o 5c 1e 7b") == (0, 1)
        assert by_suits("1o 1c 4e 4b", "4o 4c 1e 1b", "10o 10c 10e 10b") == (0, 0, 0)

    def test_among_three_sides_the_highest_sum_scores(self):
        assert by_suits("7o 6c 6e 6b", "6o 7c 5e 5b", "5o 5c 7e 7b") == (1, 0, 0)

    @QUICK
    @given(any_cards)
    def test_no_four_cards_of_four_suits_add_up_to_more(self, pile):
        every = list(product(*[list(pile.of_suit(suit)) for suit in Suit]))
        sums = [sum(PRIME_POINTS[str(one.printed)] for one in four) for four in every] if len(pile) <= 16 else []
        amount, made = suits_prime(pile)
        assert bool(amount) == all(pile.of_suit(suit) for suit in Suit)
        if sums:
            assert amount == max(sums)
        assert made <= pile
        assert len(made) == (4 if amount else 0)


class TestSevens:
    """Most sevens; those tied compare sixes, then aces, then fives."""

    def test_the_most_sevens_have_it(self):
        assert by_sevens("7o 7c 7e", "7b 6o 6c 6e 6b 1o 1c 1e 1b 5o 5c 5e 5b") == (1, 0)
        assert by_sevens("7o", "7c 7e 7b") == (0, 1)

    def test_if_sevens_are_tied_sixes_aces_and_fives_are_compared_in_turn(self):
        assert by_sevens("7o 7c 6o 6c 6e", "7e 7b 6b 1o 1c 1e 1b") == (1, 0)
        assert by_sevens("7o 7c 6o 6c 1o", "7e 7b 6b 6e 1c 1e 1b 5o 5c 5e 5b") == (0, 1)
        assert by_sevens("7o 7c 6o 6c 1o 1c 5o 5c 5e", "7e 7b 6b 6e 1b 1e 5b 4o 4c 4e 4b") == (1, 0)

    def test_if_all_four_ranks_are_tied_nobody_has_it(self):
        assert by_sevens("7o 7c 6o 6c 1o 1c 5o 5c", "7e 7b 6b 6e 1b 1e 5b 5e 4o 4c 4e 4b") == (0, 0)
        assert by_sevens("", "") == (0, 0)

    def test_suits_do_not_matter(self):
        assert by_sevens("7o 7c 7e 10o", "7b 6c 6e 6b 6o 1e") == (1, 0)

    def test_only_those_tied_go_on_to_compare(self):
        assert by_sevens("7o 6o", "7c 6c 6e", "6b 1o 1c 1e 1b") == (0, 1, 0)
        assert by_sevens("7o 6o 5o", "7c 6c 5c", "7e 1o 1c 1e 1b") == (0, 0, 0)
        assert by_sevens("7o 6o 1o", "7c 6c 5c 5o", "7e 1c 1e 1b") == (1, 0, 0)
        assert by_sevens("7o 7c", "7e 6o", "7b 6c") == (1, 0, 0)

    def test_the_cards_of_the_item_are_those_that_had_to_be_compared(self):
        sevens = {"prime": Prime.SEVENS}
        assert prime_of("escoba", "7o 7c 7e 6o", "7b 6c", **sevens).cards == (cards("7o 7c 7e"), cards("7b"))
        tied = prime_of("escoba", "7o 7c 6o 1o", "7e 7b 1c", **sevens)
        assert tied.cards == (cards("7o 7c 6o"), cards("7e 7b"))
        assert tied.amounts[0] > tied.amounts[1]
        equal = prime_of("escoba", "7o 5o 4o", "7c 5c 12o", **sevens)
        assert equal.cards == (cards("7o 5o"), cards("7c 5c"))
        assert equal.amounts[0] == equal.amounts[1]

    def test_beside_most_sevens_and_four_sevens_each_scores_on_its_own_line(self):
        rules = rules_of("escoba", prime=Prime.SEVENS, most_sevens=True, four_sevens=True)
        points = {each.item: each.points for each in score_round(rules, [cards("7o 7c 7e 7b"), EMPTY], [0, 0])}
        assert (points[Item.SEVENS], points[Item.PRIME], points[Item.SEVEN_OF_OROS]) == ((2, 0), (1, 0), (1, 0))
        points = {each.item: each.points for each in score_round(rules, [cards("7o 7c 6o"), cards("7e 7b")], [0, 0])}
        assert (points[Item.SEVENS], points[Item.PRIME]) == ((0, 0), (1, 0))
        without = rules_of("escoba", prime=Prime.SEVENS, four_sevens=True)
        points = {each.item: each.points for each in score_round(without, [cards("7o 7c 7e 7b"), EMPTY], [0, 0])}
        assert (points[Item.SEVENS], points[Item.PRIME]) == ((1, 0), (1, 0))


def place(one) -> str:
    """A card's rank as `BEST_FIRST` writes it: every figure as a sota."""
    return str(one.printed) if one.worth <= 7 else "10"
