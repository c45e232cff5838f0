"""The forty cards, their worth and notation, and sets of them."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, EMPTY, FULL, Card, CardSet, Rank, Suit
from bot.engine.cards import card as card_of
from bot.engine.errors import NotationError
from tests.support.engine import QUICK, any_card, any_cards, card, cards


def test_the_deck_has_forty_cards_ten_of_each_of_four_suits():
    assert len(set(DECK)) == 40
    assert all(len(FULL.of_suit(suit)) == 10 for suit in Suit)
    assert all(len(FULL.of_rank(rank)) == 4 for rank in Rank)


def test_the_ace_to_the_seven_are_worth_their_index_and_the_figures_eight_nine_and_ten():
    worth = {str(one): one.worth for one in DECK if one.suit is Suit.OROS}
    assert worth == {"1o": 1, "2o": 2, "3o": 3, "4o": 4, "5o": 5, "6o": 6, "7o": 7, "10o": 8, "11o": 9, "12o": 10}


def test_sota_caballo_and_rey_are_printed_ten_eleven_and_twelve():
    assert [rank.printed for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
    assert card("10e").rank is Rank.SOTA
    assert card("11c").rank is Rank.CABALLO
    assert card("12b").rank is Rank.REY


def test_the_whole_deck_is_worth_220_ten_more_than_a_multiple_of_fifteen():
    assert FULL.worth == 220 == 14 * 15 + 10


@pytest.mark.parametrize("suit", Suit)
def test_a_suit_is_written_by_its_initial(suit):
    assert suit.letter == suit.name[0].lower()


@given(any_card)
def test_a_card_is_the_one_its_notation_names(one):
    assert Card.parse(str(one)) is one
    assert card_of(one.rank, one.suit) is one
    assert str(one) == f"{one.printed}{one.suit.letter}"
    assert DECK[one.index] is one


@pytest.mark.parametrize("text", ["", "o", "7", "0o", "8o", "9c", "13b", "7x", "o7", "7O", " 7o", "7o ", "07o", "7ó"])
def test_text_that_does_not_name_a_card_is_refused(text):
    with pytest.raises(NotationError):
        Card.parse(text)


def test_a_copied_or_pickled_card_is_the_same_card():
    assert all(copy.deepcopy(one) is one and pickle.loads(pickle.dumps(one)) is one for one in DECK)  # noqa: S301 - ours
    assert pickle.loads(pickle.dumps(FULL)) == FULL  # noqa: S301 - ours


def test_cards_are_ordered_by_worth_then_suit():
    assert sorted(FULL) == list(DECK)
    assert card("7b") < card("10o") < card("10c") <= card("10c") < card("12o")


def test_a_set_lists_its_cards_by_worth_then_suit():
    assert str(cards("12b 1c 7e 7o 1o")) == "1o 1c 7o 7e 12b"


def test_a_set_is_what_its_notation_says_and_worth_its_cards():
    some = cards("7o 1c 10e")
    assert list(some) == [card("1c"), card("7o"), card("10e")]
    assert some.worth == 7 + 1 + 8
    assert CardSet.of(some) == some
    assert CardSet.of([card("7o"), card("7o")]) == cards("7o")


def test_an_empty_set_is_false_and_worth_nothing():
    assert not EMPTY
    assert cards() == cards("  ") == EMPTY
    assert (len(EMPTY), EMPTY.worth, str(EMPTY)) == (0, 0, "")
    assert FULL


def test_a_set_with_a_wrong_word_is_refused():
    with pytest.raises(NotationError):
        cards("7o 8o")


@QUICK
@given(any_cards, any_cards)
def test_the_algebra_of_sets_is_that_of_pythons_sets(left, right):
    a, b = frozenset(left), frozenset(right)
    assert frozenset(left | right) == a | b
    assert frozenset(left & right) == a & b
    assert frozenset(left - right) == a - b
    assert frozenset(left ^ right) == a ^ b
    assert (left <= right) == (a <= b)
    assert (left < right) == (a < b)
    assert (left >= right) == (a >= b)
    assert (left > right) == (a > b)
    assert (left == right) == (a == b)
    assert left.isdisjoint(right) == a.isdisjoint(b)
    assert len(left) == len(a)
    assert bool(left) == bool(a)


@QUICK
@given(any_cards, any_cards)
def test_the_operators_accept_pythons_sets_on_either_side(left, right):
    plain = frozenset(right)
    assert left | plain == left | right
    assert left & plain == left & right
    assert left - plain == left - right
    assert left ^ plain == left ^ right
    assert plain | left == left | right
    assert plain & left == left & right
    assert plain - left == right - left
    assert plain ^ left == left ^ right
    assert (left <= plain) == (left <= right)


@QUICK
@given(any_cards, any_card)
def test_a_set_with_or_without_a_card(some, one):
    assert set(some.with_card(one)) == {*some, one}
    assert set(some.without(one)) == set(some) - {one}
    assert one in some.with_card(one)
    assert one not in some.without(one)
    assert str(one) not in some


@QUICK
@given(any_cards)
def test_equal_sets_hash_alike_and_are_read_back_from_their_notation(some):
    again = CardSet.of(str(some))
    assert again == some
    assert hash(again) == hash(some)
    assert repr(some) == f"CardSet({some})"
    assert some.worth == sum(one.worth for one in some)


@QUICK
@given(any_cards, st.sampled_from(Suit), st.sampled_from(Rank))
def test_the_cards_of_a_suit_and_of_a_rank(some, suit, rank):
    assert set(some.of_suit(suit)) == {one for one in some if one.suit is suit}
    assert set(some.of_rank(rank)) == {one for one in some if one.rank is rank}
