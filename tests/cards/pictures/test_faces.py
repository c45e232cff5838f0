"""The application's emojis on buttons and in texts, as Discord accepts them."""

from bot.cards.pictures.emojis import Uploaded, card_emojis, faces_of
from bot.cards.words.cards import face, on_button
from bot.engine.cards import DECK
from bot.engine.views import seat_view
from bot.platform.drawing.scenes import Picture
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import Deck
from bot.platform.layout import Either, box_of, button, menu, option, picture_of, row
from bot.tables.pictures.result import ResultScene
from bot.tables.screens.panel import panel_layout
from tests.support.engine import position
from tests.support.layouts import body_of, troubles, view_of
from tests.support.limits import problems
from tests.support.limits_components import BUTTON, walk
from tests.support.secrecy import default_finder, invisible_characters

FACES = faces_of(
    Deck.SPANISH,
    [Uploaded(each.deck, each.key, each.name, 10**18 + n, each.digest) for n, each in enumerate(card_emojis())],
)
T = words("en", faces=FACES)


def test_an_emoji_of_the_application_goes_to_buttons_and_menus_by_its_id() -> None:
    assert button("e:hand:1:1", "7", emoji="<:oros:42>")["emoji"] == {"name": "oros", "id": "42"}
    assert button("e:hand:1:1", "7", emoji="🔄")["emoji"] == {"name": "🔄"}
    assert option("7", "7o", chosen=False, emoji="<:oros:42>")["emoji"]["id"] == "42"
    assert "emoji" not in option("7", "7o", chosen=False)
    assert row(menu("e:pick:1:1", [option("7", "7o", chosen=False)]))


def test_a_panel_shows_suits_beside_the_index_that_stays_in_the_label() -> None:
    match = position(["7o 10e", "2c"], "5e 3c")
    layout = panel_layout(view_of(match), seat_view(match, 0), Display(T))
    buttons = {node["custom_id"]: node for _, node in walk(layout.to_components()) if node.get("type") == BUTTON}
    seven = next(node for custom_id, node in buttons.items() if custom_id.endswith(":7o"))
    assert seven["label"].startswith("7 · ")
    assert f"<:{seven['emoji']['name']}:{seven['emoji']['id']}>" == FACES.emojis["o"]
    sota = next(node for custom_id, node in buttons.items() if custom_id.endswith(":10e"))
    assert sota["label"].startswith("sota (8) · ")
    assert troubles(layout) == []


def test_the_search_for_leaks_reads_the_emojis_too() -> None:
    for key, emoji in FACES.emojis.items():
        found = default_finder().cards(emoji)
        assert found == ({key} if len(key) > 1 else set())
    text = f"{words('en')('Total')} 7\u2060🪙"
    assert default_finder().cards(text) == {"7o"}
    assert not invisible_characters(text)
    assert invisible_characters("a\u2060b") == ("U+2060",)


def test_a_picture_with_its_alt_text_is_a_gallery_that_discord_accepts() -> None:
    name = "0123456789abcdef.png"
    scene = ResultScene(Deck.SPANISH, (("Ana",), ("Bea",)), 0, 21, ((0, 21), (0, 3)))
    layout = box_of(None, Either("in words", picture_of("x" * 1024)), scene=scene)
    body = body_of(layout.with_picture(Picture(b"", name, b""))) | {"attachments": [{"id": 0}]}
    assert problems("POST", "/channels/1/messages", body, [name]) == []
    assert problems("POST", "/channels/1/messages", body | {"attachments": []}, []) != []
    assert "in words" in str(body_of(layout))
    assert "in words" not in str(body)
    assert body_of(layout) == body_of(layout.with_picture(Picture(b"", name, b"")).without_picture)


def test_a_button_without_emojis_says_index_and_suit() -> None:
    plain = words("en")
    assert [on_button(card, plain) for card in DECK if card.rank.value < 8] == [
        (face(card, plain), None) for card in DECK if card.rank.value < 8
    ]
