"""How well somebody decides, what they made of their cards, and how they learn: in words, for their own eyes."""

from collections.abc import Sequence
from typing import Final

from bot.coach.luck import Luck, added_up
from bot.platform.language.texts import Words
from bot.tables.words.scores import signed_tenths, tenths_text
from bot.training.live.progress import Learning, Progress
from bot.training.store.rows import ReviewRow
from bot.training.words.coaching import given_text, progress_lines

_LUCK_FROM: Final = 5
"""Fewer matches say nothing but chance."""
_TREND_FROM: Final = 4
"""A trend is shown from this many reviews on."""
_TREND: Final = 3
"""A smaller change is no trend."""


def own_lines(progress: Progress, t: Words) -> list[str]:
    return [
        *(_play_lines(progress.reviews, t) if progress.reviews else []),
        *(_luck_lines(progress.luck, t) if len(progress.luck) >= _LUCK_FROM else []),
        *(_learning_lines(progress.learning, t) if progress.learning is not None else []),
    ]


def _play_lines(reviews: Sequence[ReviewRow], t: Words) -> list[str]:
    """Say how well the player decided in the matches they reviewed, and the trend."""
    found = [review.judgement for review in reversed(reviews)]  # the oldest first
    scores = [review.score // 10 for review in found]
    count, rounds = len(found), sum(review.rounds for review in found)
    given = sum(review.given_away for review in found) / 1000 / max(1, rounds)
    text = t.plural(
        "Your play in {n} reviewed match: **{score} out of 100**",
        "Your play in your last {n} reviewed matches: **{score} out of 100**",
        count,
        score=round(sum(scores) / count),
    )
    lines = [f"{text} · {given_text(given, t)}"]
    if count < _TREND_FROM:
        return lines
    half = count // 2
    change = sum(scores[-half:]) / half - sum(scores[:half]) / half
    arrow = "↗️" if change > _TREND else "↘️" if change < -_TREND else "➡️"
    return [*lines, f"-# {arrow} " + " · ".join(map(str, scores))]


def _luck_lines(luck: Sequence[Luck], t: Words) -> list[str]:
    """Say what the player made of their cards, and how much of that chance alone may be."""
    total = added_up(luck)
    rest, spread = signed_tenths(total.rest, t), tenths_text(total.spread, t)
    text = t.plural(
        "🎲 Your last {n} match: **{rest} ± {spread}** points beyond your cards",
        "🎲 Your last {n} matches: **{rest} ± {spread}** points beyond your cards",
        len(luck),
        rest=rest,
        spread=spread,
    )
    return [text, "-# " + t("Normal-level players come out at 0, give or take the ±, which is chance.")]


def _learning_lines(learning: Learning, t: Words) -> list[str]:
    """Say how the player does with the days' positions, and what they practise."""
    lines: list[str] = []
    if learning.answered:
        solved = t.plural(
            "🧩 Daily puzzles: **{solved}** of {n} solved in the last 30 days",
            "🧩 Daily puzzles: **{solved}** of {n} solved in the last 30 days",
            learning.answered,
            solved=learning.solved,
        )
        streak = t.plural("a streak of {n} day", "a streak of {n} days", learning.streak)
        lines.append(f"{solved} · {streak}" if learning.streak > 1 else solved)
    return [*lines, *progress_lines(learning.queue, t)]
