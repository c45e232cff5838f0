"""Practice: a position, a second try if the first was wrong, the verdict; and how much there is to practise.

The decisions of a review are tried again on the same screens.
"""

from dataclasses import replace

from discord import ButtonStyle
from discord.utils import format_dt

from bot.engine.moves import Move
from bot.platform.kit.colours import FELT, QUIET
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, row
from bot.training.ids.practice import (
    PRACTICE,
    SECOND,
    PracticeHomeVerb,
    PracticeRef,
    PracticeVerb,
    ReviewRef,
    ReviewVerb,
    again_source,
)
from bot.training.live.finding import Exercise
from bot.training.live.practice import LEARNED, Queue, theme_missed
from bot.training.screens.exercise import CustomId, question_layout, verdict_layout
from bot.training.store.rows import PracticeState
from bot.training.words.coaching import CLUES, GRADES, move_text, points_text, weak_themes


def first_try(exercise: Exercise, ref: PracticeRef, head: str, display: Display) -> Layout:
    """The position, without any hint."""
    return question_layout(exercise, display, _ids(replace(ref, attempt=1)), head)


def second_try(exercise: Exercise, move: Move, ref: PracticeRef, head: str, display: Display) -> Layout:
    """The position again after a wrong move: what that costs and what to think of, but not what is better."""
    t, judged = display.words, exercise.judged(move)
    costs = f"**{t(GRADES[judged.grade])}{t.colon}{points_text(judged.lost, t)}** · {move_text(move, t)}"
    note = f"{costs}\n-# {t(CLUES[theme_missed(exercise, move)])}"
    tell = button(ref.custom_id(PracticeVerb.GIVE_UP), t("Show me"), emoji="💡")
    ids = _ids(replace(ref, attempt=SECOND))
    return question_layout(exercise, display, ids, head, row(tell), note=note, tried=move)


def verdict(
    exercise: Exercise, move: Move, head: str, display: Display, note: str | None, *buttons: Component
) -> Layout:
    """Lay out what a move was worth, and what to do next."""
    return verdict_layout(exercise, move, display, head, note, row(*buttons))


def practice_head(left: int, t: Words) -> str:
    """The title of a position, with `left` others that are due."""
    return t("### 🎯 Practice") + (" · " + t.plural("{n} more to go", "{n} more to go", left) if left else "")


def again_head(place: int, count: int, t: Words) -> str:
    """The title of a decision from a review."""
    return t("### 🔁 Your match again: {place} of {count}", place=place + 1, count=count)


def kept_note(state: PracticeState | None, t: Words) -> str | None:
    """Say when a position that was answered comes back."""
    if state is None:
        return None
    if state.step == LEARNED:
        return "-# " + t("🎓 You learned this one: it won't be asked again.")
    if state.step > LEARNED:
        return None
    return "-# " + t("It comes back {time}.", time=format_dt(state.due_at, "R"))


def practice_buttons(left: int, t: Words) -> list[Component]:
    """The buttons after a position: the next one that is due, or if none is, any other."""
    home = button(PRACTICE.custom_id(PracticeHomeVerb.HOME), t.context("button", "Overview"), emoji="🎯")
    if left:
        following = button(
            PRACTICE.custom_id(PracticeHomeVerb.DUE), t.context("button", "Next"), style=ButtonStyle.primary, emoji="➡️"
        )
        return [following, home]
    return [home, _another(t)]


def again_buttons(game_id: int, place: int, count: int, t: Words) -> list[Component]:
    """The buttons after a decision of a review: the next decision, if there is one, and back to the review."""
    back = button(ReviewRef(game_id).custom_id(ReviewVerb.SUMMARY), t.context("button", "Summary"), emoji="🔍")
    if place + 1 >= count:
        return [back]
    ref = PracticeRef(again_source(game_id, place + 1))
    return [
        button(ref.custom_id(PracticeVerb.ASK), t.context("button", "Next"), style=ButtonStyle.primary, emoji="➡️"),
        back,
    ]


def _another(t: Words) -> Component:
    return button(PRACTICE.custom_id(PracticeHomeVerb.MORE), t("Another puzzle"), emoji="🎲")


def home_layout(
    queue: Queue, t: Words, today: Component | None, earlier: Component, *, exhausted: bool = False
) -> Layout:
    """Lay out how much there is to practise.

    Args:
        queue: what somebody has to practise.
        t: the words.
        today: the button that opens the day's position; None if they have answered it.
        earlier: the button that lists the days before.
        exhausted: whether they asked for another position when there is none.
    """
    start = button(
        PRACTICE.custom_id(PracticeHomeVerb.DUE), t.context("button", "Start"), style=ButtonStyle.primary, emoji="▶️"
    )
    buttons = [
        *([today] if today is not None else []),
        *([start] if queue.due else [] if exhausted else [_another(t)]),
        earlier,
    ]
    return box_of(
        FELT if queue.due or today is not None else QUIET,
        t("## 🎯 Practice"),
        t("Today's puzzle is waiting for you.") if today is not None else None,
        "\n".join(_counts(queue, t)),
        t("You've seen every puzzle I have. There's a new one every day.") if exhausted else None,
        weak_themes(queue, t),
        row(*buttons),
        "-# "
        + t(
            "What you miss in reviews and daily puzzles comes back here after 1, 3 and 10 days, until you solve it "
            "three times in a row. Only you see this, and it never counts."
        ),
    )


def _counts(queue: Queue, t: Words) -> list[str]:
    due, later = len(queue.due), len(queue.later)
    lines: list[str] = []
    if due:
        lines.append(t.plural("**{n} puzzle** to practise now", "**{n} puzzles** to practise now", due))
    elif later:
        lines.append(t("✅ Done for now."))
    else:
        lines.append(t("You missed nothing so far that I know of."))
    if later and queue.next_at is not None:
        count = t.plural("{n} later", "{n} later", later)
        lines.append(f"{count} · " + t("the next {time}", time=format_dt(queue.next_at, "R")))
    if queue.learned:
        lines.append(t.plural("🎓 {n} learned", "🎓 {n} learned", queue.learned))
    return lines


def _ids(ref: PracticeRef) -> CustomId:
    return lambda number: replace(ref, number=number).custom_id(PracticeVerb.ANSWER)
