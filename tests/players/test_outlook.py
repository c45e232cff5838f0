"""The terms of the evaluation."""

from dataclasses import replace

import pytest

from bot.engine.cards import DECK, FULL, Card, CardSet, Rank
from bot.engine.moves import Play, captures, target
from bot.engine.rules import PRESETS, Prime, Rules, Seating
from bot.engine.scoring import MOST_OF, Item
from bot.players.outlook import PRIME_SHARES, Outlook, Weights, card_values, expected_best
from tests.players.positions import position, view_at_turn

W = Weights()
ESCOBA = Rules()


def value(card, rules=ESCOBA, most_cards_won=False):
    return card_values(W, rules, most_cards_won)[Card.parse(card).index]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_the_seven_of_oros_then_sevens_then_oros_are_worth_most(preset):
    order = [value(card, preset.rules) for card in ("7o", "7c", "2o", "12c")]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == len(order)


@pytest.mark.parametrize("prime", [Prime.SETENTA, Prime.POINTS])
def test_both_primes_value_sevens_then_sixes_then_aces(prime):
    order = [PRIME_SHARES[prime][rank] for rank in (Rank.SEVEN, Rank.SIX, Rank.ACE, Rank.FIVE)]
    assert order == sorted(order, reverse=True)
    assert Rank.REY not in PRIME_SHARES[prime]


def test_an_item_that_is_not_scored_is_worth_nothing():
    none = replace(Rules(), prime=Prime.NONE)
    assert value("7c", none) == value("12c", none) == MOST_OF[Item.CARDS].worth
    both = MOST_OF[Item.CARDS].worth + MOST_OF[Item.SEVENS].worth
    assert value("7c", replace(none, most_sevens=True)) == pytest.approx(both)


@pytest.mark.parametrize(("switch", "card"), [("many_cards", "12c"), ("all_oros", "2o"), ("four_sevens", "7c")])
def test_a_larger_value_makes_its_cards_worth_more(switch, card):
    assert value(card, replace(Rules(), **{switch: True})) > value(card)


def test_cards_are_worth_nothing_more_once_most_are_won():
    assert value("12c", most_cards_won=True) == 0
    assert value("12c", replace(Rules(), many_cards=True), most_cards_won=True) > 0
    view = view_at_turn(position("5c", "12e", gone=" ".join(map(str, DECK[:16] + DECK[20:24] + DECK[28:32]))))
    assert Outlook.from_view(view, W).values[Card.parse("12c").index] == 0


def test_the_best_card_of_a_hand_is_expected_by_drawing_without_replacement():
    assert expected_best([1.0] + [0.0] * 9, 3) == pytest.approx(3 / 10)  # hand size / unseen cards
    assert expected_best([1.0, 1.0] + [0.0] * 8, 3) == pytest.approx(1 - (8 * 7 * 6) / (10 * 9 * 8))
    assert expected_best([2.0, 1.0, 0.0], 1) == pytest.approx(1)
    assert expected_best([2.0, 1.0, 0.0], 3) == 2
    assert expected_best([], 3) == expected_best([1.0], 0) == 0


def test_the_best_group_of_a_sum_is_the_engines_best_capture():
    """One pass finds the same group as comparing all captures, for every card and both kinds of capture."""
    table = "7o 7c 1c 2b 3o 4e 6b 5c 10o 12c"
    for preset in PRESETS.values():
        view = view_at_turn(position(table, "12e", rules=preset.rules, seating=preset.seatings[0], others=3))
        outlook = Outlook.from_view(view, W)
        sums = outlook.best_groups(view.public.table)
        for card in view.unseen:
            groups = captures(preset.rules.capture, card, view.public.table)
            best = max((sum(outlook.values[each.index] for each in group) for group in groups), default=-1.0)
            assert sums[target(preset.rules.capture, card.worth)] == pytest.approx(best)


def test_the_more_of_a_card_is_unseen_the_more_an_escoba_is_feared():
    move = Play(Card.parse("10e"))
    fears = [
        Outlook.from_view(view_at_turn(position("", "10e 1c 2c", gone=gone)), W).worth(move)
        for gone in ("", "7c", "7c 7e", "7c 7e 7b", "7o 7c 7e 7b")
    ]
    assert fears == sorted(fears)
    assert len(set(fears)) == len(fears)


def test_the_more_cards_the_next_player_holds_the_more_is_feared():
    move = Play(Card.parse("10e"))
    fears = [
        Outlook.from_view(view_at_turn(position("", "10e 1c 2c", others=count)), W).worth(move) for count in (3, 2, 1)
    ]
    assert fears == sorted(fears)
    assert len(set(fears)) == len(fears)


def test_a_player_without_cards_will_be_dealt_new_ones_but_not_after_the_last_deal():
    move, gone = Play(Card.parse("10e")), str(FULL - CardSet.of("10e"))
    before = Outlook.from_view(view_at_turn(position("", "10e", others=0, deal=5)), W)
    last = Outlook.from_view(view_at_turn(position("", "10e", others=0, deal=6, gone=gone)), W)
    assert (before.next_cards, last.next_cards) == (3, 0)
    assert before.worth(move) < last.worth(move)


def test_in_the_last_deal_a_capture_brings_what_is_left_too():
    """Nobody plays after it: the capture is the latest and brings the leftovers, among them the seven of oros."""
    move = Play(Card.parse("12e"), CardSet.of("5c"))
    known = CardSet.of("12e 5c 7o 12b 11c")
    outlook = Outlook.from_view(
        view_at_turn(position("5c 7o 12b 11c", "12e", others=0, deal=6, gone=str(FULL - known))), W
    )
    left = sum(outlook.values[card.index] for card in CardSet.of("7o 12b 11c"))
    assert outlook.worth(move) == pytest.approx(
        outlook.gain(move) - W.held * outlook.values[Card.parse("12e").index] + W.latest * left
    )


def test_in_pairs_the_partners_next_turn_counts_with_unknown_cards():
    pairs = Outlook.from_view(view_at_turn(position("5c", "12e 1c 2c", seating=Seating.PAIRS, others=3)), W)
    alone = Outlook.from_view(view_at_turn(position("5c", "12e 1c 2c", seating=Seating.FOUR, others=3)), W)
    assert (pairs.own_cards, pairs.own_known) == (3, False)
    assert (alone.own_cards, alone.own_known) == (2, True)
