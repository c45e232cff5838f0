"""What the normal level takes, lays and claims."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.engine.cards import DECK, FULL, Card, CardSet
from bot.engine.events import Laid
from bot.engine.moves import Claim, Play
from bot.engine.rules import PRESETS, Capture, Seating
from bot.players import Level, choose
from tests.players.positions import normal, play, position, view_at_turn

QUINCE, CLASICA, JUEGON = (PRESETS[name].rules for name in ("quince", "clasica", "juegon"))
FOUR_AT_MOST = [seating for seating in Seating if seating is not Seating.TRIPLE_PAIRS]


def all_but(cards: str) -> str:
    """The notation of all cards but some."""
    return str(FULL - CardSet.of(cards))


@pytest.mark.parametrize("level", Level)
def test_a_seat_without_a_move_has_nothing_to_choose(level):
    waiting = replace(view_at_turn(position("5c", "1c 2c 3c")), moves=())
    with pytest.raises(ValueError, match="no legal move"):
        choose(waiting, level, Random(0))


class TestTaking:
    @pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
    def test_an_escoba_is_taken(self, preset):
        table, card = ("5c 4e", "6b") if preset.rules.capture is Capture.FIFTEEN else ("2c 4e", "6b")
        match = position(f"{table}", f"{card} 10o 12b", rules=preset.rules, seating=preset.seatings[0])
        assert normal(match) == play(card, table)

    def test_an_escoba_is_taken_rather_than_other_cards(self):
        assert normal(position("5c 4e 1b", "5b 10o 12b")) == play("5b", "5c 4e 1b")

    @pytest.mark.parametrize("small", ["4c 3b", "4c 2b 1c"])
    def test_the_seven_of_oros_is_taken_rather_than_more_cards(self, small):
        assert normal(position(f"7o 12c {small}", "10e")) == play("10e", "7o")

    def test_the_seven_of_oros_takes_rather_than_another_seven(self):
        assert normal(position("10c 12c 11e", "7o 7c 1b")) == play("7o", "10c")

    @pytest.mark.parametrize(
        ("table", "card", "best"),
        [
            ("7c 4e 3c 12b", "10e", "7c"),
            ("6c 4b 10c 2c", "5e", "6c 4b"),
            ("6o 6c 12e 12c", "11e", "6o"),
            ("12o 12c 10e", "5e", "12o"),
        ],
        ids=["a seven", "a six", "an oro", "an oro among figures"],
    )
    def test_sevens_sixes_and_oros_are_preferred(self, table, card, best):
        assert normal(position(table, card, others=3)) == play(card, best)

    def test_more_cards_are_taken_if_nothing_else_differs(self):
        assert normal(position("12b 10c 2c", "5e", others=3)) == play("5e", "10c 2c")

    def test_cards_that_the_rules_do_not_score_are_not_preferred(self):
        """Without a prime and a point for sevens, a seven is one card and a four with a three are two."""
        plain = replace(JUEGON, most_sevens=False, four_sevens=False)
        assert normal(position("7c 4e 3c 12b", "10e", rules=plain, others=3)) == play("10e", "4e 3c")
        assert normal(position("7c 4e 3c 12b", "10e", rules=JUEGON, others=3)) == play("10e", "7c")

    def test_a_laid_card_takes_the_best_of_its_captures(self):
        match = position("5o 5c 12e 11e", "12b 1c 2c").apply(Laid(0, Card.parse("12b")))
        assert normal(match) == play("12b", "5o")


class TestLeaving:
    def test_a_small_card_is_laid_on_an_empty_table(self):
        """000: a card worth five or more that lies alone may be swept; one worth less can't be."""
        assert normal(position("", "11b 6c 3e")) == play("3e")

    @given(st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True), st.sampled_from(FOUR_AT_MOST))
    def test_no_five_or_more_is_laid_on_an_empty_table_needlessly(self, hand, seating):
        small = [card for card in hand if card.worth < 5]
        assume(small)
        assert normal(position("", " ".join(map(str, hand)), seating=seating)) in [Play(card) for card in small]

    def test_a_caballo_is_safe_when_every_six_is_seen(self):
        """000: three sixes have been played and the fourth is in one's own hand, so that nobody can sweep a caballo."""
        assert normal(position("", "11b 6c 10e", gone="6o 6e 6b")) == play("11b")
        assert normal(position("", "11b 7c 10e", gone="7o 7e 7b")) == play("10e")

    def test_an_escoba_is_not_given_away_for_certain(self):
        """In the last deal of two the unseen cards are the other hand, whose sota would sweep a 4 and a 3."""
        known = "4c 1o 3b 12b 10e 2c 2e"
        match = position("4c", "1o 3b 12b", gone=all_but(known), deal=6)
        assert view_at_turn(match).unseen == CardSet.of("10e 2c 2e")
        assert normal(match) != play("3b")

    def test_a_capture_is_left_when_it_would_give_an_escoba_away(self):
        """12c takes the five and leaves 13 to a hand of twos; it may be kept, since the other card takes nothing."""
        known = "12b 5b 3c 12c 11e 2c 2e"
        match = position("12b 5b 3c", "12c 11e", gone=all_but(known), deal=6)
        assert normal(match) == play("11e")
        harmless = position("12b 5b 3c", "12c 11e", gone=all_but("12b 5b 3c 12c 11e 1c 1e"), deal=6)
        assert normal(harmless) == play("12c", "5b")

    def test_the_less_likely_escoba_is_left(self):
        """On an empty table, with one six and all four sevens unseen, the caballo is the smaller risk."""
        assert normal(position("", "11b 10e 12e", gone="6o 6e 6b 5o")) == play("11b")

    @pytest.mark.parametrize("seating", FOUR_AT_MOST)
    def test_the_seven_of_oros_is_not_laid_where_it_can_be_taken(self, seating):
        assert normal(position("12c", "7o 2c 12e", seating=seating)) != play("7o")


class TestClaiming:
    def test_a_missed_capture_is_claimed(self):
        match = position("7o 10e 12b", "1c 11c 12c", rules=QUINCE, claimable="10e")
        assert normal(match) == Claim(CardSet.of("7o 10e"))

    def test_the_best_missed_capture_is_claimed(self):
        match = position("7o 7c 10e 12b", "2c 11c 12c", rules=QUINCE, claimable="10e")
        assert normal(match) == Claim(CardSet.of("7o 10e"))

    def test_a_missed_escoba_is_claimed(self):
        match = position("7c 10e", "1c 11c 12c", rules=QUINCE, claimable="10e")
        assert normal(match) == Claim(CardSet.of("7c 10e"))

    def test_a_capture_that_would_be_claimed_is_not_missed(self):
        """The capture leaves an escoba to a hand with one two. Missing it avoids that, unless the other claims it."""
        gone = all_but("12b 5b 3c 12c 2c")
        optional = replace(QUINCE, duty=CLASICA.duty)
        assert normal(position("12b 5b 3c", "12c", gone=gone, rules=optional, deal=6)) == play("12c")
        assert normal(position("12b 5b 3c", "12c", gone=gone, rules=QUINCE, deal=6)) == play("12c", "5b")

    def test_a_capture_is_taken_even_if_it_is_optional(self):
        assert normal(position("7o 2c", "7e 1b 12c", rules=CLASICA)) == play("7e", "7o")
