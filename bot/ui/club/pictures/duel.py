"""The duel of two people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from babel.numbers import format_decimal

from bot.club.namesakes import names_apart
from bot.store import Duel, Standing
from bot.ui.club.pictures.figures import BANNER, EDGE, LEAST, RIVAL, SHORT, percent_text, write_small
from bot.ui.pictures.canvas import WIDE, Canvas, fitting
from bot.ui.pictures.deck.ink import PAPER, YELLOW, disc, page, placed
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.scenes import Whole
from bot.ui.pictures.sprites import DARK, FELT, GOLD, drawn
from bot.ui.words.club.ratings import points_text, rating_text
from bot.ui.words.faces import Deck
from bot.ui.words.names import plain
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class DuelScene(Whole):
    """The standing of two people against each other.

    Attributes:
        deck: the deck it is drawn with.
        names: their names.
        wins: how many of their matches each has won; somebody else may have won some.
        matches: how many matches they have played against each other.
        label: the number of these matches in words.
        form_label: what `form` shows.
        form: who won their latest matches, the earliest first: 0 or 1, or None for somebody else.
        figures: what else is compared: the value of each, with its label between them.
    """

    deck: Deck
    names: tuple[str, str]
    wins: tuple[int, int]
    matches: int
    label: str
    form_label: str
    form: tuple[int | None, ...]
    figures: tuple[tuple[str, str, str], ...]

    def draw(self) -> Canvas:
        form_high = 60 if self.form else 0
        canvas = Canvas(BANNER + 156 + form_high + 40 * len(self.figures))
        canvas.box(0, 0, WIDE, BANNER, DARK)
        for name, number, colour, x, align in (
            (self.names[0], "#1", GOLD, EDGE, 0.0),
            (self.names[1], "#2", RIVAL, WIDE - EDGE, 1.0),
        ):
            shown, high = fitting(name, WIDE / 2 - 2 * EDGE, 30 if len(name) <= SHORT else 19, number, LEAST)
            canvas.write(shown, x, (BANNER - high) / 2, high, colour=colour, ground=DARK, align=align)
        y = BANNER + 22
        for wins, x, align in ((self.wins[0], EDGE + 8, 0.0), (self.wins[1], WIDE - EDGE - 8, 1.0)):
            canvas.write(str(wins), x, y, 52, align=align)
        write_small(canvas, self.label, WIDE / 2, y + 18, 260, align=0.5)
        _split(canvas, self.wins, y + 74)
        y += 120
        if self.form:
            _meetings(canvas, self, y)
            y += form_high
        canvas.box(EDGE, y, WIDE - 2 * EDGE, 2, DARK)
        for number, (mine, label, theirs) in enumerate(self.figures):
            top = y + 14 + 40 * number
            canvas.write(mine, EDGE, top, 22)
            canvas.write(theirs, WIDE - EDGE, top, 22, align=1)
            write_small(canvas, label, WIDE / 2, top + 4, 260, align=0.5)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        one, other = self.names
        parts = [f"{one} {self.wins[0]} – {self.wins[1]} {other}.", f"{self.label}."]
        if self.form:
            winners = ", ".join(t("somebody else") if each is None else self.names[each] for each in self.form)
            parts.append(f"{self.form_label}: {winners}.")
        return [*parts, *(f"{label}: {one} {mine}, {other} {theirs}." for mine, label, theirs in self.figures)]


def duel_scene(name: str, standing: Standing, duel: Duel, at: datetime, t: Words) -> DuelScene:
    """Make the scene of two people who have met, as they stand at a moment."""
    both = (standing, duel.rival)
    own, rival = names_apart((name, duel.rival.name), drawn=True)
    rows = [
        (t("Rating"), [None if (now := each.rating_at(at)) is None else rating_text(now, t) for each in both]),
        (t("Matches in all"), [points_text(each.matches, t) for each in both]),
        (t("Matches won"), [percent_text(each.rate, t) for each in both]),
        (t("Winning streak"), [points_text(each.best_streak, t) for each in both]),
        (t("Escobas a match"), [_mean(each.escobas, each.matches, t) for each in both]),
    ]
    return DuelScene(
        deck=t.faces.deck,
        names=(plain(own), plain(rival)),
        wins=(duel.met.wins, duel.met.losses),
        matches=duel.met.matches,
        label=t.plural("{n} match", "{n} matches", duel.met.matches),
        form_label=t("Latest winners"),
        form=duel.form,
        figures=tuple((values[0] or "–", label, values[1] or "–") for label, values in rows if any(values)),
    )


def _mean(total: int, matches: int, t: Words) -> str:
    return format_decimal(round(total / max(1, matches), 1), locale=t.language)


def _split(canvas: Canvas, wins: tuple[int, int], y: float) -> None:
    """Draw one bar, divided as their wins are."""
    length, total = WIDE - 2 * EDGE, sum(wins)
    if not total:
        canvas.plate(EDGE, y, length, 26, DARK, radius=13, ground=FELT)
        return
    if not all(wins):
        canvas.plate(EDGE, y, length, 26, GOLD if wins[0] else RIVAL, radius=13, ground=FELT)
        return
    end = min(length - 28, max(28, round(length * wins[0] / total)))
    canvas.plate(EDGE, y, end - 2, 26, GOLD, radius=13, ground=FELT)
    canvas.plate(EDGE + end + 2, y, length - end - 2, 26, RIVAL, radius=13, ground=FELT)


def _meetings(canvas: Canvas, scene: DuelScene, y: float) -> None:
    """Draw the winners of their latest matches, the newest at the right: a star in the winner's colour."""
    write_small(canvas, scene.form_label, EDGE, y + 14, 190)
    first = WIDE - EDGE - 36 * len(scene.form)
    for number, winner in enumerate(scene.form):
        if winner is None:
            mark = disc(0, 0, 7, DARK, width=3, stroke=PAPER)
        else:
            mark = star(5, 15, 7, (YELLOW, RIVAL)[winner], width=2)
        canvas.put(drawn(page(placed(mark, 17, 17), 34, 34), 34), first + 36 * number, y + 4)
