"""The sources of a player's points, and in which rule systems they win: bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.canvas import BADGE_HIGH, WIDE, Canvas, fitting
from bot.cards.pictures.sprites import DARK, FELT, GOLD, text
from bot.cards.pictures.stills import Whole
from bot.cards.words.rules import item_name, name_of_key
from bot.club.pictures.figures import BANNER, EDGE, RIVAL, draw_banner, percent_text, write_small
from bot.club.rules.rule_set import is_key, key_of
from bot.club.store.career import Career
from bot.engine.scoring import Item
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people.names import plain

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
