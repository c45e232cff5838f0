"""Decks and first dealers come from the operating system's random source."""

from bot.engine.cards import FULL, CardSet
from bot.tables.options import SystemChance


def test_the_first_dealer_is_any_seat() -> None:
    chance = SystemChance()
    assert {chance.dealer(1, 4) for _ in range(500)} == {0, 1, 2, 3}


def test_a_deck_is_the_forty_cards_in_an_order_of_its_own() -> None:
    chance = SystemChance()
    first, second = chance.deck(1, 1), chance.deck(1, 1)
    assert len(first) == 40
    assert CardSet.of(first) == CardSet.of(second) == FULL
    assert first != second
