"""Secret cards are found wherever they are, and nothing else is taken for one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.secrecy import CardFinder, default_finder, default_words, leaked_cards, strings

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


def test_every_string_of_a_body_is_looked_at():
    found = dict(strings(EVERYWHERE, ["ten.png"]))
    assert list(found.values()) == ("one two three four attachment://five.png six seven eight nine.png ten.png".split())
    assert found["data/components/1/components/0/custom_id"] == "three"
    assert found["file name"] == "ten.png"


def test_there_are_forty_cards_with_two_spellings_each():
    assert len(default_words()) == 40
    assert default_words()["10e"] == {"10e", "10🗡️"}


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
        ("", set()),
    ],
)
def test_cards_are_found_by_notation_and_emoji(text: str, cards: set[str]):
    assert default_finder().cards(text) == cards


def test_other_spellings_can_be_searched_for():
    words = {"10o": {"sota de oros", "sota"}, "10c": {"sota"}, "7o": {"7<:oros:", "siete de oros"}}
    finder = CardFinder(words)
    assert finder.cards("La Sota de Oros") == {"10o"}
    assert finder.cards("una sota.") == {"10o", "10c"}
    assert finder.cards("7<:oros:1234> 17<:oros:1234>") == {"7o"}
    assert finder.cards("sotas, veintisiete de oros") == set()
    with pytest.raises(ValueError, match="empty spelling"):
        CardFinder({"7o": {""}})


def test_only_hidden_cards_are_leaks_and_say_where_they_are():
    body = {"data": {"components": [{"content": "7o and 4c"}, {"label": "play 4c"}]}}
    found = leaked_cards(body, {"4c", "1b"}, files=["hand_1b.png"])
    assert [(leak.card, leak.place) for leak in found] == [
        ("4c", "data/components/0/content"),
        ("4c", "data/components/1/label"),
        ("1b", "file name"),
    ]
    assert str(found[1]) == "4c in data/components/1/label: 'play 4c'"
    assert leaked_cards(body, set()) == []


def test_a_game_or_version_number_in_base_36_is_no_card():
    def found(custom_id: str) -> list[str]:
        return [leak.card for leak in leaked_cards({"custom_id": custom_id}, {"1c", "7o"})]

    assert found("e:hand:7o:1c") == []
    assert found("e:play:1c:1c:7o") == ["7o"]
    assert found("other:7o") == ["7o"]
    assert [leak.card for leak in leaked_cards({"content": "e:hand:7o:1c"}, {"1c"})] == ["1c"]
