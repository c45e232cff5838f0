"""The duel of two people."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.cards.pictures.canvas import BADGE_WIDTH, WIDE, Canvas, Whole, fitting, fitting_height
from bot.cards.pictures.deck.ink import PAPER, YELLOW, block, disc, page, placed
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import DARK, FELT, GOLD, Sprite, drawn
from bot.club.pictures.overview import BANNER, EDGE, RIVAL, SHORT, percent_text, write_small
from bot.club.store.career import Duel
from bot.club.store.standing import Standing
from bot.club.words.ratings import rating_text
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import names_apart, plain

_MARK_WIDE: Final = 34
_MARKS: Final = {
    0: star(5, 15, 7, YELLOW, width=2),
    1: block(-10, -10, 20, 20, RIVAL, outline=2.5),
    None: disc(0, 0, 7, DARK, width=3, stroke=PAPER),
}
"""The mark of each of the two, and of somebody else."""
_LABEL_LEFT: Final = 192
"""The left edge of the figures' labels, between the values of both."""


@dataclass(frozen=True, slots=True)
class DuelScene(Whole):
    """The standing of two people against each other.

    Attributes:
        deck: the deck it is drawn with.
        names: their names.
        wins: how many of their matches each has won; somebody else may have won some.
        score: the same as text.
        label: the number of these matches in words.
        form_label: what `form` shows.
        form: who won their latest matches, the earliest first: 0 or 1, or None for somebody else.
        figures: what else is compared: the value of each, with its label between them.
    """

    deck: Deck
    names: tuple[str, str]
    wins: tuple[int, int]
    score: tuple[str, str]
    label: str
    form_label: str
    form: tuple[int | None, ...]
    figures: tuple[tuple[str, str, str], ...]

    def draw(self) -> Canvas:
        form_high = 76 if self.form else 0
        canvas = Canvas(BANNER + 156 + form_high + 40 * len(self.figures))
        canvas.box(0, 0, WIDE, BANNER, DARK)
        for name, number, colour, mark, x, align in (
            (self.names[0], "#1", GOLD, _MARKS[0], EDGE, 0.0),
            (self.names[1], "#2", RIVAL, _MARKS[1], WIDE - EDGE, 1.0),
        ):
            canvas.put(_drawn(mark, DARK), x - _MARK_WIDE * align, (BANNER - _MARK_WIDE) / 2)
            room = WIDE / 2 - 2 * EDGE - _MARK_WIDE
            shown, high = fitting(name, room, 30 if len(name) <= SHORT else 19, number)
            beside = x + (_MARK_WIDE + 8) * (1 - 2 * align)
            canvas.write(shown, beside, (BANNER - high) / 2, high, colour=colour, ground=DARK, align=align)
        y = BANNER + 22
        for wins, x, align in ((self.score[0], EDGE + 8, 0.0), (self.score[1], WIDE - EDGE - 8, 1.0)):
            canvas.write(wins, x, y, 52, align=align)
        write_small(canvas, self.label, WIDE / 2, y + 18, 260, align=0.5)
        _split(canvas, self.wins, y + 74)
        y += 120
        if self.form:
            _meetings(canvas, self, y)
            y += form_high
        canvas.box(EDGE, y, WIDE - 2 * EDGE, 2, DARK)
        for number, (mine, label, theirs) in enumerate(self.figures):
            top = y + 14 + 40 * number
            room = _LABEL_LEFT - 10 - BADGE_WIDTH
            for value, x, align in ((mine, _LABEL_LEFT - 10, 1), (theirs, WIDE - _LABEL_LEFT + 10, 0)):
                high = fitting_height(value, room, 22)
                canvas.write(value, x, top + (22 - high) / 2, high, align=align)
            write_small(canvas, label, WIDE / 2, top + 4, WIDE - 2 * _LABEL_LEFT, align=0.5)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        one, other = self.names
        parts = [f"{one} {' – '.join(self.score)} {other}.", f"{self.label}."]
        if self.form:
            winners = ", ".join(t("somebody else") if winner is None else self.names[winner] for winner in self.form)
            parts.append(f"{self.form_label}{t.colon}{winners}.")
        return [*parts, *(f"{label}{t.colon}{one} {mine}, {other} {theirs}." for mine, label, theirs in self.figures)]


def duel_scene(name: str, standing: Standing, duel: Duel, at: datetime, t: Words) -> DuelScene:
    """Make the scene of two people who have met, as they stand at a moment."""
    both = (standing, duel.rival)
    own, rival = names_apart((name, duel.rival.name), drawn=True)
    rows = [
        (
            t.context("figure", "Rating"),
            [None if (now := theirs.rating_at(at)) is None else rating_text(now, t) for theirs in both],
        ),
        (t("Matches in all"), [t.number(theirs.matches) for theirs in both]),
        (t("Matches won"), [percent_text(theirs.rate, t) for theirs in both]),
        (t("Winning streak"), [t.number(theirs.best_streak) for theirs in both]),
        (t("Escobas a match"), [t.number(round(theirs.escobas / max(1, theirs.matches), 1)) for theirs in both]),
    ]
    return DuelScene(
        deck=t.faces.deck,
        names=(plain(own), plain(rival)),
        wins=(duel.met.wins, duel.met.losses),
        score=(t.number(duel.met.wins), t.number(duel.met.losses)),
        label=t.plural("{n} match", "{n} matches", duel.met.matches),
        form_label=t("Latest winners"),
        form=duel.form,
        figures=tuple((values[0] or "–", label, values[1] or "–") for label, values in rows if any(values)),
    )


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
    """Draw the winners of their latest matches, the newest at the right: each one's mark in a line of its own, and
    somebody else's between them."""
    first = WIDE - EDGE - _MARK_WIDE * len(scene.form)
    write_small(canvas, scene.form_label, EDGE, y + 22, first - EDGE - 8)
    for number, winner in enumerate(scene.form):
        down = 13 if winner is None else 27 * winner
        canvas.put(_drawn(_MARKS[winner]), first + _MARK_WIDE * number, y + down)


def _drawn(mark: str, ground: str = FELT) -> Sprite:
    middle = _MARK_WIDE / 2
    return drawn(page(placed(mark, middle, middle), _MARK_WIDE, _MARK_WIDE), _MARK_WIDE, ground)
