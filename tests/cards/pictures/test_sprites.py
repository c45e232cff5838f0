"""Cards drawn once, and then scaled and framed, look like cards drawn for each purpose."""

from itertools import product

import pytest
from PIL import Image, ImageFilter, ImageStat

from bot.cards.pictures.deck.decks import Cut, face_drawing
from bot.cards.pictures.deck.ink import HEIGHT, WIDTH, block, page, placed
from bot.cards.pictures.sprites import (
    CARD_WIDTH,
    FACE_WIDTHS,
    GOLD,
    SMALL_WIDTH,
    TABLE_WIDTH,
    drawn_once,
    face,
    framed,
    palette,
    text,
)
from bot.engine.cards import DECK, Card
from bot.platform.language.faces import Deck
from tests.cards.pictures.test_deck import difference

every_deck = pytest.mark.parametrize("deck", Deck)
CARDS = (DECK[0], DECK[17], DECK[26], DECK[39])


def seen(image: Image.Image) -> Image.Image:
    """A sprite's image in its colours."""
    coloured = image.copy()
    coloured.putpalette(palette().getpalette() or [])
    return coloured.convert("RGB")


def drawn(deck: Deck, card: Card, width: int) -> Image.Image:
    """A card as drawn from vectors for that width."""
    return seen(drawn_once(face_drawing(deck, card, Cut.SMALL), width).image)


def sharpness(image: Image.Image) -> float:
    """How strong the edges in a picture are."""
    return ImageStat.Stat(image.convert("L").filter(ImageFilter.FIND_EDGES)).mean[0]


@every_deck
def test_a_card_in_a_hand_is_exactly_as_drawn(deck: Deck) -> None:
    for card in CARDS:
        sprite, whole = face(deck, card), drawn_once(face_drawing(deck, card, Cut.SMALL), CARD_WIDTH)
        assert sprite.image.tobytes() == whole.image.tobytes()
        assert sprite.mask.tobytes() == whole.mask.tobytes()


def test_sprites_have_no_palettes_of_their_own() -> None:
    for sprite in (face(Deck.SPANISH, CARDS[0]), framed(Deck.SPANISH, CARDS[0], TABLE_WIDTH, 3), text("15", 30)):
        assert sprite.image.palette is None


@every_deck
@pytest.mark.parametrize("width", [TABLE_WIDTH, SMALL_WIDTH])
def test_a_smaller_card_is_as_sharp_as_if_it_were_drawn_that_small(deck: Deck, width: int) -> None:
    for card in CARDS:
        scaled, whole = seen(face(deck, card, width).image), drawn(deck, card, width)
        assert scaled.size == whole.size
        assert difference(scaled, whole) < 10
        assert sharpness(scaled) > 0.95 * sharpness(whole)


@every_deck
def test_a_framed_card_looks_as_if_it_were_drawn_in_one_piece_with_its_frame(deck: Deck) -> None:
    frame = 5
    for card, width in product(CARDS, (CARD_WIDTH, TABLE_WIDTH)):
        edge = frame * WIDTH / width
        wide, high = WIDTH + 2 * edge, HEIGHT + 2 * edge
        golden = block(0, 0, wide, high, GOLD, radius=edge * 2.6, outline=0)
        inside = placed(face_drawing(deck, card, Cut.SMALL), edge, edge)
        whole = drawn_once(page(golden + inside, wide, high), width + 2 * frame)
        made = framed(deck, card, width, frame)
        assert made.image.size == whole.image.size
        assert difference(seen(made.image), seen(whole.image)) < (2 if width == CARD_WIDTH else 10)
        assert made.mask.tobytes() == whole.mask.tobytes()


@every_deck
def test_faces_keep_apart_what_is_on_the_card_and_the_rounded_corners(deck: Deck) -> None:
    for card, width in product(CARDS, FACE_WIDTHS):
        mask = face(deck, card, width).mask
        assert mask.size == face(deck, card, width).image.size
        assert [mask.getpixel(at) for at in ((0, 0), (width - 1, 0), (0, mask.height - 1))] == [0, 0, 0]
        assert mask.crop((2, 8, width - 2, mask.height - 8)).getextrema() == (255, 255)
