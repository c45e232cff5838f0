"""Coaching and practice in words: verdicts, themes, and why training refuses something."""

from collections.abc import Mapping
from math import floor
from typing import Final

from bot.cards.words.cards import named, named_all
from bot.coach.analysis import Analysis, MoveRating
from bot.coach.explaining import why_best
from bot.coach.grading import Grade, lost
from bot.coach.reasons import Why
from bot.engine.moves import Claim, Move, Sing
from bot.engine.rules import Rules
from bot.engine.views import SeatView
from bot.platform.language.texts import N_, NC_, Words
from bot.training.live.practice import Queue
from bot.training.live.review import Judged
from bot.training.rules.themes import Theme
from bot.training.words.clauses import clause, grammatical

THEMES: Final[Mapping[Theme, str]] = {
    Theme.ESCOBA: N_("making escobas"),
    Theme.LEFT_OPEN: N_("leaving no escoba open"),
    Theme.SEVENS: NC_("theme", "sevens"),
    Theme.OROS: NC_("theme", "oros"),
    Theme.CARDS: N_("number of cards"),
    Theme.CANTOS: NC_("theme", "singing"),
    Theme.COUNTING: N_("counting the rest"),
}
"""The names of themes in a list."""
CLUES: Final[Mapping[Theme, str]] = {
    Theme.ESCOBA: N_("Look for your own escoba, now or next time."),
    Theme.LEFT_OPEN: N_("Think of the escobas that the others could make after it."),
    Theme.SEVENS: N_("Think of the sevens."),
    Theme.OROS: N_("Think of the oros."),
    Theme.CARDS: N_("Think of how many cards you take, and of who takes last."),
    Theme.CANTOS: N_("Look at what your three cards are before you play one."),
    Theme.COUNTING: N_("You can know every card that is left: play the round out in your head."),
}
"""Clues to what to think of, without giving a move away."""


GRADES: Final[Mapping[Grade, str]] = {
    Grade.GOOD: N_("✅ Good"),
    Grade.SMALL: N_("🟡 Slip"),
    Grade.MISTAKE: N_("🟠 Mistake"),
    Grade.BLUNDER: N_("🔴 Blunder"),
}
SQUARES: Final[Mapping[Grade, str]] = {Grade.GOOD: "🟩", Grade.SMALL: "🟨", Grade.MISTAKE: "🟥", Grade.BLUNDER: "🟥"}
"""Signs that show a decision to others, without a word about the move."""


def move_text(move: Move, t: Words) -> str:
    if isinstance(move, Claim):
        return t("claim {cards}", cards=named_all(move.captured, t))
    if isinstance(move, Sing):
        return t("sing your hand")
    if move.captured:
        return t("{card} takes {cards}", card=named(move.card, t), cards=named_all(move.captured, t))
    return t("{card} to the table", card=named(move.card, t))


def why_text(why: Why, rules: Rules, t: Words, *, mentioned: Move | None = None) -> str:
    """Explain why a move is better, in one sentence, followed by another if that is certain.

    The move that it is compared with is named, unless it has been `mentioned`.
    """
    clauses = [clause(reason, rules, t) for reason in why.reasons]
    if not clauses:
        return t("Another move is about as good.")
    said = clauses[0]
    if len(clauses) > 1:
        said = t("{reason}, and {more}", reason=said, more=clauses[1])
    if why.other is None or why.other == mentioned:
        text = t("It {reason}.", reason=said)
    else:
        text = t("Better than {move}: it {reason}.", move=move_text(why.other, t), reason=said)
    return text + " " + t("All cards are known by now, so this is certain.") if why.exact else text


def hint_text(view: SeatView, analysis: Analysis, t: Words) -> str:
    """Write the best move, and the reasons for it."""
    if len(view.moves) == 1:
        why = t("There's nothing else that you could play.")
    else:
        why = why_text(why_best(view, analysis), view.public.rules, t)
    return t("💡 **{move}.** {why}", move=move_text(analysis.best.move, t), why=why)


def danger_text(why: Why, t: Words) -> str | None:
    """Describe what the played move left for the others; None if that isn't what was wrong with it."""
    left = why.danger
    if left is None or left.need is None:
        return None
    if why.known:
        return t(
            "Your move left {total} on the table, and the other hand had a card worth {need}, which sweeps that.",
            total=left.total,
            need=left.need,
        )
    return t.plural(
        "Your move left {total} on the table: {n} card worth {need} was still out, and sweeps that.",
        "Your move left {total} on the table: {n} cards worth {need} were still out, and each sweeps that.",
        left.out,
        total=left.total,
        need=left.need,
    )


def points_text(points: float, t: Words) -> str:
    """Write points given away, as "−0.8 points"; a certain loss is a whole number."""
    shown = full_tenths(points)
    count, written = grammatical(shown, t), t.rounded(shown)
    return t.plural("−{points} point", "−{points} points", count, points=written)


def behind_text(rating: MoveRating, t: Words) -> str:
    """Write by how much a move is behind the best one: by nothing if it is as good."""
    return f"−{t.rounded(full_tenths(points))}" if (points := lost(rating)) else "**±0**"


def full_tenths(points: float) -> float:
    """Round points down to a tenth: a mistake begins at 0.4, so 0.39 must not be shown as that."""
    return floor(round(10 * points, 6)) / 10


def given_text(points: float, t: Words) -> str:
    """Write the points that somebody gave away in a round, on average."""
    return t("points given away a round: {points}", points=t.rounded(points))


def brief_verdict(judged: Judged, t: Words) -> str:
    """Write the grade of a decision with the move that was played, and what was better, with a single reason."""
    played, best, why = judged.decision.move, judged.analysis.best.move, judged.why
    brief = Why(why.reasons[:1], other=why.other)
    reason = why_text(brief, judged.decision.view.public.rules, t, mentioned=played)
    text = f"**{_graded(judged, t)}** · {move_text(played, t)}"
    if judged.lost:
        return f"{text}\n" + t("Better: **{move}**. {why}", move=move_text(best, t), why=reason)
    return f"{text}\n" + (reason if played == best else t("As good: **{move}**.", move=move_text(best, t)))


def _graded(judged: Judged, t: Words) -> str:
    grade = t(GRADES[judged.grade])
    if not judged.lost:
        return grade
    points = points_text(judged.lost, t)
    return f"{grade}{t.colon}" + (t("{points} or more", points=points) if judged.untried else points)


def verdict_lines(judged: Judged, t: Words) -> list[str]:
    """Write the grade of a decision, the move that was played, and what was better and why."""
    return [f"**{_graded(judged, t)}**", *explained_lines(judged, t)]


def explained_lines(judged: Judged, t: Words) -> list[str]:
    """Write the move that was played, and what was better and why."""
    decision = judged.decision
    why = judged.why
    rules = judged.decision.view.public.rules
    best = judged.analysis.best.move
    lines = [t("You played: **{move}**.", move=move_text(decision.move, t))]
    if judged.lost:
        if danger := danger_text(why, t):
            lines.append(danger)
        lines.append(
            t(
                "Better: **{move}**. {why}",
                move=move_text(best, t),
                why=why_text(why, rules, t, mentioned=decision.move),
            )
        )
    elif decision.move == best:
        lines.append(why_text(why, rules, t, mentioned=decision.move))
    else:
        lines.append(t("As good: **{move}**.", move=move_text(best, t)))
    return lines


MOST_WEAK: Final = 3
"""Themes that are named, of those that somebody misses most."""


def progress_lines(queue: Queue, t: Words) -> list[str]:
    """Write what somebody has learned, and what they still miss, for their own eyes."""
    due, waiting = len(queue.due), len(queue.due) + len(queue.later)
    if not (waiting or queue.learned):
        return []
    counts = [
        (queue.learned, t.plural("**{n}** puzzle learned", "**{n}** puzzles learned", queue.learned)),
        (waiting, t.plural("**{n}** to practise", "**{n}** to practise", waiting)),
        (due, t.plural("**{n}** of them now", "**{n}** of them now", due)),
    ]
    line = "🎯 " + " · ".join(text for count, text in counts if count)
    return [line, weak] if (weak := weak_themes(queue, t)) is not None else [line]


def weak_themes(queue: Queue, t: Words) -> str | None:
    if not queue.weak:
        return None
    themes = " · ".join(f"{t(THEMES[theme])} ({count})" for theme, count in queue.weak[:MOST_WEAK])
    return "-# " + t("What you miss most: {themes}", themes=themes)
