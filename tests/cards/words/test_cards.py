"""Captures in labels beside a picture: as sums, with a suit's name only where ranks alone would be ambiguous."""

from hypothesis import given
from hypothesis import strategies as st

from bot.cards.words.cards import ranks, sum_of
from bot.engine.cards import DECK, CardSet
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck

TABLE = CardSet.of("1o 1b 2c 6b 12e")
FRENCH = CardFaces(Deck.FRENCH)


def test_a_capture_is_a_sum_of_ranks():
    assert ranks(CardSet.of("2c 6b"), TABLE, words("en")) == "2 + 6"
    assert ranks(CardSet.of("1o 1b 12e"), TABLE, words("es")) == "1 + 1 + rey (10)"
    assert ranks(CardSet.of("2c 12e"), TABLE, words("en", faces=FRENCH)) == "2 + king (10)"


def test_the_suit_is_named_where_another_card_of_the_rank_stays_on_the_table():
    assert ranks(CardSet.of("1o 6b"), TABLE, words("en")) == "1 of oros + 6"
    assert ranks(CardSet.of("1b 6b"), TABLE, words("en", faces=FRENCH)) == "ace of clubs (1) + 6"


def test_where_there_is_little_room_that_suit_is_an_emoji():
    table = TABLE | CardSet.of("12o")
    assert ranks(CardSet.of("1o 6b"), table, words("en"), brief=True) == "1🪙 + 6"
    assert ranks(CardSet.of("12e"), table, words("en", faces=FRENCH), brief=True) == "king ♠️ (10)"


def test_a_sum_says_what_each_figure_is_worth():
    assert sum_of([*CardSet.of("4b 10e")], 15, words("en")) == "4 + sota (8) = **12**, not 15"
    assert sum_of([*CardSet.of("7b 10e")], 15, words("en")) == "7 + sota (8) = **15** ✓"
    assert sum_of([*CardSet.of("1b 12e")], None, words("en", faces=FRENCH)) == "ace (1) + king (10) = **11**"


@given(
    table=st.sets(st.sampled_from(DECK), min_size=2, max_size=12), picks=st.lists(st.randoms(), min_size=2, max_size=2)
)
def test_no_two_captures_of_a_table_have_the_same_label(table: set, picks: list):
    one, other = (CardSet.of(rng.sample(sorted(table), rng.randint(1, len(table)))) for rng in picks)
    whole, t = CardSet.of(table), words("en")
    for brief in (False, True):
        labels = (ranks(each, whole, t, brief=brief) for each in (one, other))
        assert (next(labels) == next(labels)) == (one == other)
