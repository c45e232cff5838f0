"""A player's statistics on a server: a card to look at, and to show to everybody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from discord.utils import format_dt

from bot.store import Career, ReviewRow, read_record
from bot.training.practice import Queue
from bot.ui.screens.colours import TURN
from bot.ui.screens.display import Display
from bot.ui.screens.layout import BoxPart, Either, Layout, box_of, button, row
from bot.ui.screens.pictured import pictured_stats
from bot.ui.screens.practice import progress_lines
from bot.ui.words.coaching import given_text, hundredths
from bot.ui.words.honours import duel
from bot.ui.words.names import safe
from bot.ui.words.texts import Words

KIND: Final = "c"
"""Begins the custom_ids: `c:show:<person>`."""
REVIEWS: Final = 10
"""How well a player decides is told by this many of their latest reviews."""
LEARNING_DAYS: Final = 30
"""The days' positions that somebody has solved are counted over so many days."""
_TREND_FROM: Final = 4
"""A trend is shown from this many reviews on."""
_TREND: Final = 3
"""A smaller change is no trend."""
_PERSON: Final = re.compile("[0-9]{1,20}")


class StatsVerb(StrEnum):
    """What a button below the statistics asks for."""

    SHOW = "show"
    """Shows them to everybody in the channel."""


@dataclass(frozen=True, slots=True)
class Learning:
    """How somebody is learning: what they practise, and which of the days' positions they have lately solved.

    `solved` and `answered` count the last `LEARNING_DAYS`; `streak` is in days.
    """

    queue: Queue
    solved: int
    answered: int
    streak: int


@dataclass(frozen=True, slots=True)
class StatsRef:
    """Whose statistics a custom_id refers to."""

    person_id: int

    def custom_id(self, verb: StatsVerb) -> str:
        return f"{KIND}:{verb}:{self.person_id}"

    @classmethod
    def read(cls, parts: Sequence[str]) -> StatsRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        return cls(int(parts[0])) if len(parts) == 1 and _PERSON.fullmatch(parts[0]) else None


def stats_layout(
    name: str,
    person_id: int,
    career: Career,
    display: Display,
    reviews: Sequence[ReviewRow] = (),
    learning: Learning | None = None,
) -> Layout:
    """Somebody's statistics.

    For the player themselves also their `reviews`, the latest match first, and how they are `learning`.
    """
    t, stats = display.words, career.standing
    show = button(StatsRef(person_id).custom_id(StatsVerb.SHOW), t("Show to everybody"), emoji="📣")
    own = [*(_play_lines(reviews, t) if reviews else []), *([] if learning is None else _learning_lines(learning, t))]
    below = ["\n".join(own)] if own else []
    return _card(name, career, display, *below, row(show) if stats.matches else None)


def shown_stats(name: str, career: Career, shown_by: str, display: Display) -> Layout:
    """Somebody's statistics for everybody in the channel; `shown_by` is the person who shows them."""
    return _card(name, career, display, "-# " + display.words("Shown by {name}", name=safe(shown_by)))


def _card(name: str, career: Career, display: Display, *below: BoxPart) -> Layout:
    t, stats = display.words, career.standing
    picture = pictured_stats(name, career, display) if stats.matches else None
    small: list[str] = []
    if stats.practice_matches:
        played = t.plural("{n} match", "{n} matches", stats.practice_matches)
        won = t.plural("{n} win", "{n} wins", stats.practice_wins)
        small.append("-# " + t("Against computers only: {matches}, {wins}", matches=played, wins=won))
    if stats.last_at is not None:
        small.append("-# " + t("Last match {time}", time=format_dt(stats.last_at, "R")))
    return box_of(
        TURN,
        t("## 📊 {name}", name=safe(name)),
        Either("\n".join(_lines(career, t)), picture and picture.component),
        "\n".join(small) or None,
        *below,
        scene=picture and picture.scene,
    )


def _lines(career: Career, t: Words) -> list[str]:
    """What the picture shows, in words."""
    stats = career.standing
    if not stats.matches:
        return [t("No ranked match yet: matches with at least two people count.")]
    rate = f"{stats.rate:.0%}"
    lines = [
        t.plural("**{n}** match played", "**{n}** matches played", stats.matches),
        t.plural("**{n}** win ({rate})", "**{n}** wins ({rate})", stats.wins, rate=rate),
        t.plural("**{n}** point", "**{n}** points", stats.points)
        + " · "
        + t.plural("**{n}** escoba", "**{n}** escobas", stats.escobas),
    ]
    if stats.best_streak and not stats.streak:
        lines.append(t("Best winning streak: **{best}**", best=stats.best_streak))
    elif stats.best_streak:
        lines.append(t("Winning streak: **{now}** · best: **{best}**", now=stats.streak, best=stats.best_streak))
    if stats.rank:
        lines.append(t("Place by wins: **{rank}**", rank=stats.rank))
    if career.form:
        lines.append(t("Latest matches: {form}", form=" ".join("⭐" if won else "▫️" for won in career.form)))
    points, escobas = read_record(stats.top_points)[0], read_record(stats.top_escobas)[0]
    if points:
        lines.append(
            t("Best in a match: {points} · {escobas}", points=_points(points, t), escobas=_escobas(escobas, t))
        )
    if career.rivals:
        duels = " · ".join(duel(each, safe(each.name)) for each in career.rivals)
        lines.append(t("Head to head: {duels}", duels=duels))
    return lines


def _points(n: int, t: Words) -> str:
    return t.plural("**{n}** point", "**{n}** points", n)


def _escobas(n: int, t: Words) -> str:
    return t.plural("**{n}** escoba", "**{n}** escobas", n)


def _play_lines(reviews: Sequence[ReviewRow], t: Words) -> list[str]:
    """How well the player decided in the matches they reviewed, and the trend."""
    found = [review.judgement for review in reversed(reviews)]  # the oldest first
    scores = [hundredths(each.score / 1000) for each in found]
    count, rounds = len(found), sum(each.rounds or 0 for each in found)
    given = sum(each.given_away or 0 for each in found) / 1000 / max(1, rounds)
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


def _learning_lines(learning: Learning, t: Words) -> list[str]:
    """How the player does with the days' positions, and what they practise."""
    lines: list[str] = []
    if learning.answered:
        solved = t.plural(
            "🧩 Daily positions: **{solved}** of {n} solved in the last 30 days",
            "🧩 Daily positions: **{solved}** of {n} solved in the last 30 days",
            learning.answered,
            solved=learning.solved,
        )
        streak = t.plural("{n} day in a row", "{n} days in a row", learning.streak)
        lines.append(f"{solved} · {streak}" if learning.streak > 1 else solved)
    return [*lines, *progress_lines(learning.queue, t)]
