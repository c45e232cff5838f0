"""`/escoba rules` explains every switch, with an example where one helps."""

from dataclasses import replace

import pytest

from bot.cards.words.items import canto_name
from bot.engine.cards import Canto
from bot.engine.rules import PRESETS, Prime, Rules
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.tables.screens.guide import guide_layout
from tests.support.layouts import every_language, troubles, words_of

EN = words("en")
USUAL = Rules()


def said(rules: Rules, preset: str = "escoba") -> str:
    """The text about these rules, in English."""
    return words_of(guide_layout(preset, rules, EN))


@pytest.mark.parametrize(
    ("rules", "explained"),
    [
        (replace(USUAL, prime=Prime.SUITS), "7, 7, 6 and a face card make 70"),
        (replace(USUAL, prime=Prime.SEVENS), "2 sevens and 3 sixes beat 2 sevens and 1 six"),
        (replace(USUAL, lead=2), "at 21 to 20 another round is played"),
        (replace(USUAL, cantos=True), "Nobody has to sing"),
        (replace(USUAL, hand=9), "scopone, 9 cards each at once, and 4 face up on the table"),
        (USUAL, "Five players get 3 cards and then 4, with 5 on the table"),
        (USUAL, "45 counts as three"),
        (USUAL, "six as three pairs or three against three"),
    ],
)
def test_a_switch_is_explained_where_it_is_played_and_nowhere_else(rules: Rules, explained: str):
    assert explained in said(rules)
    other = PRESETS["cientifica"].rules if rules is USUAL else USUAL
    assert explained not in said(other, "cientifica" if rules is USUAL else "escoba")


def test_chorizo_says_what_each_canto_is_and_brings():
    text = said(PRESETS["chorizo"].rules, "chorizo")
    for canto in Canto:
        assert f"*{canto_name(canto)}*: " in text
        assert f"**{canto.points}**" in text
    assert "are escalera + flor + tres de nueve, 9 points" in text
    assert "to **31** points" in text


@every_language
@pytest.mark.parametrize("preset", PRESETS)
def test_the_longest_rules_fit_in_a_message(t: Words, preset: str):
    rules = replace(
        PRESETS[preset].rules,
        most_sevens=True,
        many_cards=True,
        all_oros=True,
        four_sevens=True,
        cantos=True,
        lead=2,
        prime=Prime.SUITS,
    )
    assert troubles(guide_layout(preset, rules, t)) == []
