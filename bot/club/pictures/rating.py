"""The charts of a player's rating and of where their points came from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.cards.pictures.canvas import BADGE_HIGH, BADGE_WIDTH, WIDE, Canvas, Whole, fitting
from bot.cards.pictures.deck.ink import INK, PAPER, disc, line, page
from bot.cards.pictures.sprites import DARK, FELT, GOLD, drawn, drawn_once, text
from bot.cards.words.rules import item_name, name_of_key
from bot.club.pictures.overview import BANNER, EDGE, RIVAL, Figure, draw_banner, percent_text, write_small
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import is_key, key_of
from bot.club.store.career import Career
from bot.club.store.ratings import RatingPoint
from bot.club.store.standing import Standing
from bot.club.words.ratings import rating_text
from bot.engine.scoring import Item
from bot.platform.language.calendar import written_date
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import plain

_PLOT_TOP: Final = BANNER + 76
_PLOT_HIGH: Final = 256
_PLOT_LEFT: Final = BADGE_WIDTH + 2
_PLOT_RIGHT: Final = WIDE - 30
_SPOKEN: Final = 15
"""The most values that an alt text lists."""


@dataclass(frozen=True, slots=True)
class RatingScene(Whole):
    """A player's rating after each of their latest rated matches.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        now: the rating, with a question mark while it isn't settled.
        values: the rating after each match, the earliest first.
        settled: whether each of these ratings was certain.
        levels: the heights that have a line, the lowest first, and how each is written.
        begin: when the earliest of these matches ended.
        end: when the latest of them ended.
        figures: the highest and the lowest of the values, and how many matches were rated.
        legend: what a dotted line means; empty if there is none.
    """

    deck: Deck
    name: str
    now: str
    values: tuple[int, ...]
    settled: tuple[bool, ...]
    levels: tuple[tuple[int, str], ...]
    begin: str
    end: str
    figures: tuple[Figure, ...]
    legend: str

    def draw(self) -> Canvas:
        canvas = Canvas(_PLOT_TOP + _PLOT_HIGH + 36)
        draw_banner(canvas, self.deck, self.name, self.now)
        width = (WIDE - 2 * EDGE) / len(self.figures)
        for number, figure in enumerate(self.figures):
            x = EDGE + width * (number + 0.5)
            canvas.write(figure.value, x, BANNER + 14, 26, align=0.5)
            write_small(canvas, figure.label, x, BANNER + 56, width - 8, align=0.5)
        _draw_plot(canvas, self)
        foot = _PLOT_TOP + _PLOT_HIGH - 24
        write_small(canvas, self.begin, _PLOT_LEFT, foot, 200)
        if self.end != self.begin:
            write_small(canvas, self.end, _PLOT_RIGHT, foot, 200, align=1)
        if self.legend:
            canvas.put(drawn(page(_dotted("M4 10H56"), 60, 20), 60), _PLOT_LEFT, foot + 30)
            write_small(canvas, self.legend, _PLOT_LEFT + 72, foot + 33, _PLOT_RIGHT - _PLOT_LEFT - 72)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        parts = [
            t("{name}: rating {rating}.", name=self.name, rating=self.now),
            t(
                "After the matches from {begin} to {end}: {values}.",
                begin=self.begin,
                end=self.end,
                values=_some(self, t),
            ),
            *(f"{figure.label}{t.colon}{figure.value}." for figure in self.figures),
        ]
        return [*parts, t("With a question mark, it was still settling.")] if self.legend else parts


def rating_scene(name: str, standing: Standing, history: Sequence[RatingPoint], now: Rating, t: Words) -> RatingScene:
    """Make the scene of a rating: `history` is the rating after all or some rated matches, `now` the present one."""
    values = tuple(point.rating.shown for point in history)
    settled = tuple(point.rating.settled for point in history)
    figures = [Figure(t.number(standing.rated), t("Matches rated"))]
    if standing.rated == len(history):
        figures.append(Figure(t.number(max(values)), t.context("figure", "Highest")))
        figures.append(Figure(t.number(min(values)), t.context("figure", "Lowest")))
    return RatingScene(
        deck=t.faces.deck,
        name=plain(name),
        now=rating_text(now, t),
        values=values,
        settled=settled,
        levels=tuple((level, t.number(level)) for level in _levels(min(values), max(values))),
        begin=written_date("yMMMd", history[0].ended_at, t),
        end=written_date("yMMMd", history[-1].ended_at, t),
        figures=tuple(figures),
        legend="" if all(settled) else t("Still settling"),
    )


def _some(scene: RatingScene, t: Words) -> str:
    """List values at even intervals, the first and the last among them."""
    last = len(scene.values) - 1
    count = min(last, _SPOKEN - 1)
    chosen = [round(last * number / count) for number in range(count + 1)] if count else [0]
    return "; ".join(t.number(scene.values[each]) + ("" if scene.settled[each] else "?") for each in chosen)


def _draw_plot(canvas: Canvas, scene: RatingScene) -> None:
    """Draw the rating from match to match; what isn't certain yet is dotted."""
    left = _PLOT_LEFT
    right = _PLOT_RIGHT
    top = 18.0
    foot = _PLOT_HIGH - 40.0
    lowest, highest = scene.levels[0][0], scene.levels[-1][0]
    last = max(1, len(scene.values) - 1)

    def at(number: int) -> tuple[float, float]:
        y = foot - (foot - top) * (scene.values[number] - lowest) / (highest - lowest)
        return left + (right - left) * number / last, y

    made = ""
    for value, written in scene.levels:
        y = foot - (foot - top) * (value - lowest) / (highest - lowest)
        made += line(f"M{left} {y:.1f}H{right}", 2, DARK)
        canvas.write(written, 14, _PLOT_TOP + y - 8, 16)
    points = [at(number) for number in range(len(scene.values))]
    under = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    if all(scene.settled):
        made += line(under, 9, INK)
    for number, (begin, end) in enumerate(pairwise(points), start=1):
        piece = f"M{begin[0]:.1f} {begin[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
        made += line(piece, 5, GOLD) if scene.settled[number] else _dotted(piece)
    x, y = points[-1]
    made += disc(x, y, 9, GOLD if scene.settled[-1] else PAPER, width=3.5)
    canvas.put(drawn_once(page(made, WIDE, _PLOT_HIGH), WIDE), 0, _PLOT_TOP)


def _dotted(trace: str) -> str:
    return line(trace, 5, PAPER).replace("/>", ' stroke-dasharray="0.1 9"/>')


def _levels(least: int, most: int) -> range:
    """Return the heights that have a line, so that there are two to six of them."""
    step = next((step for step in (10, 20, 50, 100, 200, 500) if most - least <= 4 * step), 1000)
    lowest = least // step * step
    return range(lowest, max(most, lowest + 1) + step, step)


_BAR_STEP: Final = 38
_BAR_HIGH: Final = 22
_BAR_WORDS: Final = 18
_LABELS: Final = 212
"""The width of the labels beside bars; a longer one is cut."""
_MOST_RULES: Final = 10
"""The most bars for rules in a picture: those for the rules that were played most."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A line with a bar: its label, the bar's length from 0 to 1, and its figure."""

    label: str
    share: float
    value: str


@dataclass(frozen=True, slots=True)
class SourcesScene(Whole):
    """The sources of a player's points, and the rule systems in which they win.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        points_label: what the first bars show.
        points: a bar for each item of the score, as long as its share of the points.
        wins_label: what the other bars show.
        wins: a bar for each rule system, as long as the share of its matches that were won.
    """

    deck: Deck
    name: str
    points_label: str
    points: tuple[Bar, ...]
    wins_label: str
    wins: tuple[Bar, ...]

    def draw(self) -> Canvas:
        high = BANNER + 50 + _BAR_STEP * len(self.points) + 46 + _BAR_STEP * len(self.wins) + BADGE_HIGH
        canvas = Canvas(high)
        draw_banner(canvas, self.deck, self.name)
        y = _bars(canvas, self.points_label, self.points, BANNER + 14, GOLD)
        canvas.box(EDGE, y + 6, WIDE - 2 * EDGE, 2, DARK)
        _bars(canvas, self.wins_label, self.wins, y + 20, RIVAL)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        points, wins = ([f"{bar.label}{t.colon}{bar.value}." for bar in bars] for bars in (self.points, self.wins))
        return [f"{self.name}.", f"{self.points_label}.", *points, f"{self.wins_label}.", *wins]


def sources_scene(name: str, career: Career, t: Words) -> SourcesScene:
    """Make the scene of where the points of a player who has some come from, and in which rule systems they win."""
    sources = career.standing.points_by_source
    names = {key_of(number): name for number, name in career.set_names.items()}
    total, most = sum(sources.values()), max(sources.values(), default=0)
    return SourcesScene(
        deck=t.faces.deck,
        name=plain(name),
        points_label=t("Where the points come from"),
        points=tuple(
            Bar(
                item_name(item, None, t),
                points / most,
                f"{t.number(points)} · {percent_text(points / total, t)}",
            )
            for item in Item
            if (points := sources.get(item.value, 0))
        ),
        wins_label=t("Wins by variant"),
        wins=tuple(
            Bar(
                name_of_key(row.preset, names, t),
                row.rate,
                t("{wins} of {n}", wins=row.wins, n=row.matches) + f" · {percent_text(row.rate, t)}",
            )
            for row in [each for each in career.presets if is_key(each.preset) and each.matches][:_MOST_RULES]
        ),
    )


def _bars(canvas: Canvas, label: str, bars: tuple[Bar, ...], y: float, colour: str) -> float:
    """Draw bars below their label; returns where they end."""
    write_small(canvas, label, EDGE, y, WIDE - 2 * EDGE)
    y += 32
    left = EDGE + _LABELS
    end = WIDE - EDGE - max((text(bar.value, _BAR_WORDS).width for bar in bars), default=0) - 14
    for bar in bars:
        shown, high = fitting(bar.label, _LABELS - 12, 15, "#")
        canvas.write(shown, EDGE, y + 3 + (15 - high) / 2, high)
        canvas.plate(left, y, end - left, _BAR_HIGH, DARK, radius=4, ground=FELT)
        if bar.share > 0:
            canvas.plate(left, y, max(6, (end - left) * bar.share), _BAR_HIGH, colour, radius=3, ground=FELT)
        canvas.write(bar.value, WIDE - EDGE, y + 2, _BAR_WORDS, align=1)
        y += _BAR_STEP
    return y
