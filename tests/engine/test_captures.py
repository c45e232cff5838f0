"""What a card captures from the table (000 "Captura", 001 §3, 002 §8 and §12, 003)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, EMPTY, CardSet
from bot.engine.moves import can_capture, captures, is_capture, target
from bot.engine.rules import Capture
from tests.engine import referee
from tests.support.engine import QUICK, any_card, any_table, card, cards

FIFTEEN, MATCH = Capture.FIFTEEN, Capture.MATCH
ACE_WITH_324 = cards("1c 1e 1b 2o 2c 2e 5o 5c 6o 6c 6e 6b 7o 7c 7e 7b 11o 11c 11e 11b")
both_rules = pytest.mark.parametrize("rule", Capture)


def taken(rule: Capture, one: str, table: str) -> set[str]:
    return {str(group) for group in captures(rule, card(one), cards(table))}


def test_a_four_takes_four_and_seven_or_ace_three_and_seven():
    assert taken(FIFTEEN, "4b", "1o 3c 4e 7b") == {"4e 7b", "1o 3c 7b"}


def test_a_five_takes_the_king_or_four_ace_and_five():
    assert taken(FIFTEEN, "5o", "4c 1e 12b 5c") == {"12b", "1e 4c 5c"}


def test_figures_count_eight_nine_and_ten():
    assert taken(FIFTEEN, "10o", "7c") == {"7c"}
    assert taken(FIFTEEN, "11o", "6c") == {"6c"}
    assert taken(FIFTEEN, "12o", "5c") == {"5c"}


def test_a_seven_takes_one_sota_and_another_sota_is_another_capture():
    assert taken(FIFTEEN, "7o", "10o 10e") == {"10o", "10e"}


def test_a_card_that_makes_no_fifteen_takes_nothing():
    assert taken(FIFTEEN, "2o", "1o 5c 6e") == set()
    assert taken(FIFTEEN, "2o", "12c 11e") == set()
    assert taken(FIFTEEN, "7c", "") == set()


def test_a_fifteen_without_the_played_card_is_not_a_capture():
    assert taken(FIFTEEN, "1o", "7c 10c") == set()
    assert not is_capture(FIFTEEN, card("1o"), cards("7c 10c"))


def test_in_match_a_card_takes_an_equal_card_or_a_group_of_the_same_sum():
    assert taken(MATCH, "7o", "7c 3e 4b 5o 2o") == {"7c", "3e 4b", "2o 5o"}


def test_in_match_the_equal_card_is_not_preferred_and_neither_is_the_group():
    groups = captures(MATCH, card("6o"), cards("6c 2e 4b"))
    assert set(groups) == {cards("6c"), cards("2e 4b")}


def test_in_match_several_equal_cards_are_never_taken_at_once():
    assert taken(MATCH, "4o", "4c 4e 4b") == {"4c", "4e", "4b"}
    assert not is_capture(MATCH, card("4o"), cards("4c 4e"))


def test_in_match_an_equal_card_and_a_group_are_not_taken_together():
    assert not is_capture(MATCH, card("6o"), cards("6c 2e 4b"))


def test_in_match_figures_match_figures_of_the_same_rank_only():
    assert taken(MATCH, "12o", "10c 11c 12c") == {"12c"}
    assert taken(MATCH, "10o", "1c 7c 10b 12b") == {"1c 7c", "10b"}


def test_one_ace_on_a_table_of_twenty_cards_can_have_324_captures():
    assert len(ACE_WITH_324) == 20
    groups = captures(FIFTEEN, card("1o"), ACE_WITH_324)
    assert len(groups) == len(set(groups)) == 324
    assert {frozenset(str(group).split()) for group in groups} == referee.takes(
        "fifteen", "1o", str(ACE_WITH_324).split()
    )


def test_captures_come_smallest_first_and_always_in_the_same_order():
    groups = captures(FIFTEEN, card("1o"), ACE_WITH_324)
    assert [len(group) for group in groups] == sorted(len(group) for group in groups)
    assert groups == captures(FIFTEEN, card("1o"), CardSet(ACE_WITH_324.mask))


@both_rules
@QUICK
@given(any_card, any_table)
def test_the_captures_are_exactly_the_subsets_of_the_right_sum(rule, one, table):
    table = table.without(one)
    groups = captures(rule, one, table)
    assert len(set(groups)) == len(groups)
    found = {frozenset(str(group).split()) for group in groups}
    assert found == referee.takes_by_subsets(rule.value, str(one), str(table).split())


@both_rules
def test_the_captures_on_large_tables_are_those_found_card_by_card(rule):
    rng = Random("large tables")
    for size in range(13, 21):
        for _ in range(4):
            one, *table = rng.sample(DECK, size + 1)
            found = {frozenset(str(group).split()) for group in captures(rule, one, CardSet.of(table))}
            assert found == referee.takes(rule.value, str(one), map(str, table))


@both_rules
@QUICK
@given(any_card, any_table)
def test_a_card_can_capture_if_it_has_a_capture(rule, one, table):
    table = table.without(one)
    assert can_capture(rule, one, table) == bool(captures(rule, one, table))


@both_rules
@QUICK
@given(any_card, any_table, st.integers(0, 2**40 - 1))
def test_a_group_of_the_table_is_a_capture_if_it_is_listed(rule, one, table, mask):
    table = table.without(one)
    group = CardSet(mask) & table
    listed = captures(rule, one, table)
    assert is_capture(rule, one, group) == (group in listed)
    assert all(is_capture(rule, one, each) for each in listed)


@both_rules
def test_an_empty_group_is_never_a_capture(rule):
    assert not any(is_capture(rule, one, EMPTY) for one in DECK)


@both_rules
def test_each_card_captures_cards_that_add_up_to_its_target(rule):
    sums = [target(rule, one.worth) for one in DECK]
    assert sums == [15 - one.worth if rule is FIFTEEN else one.worth for one in DECK]
