"""Cards keep their places for as long as they are on the table."""

from random import Random

import pytest
from hypothesis import given

from bot.engine.cards import CardSet
from bot.engine.match import Match
from bot.engine.moves import placed
from bot.engine.rules import Seating
from tests.support.engine import QUICK, any_table, cards, every_preset_and_seating, random_events


def test_a_card_that_stays_keeps_its_place_and_a_new_one_fills_a_gap():
    places = placed((), cards("1o 3c 7c"))
    assert [str(card) for card in places] == ["1o", "3c", "7c"]
    places = placed(places, cards("1o 7c"))
    assert [str(card) for card in places] == ["1o", "None", "7c"]
    places = placed(places, cards("1o 7c 5b 6b"))
    assert [str(card) for card in places] == ["1o", "5b", "7c", "6b"]
    assert placed(places, cards("5b")) == (None, *cards("5b"))
    assert placed(places, cards()) == ()


@QUICK
@given(any_table, any_table)
def test_whatever_changes_each_card_has_one_place_and_none_moves(before: CardSet, after: CardSet):
    places = placed((), before)
    now = placed(places, after)
    held = [card for card in now if card is not None]
    assert sorted(held) == sorted(after)
    assert all(now[places.index(card)] is card for card in before & after)


@every_preset_and_seating
def test_the_places_of_a_round_hold_its_table(preset: str, seating: Seating):
    last: Match | None = None
    for _, match in random_events(preset, seating, Random(1), target=5):
        table = CardSet() if match.round is None else match.round.table
        assert CardSet.of(card for card in match.places if card is not None) == table
        if last is not None and last.scores == match.scores and last.round_number == match.round_number:
            stayed = [card for card in last.places if card is not None and card in table]
            assert all(match.places[last.places.index(card)] is card for card in stayed)
        last = match


@pytest.mark.parametrize("order", ["7c 1o 3c", "3c 7c 1o"])
def test_the_first_cards_lie_in_deck_order(order: str):
    assert placed((), cards(order)) == tuple(cards(order))
