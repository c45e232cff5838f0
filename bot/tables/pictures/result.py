"""The end of a match: the winners' names large, the course of the points, and the highlights."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import BADGE_HIGH, LEAST, WIDE, Canvas, Whole, fitting, fitting_height, seat_number
from bot.cards.pictures.sprites import DARK, GOLD, SMALL_WIDTH, back, face
from bot.cards.words.cards import spoken
from bot.engine.cards import Card
from bot.engine.story import Course
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import plain
from bot.tables.live.view import TableView
from bot.tables.pictures.ornaments import confetti, laurel
from bot.tables.pictures.sides import PLOT_HIGH, draw_plot, mark, names_of

_BANNER: Final = 92
_NAMES_AT: Final = 100
_BANNER_EDGE: Final = 6
_ASIDE: Final = 410
"""Left edge of the highlights beside the plot."""
_LEGEND_LINE: Final = 25
_SHORT: Final = 12
"""Names up to this long are written as high as possible."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlight of a match: what it is called, the names of those it belongs to, and their number or cards."""

    label: str
    names: tuple[str, ...]
    number: int = 0
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultScene(Whole):
    """The end of a match.

    Attributes:
        deck: the deck it is drawn with.
        sides: each side's players.
        winner: the side that won.
        target: the points that the match was played to; 0 if it had a number of rounds instead.
        course: each side's total after each round, from 0 on.
        turning_round: the round after which the winner was ahead for good; 0 if the match had no such turn.
        best: the best capture, the card played first.
        escobas: the most escobas.
    """

    deck: Deck
    sides: tuple[tuple[str, ...], ...]
    winner: int
    target: int
    course: tuple[tuple[int, ...], ...]
    turning_round: int = 0
    best: Highlight | None = None
    escobas: Highlight | None = None

    @property
    def ranking(self) -> list[int]:
        """The sides, highest total first; on a tie the winner first."""
        return sorted(range(len(self.sides)), key=lambda side: (side != self.winner, -self.course[side][-1]))

    def name_of(self, side: int) -> str:
        """Join the names of a side's players."""
        return " & ".join(self.sides[side])

    def draw(self) -> Canvas:
        top = _BANNER + 8 + _LEGEND_LINE * _legend_rows(self) * max(map(len, self.sides))
        high = top + PLOT_HIGH
        canvas = Canvas(high + BADGE_HIGH)
        canvas.box(0, 0, WIDE, _BANNER, DARK)
        _golden_banner(canvas, self)
        _legend(canvas, self)
        draw_plot(canvas, top, self.course, self.ranking, self.target, self.turning_round)
        canvas.box(_ASIDE, _BANNER, 2, high - _BANNER, DARK)
        _highlights(canvas, self)
        canvas.box(0, high, WIDE, BADGE_HIGH, DARK)  # nothing lies in the corner
        return canvas

    def sentences(self, t: Words) -> list[str]:
        points = self.course[self.winner][-1]
        players = len(self.sides[self.winner])
        name = self.name_of(self.winner)
        parts = [
            t.plural(
                "{name} won with {points} points.",
                "{name} won with {points} points.",
                players,
                name=name,
                points=points,
            )
        ]
        parts += [
            t(
                "{name} after each round: {totals}.",
                name=self.name_of(side),
                totals=", ".join(map(str, self.course[side][1:])),
            )
            for side in self.ranking
        ]
        if self.turning_round:
            parts.append(t("A ring marks the turn: round {round}.", round=self.turning_round))
        if self.best is not None:
            first, *taken = (spoken(card, t, self.deck) for card in self.best.cards)
            name = self.best.names[0]
            parts.append(t("Best capture: {name}, {card} with {cards}.", name=name, card=first, cards=t.listed(taken)))
        if self.escobas is not None:
            names = t.listed(self.escobas.names)
            parts.append(t("Most escobas: {name}, {n}.", name=names, n=self.escobas.number))
        return parts


def result_scene(view: TableView, t: Words) -> ResultScene:
    """Make the scene of a match that was won."""
    match = view.match
    assert match is not None, "there is no result without a match"
    story, seats = view.story, view.seats
    assert story.winner is not None, "the match was won"
    best = None
    if story.best is not None:
        cards = (story.best.card, *story.best.taken)
        best = Highlight(t("Best capture"), (plain(seats[story.best.seat].name),), cards=cards)
    escobas = None
    if story.sweepers:
        names = tuple(plain(seats[seat].name) for seat in story.sweepers)
        escobas = Highlight(t("Most escobas"), names, story.escobas)
    return ResultScene(
        deck=t.faces.deck,
        sides=tuple(names_of(match, side, seats) for side in range(match.seating.sides)),
        winner=story.winner,
        target=0 if match.rules.rounds else match.rules.target,
        course=story.totals,
        turning_round=story.turning_round if story.course in (Course.TOOK_LEAD, Course.AT_THE_LAST) else 0,
        best=best,
        escobas=escobas,
    )


def _golden_banner(canvas: Canvas, scene: ResultScene) -> None:
    points = str(scene.course[scene.winner][-1])
    taken = canvas.write(points, WIDE - 22, 24, 46, colour=GOLD, ground=DARK, align=1)
    room = WIDE - 22 - taken - 116
    names = _column(canvas, scene, room)
    canvas.put(confetti(_BANNER, (names, (WIDE - 22 - taken, 20, WIDE - 22, 76), (10, 8, 88, 86))), 0, 0)
    canvas.put(laurel(78), 10, 8)


def _high_of(names: tuple[str, ...]) -> int:
    """Return the greatest height of the winners' names: a long one is smaller from the start, so that less is cut."""
    if len(names) > 1:
        return 24
    return 38 if all(len(name) <= _SHORT for name in names) else 27


def _column(canvas: Canvas, scene: ResultScene, room: float) -> tuple[float, float, float, float]:
    """Write the winners' names one below the other, centred in the banner; returns their box, accents included."""
    names, tall = scene.sides[scene.winner], _BANNER - 2 * _BANNER_EDGE
    high = min(_high_of(names), int(tall / len(names) / 1.65))
    step = min(tall / len(names), high * 1.9)
    top = _BANNER_EDGE + (tall - step * len(names) + step - high) / 2
    widest = 0.0
    for place, name in enumerate(names):
        shown, size = fitting(name, room, high, seat_number(scene.winner, place, len(scene.sides)))
        y = top + step * place + (high - size) / 2
        widest = max(widest, canvas.write(shown, _NAMES_AT, y, size, colour=GOLD, ground=DARK))
    return _NAMES_AT, top - high * 0.55, _NAMES_AT + widest, top + step * (len(names) - 1) + high * 1.25


def _legend_rows(scene: ResultScene) -> int:
    return 1 if len(scene.sides) < 4 else 2


def _legend(canvas: Canvas, scene: ResultScene) -> None:
    """Draw the sides' marks beside their names, in the order of the totals."""
    columns = ceil(len(scene.sides) / _legend_rows(scene))
    width = (_ASIDE - 12) / columns
    for order, side in enumerate(scene.ranking):
        row, column = divmod(order, columns)
        x = 10 + column * width
        y = _BANNER + 11 + _LEGEND_LINE * row
        canvas.put(mark(side, 20), x, y - 3)
        for place, name in enumerate(scene.sides[side]):
            shown, size = fitting(name, width - 32, LEAST, seat_number(side, place, len(scene.sides)))
            canvas.write(shown, x + 25, y + _LEGEND_LINE * place, size)


def _highlights(canvas: Canvas, scene: ResultScene) -> None:
    y = _BANNER + 14.0
    for highlight in (scene.best, scene.escobas):
        if highlight is not None:
            _highlight(canvas, scene, highlight, y)
            y += 160


def _highlight(canvas: Canvas, scene: ResultScene, highlight: Highlight, y: float) -> None:
    x, room = _ASIDE + 14, WIDE - _ASIDE - 24
    canvas.write(highlight.label, x, y, fitting_height(highlight.label, room, 15), colour=GOLD)
    first, *others = highlight.names
    lines = [first, others[0] if len(others) == 1 else f"+{len(others)}"] if others else [first]
    for place, name in enumerate(lines):
        shown, size = fitting(name, room, 16 if len(lines) == 1 else LEAST, "?")
        canvas.write(shown, x, y + 27 + _LEGEND_LINE * place, size)
    below = y + (54 if len(lines) == 1 else 72)
    if highlight.cards:
        canvas.fan([face(scene.deck, card, SMALL_WIDTH) for card in highlight.cards], x, below, room, 34)
        return
    taken = canvas.write(str(highlight.number), x, below + 8, 40, colour=GOLD)
    fan = [back(scene.deck, SMALL_WIDTH, crossed=True)] * min(highlight.number, 12)
    canvas.fan(fan, x + taken + 10, below, room - taken - 10, 22)
