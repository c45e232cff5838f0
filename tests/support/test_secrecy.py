"""Secret cards are found wherever they are, and nothing else is mistaken for one."""

from typing import Any

import pytest

from bot.cards.words.cards import oros_in, spoken
from bot.engine.cards import DECK
from bot.platform.language.catalogues import languages, words
from bot.platform.language.faces import CardFaces, Deck
from tests.support.secrecy import (
    CardFinder,
    card_names,
    default_finder,
    default_words,
    invisible_characters,
    leaked_cards,
    strings,
)

EVERYWHERE: dict[str, Any] = {
    "type": 4,
    "data": {
        "components": [
            {"type": 10, "content": "one"},
            {"type": 1, "components": [{"type": 2, "label": "two", "custom_id": "three"}]},
            {"type": 12, "items": [{"description": "four", "media": {"url": "attachment://five.png"}}]},
            {"type": 3, "placeholder": "six", "options": [{"value": "seven", "description": "eight"}]},
        ],
        "attachments": [{"id": 0, "filename": "nine.png"}],
    },
}


def test_every_string_of_a_body_is_searched():
    found = dict(strings(EVERYWHERE, ["ten.png"]))
    assert list(found.values()) == ("one two three four attachment://five.png six seven eight nine.png ten.png".split())
    assert found["data/components/1/components/0/custom_id"] == "three"
    assert found["file name"] == "ten.png"


def test_there_are_forty_cards_with_the_spellings_of_both_decks():
    assert len(default_words()) == 40
    assert default_words()["10e"] == {"10e", "f10e", "10🗡️", "J♠️"}
    assert default_words()["7o"] == {"7o", "f7o", "7🪙", "7♦️"}


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("you have 7o", {"7o"}),
        ("7O!", {"7o"}),
        ("17o 7os 7oo x7o 77o", set()),
        ("7o4c10e", {"7o", "4c", "10e"}),
        ("10e", {"10e"}),
        ("8o 9c 13e 0b", set()),
        ("table_7o.png", {"7o"}),
        ("7🪙", {"7o"}),
        ("17🪙", set()),
        ("7🪙and", {"7o"}),
        ("7🪙10🗡4c", {"7o", "10e", "4c"}),
        ("10🗡️ 10🗡", {"10e"}),
        ("7 🪙", set()),
        ("7♦️ A♥️ Q♠", {"7o", "1c", "11e"}),
        ("ANA♥️ 17♦️", set()),
        ("<:escoba_f10b_0a1b2c3d:1> <:escoba_7o_0a1b2c3d:2> <:escoba_fo_0a1b2c3d:3>", {"10b", "7o"}),
        ("", set()),
    ],
)
def test_cards_are_found_by_notation_and_emoji(text: str, cards: set[str]):
    assert default_finder().cards(text) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("7 de oros, siete de oros or the Seven of Oros", {"7o"}),
        ("el as de copas", {"1c"}),
        ("jack of spades (8), dama de corazones (9), 7 de tréboles", {"10e", "11c", "7b"}),
        ("sota de espadas", {"10e"}),
        ("tinc l’as d’oros i el rei d'espases", {"1o", "12e"}),
        ("il re di denari, il fante di picche", {"12o", "10e"}),
        ("roi de trèfle ; dame de cœur", {"12b", "11c"}),
        ("urre batekoa eta kopa 7 ditut", {"1o", "7c"}),
        ("Settebello", {"7o"}),
        ("hamar urreak: 2, dieci denari: 2, tots els oros", set()),
        ("10 of swords", {"10e"}),
        ("king of clubs; once de bastos", {"12b", "11b"}),
        ("siete_de_oros.png seven-of-cups", {"7o", "7c"}),
        ("**7** de **oros**", {"7o"}),
        ("the 4 of the cups", {"4c"}),
        ("oros 7, copas10, Rey de oros", {"7o", "10c", "12o"}),
        ("bastos sota", {"10b"}),
        ("🪙7 🏆12", {"7o", "12c"}),
        ("🗡️4", {"4e"}),
        ("🪙7🏆", {"7o", "7c"}),
        ("8 de oros, 13 of cups, 17 de oros, seventeen of oros", set()),
        ("oros 8, oros 70, 🪙8 🪙70", set()),
        ("🪙 7", set()),
        ("7🪙 10🗡️ 4🏆", {"7o", "10e", "4c"}),
        ("7🪙10🗡4c", {"7o", "10e", "4c"}),
        ("🪙 oros · 🏆 copas · 🗡️ espadas · 🪵 bastos", set()),
        ("🪵 bastos\n1 to 7 are worth their number", set()),
        ("## 🏆 Ana wins!", set()),
        ("most oros: 1, or 2 with all ten; more oros as ever; the oros one wants", set()),
    ],
)
def test_cards_are_found_by_words_and_with_the_suit_first(text: str, cards: set[str]):
    assert default_finder().cards(text) == cards


@pytest.mark.parametrize(
    "text",
    ["7**🪙**", "**7**🪙", "__7__🪙", "7||🪙||", "`7`🪙", "7\\🪙", "~~7~~o", "7*o*", "siete **de** __oros__"]
    + [f"7{between}🪙" for between in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u00a0\u2009\u3164\U000e0041\ufe0f"]
    + ["7\u200bo", "si\u200bete de oros", "7o\u200bx", "7o**x**"],
)
def test_neither_formatting_nor_invisible_characters_hide_a_card(text: str):
    assert default_finder().cards(text) == {"7o"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Round 1: the score", []),
        ("two\nlines", []),
        ("10🗡️ 🏆", []),
        ("@\u200beveryone", []),
        ("## 🧹 Round 1\u200b\u200c\u200b", ["U+200B", "U+200C", "U+200B"]),
        ("a\ufe0f", ["U+FE0F"]),
        ("🪙\ufe0e", ["U+FE0E"]),
        ("a\u00a0b\u2009c\td", ["U+00A0", "U+2009", "U+0009"]),
        ("tag\U000e0037\U000e006f", ["U+E0037", "U+E006F"]),
        ("\u3164\u2800", ["U+3164", "U+2800"]),
        ("right \u202e left", ["U+202E"]),
        ("ñ é ü ¿«»? – … · ½", []),
    ],
)
def test_invisible_characters_are_reported(text: str, found: list[str]):
    assert list(invisible_characters(text)) == found


@pytest.mark.parametrize("language", languages())
def test_every_card_of_both_decks_is_found_as_each_language_says_it(language: str):
    for deck in Deck:
        t = words(language, faces=CardFaces(deck))
        for each in DECK:
            said = spoken(each, t, deck)
            for text in (f"- {said}.", said.upper(), said.replace(" ", "_"), said.replace("’", "'"), f"« {said} »"):
                assert default_finder().cards(text) == {each.notation}, text
        assert default_finder().cards(t("Seven {of_oros}", **oros_in(t))) == {"7o"}


def test_each_card_is_found_by_each_of_its_names():
    names = card_names()
    for suit, called in names.suits.items():
        for printed, ranks in names.ranks.items():
            for name in ranks:
                for word in called:
                    assert default_finder().cards(f"- {name} of {word}.") == {f"{printed}{suit}"}


def test_other_spellings_can_be_searched():
    words = {"10o": {"sota de oros", "sota"}, "10c": {"sota"}, "7o": {"7<:oros:", "siete de oros"}}
    finder = CardFinder(words)
    assert finder.cards("La Sota de Oros") == {"10o"}
    assert finder.cards("una sota.") == {"10o", "10c"}
    assert finder.cards("7<:oros:1234> 17<:oros:1234>") == {"7o"}
    assert finder.cards("sotas, veintisiete de oros") == set()
    with pytest.raises(ValueError, match="empty spelling"):
        CardFinder({"7o": {""}})


def test_only_hidden_cards_are_leaks_and_leaks_say_where_they_are():
    body = {"data": {"components": [{"content": "7o and 4c"}, {"label": "play 4c"}]}}
    found = leaked_cards(body, {"4c", "1b"}, files=["hand_1b.png"])
    assert [(leak.card, leak.place) for leak in found] == [
        ("4c", "data/components/0/content"),
        ("4c", "data/components/1/label"),
        ("1b", "file name"),
    ]
    assert str(found[1]) == "4c in data/components/1/label: 'play 4c'"
    assert leaked_cards(body, set()) == []


def test_a_game_or_version_number_in_base_36_isnt_a_card():
    def found(custom_id: str) -> list[str]:
        return [leak.card for leak in leaked_cards({"custom_id": custom_id}, {"1c", "7o"})]

    assert found("e:hand:7o:1c") == []
    assert found("e:card:1c:1c:7o") == ["7o"]
    assert found("v:make:1c:0:0") == found("w:go:7o:1c") == []
    assert found("other:7o") == ["7o"]
    assert found("l:try:escoba:1c:0:7o") == ["7o"]
    assert found("t:fix:1c:1c") == []
    assert [leak.card for leak in leaked_cards({"content": "e:hand:7o:1c"}, {"1c"})] == ["1c"]
