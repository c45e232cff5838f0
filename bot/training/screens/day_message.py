"""A server's public message with the day's position, which grows as people solve it.

Of the day's own exercise it gets only the view, so nothing in it can come from the solution before the day is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.cards import shown_all
from bot.coach.grading import Grade
from bot.engine.views import SeatView
from bot.platform.kit.colours import QUIET, TURN
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, line, row, with_text
from bot.platform.people import safe, told_apart
from bot.training.live.finding import Exercise
from bot.training.screens.day import DayRef, DayVerb, date_text
from bot.training.screens.exercise import position_parts, where_text
from bot.training.words.coaching import SQUARES, move_text, why_text

MOST_NAMES: Final = 20
MOST_STREAKS: Final = 10
LEAST_STREAK: Final = 3
"""Streaks of fewer days aren't worth a line."""
MOST_FIRSTS: Final = 5
LEAST_TOGETHER: Final = 2
"""The same for a server's."""


@dataclass(frozen=True, slots=True)
class DayResult:
    """One person's answer, as far as others may know it. `streak`: how many days in a row they have solved; `first`:
    whether it is the first that they have solved."""

    name: str
    grade: Grade
    streak: int = 0
    first: bool = False

    @property
    def found(self) -> bool:
        """Whether the answer was the best move, or one as good."""
        return self.grade is Grade.GOOD


@dataclass(frozen=True, slots=True)
class Solved:
    """A day that is over: its exercise, the answers given on this server, and the days in a row up to it on which at
    least two people there solved it."""

    day: date
    exercise: Exercise
    results: tuple[DayResult, ...] = ()
    together: int = 0


@dataclass(frozen=True, slots=True)
class DayMessage:
    """The content of the message.

    Attributes:
        day: the day whose position it shows.
        seat: the position.
        results: the answers given on this server on that day, in the order in which they came.
        before: the day before it.
        over: whether that day is over.
        next_at: when the next message comes.
    """

    day: date
    seat: SeatView
    results: tuple[DayResult, ...]
    before: Solved
    over: bool
    next_at: datetime


def day_layout(message: DayMessage, display: Display) -> Layout:
    """The message, both during its day and after it."""
    t = display.words
    parts, scene = position_parts(message.seat, display)
    head = t("## 🧩 Daily puzzle: {date}", date=date_text(message.day, t))
    label = t("Try it anyway") if message.over else t.context("button", "Solve")
    style = ButtonStyle.secondary if message.over else ButtonStyle.primary
    return box_of(
        QUIET if message.over else TURN,
        _solution(message.before, t, max(0, MOST_NAMES - len(message.results))),
        line(),
        f"{head}\n-# {where_text(message.seat.public, t)}",
        *parts,
        _asked(message, t),
        *_results(message.results, t),
        row(button(DayRef(message.day).custom_id(DayVerb.OPEN), label, style=style, emoji="🧩")),
        scene=scene,
    )


def calling(layout: Layout, people: Sequence[int]) -> Layout:
    """The message as it is posted, with the people who want to be mentioned below; an edit notifies nobody."""
    return with_text(layout, "-# 🔔 " + " ".join(f"<@{person_id}>" for person_id in people)) if people else layout


def stopped_layout(t: Words) -> Layout:
    """The last message in a channel where nobody has clicked one for a week."""
    return box_of(
        QUIET,
        t("## 🧩 No more puzzles here"),
        t(
            "For a week nobody opened the daily puzzle in this channel, so I won't post it here any longer. It's "
            "still there every day under `/escoba today`. Someone with the Manage Server permission can turn it on "
            "again in `/escoba settings`."
        ),
    )


def _asked(message: DayMessage, t: Words) -> str:
    if message.over:
        return "-# " + t("This day is over. The next message here has the solution.")
    text = t(
        "One try each. Others see how well you did, but not your move. The solution comes {time}.",
        time=format_dt(message.next_at, "R"),
    )
    return t("**It's your turn. Which move is best?**") + f"\n-# {text}"


def _solution(before: Solved, t: Words, most: int) -> str:
    """The best move of a day that is over, and why, and the results of `most` people, as those of the message's own
    day need room. It repeats the cards, because their picture may be far above."""
    view, analysis = before.exercise.view, before.exercise.analysis
    why = before.exercise.judged(analysis.best.move).why
    cards = t(
        "Table: {table} · hand: {hand}",
        table=shown_all(view.public.table, t) or "—",
        hand=shown_all(view.hand, t),
    )
    lines = [
        t("### The solution of {date}", date=date_text(before.day, t)),
        f"-# {cards}",
        f"**{move_text(analysis.best.move, t)}.** {why_text(why, view.public.rules, t)}",
    ]
    if before.results:
        solved = sum(result.found for result in before.results)
        found = t.plural(
            "{found} of {n} here found it.", "{found} of {n} here found it.", len(before.results), found=solved
        )
        results = told_apart(before.results)
        lines.append(f"-# {found} {_names(results, t, most) if most else ''}".rstrip())
        if firsts := ", ".join([safe(result.name) for result in results if result.first][: min(most, MOST_FIRSTS)]):
            lines.append("-# " + t("🌱 Found one for the first time: {names}", names=firsts))
        if before.together >= LEAST_TOGETHER:
            text = t.plural(
                "🤝 {n} day in a row on which at least two here found it",
                "🤝 {n} days in a row on which at least two here found it",
                before.together,
            )
            lines.append(f"-# {text}")
    return "\n".join(lines)


def _names(results: Sequence[DayResult], t: Words, most: int = MOST_NAMES) -> str:
    """Name who did how well, the best first."""
    order = list(SQUARES.values())
    best = sorted(results, key=lambda result: order.index(SQUARES[result.grade]))
    names = [f"{SQUARES[result.grade]} {safe(result.name)}" for result in best[:most]]
    if more := len(results) - len(names):
        names.append(t.plural("and {n} more", "and {n} more", more))
    return " · ".join(names)


def _results(results: tuple[DayResult, ...], t: Words) -> list[Component | str]:
    """Say how many have found it, who did how well, and who has found it for days in a row; empty without an answer."""
    if not results:
        return []
    text = t.plural(
        "**{found} of {n} found the best move**",
        "**{found} of {n} found the best move**",
        len(results),
        found=sum(result.found for result in results),
    )
    results = told_apart(results)
    lines = [text, _names(results, t)]
    streaks = sorted((result for result in results if result.streak >= LEAST_STREAK), key=lambda result: -result.streak)
    if streaks:
        days = (t.plural("{name}: {n} day", "{name}: {n} days", result.streak, name=safe(result.name))
                for result in streaks[:MOST_STREAKS])  # fmt: skip
        lines.append("-# 🔥 " + " · ".join(days))
    return [line(), "\n".join(lines)]
