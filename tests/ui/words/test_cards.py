"""Captures in labels beside a picture: as sums, with a suit's name only where ranks alone would be ambiguous."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, CardSet
from bot.ui.words.cards import ranks
from bot.ui.words.faces import CardFaces, Deck
from bot.ui.words.texts import words

TABLE = CardSet.of("1o 1b 2c 6b 12e")
FRENCH = CardFaces(Deck.FRENCH)


def test_a_capture_is_a_sum_of_ranks():
    assert ranks(CardSet.of("2c 6b"), TABLE, words("en")) == "2 + 6"
    assert ranks(CardSet.of("1o 1b 12e"), TABLE, words("es")) == "1 + 1 + 12"
    assert ranks(CardSet.of("2c 12e"), TABLE, words("en", faces=FRENCH)) == "2 + K"


def test_the_suit_is_named_where_another_card_of_the_rank_stays_on_the_table():
    assert ranks(CardSet.of("1o 6b"), TABLE, words("en")) == "1 oros + 6"
    assert ranks(CardSet.of("1b 6b"), TABLE, words("en", faces=FRENCH)) == "A clubs + 6"


@given(
    table=st.sets(st.sampled_from(DECK), min_size=2, max_size=12), picks=st.lists(st.randoms(), min_size=2, max_size=2)
)
def test_no_two_captures_of_a_table_have_the_same_label(table: set, picks: list):
    one, other = (CardSet.of(rng.sample(sorted(table), rng.randint(1, len(table)))) for rng in picks)
    whole, t = CardSet.of(table), words("en")
    assert (ranks(one, whole, t) == ranks(other, whole, t)) == (one == other)
