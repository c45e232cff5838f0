"""The figures of a player, and the picture of them all."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from babel.numbers import format_percent

from bot.cards.pictures.canvas import BADGE_WIDTH, WIDE, Canvas, Whole, fitting, fitting_height, width_at
from bot.cards.pictures.deck.ink import INK, PAPER, STEEL, YELLOW, disc, page, path, placed
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import BRONZE, DARK, FELT, GOLD, drawn, pip
from bot.club.store.career import Career
from bot.club.store.standing import read_record
from bot.club.words.ratings import rating_text
from bot.engine.cards import Suit
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import plain

BANNER: Final = 84
EDGE: Final = 18
SHORT: Final = 12
"""Names up to this long are written as high as possible."""
RIVAL: Final = STEEL
"""The other person's colour."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number from somebody's statistics as it is written, and the words below it."""

    value: str
    label: str


def draw_banner(canvas: Canvas, deck: Deck, name: str, beside: str = "") -> None:
    """Draw the name at the top of a page, and a figure beside it."""
    canvas.box(0, 0, WIDE, BANNER, DARK)
    canvas.put(pip(deck, Suit.OROS, 64), 12, 10)
    taken = canvas.write(beside, WIDE - EDGE, 22, 40, ground=DARK, align=1) if beside else 0
    wanted = 38 if len(name) <= SHORT else 26
    shown, high = fitting(name, WIDE - 92 - EDGE - taken - 16, wanted, "#")
    canvas.write(shown, 92, (BANNER - high) / 2, high, colour=GOLD, ground=DARK)


def write_small(canvas: Canvas, words: str, x: float, y: float, room: float, *, align: float = 0) -> None:
    """Write a label, as small as it must be to fit."""
    high = fitting_height(words, room, 15)
    canvas.write(words, x, y + (15 - high) / 2, high, colour=GOLD, align=align)


def percent_text(share: float, t: Words) -> str:
    """Write a share as the language writes percentages."""
    return format_percent(share, locale=t.language)


_HIGH: Final = 400
_MEDALS: Final = (YELLOW, STEEL, BRONZE)
_FORM_STEP: Final = 30
_MANY: Final = 5
"""From this many on, figures are written smaller."""


@dataclass(frozen=True, slots=True)
class RivalRow:
    """Somebody whom the player has met, and "the player's wins – theirs"."""

    name: str
    score: str


@dataclass(frozen=True, slots=True)
class StatsScene(Whole):
    """A player's matches on a server.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        rank: the place by wins, 0 without one, and how it is written.
        figures: the rating, if there is one, and how many matches, wins, points and escobas.
        rate: the share of matches won, 0 to 1, and how it is written.
        form: the latest matches, the oldest first, with its label.
        records: the best of a match, and the longest run of wins.
        duels: those whom the player has met most, with their label.
    """

    deck: Deck
    name: str
    rank: int
    rank_text: str
    figures: tuple[Figure, ...]
    rate: float
    rate_text: str
    form_label: str
    form: tuple[bool, ...]
    records: tuple[Figure, ...]
    duels_label: str
    duels: tuple[RivalRow, ...]

    def draw(self) -> Canvas:
        canvas = Canvas(_HIGH)
        _banner(canvas, self)
        width = (WIDE - 2 * EDGE) / len(self.figures)
        for number, figure in enumerate(self.figures):
            x = EDGE + width * (number + 0.5)
            high = fitting_height(figure.value, width - 6, 38 if len(self.figures) < _MANY else 29)
            canvas.write(figure.value, x, BANNER + 16 + (38 - high) / 2, high, colour=PAPER, align=0.5)
            write_small(canvas, figure.label, x, BANNER + 66, width - 4, align=0.5)
        canvas.box(EDGE, 184, WIDE - 2 * EDGE, 2, DARK)
        for number, record in enumerate(self.records):
            _record(canvas, record, 198 + 32 * number)
        _duels(canvas, self, 198)
        canvas.box(EDGE, 296, WIDE - 2 * EDGE, 2, DARK)
        taken = canvas.write(self.rate_text, WIDE - EDGE, 308 + 5, 17, align=1)
        room = WIDE - 2 * EDGE - taken - 16
        canvas.plate(EDGE, 308, room, 26, DARK, radius=13, ground=FELT)
        if self.rate:
            canvas.plate(EDGE, 308, max(26, round(room * self.rate)), 26, GOLD, radius=13, ground=FELT)
        _form(canvas, self, 352)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        parts = [f"{self.name}."]
        parts += [f"{figure.label}{t.colon}{figure.value}." for figure in self.figures]
        parts.append(f"{self.rate_text}.")
        if self.rank:
            parts.append(t("Place by wins: {rank}.", rank=self.rank))
        if self.form:
            outcomes = ", ".join(
                t.context("result", "won") if won else t.context("result", "lost") for won in self.form
            )
            parts.append(f"{self.form_label}{t.colon}{outcomes}.")
        parts += [f"{figure.label}{t.colon}{figure.value}." for figure in self.records]
        if self.duels:
            duels = ", ".join(f"{duel.name} {duel.score}" for duel in self.duels)
            parts.append(f"{self.duels_label}{t.colon}{duels}.")
        return parts


def stats_scene(name: str, career: Career, at: datetime, t: Words) -> StatsScene:
    """Make the scene of a player's matches, of which some must count, with the rating at a certain time."""
    stats = career.standing
    rating = stats.rating_at(at)
    records = [
        Figure(t.number(value), label)
        for value, label in (
            (stats.best_streak, t("Winning streak")),
            (read_record(stats.top_points)[0], t("Most points")),
            (read_record(stats.top_escobas)[0], t("Most escobas")),
        )
        if value
    ]
    rivals = [(plain(rival.name), t.number(rival.wins), t.number(rival.losses)) for rival in career.rivals]
    return StatsScene(
        deck=t.faces.deck,
        name=plain(name),
        rank=stats.rank,
        rank_text=t.number(stats.rank),
        figures=(
            *([] if rating is None else [Figure(rating_text(rating, t), t.context("figure", "Rating"))]),
            Figure(t.number(stats.matches), t.context("figure", "Matches")),
            Figure(t.number(stats.wins), t.context("figure", "Wins")),
            Figure(t.number(stats.points), t.context("figure", "Points")),
            Figure(t.number(stats.escobas), t.context("figure", "Escobas")),
        ),
        rate=stats.rate,
        rate_text=t("{percent}% won", percent=round(100 * stats.rate)),
        form_label=t("Latest matches"),
        form=career.form,
        records=tuple(records),
        duels_label=t("Head to head"),
        duels=tuple(RivalRow(name, f"{wins} – {losses}") for name, wins, losses in rivals),
    )


def _banner(canvas: Canvas, scene: StatsScene) -> None:
    canvas.box(0, 0, WIDE, BANNER, DARK)
    canvas.put(pip(scene.deck, Suit.OROS, 64), 12, 10)
    shown, high = fitting(scene.name, WIDE - 200, 38, "#")
    canvas.write(shown, 92, (BANNER - high) / 2, high, colour=GOLD, ground=DARK)
    if scene.rank > 99:  # too long for a medal
        wide = width_at(scene.rank_text, 22) + 16
        canvas.plate(WIDE - EDGE - wide, 22, wide, 40, PAPER, radius=12, ground=DARK)
        canvas.write(scene.rank_text, WIDE - EDGE - wide / 2, 31, 22, colour=INK, ground=PAPER, align=0.5)
    elif scene.rank:
        colour = _MEDALS[scene.rank - 1] if scene.rank <= len(_MEDALS) else PAPER
        medal = path("M22 44L16 78L34 68L52 78L46 44Z", colour, width=3) + disc(34, 30, 26, colour, width=3)
        canvas.put(drawn(page(medal, 68, 84), 64, DARK), WIDE - 84, 2)
        high = 26 if scene.rank < 10 else 20
        canvas.write(scene.rank_text, WIDE - 52, 30 - high / 2, high, colour=INK, ground=colour, align=0.5)


def _form(canvas: Canvas, scene: StatsScene, y: float) -> None:
    if not scene.form:
        return
    first = WIDE - EDGE - _FORM_STEP * len(scene.form)
    write_small(canvas, scene.form_label, first - 10, y + 12, first - 10 - BADGE_WIDTH, align=1)
    for number, won in enumerate(scene.form):
        mark = star(5, 15, 7, YELLOW, width=2) if won else disc(0, 0, 9, DARK, width=3, stroke=PAPER)
        canvas.put(drawn(page(placed(mark, 17, 17), 34, 34), 34), first + _FORM_STEP * number, y)


def _record(canvas: Canvas, record: Figure, y: float) -> None:
    align, x = (0, 4) if len(record.value) > 3 else (1, EDGE + 52)
    taken = x + canvas.write(record.value, x, y, 22, colour=PAPER, align=align) * (1 - align)
    left = max(EDGE + 64, taken + 12)
    write_small(canvas, record.label, left, y + 4, 300 - left)


def _duels(canvas: Canvas, scene: StatsScene, top: float) -> None:
    if not scene.duels:
        return
    left = 322
    canvas.box(left - 16, top - 2, 2, 90, DARK)
    for number, duel in enumerate(scene.duels):
        y = top + 32 * number
        taken = canvas.write(duel.score, WIDE - EDGE, y, 22, colour=GOLD, align=1)
        shown, high = fitting(duel.name, WIDE - EDGE - left - taken - 12, 17, f"#{number + 1}")
        canvas.write(shown, left, y + 4 + (17 - high) / 2, high)
