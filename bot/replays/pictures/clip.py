"""A clip: a moment of a finished match in a few steps, as a GIF.

It is drawn like all pictures, twice as large as it is shown, and then made half that size: phones show it 300 pixels
wide. Its first frame tells the story by itself, for people whose Discord doesn't play it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import ClassVar, Final

from bot.cards.pictures.canvas import BADGE_WIDTH, MARGIN, WIDE, Canvas, fitting, width_at
from bot.cards.pictures.deck.signs import can_write
from bot.cards.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, DARK, GOLD, SHADE, back, face, framed
from bot.cards.words.cards import spoken, spoken_all
from bot.engine.cards import Canto, Card
from bot.engine.highlights import Feat
from bot.engine.match import Match
from bot.engine.rules import Capture
from bot.engine.story import Moment, MomentKind
from bot.platform.drawing.png import gif_file
from bot.platform.drawing.scenes import Picture, Scene, Shared
from bot.platform.language.faces import Deck
from bot.platform.language.texts import N_, Words
from bot.platform.people import plain
from bot.tables.log.seats import Seat
from bot.tables.pictures.ornaments import BANNER_ROOM, banner

TITLES: Final = {
    MomentKind.CHORIZO: N_("A chorizo!"),
    MomentKind.ESCOBA: N_("The largest escoba"),
    MomentKind.TURNING_POINT: N_("The turn of the match"),
    MomentKind.CAPTURE: N_("The best capture"),
}
CLIP_WIDTH: Final = 300
_TITLE: Final = 100
"""The height of the part with the title and the name."""
_SUM: Final = 52
_FOOT: Final = 46
_HIGH: Final = 20
_LEAST: Final = 15
"""Height of the text at the foot: the longer it is, the smaller."""
_GAP: Final = 8
_FRAME: Final = 6
_IN_A_ROW: Final = 5
_LONG: Final = 2800
_SHORT: Final = 1300
"""Milliseconds that a frame is shown."""
_HAND: Final = CARD_HEIGHT + 2 * (MARGIN + _FRAME)
"""The height of the part with the player's cards."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The points at a certain time: in full, and without the names where those don't fit."""

    full: str
    short: str


@dataclass(frozen=True, slots=True)
class ClipScene(Scene):
    """A moment: of a capture, or with no `card`, of cards that were sung.

    Attributes:
        deck: the deck it is drawn with.
        title: why it is shown.
        name: whose moment it was; `seat` is the number of their seat, from 1.
        word: what is called out, if anything is.
        places: the table cards before it, as they lie.
        hand: the player's cards before it.
        card: the card that was played; None if the hand was sung.
        taken: what it took.
        worth: the sum that made the capture, or the points of what was sung.
        then: the round, and each side's points at its beginning.
        end: each side's points at the end of the match.
    """

    is_slow: ClassVar[bool] = True
    deck: Deck
    title: str
    name: str
    seat: int
    word: str
    places: tuple[Card | None, ...]
    hand: tuple[Card, ...]
    card: Card | None
    taken: tuple[Card, ...]
    worth: str
    then: ScoreLine
    end: ScoreLine

    def paint(self, shared: Shared) -> Picture:
        frames = [(_poster(self), _LONG), (_before(self), _SHORT)]
        if self.card is None:
            frames.append((_sung(self), _LONG))
        else:
            frames += [(_played(self), _SHORT), (_taking(self), _LONG - 800), (_after(self), _LONG)]
        data = gif_file([canvas.shrunk(CLIP_WIDTH) for canvas, _ in frames], [shown_for for _, shown_for in frames])
        digest = sha256(data).digest()
        return Picture(data, f"{digest.hex()[:16]}.gif", digest)

    def sentences(self, t: Words) -> list[str]:
        deck, table = self.deck, [card for card in self.places if card is not None]
        parts = [t("A short clip: {title}, {when}.", title=self.title, when=self.then.full)]
        parts.append(
            t("On the table: {cards}.", cards=spoken_all(table, t, deck)) if table else t("The table is empty.")
        )
        if self.card is None:
            parts.append(t("{name} sings: {cards}.", name=self.name, cards=spoken_all(self.hand, t, deck)))
        else:
            card, taken = spoken(self.card, t, deck), spoken_all(self.taken, t, deck)
            parts.append(t("{name} played {card} and took {cards}.", name=self.name, card=card, cards=taken))
        return [*parts, f"{self.worth}.", *([self.word] if self.word else []), f"{self.end.full}."]


def clip_scene(moment: Moment, seats: Sequence[Seat], t: Words) -> ClipScene:
    """Make the scene of a moment, with the names that people have at the table."""
    match, feat = moment.before, moment.feat
    now = match.round
    assert now is not None, "a moment is a move in a round"
    claimed = feat.card if feat is not None and feat.card in now.table else None  # laid earlier, without its capture
    if feat is None:
        word, worth = t.context("call", "Chorizo!"), t.plural("+{n} point", "+{n} points", Canto.CHORIZO.points)
    else:
        word, worth = t.context("call", "Escoba!") if feat.escoba else "", _sum(feat, now.rules.capture)
    return ClipScene(
        deck=t.faces.deck,
        title=t(TITLES[moment.kind]),
        name=plain(seats[moment.seat].name),
        seat=moment.seat + 1,
        word=word,
        places=tuple(None if card is claimed else card for card in match.places),
        hand=tuple(now.hands[moment.seat]) if claimed is None else (claimed,),
        card=None if feat is None else feat.card,
        taken=() if feat is None else tuple(feat.taken),
        worth=worth,
        then=_standing(t("Round {round}", round=len(match.scores) + 1), match, match.totals, seats),
        end=_standing(t("In the end"), match, moment.totals, seats),
    )


def _standing(when: str, match: Match, totals: Sequence[int], seats: Sequence[Seat]) -> ScoreLine:
    sides = range(match.seating.sides)
    names = (" & ".join(plain(seats[seat].name) for seat in match.seating.seats_of(side)) for side in sides)
    full = " – ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    return ScoreLine(f"{when} · {full}", f"{when} · {' – '.join(map(str, totals))}")


def _sum(feat: Feat, capture: Capture) -> str:
    """Write how the cards add up: "7 + 5 + 3 = 15", or where a card takes its own worth "4 + 3 = 7"."""
    worths = " + ".join(str(each.worth) for each in feat.taken)
    if capture is Capture.FIFTEEN:
        return f"{feat.card.worth} + {worths} = {feat.cards.worth}"
    return f"{worths} = {feat.card.worth}"


def _rows(cards: int) -> int:
    return 1 if cards <= _IN_A_ROW else 2


def _cloth(scene: ClipScene) -> int:
    """The height of the part with the table's cards, the same in all frames."""
    rows = max(_rows(len(scene.places)), _rows(len(scene.taken) + 1))
    return rows * (CARD_HEIGHT + _GAP) - _GAP + 2 * (MARGIN + _FRAME)


def _canvas(scene: ClipScene, standing: ScoreLine | None = None) -> Canvas:
    """Begin a frame with what all frames have: the title and the name at the top, and the points at the bottom."""
    canvas = Canvas(_TITLE + _cloth(scene) + _SUM + _HAND + _FOOT)
    canvas.box(0, 0, WIDE, _TITLE, DARK)
    canvas.box(0, canvas.height - _FOOT, WIDE, _FOOT, SHADE)
    title, high = fitting(scene.title, WIDE - 24, 26, "", least=18)
    canvas.write(title, WIDE / 2, 17, high, colour=GOLD, ground=DARK, align=0.5)
    name, high = fitting(scene.name, WIDE - 24, 22, f"#{scene.seat}")
    canvas.write(name, WIDE / 2, 63, high, ground=DARK, align=0.5)
    caption, high = _caption(standing or scene.then)
    middle = (BADGE_WIDTH + WIDE - MARGIN) / 2
    canvas.write(caption, middle, canvas.height - _FOOT + (_FOOT - high) / 2, high, ground=SHADE, align=0.5)
    return canvas


def _caption(standing: ScoreLine) -> tuple[str, int]:
    """The points, without the names if those don't fit, and how high they are written."""
    for high in range(_HIGH, _LEAST - 1, -1):
        if can_write(standing.full) and width_at(standing.full, high) <= WIDE - MARGIN - BADGE_WIDTH:
            return standing.full, high
    return standing.short, _HIGH


def _lower(scene: ClipScene) -> float:
    """Return where the part with the player's cards begins."""
    return _TITLE + _cloth(scene) + _SUM


def _poster(scene: ClipScene) -> Canvas:
    """Draw the whole story: the player, the cards, and what was called out."""
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
    """Draw the card that is played standing out in the hand."""
    assert scene.card is not None, "a card is played"
    canvas = _canvas(scene)
    _lay(canvas, scene, scene.places)
    _hold(canvas, scene, scene.hand, (scene.card,))
    return canvas


def _taking(scene: ClipScene) -> Canvas:
    """Draw the cards that it takes standing out, too, with the sum."""
    assert scene.card is not None, "a card is played"
    canvas = _canvas(scene)
    _lay(canvas, scene, scene.places, marked=scene.taken)
    _say(canvas, scene)
    _hold(canvas, scene, (scene.card,), (scene.card,))
    return canvas


def _after(scene: ClipScene) -> Canvas:
    """Draw what is left on the table, what was won, and how the match ended."""
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
    canvas = _canvas(scene, scene.end)
    _lay(canvas, scene, scene.places)
    _say(canvas, scene)
    _hold(canvas, scene, scene.hand, scene.hand)
    return canvas


def _lay(canvas: Canvas, scene: ClipScene, cards: Sequence[Card | None], marked: Sequence[Card] = ()) -> None:
    """Draw cards on the table, in one row or two, the marked ones in a golden frame. None is an empty place."""
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
    """Draw cards in the player's part, side by side, or overlapping if there isn't room."""
    top = _lower(scene)
    canvas.box(0, top, WIDE, _HAND, DARK)
    across = _across(len(cards))
    x = (WIDE - CARD_WIDTH - across * (len(cards) - 1)) / 2
    for number, card in enumerate(cards):
        _put(canvas, scene, card, x + number * across, top + (_HAND - CARD_HEIGHT) / 2, marked=card in marked)


def _hide(canvas: Canvas, scene: ClipScene) -> None:
    top, count = _lower(scene), len(scene.hand)
    canvas.box(0, top, WIDE, _HAND, DARK)
    one, across = back(scene.deck, CARD_WIDTH), _across(count)
    x = (WIDE - CARD_WIDTH - across * (count - 1)) / 2
    canvas.fan([one] * count, x, top + (_HAND - one.height) / 2 - 3, WIDE, across)


def _across(cards: int) -> float:
    """Return how far cards in a row are from each other."""
    return min(CARD_WIDTH + _GAP, (WIDE - 2 * (MARGIN + _FRAME) - CARD_WIDTH) / max(1, cards - 1))


def _say(canvas: Canvas, scene: ClipScene) -> None:
    words, high = fitting(scene.worth, WIDE - 24, 30, "", least=16)
    canvas.write(words, WIDE / 2, _TITLE + _cloth(scene) + (_SUM - high) / 2, high, colour=GOLD, align=0.5)


def _call(canvas: Canvas, scene: ClipScene, top: float | None = None) -> None:
    """Draw what is called out, on a ribbon; if nothing is, the name of the player whose capture it is."""
    top = _lower(scene) if top is None else top
    word = scene.word or fitting(scene.name, BANNER_ROOM, 24, f"#{scene.seat}")[0]
    ribbon = banner(word, WIDE - 80)
    canvas.put(ribbon, 40, top + (_HAND - ribbon.height) / 2)
