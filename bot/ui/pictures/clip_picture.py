"""Paints a clip: a moment of a match as a GIF, because other moving pictures don't play everywhere on Discord.

It is drawn like all pictures, twice as large as it is shown, and then made half that size: phones show it 300 pixels
wide. Its first frame tells the story by itself, for people whose Discord doesn't play it.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import ceil
from typing import Final

from PIL import Image

from bot.engine.cards import Card
from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, fitting
from bot.ui.pictures.clip_scene import ClipScene, Standing
from bot.ui.pictures.deck.signs import can_write, width_of
from bot.ui.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, DARK, GOLD, SHADE, back, drawn, face, framed
from bot.ui.pictures.table_picture import banner

CLIP_WIDTH: Final = 300
_TITLE: Final = 92
"""The height of the part with the title and the name."""
_SUM: Final = 52
_FOOT: Final = 46
_HIGH: Final = 20
_LEAST: Final = 15
"""How high the text at the foot is: the longer it is, the smaller."""
_GAP: Final = 8
_FRAME: Final = 6
_IN_A_ROW: Final = 5
_BADGE_WIDTH: Final = 98
"""The width of the lower left corner that Discord covers with its badge for an alt text."""
_LONG: Final = 2800
_SHORT: Final = 1300
"""How many milliseconds a frame is shown."""
_COLOURS: Final = 192
_HAND: Final = CARD_HEIGHT + 2 * (MARGIN + _FRAME)
"""The height of the part with the player's cards."""


def paint_clip(scene: ClipScene) -> bytes:
    """Paint a clip as a GIF file: the same bytes for equal scenes."""
    shown = [(_poster(scene), _LONG), (_before(scene), _SHORT)]
    if scene.card is None:
        shown.append((_sung(scene), _LONG))
    else:
        shown += [(_played(scene), _SHORT), (_taking(scene), _LONG - 800), (_after(scene), _LONG)]
    return _gif([canvas.shrunk(CLIP_WIDTH) for canvas, _ in shown], [milliseconds for _, milliseconds in shown])


def _gif(frames: Sequence[Image.Image], milliseconds: Sequence[int]) -> bytes:
    """Frames as a GIF file with one palette, made from all their colours."""
    wide, high = frames[0].size
    strip = Image.new("RGB", (wide, high * len(frames)))
    for number, frame in enumerate(frames):
        strip.paste(frame, (0, number * high))
    strip = strip.quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    first, *others = [strip.crop((0, number * high, wide, (number + 1) * high)) for number in range(len(frames))]
    file = BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        duration=list(milliseconds),
        loop=0,
        optimize=False,
        disposal=1,
    )
    return file.getvalue()


def _rows(cards: int) -> int:
    return 1 if cards <= _IN_A_ROW else 2


def _cloth(scene: ClipScene) -> int:
    """The height of the part with the table's cards, the same in all frames."""
    rows = max(_rows(len(scene.places)), _rows(len(scene.taken) + 1))
    return rows * (CARD_HEIGHT + _GAP) - _GAP + 2 * (MARGIN + _FRAME)


def _canvas(scene: ClipScene, standing: Standing | None = None) -> Canvas:
    """A frame with what all frames have: the title and the name at the top, and the points at the bottom."""
    canvas = Canvas(_TITLE + _cloth(scene) + _SUM + _HAND + _FOOT)
    canvas.box(0, 0, WIDE, _TITLE, DARK)
    canvas.box(0, canvas.height - _FOOT, WIDE, _FOOT, SHADE)
    title, high = fitting(scene.title, WIDE - 24, 28, "", least=18)
    canvas.write(title, WIDE / 2, 14, high, colour=GOLD, ground=DARK, align=0.5)
    name, high = fitting(scene.name, WIDE - 24, 24, f"#{scene.seat}")
    canvas.write(name, WIDE / 2, 54, high, ground=DARK, align=0.5)
    caption, high = _caption(standing or scene.then)
    middle = (_BADGE_WIDTH + WIDE - MARGIN) / 2
    canvas.write(caption, middle, canvas.height - _FOOT + (_FOOT - high) / 2, high, ground=SHADE, align=0.5)
    return canvas


def _caption(standing: Standing) -> tuple[str, int]:
    """The points, without the names if those don't fit, and how high they are written."""
    for high in range(_HIGH, _LEAST - 1, -1):
        if can_write(standing.full) and (width_of(standing.full) + 22) * high / 60 <= WIDE - MARGIN - _BADGE_WIDTH:
            return standing.full, high
    return standing.short, _HIGH


def _lower(scene: ClipScene) -> float:
    """Where the part with the player's cards begins."""
    return _TITLE + _cloth(scene) + _SUM


def _poster(scene: ClipScene) -> Canvas:
    """The whole story: whose moment it was, which cards, and what was called out."""
    canvas = _canvas(scene)
    cards = scene.hand if scene.card is None else (scene.card, *scene.taken)
    _lay(canvas, scene, cards, marked=cards if scene.card is None else (scene.card,))
    _say(canvas, scene)
    _call(canvas, scene)
    return canvas


def _before(scene: ClipScene) -> Canvas:
    canvas = _canvas(scene)
    _lay(canvas, scene, scene.places)
    if scene.card is None:
        _hide(canvas, scene)
    else:
        _hold(canvas, scene, scene.hand)
    return canvas


def _played(scene: ClipScene) -> Canvas:
    """The card that is played stands out in the hand."""
    assert scene.card is not None, "a card is played"
    canvas = _canvas(scene)
    _lay(canvas, scene, scene.places)
    _hold(canvas, scene, scene.hand, (scene.card,))
    return canvas


def _taking(scene: ClipScene) -> Canvas:
    """The cards that it takes stand out, too, with the sum."""
    assert scene.card is not None, "a card is played"
    canvas = _canvas(scene)
    _lay(canvas, scene, scene.places, marked=scene.taken)
    _say(canvas, scene)
    _hold(canvas, scene, (scene.card,), (scene.card,))
    return canvas


def _after(scene: ClipScene) -> Canvas:
    """What is left on the table, what was won, and how the match ended."""
    assert scene.card is not None, "a card is played"
    canvas = _canvas(scene, scene.end)
    left = tuple(None if card in scene.taken else card for card in scene.places)
    if any(card is not None for card in left):
        _lay(canvas, scene, left)
    else:
        _call(canvas, scene, _TITLE + (_cloth(scene) - _HAND) / 2)
    _hold(canvas, scene, (scene.card, *scene.taken))
    return canvas


def _sung(scene: ClipScene) -> Canvas:
    """The hand is shown."""
    canvas = _canvas(scene, scene.end)
    _lay(canvas, scene, scene.places)
    _say(canvas, scene)
    _hold(canvas, scene, scene.hand, scene.hand)
    return canvas


def _lay(canvas: Canvas, scene: ClipScene, cards: Sequence[Card | None], marked: Sequence[Card] = ()) -> None:
    """Cards on the table, in one row or two, the marked ones in a golden frame. None is an empty place."""
    rows = _rows(len(cards))
    columns = max(1, ceil(len(cards) / rows))
    across = _across(columns)
    x = (WIDE - CARD_WIDTH - across * (columns - 1)) / 2
    y = _TITLE + (_cloth(scene) - rows * (CARD_HEIGHT + _GAP) + _GAP) / 2
    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        if card is not None:
            _put(canvas, scene, card, x + column * across, y + row * (CARD_HEIGHT + _GAP), marked=card in marked)


def _put(canvas: Canvas, scene: ClipScene, card: Card, x: float, y: float, *, marked: bool) -> None:
    if marked:
        canvas.put(framed(scene.deck, card, CARD_WIDTH, _FRAME), x - _FRAME, y - _FRAME)
    else:
        canvas.put(face(scene.deck, card), x, y)


def _hold(canvas: Canvas, scene: ClipScene, cards: Sequence[Card], marked: Sequence[Card] = ()) -> None:
    """Cards in the player's part, side by side, or overlapping if there isn't room."""
    top = _lower(scene)
    canvas.box(0, top, WIDE, _HAND, DARK)
    across = _across(len(cards))
    x = (WIDE - CARD_WIDTH - across * (len(cards) - 1)) / 2
    for number, card in enumerate(cards):
        _put(canvas, scene, card, x + number * across, top + (_HAND - CARD_HEIGHT) / 2, marked=card in marked)


def _hide(canvas: Canvas, scene: ClipScene) -> None:
    """A hand that nobody has shown yet."""
    top, count = _lower(scene), len(scene.hand)
    canvas.box(0, top, WIDE, _HAND, DARK)
    one, across = back(scene.deck, CARD_WIDTH), _across(count)
    x = (WIDE - CARD_WIDTH - across * (count - 1)) / 2
    canvas.fan([one] * count, x, top + (_HAND - one.height) / 2 - 3, WIDE, across)


def _across(cards: int) -> float:
    """How far cards in a row are from each other."""
    return min(CARD_WIDTH + _GAP, (WIDE - 2 * (MARGIN + _FRAME) - CARD_WIDTH) / max(1, cards - 1))


def _say(canvas: Canvas, scene: ClipScene) -> None:
    """The sum, or the points."""
    words, high = fitting(scene.worth, WIDE - 24, 30, "", least=16)
    canvas.write(words, WIDE / 2, _TITLE + _cloth(scene) + (_SUM - high) / 2, high, colour=GOLD, align=0.5)


def _call(canvas: Canvas, scene: ClipScene, top: float | None = None) -> None:
    """What is called out, on a ribbon; if nothing is, the name of the player whose capture it is."""
    top = _lower(scene) if top is None else top
    word = scene.word or fitting(scene.name, WIDE, 24, f"#{scene.seat}")[0]
    ribbon = drawn(banner(word), WIDE - 80)
    canvas.put(ribbon, 40, top + (_HAND - ribbon.height) / 2)
