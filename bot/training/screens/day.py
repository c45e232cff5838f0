"""The day's position as one person sees it: the question, the verdict on their one try, earlier days, and the month.

Only the verdict is made from the solution, and only somebody who has answered gets it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from babel.numbers import format_percent
from discord import ButtonStyle

from bot.coach.grading import graded
from bot.engine.moves import Move
from bot.platform.kit.colours import TURN
from bot.platform.kit.host import Display
from bot.platform.language.calendar import written_date
from bot.platform.language.texts import Words, place_sign
from bot.platform.layout import Component, Layout, box_of, button, layout_of, menu, option, row
from bot.platform.people import safe, told_apart
from bot.training.ids.lesson import DayRef, DayVerb, day_value
from bot.training.live.days import CATCH_UP
from bot.training.live.finding import Exercise
from bot.training.screens.exercise import question_layout, verdict_layout
from bot.training.store.answers import DayRecord, MonthBoard, MonthRow
from bot.training.store.rows import DayAnswer
from bot.training.words.coaching import SQUARES, behind_text, full_tenths, move_text, verdict_lines

WEEK: Final = CATCH_UP
"""Days before today that can still be solved; also the days shown beside a verdict, today included."""
ON_A_PAGE: Final = 10
"""People on a month's leaderboard."""
_MOVES: Final = 6
"""Moves that are listed one by one with their shares."""
_UNSOLVED: Final = "⬜"


@dataclass(frozen=True, slots=True)
class DayPage:
    """A day's position for somebody. `today` is the date on which they look at it, and `record` holds their answers."""

    day: date
    today: date
    exercise: Exercise
    record: DayRecord

    @property
    def answer(self) -> DayAnswer | None:
        """Their answer to this day's position."""
        return self.record.answers.get(self.day)


def day_question(page: DayPage, display: Display) -> Layout:
    """The position, with a menu of its moves. Only people who haven't answered yet see this."""
    t = display.words
    late = t("This day is over, so it won't count.")
    note = t("One try. Others see only your grade.") if page.day == page.today else late
    return question_layout(
        page.exercise,
        display,
        lambda first: DayRef(page.day, first).custom_id(DayVerb.MOVE),
        _title(page.day, t),
        note=t("**What do you play?**") + f"\n-# {note}",
    )


def day_verdict(page: DayPage, move: Move, answer: DayAnswer, display: Display, *, alone: bool = False) -> Layout:
    """Lay out what somebody's move was worth, and what most others chose. `alone`: there is nobody to show it to."""
    t, ref = display.words, DayRef(page.day)
    shares = answer.counted and not alone
    share = [button(ref.custom_id(DayVerb.SHARE), t("Show to everyone"), emoji="📣")] if shares else []
    late = t("This day was over when you answered, so your answer doesn't count.")
    flame = f"🔥 {page.record.streak} · " if page.record.streak > 1 else ""
    return verdict_layout(
        page.exercise,
        move,
        display,
        _title(page.day, t),
        None if answer.counted else f"-# {late}",
        "\n".join(filter(None, (_others_text(page, move, answer, t), f"{flame}{week_grid(page)}"))),
        row(*share, button(ref.custom_id(DayVerb.MORE), t.context("button", "More"))),
    )


def day_more(page: DayPage, move: Move, t: Words) -> Layout:
    """All about somebody's answer: the reasons, what each move is worth and who chose it, and their streak."""
    judged = page.exercise.judged(move)
    return box_of(
        TURN,
        _title(page.day, t),
        "\n".join(verdict_lines(judged, t)),
        "\n".join(_shares(page, move, t)),
        f"{streak_text(page.record, t)}\n" + t("Your last seven days: {squares}", squares=week_grid(page)),
        row(
            button(DayRef(page.day).custom_id(DayVerb.OPEN), t.context("button", "Back")),
            week_button(page.today, t),
            _month_button(page.today, t),
        ),
    )


def shared_layout(page: DayPage, name: str, t: Words) -> Layout:
    """Show how well somebody did, for everybody in the channel and without a word about the move."""
    answer = page.answer
    assert answer is not None, "only an answer is shown"
    streak = f" · 🔥 {page.record.streak}" if page.record.streak > 1 else ""
    text = t("🧩 **{name}** · daily puzzle, {date}", name=safe(name), date=date_text(page.day, t))
    solve = button(DayRef(page.day).custom_id(DayVerb.OPEN), t("Solve it, too"), emoji="🧩")
    week = f"\n{week_grid(page)}" if page.day == page.today else ""
    return layout_of(f"{text}{t.colon}{_square(answer)}{streak}{week}", row(solve))


def week_layout(today: date, record: DayRecord, t: Words) -> Layout:
    """The days before today that can still be solved."""
    days = [today - timedelta(days=back) for back in range(1, WEEK + 1)]
    options: list[Component] = []
    for day in days:
        answer = record.answers.get(day)
        said = t("not solved yet") if answer is None else t("look at it again")
        square = _square(answer, late=True)
        options.append(
            option(written_date("MMMMEEEEd", day, t), day_value(day), chosen=False, description=said, emoji=square)
        )
    return box_of(
        TURN,
        t("## 📅 Earlier days")
        + "\n"
        + t(
            "You can still solve the puzzles of the last seven days. They no longer count, but two a month save a "
            "streak."
        ),
        t("**Which day?**"),
        row(menu(DayRef(today).custom_id(DayVerb.CHOOSE), options, placeholder=t("Choose a day"))),
        row(today_button(today, t), _month_button(today, t)),
    )


def month_layout(board: MonthBoard, first: date, today: date, user_id: int, t: Words) -> Layout:
    """The leaderboard of the month that begins with `first`, with the reader's own row."""
    title = t("## 🏆 Daily puzzle: {month}", month=written_date("yMMMM", first, t))
    rule = t("Days solved count first, then the fewest points given away. Answers from this server only.")
    beside = [] if board.own is None or board.own in board.rows else [board.own]
    lines = [_month_line(solver, t, own=solver.user_id == user_id) for solver in told_apart((*board.rows, *beside))]
    if beside:
        lines.insert(-1, "…")
    more = board.people - len(board.rows)
    before = first - timedelta(days=1)
    current = (first.year, first.month) == (today.year, today.month)
    other = DayRef(before.replace(day=1) if current else today.replace(day=1)).custom_id(DayVerb.MONTH)
    nobody = t("Nobody here tried one this month yet.") if current else t("Nobody here tried one that month.")
    return box_of(
        TURN,
        f"{title}\n-# {rule}",
        "\n".join(lines) or nobody,
        "-# " + t.plural("{n} person in all", "{n} people in all", board.people) if more > 0 else None,
        row(
            today_button(today, t),
            button(other, t("Last month") if current else t("This month"), emoji="🏆"),
        ),
    )


def streak_text(record: DayRecord, t: Words) -> str:
    """Say for how many days in a row somebody has solved the position, and whether they can save a longer streak."""
    streak, saved = record.streak, record.savable
    if saved > streak:
        return t.plural(
            "🔥 Solve the puzzle you missed (**Earlier days**), and your streak goes on: **{n}** day",
            "🔥 Solve the puzzle you missed (**Earlier days**), and your streak goes on: **{n}** days",
            saved,
        )
    if not streak:
        return t("No streak yet. Solve a puzzle to start one.")
    return t.plural("🔥 Streak: **{n}** day", "🔥 Streak: **{n}** days", streak)


def week_grid(page: DayPage) -> str:
    """Show how somebody did on the last seven days, as squares that give no move away."""
    days = (page.today - timedelta(days=back) for back in reversed(range(WEEK)))
    return "".join(_square(page.record.answers.get(day)) for day in days)


def date_text(day: date, t: Words) -> str:
    """A day without its year, such as "14 March"."""
    return written_date("MMMMd", day, t)


def percentages(counts: Mapping[str, int]) -> dict[str, int]:
    """Shares in whole percents that add up to 100: those that lose most by rounding down get one more."""
    total = sum(counts.values())
    if not total:
        return {}
    found = {name: 100 * count // total for name, count in counts.items()}
    by_rest = sorted(counts, key=lambda name: -(100 * counts[name] % total))
    for name in by_rest[: 100 - sum(found.values())]:
        found[name] += 1
    return found


def _title(day: date, t: Words) -> str:
    return t("### 🧩 Daily puzzle: {date}", date=date_text(day, t))


def _square(answer: DayAnswer | None, *, late: bool = False) -> str:
    """An answer's square, which gives no move away; empty if the answer doesn't count, unless `late` ones are shown."""
    if answer is None or not (answer.counted or late):
        return _UNSOLVED
    return SQUARES[graded(answer.lost / 1000)]


def _others(page: DayPage, own: Move, answer: DayAnswer | None) -> dict[str, int]:
    """Count who of the others chose each move, by the moves' names."""
    counts, name = dict(page.record.shares), page.exercise.name_of(own)
    if answer is not None and answer.counted:
        counts[name] = counts.get(name, 1) - 1
    return counts


def _others_text(page: DayPage, own: Move, answer: DayAnswer, t: Words) -> str | None:
    """Say how many of the others chose the best move, and how many the reader's; None without others."""
    name_of, best = page.exercise.name_of, page.exercise.analysis.best.move
    counts = _others(page, own, answer)
    people = sum(counts.values())
    if not people:
        return None
    percent = percentages(counts)
    told = [t("{share} like you", share=_percent(percent.get(name_of(own), 0), t))]
    if own != best:
        share = _percent(percent.get(name_of(best), 0), t)
        told.insert(0, t("{share} the better move", share=share))
    return t.plural("{n} other: {shares}", "{n} others: {shares}", people, shares=" · ".join(told))


def _shares(page: DayPage, own: Move, t: Words) -> list[str]:
    """List how far each move falls behind the best, and the share of players who chose it, unless the reader is the
    only one; the best first."""
    exercise = page.exercise
    shares = page.record.shares if any(_others(page, own, page.answer).values()) else {}
    behind = {rating.move: rating for rating in exercise.analysis.ratings}
    percent = percentages(shares)
    moves = {exercise.name_of(move): move for move in [*behind, *(m for m in exercise.view.moves if m not in behind)]}
    first = (exercise.name_of(exercise.analysis.best.move), exercise.name_of(own))
    told = sorted(moves, key=lambda name: (name not in first, -shares.get(name, 0)))[:_MOVES]
    lines: list[str] = []
    if shares:
        people = sum(shares.values())
        lines.append(t.plural("**What {n} player chose**", "**What {n} players chose**", people))
    for name in sorted(told, key=list(moves).index):
        move = moves[name]
        parts = [f"**{_percent(percent.get(name, 0), t)}**"] if shares else []
        parts.append(move_text(move, t))
        if move in behind:
            parts.append(behind_text(behind[move], t))
        mark = t("your move")
        lines.append(" · ".join(parts) + (f" 👈 {mark}" if move == own else ""))
    if rest := sum(share for name, share in percent.items() if name not in told):
        lines.append(f"**{_percent(rest, t)}** · " + t("other moves"))
    return lines


def _percent(share: int, t: Words) -> str:
    return format_percent(share / 100, locale=t.language)


def _month_line(solver: MonthRow, t: Words, *, own: bool) -> str:
    name = f"__**{safe(solver.name)}**__" if own else f"**{safe(solver.name)}**"
    solved = t.plural(
        "{solved} of {n} day solved", "{solved} of {n} days solved", solver.answered, solved=solver.solved
    )
    lost = full_tenths(solver.lost / 1000)
    given = [t("points given away: {points}", points=t.rounded(lost))] if lost else []
    return f"{place_sign(solver.rank, t)} {name}\n-# " + " · ".join([solved, *given])


def today_button(today: date, t: Words) -> Component:
    """The button that opens the day's position."""
    return button(DayRef(today).custom_id(DayVerb.OPEN), t("Today's puzzle"), style=ButtonStyle.primary, emoji="🧩")


def week_button(today: date, t: Words) -> Component:
    """The button that lists the days before today that can still be solved."""
    return button(DayRef(today).custom_id(DayVerb.WEEK), t("Earlier days"), emoji="📅")


def _month_button(today: date, t: Words) -> Component:
    return button(DayRef(today).custom_id(DayVerb.MONTH), t("This month"), emoji="🏆")
