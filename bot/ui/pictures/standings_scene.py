"""What the picture of a tournament's standings shows, as a value with all its words, and its alt text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.ui.words.faces import Deck
from bot.ui.words.texts import Words

_ROOM: Final = 1000
"""The approximate length of the longest alt text."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, and the parts whose sum or mean it is; `parts` is empty if there is no more than one."""

    value: str
    parts: tuple[str, ...] = ()
    mean: bool = False


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry's line.

    Attributes:
        place: from 1; equal entries share a place.
        number: the entry's, which stands in for names that can't be written.
        names: those of its people.
        figures: one for each column.
        out: whether it no longer takes part.
    """

    place: int
    number: int
    names: tuple[str, ...]
    figures: tuple[Figure, ...]
    out: bool = False


@dataclass(frozen=True, slots=True)
class StandingsScene:
    """A page of a tournament's standings.

    Attributes:
        deck: the deck it is drawn with.
        title: which standings.
        note: after which round, and which page.
        columns: what the figures are.
        rows: the entries, best first.
    """

    deck: Deck
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]


def standings_sentences(scene: StandingsScene, t: Words) -> list[str]:
    """The picture in words, a sentence for each entry; without the sums if they would push entries out."""
    whole = _sentences(scene, t, sums=True)
    return whole if sum(map(len, whole)) + len(whole) < _ROOM else _sentences(scene, t, sums=False)


def _sentences(scene: StandingsScene, t: Words, *, sums: bool) -> list[str]:
    parts = [f"{scene.title}. {scene.note}."]
    for row in scene.rows:
        figures = "; ".join(
            f"{column} {spelled(figure) if sums else figure.value}"
            for column, figure in zip(scene.columns, row.figures, strict=True)
        )
        out = ", " + t("out") if row.out else ""
        parts.append(f"{row.place}. {' & '.join(row.names)}{out}: {figures}.")
    return parts


def spelled(figure: Figure) -> str:
    """A figure with its sum.

    >>> spelled(Figure("7", ("4", "3")))
    '7 = 4 + 3'
    """
    if not figure.parts:
        return figure.value
    if figure.mean:
        return f"{figure.value} = ({' + '.join(figure.parts)}) / {len(figure.parts)}"
    text = figure.parts[0]
    for part in figure.parts[1:]:
        negative = part.startswith("−")
        text += f" − {part[1:]}" if negative else f" + {part.removeprefix('+')}"
    return f"{figure.value} = {text}"
