"""What holds for every picture: it can be read on a phone, by everybody, below Discord's badge for its alt text."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from inspect import isabstract
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.cards.pictures.canvas import BADGE_HIGH, BADGE_WIDTH, LEAST
from bot.cards.pictures.deck.ink import STEEL
from bot.cards.pictures.sprites import DARK, FELT, SHADE, Colour, index_of, palette, rgb
from bot.platform.drawing.scenes import Scene
from tests.cards.pictures.scenes import every_scene
from tests.support.dose import thorough_but
from tests.support.painted import Box, Laid, Painting, Written, in_colour, meets, paintings

ROOT = Path(__file__).parents[3]
GROUNDS = (FELT, DARK, SHADE)
CORNER = (*GROUNDS, STEEL)
"""What the corner may be filled with: the second step of a podium says all it says above it."""
LARGE = 18
"""From this height on, figures need less contrast."""
LETTERS = 0.06
"""The least share of a text's box that is in the colour of its letters."""
MARGIN = 1
"""Free pixels around a text."""
CLEAR = 255
"""The index that no ink has."""


def brightness(colour: Colour) -> float:
    """A colour's relative luminance, as the WCAG defines it."""
    parts = [each / 255 for each in colour]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def colour_of(index: int) -> Colour:
    red, green, blue = (palette().getpalette() or [])[3 * index : 3 * index + 3]
    return red, green, blue


def small(painting: Painting) -> Iterator[str]:
    """Letters that are too low for a phone."""
    for each in painting.written:
        if each.high < LEAST:
            yield f"{each.words!r} is {each.high} px high"


def pale(painting: Painting) -> Iterator[str]:
    """Texts, figures and marks that hardly stand out from their ground."""
    for each in painting.written:
        counted = in_order(painting.image.crop(each.box))
        ground = rgb(each.ground)
        found = max((contrast(colour, ground) for colour, share in counted if share > LETTERS), default=0)
        figures = each.high >= LARGE and not any(sign.isalpha() for sign in each.words)
        if found < (3 if figures else 4.5):
            yield f"{each.words!r} in {each.colour} on {each.ground}: {found:.1f}"
    for each in painting.laid:
        if each.colour in GROUNDS or each.is_card or each.sprite.height <= 2:
            continue  # a rule, or a trough in which a bar lies; cards have white edges
        if each.colour and any(encloses(each.box, text.box) for text in painting.written):
            continue  # a plate is the ground of its text
        shown = Image.new("L", each.sprite.image.size, 255)
        shown.paste(each.sprite.image, mask=each.sprite.mask)
        main = [colour for colour, share in in_order(shown) if share > 0.05]
        below, _ = in_order(each.below)[0]
        best = max((contrast(colour, below) for colour in main), default=0)
        if best < 3 and below != rgb(each.colour or "#000000"):
            yield f"a mark of {each.sprite.image.size} {each.colour} on {below}: {best:.1f}"


def in_order(image: Image.Image) -> list[tuple[Colour, float]]:
    """An image's colours, the most frequent first, each with its share of the pixels that aren't clear."""
    counted = sorted(((count, index) for count, index in image.getcolors(256) or [] if index != CLEAR), reverse=True)
    total = sum(count for count, _ in counted)
    return [(colour_of(index), count / total) for count, index in counted]


def covered(painting: Painting) -> Iterator[str]:
    """Texts that touch anything but their ground, and cards whose index is hidden."""
    for each in painting.written:
        if not is_alone(painting, each):
            yield f"{each.words!r} at {each.box}"
    for each in painting.laid:
        if each.is_face and not has_index(painting, each):
            yield f"a card at {each.box}"


def is_alone(painting: Painting, each: Written) -> bool:
    left, upper, right, lower = each.box
    box = left - MARGIN, max(0, upper - MARGIN), right + MARGIN, lower + MARGIN
    wanted = Image.new("L", (box[2] - box[0], box[3] - box[1]), index_of(each.ground))
    wanted.paste(each.sprite.image, (each.at[0] - box[0], each.at[1] - box[1]), each.sprite.mask)
    for line in painting.laid:
        if line.colour and line.sprite.height == 2 and upper < line.box[1] < lower:  # a name that is struck through
            wanted.paste(line.sprite.image, (line.box[0] - box[0], line.box[1] - box[1]))
    different = ImageChops.difference(in_colour(wanted), painting.coloured(box)).convert("L")
    extremes = different.getextrema()
    assert isinstance(extremes[1], int | float), "an image of one band"
    return extremes[1] < 24  # a plate's edges blend with what lies below


def index_box(card: Laid) -> Box:
    """Where a card shows what it is."""
    wide, high = card.sprite.image.size
    return (
        card.box[0] + wide // 12,
        card.box[1] + high // 16,
        card.box[0] + wide * 27 // 100,
        card.box[1] + high * 26 // 100,
    )


def within(box: Box, outer: Box) -> Box:
    """A box, seen from the upper left corner of another."""
    x, y = outer[:2]
    return box[0] - x, box[1] - y, box[2] - x, box[3] - y


def has_index(painting: Painting, card: Laid) -> bool:
    box = index_box(card)
    at = within(box, card.box)
    return painting.image.crop(box).tobytes() == card.sprite.image.crop(at).tobytes()


def below_badge(painting: Painting) -> Iterator[str]:
    """What Discord's badge hides."""
    if not painting.is_last:
        return
    badge = (0, painting.image.height - BADGE_HIGH, BADGE_WIDTH, painting.image.height)
    if {colour for colour, _ in in_order(painting.image.crop(badge))} <= set(map(rgb, CORNER)):
        return
    for each in painting.written:
        if meets(each.box, badge):
            yield f"{each.words!r} at {each.box}"
    for each in painting.laid:
        if each.colour in CORNER or not meets(each.box, badge):
            continue
        if each.is_face:
            wide, high = each.sprite.image.size
            if meets((each.box[0], each.box[1], each.box[0] + wide // 2, each.box[1] + high * 2 // 5), badge):
                yield f"a card at {each.box}"
        elif each.sprite.mask.crop(within(badge, each.box)).getbbox():
            yield f"a mark of {each.sprite.image.size} at {each.box}"


def encloses(one: Box, other: Box) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and other[2] <= one[2] and other[3] <= one[3]


RULES = {
    "small letters": small,
    "little contrast": pale,
    "covered": covered,
    "below the badge": below_badge,
}


@cache
def findings(*, thorough: bool = False) -> dict[str, dict[str, list[str]]]:
    """What breaks each rule, by scene; a part that several scenes share is looked at once."""
    found: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    seen: set[object] = set()
    for name, scene in every_scene(thorough=thorough):
        if scene in seen:
            continue
        for part, painting in paintings(scene):
            if part in seen and part is not scene:
                continue
            seen.add(part)
            for rule, check in RULES.items():
                if broken := list(check(painting)):
                    found[rule].setdefault(name, []).extend(broken)
    return found


@pytest.mark.parametrize("thorough", thorough_but([False, True], False))
@pytest.mark.parametrize("rule", RULES)
def test_every_picture_can_be_read(rule: str, thorough: bool) -> None:
    assert findings(thorough=thorough)[rule] == {}


def kinds(base: type[Scene]) -> Iterator[str]:
    """The names of the classes of scenes that can be made."""
    if not isabstract(base) and base.__module__.startswith("bot."):
        yield base.__name__
    for each in base.__subclasses__():
        yield from kinds(each)


def test_every_kind_of_picture_is_among_them() -> None:
    assert {type(scene).__name__ for _, scene in every_scene()} == set(kinds(Scene))


def test_all_words_are_written_through_the_canvas_but_those_on_cards_ribbons_and_round_badges() -> None:
    files = [path for path in (ROOT / "bot").rglob("*.py") if path.parent.name != "deck"]
    found = {path.name for path in files if re.search(r"signs import .*\bwriting\b", path.read_text(encoding="utf-8"))}
    assert found == {"sprites.py", "ornaments.py"}


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == 21
    assert round(contrast(rgb("#767676"), (255, 255, 255)), 2) == 4.54
