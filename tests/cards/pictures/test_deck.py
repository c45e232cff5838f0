"""The drawn cards: all different, readable when small, and with suits distinguishable without colour."""

from functools import cache
from io import BytesIO
from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops, ImageOps

from bot.cards.pictures.deck import spanish
from bot.cards.pictures.deck.decks import Cut, back_drawing, emoji_drawing, face_drawing
from bot.cards.pictures.deck.ink import page
from bot.cards.pictures.deck.signs import can_write, writing
from bot.engine.cards import DECK, Rank, Suit, card
from bot.platform.drawing.png import png_of
from bot.platform.language.catalogues import languages
from bot.platform.language.faces import Deck
from bot.platform.people import ACCENTS, LETTERS, SIGNS
from tests.support.dose import thorough_but
from tests.support.languages import everything_said

every_deck = pytest.mark.parametrize("deck", Deck)
every_cut = pytest.mark.parametrize("cut", Cut)
every_deck_in_ci = pytest.mark.parametrize("deck", thorough_but(Deck, Deck.SPANISH))
BREAKS = {Suit.OROS: 0, Suit.COPAS: 1, Suit.ESPADAS: 2, Suit.BASTOS: 3}


def pixels(drawing: str, width: int, mode: str = "RGB") -> Image.Image:
    """An image of a drawing on white."""
    return on_white(drawing, width).convert(mode)


@cache
def on_white(drawing: str, width: int) -> Image.Image:
    drawn = Image.open(BytesIO(png_of(drawing, width))).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn)


def black(image: Image.Image, below: int) -> Image.Image:
    """The image with whatever is darker than a level in black, and the rest in white."""
    return image.point([0 if level < below else 255 for level in range(256)])


def difference(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ: the mean over their pixels, from 0 to 255."""
    histogram = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    return sum(level * count for level, count in enumerate(histogram)) / sum(histogram)


@pytest.mark.parametrize("suit", Suit)
def test_the_frame_has_the_breaks_of_its_suits_pinta_on_its_short_sides(suit: Suit) -> None:
    drawn = pixels(face_drawing(Deck.SPANISH, card(Rank.TWO, suit), Cut.FULL), 400, "L")
    for y in (20, drawn.height - 20):  # the frame's lines, at twice the drawing's scale
        dark = [drawn.getpixel((x, y)) < 128 for x in range(44, 357)]  # type: ignore[operator]
        breaks = sum(before and not now for before, now in pairwise(dark))
        assert breaks == BREAKS[suit]
    assert spanish.PINTA == BREAKS


@every_deck
@pytest.mark.parametrize("cut", thorough_but(Cut, Cut.SMALL))
def test_all_forty_cards_look_different(deck: Deck, cut: Cut) -> None:
    images = [pixels(face_drawing(deck, each, cut), 56) for each in DECK]
    closest = min(difference(one, other) for one, other in combinations(images, 2))
    assert closest > 2.5


@every_deck
@pytest.mark.parametrize("rank", Rank)
def test_suits_can_be_distinguished_without_colours(deck: Deck, rank: Rank) -> None:
    images = [black(pixels(face_drawing(deck, card(rank, suit), Cut.SMALL), 56, "L"), 111) for suit in Suit]
    assert min(difference(one, other) for one, other in combinations(images, 2)) > 3


@every_deck
@every_cut
def test_a_card_is_drawn_without_a_font(deck: Deck, cut: Cut) -> None:
    for each in DECK:
        assert "<text" not in face_drawing(deck, each, cut)
        assert "font" not in face_drawing(deck, each, cut)


@every_deck
def test_the_index_is_at_least_twenty_pixels_high_at_a_fifth_of_a_phones_picture(deck: Deck) -> None:
    for each in DECK:
        drawn = pixels(face_drawing(deck, each, Cut.SMALL), 56, "L")
        box = ImageOps.invert(black(drawn.crop((6, 6, 17, 40)), 140)).getbbox()
        assert box is not None
        assert box[3] - box[1] >= 19  # the outermost row of pixels is half covered


@every_deck
def test_the_corner_that_overlapped_cards_leave_of_one_shows_its_number_and_its_suit(deck: Deck) -> None:
    slivers = [pixels(face_drawing(deck, each, Cut.SMALL), 80, "L").crop((5, 8, 25, 48)) for each in DECK]
    assert min(difference(one, other) for one, other in combinations(slivers, 2)) > 5


@every_cut
@pytest.mark.parametrize("suit", [Suit.ESPADAS, Suit.BASTOS])
def test_swords_and_clubs_can_be_counted_at_forty_pixels(suit: Suit, cut: Cut) -> None:
    images = [
        pixels(face_drawing(Deck.SPANISH, card(rank, suit), cut), 40, "L")
        for rank in (Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN)
    ]
    for image in images:
        image.paste(255, (0, 0, 14, 35))  # the index
    assert min(difference(one, other) for one, other in combinations(images, 2)) > 9


@every_deck_in_ci
def test_the_index_is_printed_in_two_corners(deck: Deck) -> None:
    for each in DECK:
        drawn = pixels(face_drawing(deck, each, Cut.FULL), 100, "L")
        corner = drawn.crop((7, 9, 17, 30))
        opposite = drawn.rotate(180).crop((7, 9, 17, 30))
        assert difference(corner, opposite) < 25, each


@every_deck_in_ci
def test_a_back_reveals_nothing_and_looks_the_same_from_both_ends(deck: Deck) -> None:
    back = pixels(back_drawing(deck), 100)
    assert difference(back, back.rotate(180)) < 6  # except for the sun's face
    assert min(difference(back, pixels(face_drawing(deck, each, Cut.FULL), 100)) for each in DECK) > 20


@every_deck
def test_emojis_are_square_and_all_different(deck: Deck) -> None:
    images = [pixels(emoji_drawing(deck, what), 44) for what in (*Suit, *DECK)]
    assert {image.size for image in images} == {(44, 44)}
    assert min(difference(one, other) for one, other in combinations(images, 2)) > 2


ALPHABETS = {
    "Latin": "¡Escoba! Íñigo Núñez, Çelik & Åsa Žižka 0123456789 Łukasz Øystein Đorđe Æbelø Œuvre Ağa Ęwa Erdős Țepeș",
    "Vietnamese": "Nguyễn Văn Ẩn Đặng Thị Hồng Phượng Cường",
    "Greek": "Γιώργος Ξένια Ψάλτη Φωτεινή Θάλεια Σωκράτης Δέσποινα Λυδία Πόπη Ϊων",
    "Cyrillic": "Щукин Объедков Ёлка Жанна Цыган Чудь Эмма Юля Яна Їжак Ґудзь Ўлад Ђорђе Љ Њ Ћ Џ Әлия Ғани Қ Ңұрү Һө",
    "marks": "".join(map(chr, range(0x20, 0x7F))) + "¿¡’…–—º´`",
}


@pytest.mark.parametrize("text", [*ALPHABETS.values(), *map(chr, range(0x100, 0x180))])
def test_three_alphabets_and_the_whole_of_latin_extended_a_are_drawn(text: str) -> None:
    assert can_write(text)
    assert not can_write("日本")


@pytest.mark.parametrize("language", languages()[1:])
def test_every_letter_of_the_bots_languages_is_drawn(language: str) -> None:
    letters = {each for each in everything_said(language) if each.isalpha()}
    assert [each for each in sorted(letters) if not can_write(each)] == []


def test_every_letter_is_drawn_differently() -> None:
    drawn = {writing(sign, 0, 0, 60) for sign in LETTERS + ACCENTS + SIGNS}
    assert len(drawn) == len(LETTERS + ACCENTS + SIGNS)
    assert all(can_write(sign) for sign in LETTERS + ACCENTS + SIGNS)
    images = [pixels(page(writing(sign, 20, 40, 60), 100, 120), 25, "L") for sign in LETTERS]
    assert min(difference(one, other) for one, other in combinations(images, 2)) > 1


def test_letters_that_look_the_same_in_two_alphabets_are_drawn_as_one() -> None:
    assert writing("АВЕКМНОРТХ", 0, 0, 60) == writing("ΑΒΕΚΜΗΟΡΤΧ", 0, 0, 60) == writing("ABEKMHOPTX", 0, 0, 60)
