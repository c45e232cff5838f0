"""What a round scores (000 "Puntuación" and "Variantes", 001 §4, 002 §11 and §12; RULES.md, decisions 7 and 12)."""

from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards import DECK, EMPTY, FULL, CardSet, Suit
from bot.engine.rules import PRESETS, Prime, Rules
from bot.engine.scoring import MOST_OF, Item, ItemScore, score_round
from tests.support.engine import cards, rules_of

OROS = FULL.of_suit(Suit.OROS)
SEVENS = cards("7o 7c 7e 7b")
NO_OROS = [one for one in DECK if one.suit is not Suit.OROS]


def scored(rules: Rules, item: Item, *piles: CardSet) -> tuple[int, ...] | None:
    """The points of one item for each side, or None if the rules don't score it."""
    found = {each.item: each for each in score_round(rules, piles, [0] * len(piles))}
    return found[item].points if item in found else None


def some(count: int, start: int = 0) -> CardSet:
    """`count` cards of the deck, from position `start` on."""
    return CardSet.of(DECK[start : start + count])


ESCOBA, JUEGON, QUINCE, CLASICA = (rules_of(name) for name in ("escoba", "juegon", "quince", "clasica"))
every_preset = pytest.mark.parametrize("rules", [preset.rules for preset in PRESETS.values()], ids=list(PRESETS))


@every_preset
def test_each_escoba_is_a_point(rules):
    first = score_round(rules, [some(20), some(20, 20)], [3, 1])[0]
    assert first == ItemScore(Item.ESCOBAS, (3, 1), (3, 1))


@every_preset
def test_the_most_cards_are_a_point(rules):
    assert scored(rules, Item.CARDS, some(21), some(19, 21)) == (1, 0)
    assert scored(rules, Item.CARDS, some(19), some(21, 19)) == (0, 1)


@every_preset
def test_twenty_cards_each_score_for_nobody(rules):
    assert scored(rules, Item.CARDS, some(20), some(20, 20)) == (0, 0)


@every_preset
def test_the_most_oros_are_a_point_and_five_each_score_for_nobody(rules):
    assert scored(rules, Item.OROS, cards("1o 2o 3o 4o 5o 6o"), cards("7o 10o 11o 12o")) == (1, 0)
    assert scored(rules, Item.OROS, cards("1o 2o 3o 4o 5o"), cards("6o 7o 10o 11o 12o")) == (0, 0)


@every_preset
def test_the_seven_of_oros_is_a_point(rules):
    assert scored(rules, Item.SEVEN_OF_OROS, cards("7o 1c"), cards("7c 7e 7b")) == (1, 0)
    assert scored(rules, Item.SEVEN_OF_OROS, EMPTY, EMPTY) == (0, 0)


@pytest.mark.parametrize("rules", [JUEGON, QUINCE], ids=["juegon", "quince"])
def test_the_most_sevens_are_a_point_and_two_each_score_for_nobody(rules):
    assert scored(rules, Item.SEVENS, cards("7o 7c 7b"), cards("7e")) == (1, 0)
    assert scored(rules, Item.SEVENS, cards("7o 7c"), cards("7e 7b")) == (0, 0)


@pytest.mark.parametrize("rules", [ESCOBA, CLASICA], ids=["escoba", "clasica"])
def test_other_presets_do_not_score_sevens(rules):
    assert scored(rules, Item.SEVENS, SEVENS, EMPTY) is None


@pytest.mark.parametrize("item", MOST_OF)
def test_the_most_of_an_items_cards_are_a_point_and_a_tie_is_for_nobody(item):
    rules, their = replace(Rules(), **({switch: True} if (switch := MOST_OF[item].switch) else {})), MOST_OF[item].cards
    fewer, more = CardSet.of(list(their)[: len(their) // 3]), CardSet.of(list(their)[len(their) // 3 :])
    assert scored(rules, item, more, fewer) == (1, 0)
    assert scored(rules, item, EMPTY, EMPTY) == (0, 0)


class TestThreeSides:
    """The single highest count scores; a tie at the top scores for nobody, whatever the third has."""

    def test_the_single_highest_scores(self):
        assert scored(ESCOBA, Item.CARDS, some(14), some(13, 14), some(13, 27)) == (1, 0, 0)
        assert scored(ESCOBA, Item.OROS, cards("1o 2o 3o"), cards("4o 5o 6o"), cards("7o 10o 11o 12o")) == (0, 0, 1)

    def test_a_tie_at_the_top_scores_for_nobody(self):
        assert scored(ESCOBA, Item.CARDS, some(15), some(15, 15), some(10, 30)) == (0, 0, 0)
        assert scored(QUINCE, Item.SEVENS, cards("7o"), cards("7c"), EMPTY) == (0, 0, 0)
        assert scored(QUINCE, Item.SEVENS, cards("7o 7c"), cards("7e"), cards("7b")) == (1, 0, 0)

    def test_a_tie_below_the_top_does_not_matter(self):
        assert scored(ESCOBA, Item.OROS, cards("1o 2o 3o"), cards("4o 5o 6o"), cards("7o 10o 11o 12o")) == (0, 0, 1)

    def test_four_sides_score_the_same_way(self):
        assert scored(ESCOBA, Item.CARDS, some(10), some(11, 10), some(10, 21), some(9, 31)) == (0, 1, 0, 0)


class TestLargerValues:
    """House rules of 000, part of 001: 2 instead of 1, or one point more."""

    def test_more_than_thirty_cards_are_two_points_instead_of_one(self):
        assert scored(JUEGON, Item.CARDS, some(31), some(9, 31)) == (2, 0)
        assert scored(JUEGON, Item.CARDS, some(30), some(10, 30)) == (1, 0)

    def test_all_ten_oros_are_two_points_instead_of_one(self):
        assert scored(JUEGON, Item.OROS, EMPTY, OROS) == (0, 2)
        assert scored(JUEGON, Item.OROS, OROS - cards("1o"), cards("1o")) == (1, 0)

    def test_all_four_sevens_are_two_points_instead_of_one_where_sevens_are_scored(self):
        assert scored(JUEGON, Item.SEVENS, SEVENS, EMPTY) == (2, 0)
        assert scored(JUEGON, Item.SEVENS, SEVENS - cards("7b"), cards("7b")) == (1, 0)
        assert scored(rules_of("quince", four_sevens=True), Item.SEVENS, EMPTY, SEVENS) == (0, 2)

    @pytest.mark.parametrize("preset", ["escoba", "clasica", "cientifica"])
    def test_all_four_sevens_are_a_point_of_their_own_where_sevens_are_not_scored(self, preset):
        rules = rules_of(preset, four_sevens=True)
        assert scored(rules, Item.SEVENS, SEVENS, EMPTY) == (1, 0)
        assert scored(rules, Item.SEVENS, SEVENS - cards("7b"), cards("7b")) == (0, 0)

    def test_four_sevens_make_three_points_of_setenta_and_seven_of_oros(self):
        pile = SEVENS
        items = {
            each.item: each.points[0] for each in score_round(rules_of(four_sevens=True), [pile, FULL - pile], [0, 0])
        }
        assert items[Item.SEVEN_OF_OROS] + items[Item.PRIME] + items[Item.SEVENS] == 3

    def test_without_the_switches_nothing_is_larger(self):
        pile = FULL - cards("1c")
        assert [each.points for each in score_round(ESCOBA, [pile, cards("1c")], [0, 0])] == [(0, 0), *[(1, 0)] * 4]
        assert scored(QUINCE, Item.SEVENS, SEVENS, EMPTY) == (1, 0)

    @pytest.mark.parametrize("preset", ["escoba", "quince", "clasica", "cientifica"])
    def test_each_switch_works_on_every_preset(self, preset):
        rules = rules_of(preset, many_cards=True, all_oros=True)
        assert scored(rules, Item.CARDS, some(31), some(9, 31)) == (2, 0)
        assert scored(rules, Item.OROS, OROS, EMPTY) == (2, 0)
        only_cards = rules_of(preset, many_cards=True)
        assert scored(only_cards, Item.OROS, OROS, EMPTY) == (1, 0)

    def test_the_whole_deck_in_juegon_is_seven_points(self):
        items = score_round(JUEGON, [FULL, EMPTY], [0, 0])
        assert [each.points[0] for each in items] == [0, 2, 2, 1, 2]


def test_an_item_holds_what_was_compared():
    first, second = cards("7o 6c 1e 5b 4o"), cards("7c 7e 12o")
    items = {each.item: each for each in score_round(QUINCE, [first, second], [1, 0])}
    assert items[Item.ESCOBAS].amounts == (1, 0)
    assert items[Item.CARDS].amounts == (5, 3)
    assert items[Item.OROS].amounts == (2, 1)
    assert items[Item.SEVEN_OF_OROS].amounts == (1, 0)
    assert items[Item.SEVENS].amounts == (1, 2)
    assert items[Item.PRIME].amounts == (21 + 18 + 16 + 15, 21 + 21 + 10)
    assert items[Item.PRIME].cards == (cards("7o 6c 1e 5b"), second)
    assert items[Item.CARDS].cards == (first, second)
    assert items[Item.OROS].cards == (cards("7o 4o"), cards("12o"))
    assert items[Item.SEVENS].cards == (cards("7o"), cards("7c 7e"))
    assert items[Item.SEVEN_OF_OROS].cards == (cards("7o"), EMPTY)
    assert items[Item.ESCOBAS].cards == ()


def test_empty_piles_score_nothing():
    for preset in PRESETS.values():
        assert all(not any(each.points) for each in score_round(preset.rules, [EMPTY, EMPTY], [0, 0]))


@every_preset
def test_a_tie_between_sides_never_scores(rules):
    rng = Random("ties")
    for _ in range(200):
        order = rng.sample(DECK, 40)
        cut, end = sorted(rng.sample(range(41), 2))
        piles = [CardSet.of(order[:cut]), CardSet.of(order[cut:end]), CardSet.of(order[end:])]
        for item in score_round(rules, piles, [0, 0, 0]):
            top = max(item.amounts)
            if item.item is not Item.ESCOBAS and item.amounts.count(top) > 1:
                assert item.points == (0, 0, 0)
            elif top:
                assert item.points[item.amounts.index(top)] >= 1
                assert sum(map(bool, item.points)) == 1


def test_with_prime_none_no_prime_is_scored():
    assert scored(rules_of(prime=Prime.NONE), Item.PRIME, FULL, EMPTY) is None
