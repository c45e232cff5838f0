"""The end of a tournament: its first three places on steps of gold, silver and bronze."""

from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.canvas import WIDE, Canvas, Whole, fitting
from bot.cards.pictures.deck.ink import INK, STEEL, YELLOW
from bot.cards.pictures.sprites import DARK, GOLD
from bot.platform.language.texts import NC_, Words
from bot.tables.pictures.ornaments import confetti, laurel
from bot.tournaments.pictures.standings import halves

HIGH: Final = 410
_BRONZE: Final = "#c98d4b"
_STEPS: Final = {2: (294, STEEL), 1: (252, YELLOW), 3: (318, _BRONZE)}
"""The top of each place's step and its colour, from left to right. Their figures are above the lower left corner that
a phone covers with its badge for an alt text."""
_MEDALS: Final = {1: NC_("medal", "Gold"), 2: NC_("medal", "Silver"), 3: NC_("medal", "Bronze")}
_WIDE: Final = 186
_GAP: Final = 8
_LAUREL: Final = 78
_LINES: Final = 4
"""Names on a step; of more, the last line says how many."""
_SHORT: Final = 12
"""Names up to this long are written as high as possible."""
_LEAST: Final = 14


@dataclass(frozen=True, slots=True)
class PodiumEntry:
    """An entry on a step. `number`: the entry's, which stands in for names that can't be written."""

    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A place and those who share it. `figure`: what each of them reached, in words; empty if the place says it."""

    place: int
    entries: tuple[PodiumEntry, ...]
    figure: str = ""


@dataclass(frozen=True, slots=True)
class PodiumScene(Whole):
    """A tournament's podium. `steps`: the places that somebody has, the best first."""

    steps: tuple[PodiumStep, ...]

    def draw(self) -> Canvas:
        canvas = Canvas(HIGH, DARK)
        canvas.put(confetti(_LAUREL, ()), 0, 0)
        steps = {step.place: step for step in self.steps}
        shown = [steps[place] for place in _STEPS if place in steps]
        x = (WIDE - len(shown) * (_WIDE + _GAP) + _GAP) / 2
        for step in shown:
            _step(canvas, step, x)
            x += _WIDE + _GAP
        return canvas

    def sentences(self, t: Words) -> list[str]:
        parts: list[str] = []
        for step in self.steps:
            names = ", ".join(" & ".join(entry.names) for entry in step.entries)
            parts.append(f"{t(_MEDALS[step.place])}{t.colon}{names}" + (f"; {step.figure}." if step.figure else "."))
        return parts


def _step(canvas: Canvas, step: PodiumStep, x: float) -> None:
    top, colour = _STEPS[step.place]
    middle = x + _WIDE / 2
    canvas.box(x, top, _WIDE, HIGH - top, colour)
    canvas.write(str(step.place), middle, top + 10, 38, colour=INK, ground=colour, align=0.5)
    if step.place == 1:
        canvas.box(middle - _LAUREL / 2 - 12, 0, _LAUREL + 24, _LAUREL, DARK)  # no scraps of paper on the wreath
        canvas.put(laurel(_LAUREL), middle - _LAUREL / 2, 2)
    if step.figure:
        canvas.write(step.figure, middle, top - 26, 16, ground=DARK, align=0.5)
    names = _names(step)
    more = len(names) - _LINES + 1 if len(names) > _LINES else 0
    names = names[: _LINES - 1] if more else names
    largest, line = (32, 48) if len(names) == 1 else (22, 38) if len(names) == 2 else (18, 34)
    y = top - (34 if step.figure else 8) - line * (len(names) + bool(more))
    for name, number in names:
        shown, high = fitting(name, _WIDE, largest if len(name) <= _SHORT else 16, f"#{number}", _LEAST)
        canvas.write(shown, middle, y + (line - high) / 2, high, colour=GOLD, ground=DARK, align=0.5)
        y += line
    if more:
        canvas.write(f"+{more}", middle, y + 4, 16, colour=GOLD, ground=DARK, align=0.5)


def _names(step: PodiumStep) -> list[tuple[str, int]]:
    """The lines of names on a step, each with the entry's number: one for each entry that shares it, else one for each
    person, or two for somebody whose name is long."""
    if len(step.entries) > 1:
        return [(" & ".join(entry.names), entry.number) for entry in step.entries]
    return [
        (line, entry.number)
        for entry in step.entries
        for name in entry.names
        for line in (halves(name) if len(entry.names) == 1 and len(name) > _SHORT and " " in name else [name])
    ]
