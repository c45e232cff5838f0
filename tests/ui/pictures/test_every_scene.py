"""What holds for every picture: everybody can read it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest
from PIL import Image

from bot.ui.pictures.sprites import DARK, FELT, SHADE, Colour, palette, rgb
from tests.ui.pictures.painted import Painting, paintings
from tests.ui.pictures.scenes import every_scene

GROUNDS = (FELT, DARK, SHADE)
LARGE = 18
"""From this height on, figures need less contrast."""
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


def pale(painting: Painting) -> Iterator[str]:
    """Texts, figures and marks that hardly stand out from their ground."""
    for each in painting.written:
        counted = in_order(painting.image.crop(each.box))
        ground = rgb(each.ground)
        found = next((each for each in (contrast(colour, ground) for colour, _ in counted) if each > 1.2), 0)
        figures = each.high >= LARGE and not any(sign.isalpha() for sign in each.words)
        if found < (3 if figures else 4.5):
            yield f"{each.words!r} in {each.colour} on {each.ground}: {found:.1f}"
    for each in painting.laid:
        if each.colour in GROUNDS or each.is_card or each.sprite.height <= 2:
            continue  # a rule, or a trough in which a bar lies; cards have white edges
        shown = Image.new("P", each.sprite.image.size, 255)
        shown.paste(each.sprite.image, mask=each.sprite.mask)
        main = [colour for colour, share in in_order(shown) if share > 0.05]
        below, _ = in_order(each.below)[0]
        best = max((contrast(colour, below) for colour in main), default=0)
        if best < 3:
            yield f"a mark of {each.sprite.image.size} {each.colour} on {below}: {best:.1f}"


def in_order(image: Image.Image) -> list[tuple[Colour, float]]:
    """An image's colours, the most frequent first, each with its share of the pixels that aren't clear."""
    counted = sorted(((count, index) for count, index in image.getcolors(256) or [] if index != CLEAR), reverse=True)
    total = sum(count for count, _ in counted)
    return [(colour_of(index), count / total) for count, index in counted]


RULES = {
    "little contrast": pale,
}


@cache
def findings() -> dict[str, dict[str, list[str]]]:
    """What breaks each rule, by scene; a part that several scenes share is looked at once."""
    found: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    seen: set[object] = set()
    for name, scene in every_scene():
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


@pytest.mark.parametrize("rule", RULES)
def test_every_picture_can_be_read(rule: str) -> None:
    assert findings()[rule] == {}


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == 21
    assert round(contrast(rgb("#767676"), (255, 255, 255)), 2) == 4.54
