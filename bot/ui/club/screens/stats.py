"""A player's statistics on a server: a card to look at, and to show to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from babel.numbers import format_percent
from discord import ButtonStyle
from discord.utils import format_dt

from bot.coach.luck import Luck, added_up
from bot.platform.kit.colours import TURN
from bot.platform.kit.display import Display
from bot.platform.kit.pictured import pictured
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import BoxPart, Either, Layout, box_of, button, people_menu, row
from bot.platform.people.names import safe
from bot.store.club.career import Career
from bot.store.club.standing import read_record
from bot.store.rows import ReviewRow
from bot.training.practice import Queue
from bot.ui.club.pictures.overview import stats_scene
from bot.ui.club.screens.stats_pages import Stats, achievements_menu, page_of
from bot.ui.ids.stats import StatsPage, StatsRef, StatsVerb
from bot.ui.words.club.honours import rivalry_score
from bot.ui.words.club.ratings import rating_text
from bot.ui.words.tables.scores import signed_tenths, tenths_text
from bot.ui.words.training.coaching import given_text
from bot.ui.words.training.practice import progress_lines

REVIEWS: Final = 10
"""Latest reviews of a player that count for how well they decide."""
LEARNING_DAYS: Final = 30
"""Over how many days a player's solved positions of the day are counted."""
LUCK_MATCHES: Final = 20
"""Latest matches of a player over which their luck is added up."""
_LUCK_FROM: Final = 5
"""Fewer matches say nothing but chance."""
_TREND_FROM: Final = 4
"""A trend is shown from this many reviews on."""
_TREND: Final = 3
"""A smaller change is no trend."""
_TITLES: Final = {
    StatsPage.OVERVIEW: NC_("page", "Summary"),
    StatsPage.RATING: NC_("page", "Rating"),
    StatsPage.SOURCES: NC_("page", "Points"),
    StatsPage.ACHIEVEMENTS: NC_("page", "Achievements"),
    StatsPage.DUEL: N_("Head to head"),
}
_EMOJIS: Final = {
    StatsPage.OVERVIEW: "📊",
    StatsPage.RATING: "📈",
    StatsPage.SOURCES: "🎯",
    StatsPage.ACHIEVEMENTS: "🏅",
    StatsPage.DUEL: "⚔️",
}

OF_A_SERVER: Final = (StatsPage.RATING, StatsPage.DUEL)
"""The pages about what only a server has."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Somebody's progress in learning: what they practise, and how many of the days' positions they have lately solved.

    `solved` and `answered` count the last `LEARNING_DAYS`; `streak` is in days.
    """

    queue: Queue
    solved: int
    answered: int
    streak: int


@dataclass(frozen=True, slots=True)
class Own:
    """The part of a player's statistics that only they see: their reviews, the latest match first, their luck in their
    latest matches, and how they are learning."""

    reviews: Sequence[ReviewRow] = ()
    luck: Sequence[Luck] = ()
    learning: Learning | None = None


def stats_layout(ref: StatsRef, stats: Stats, display: Display, own: Own | None = None) -> Layout:
    """A page of somebody's statistics; `own` for the player themselves."""
    t = display.words
    lines: list[str] = []
    if own is not None and ref.page is StatsPage.OVERVIEW:
        lines += _play_lines(own.reviews, t) if own.reviews else []
        lines += _luck_lines(own.luck, t) if len(own.luck) >= _LUCK_FROM else []
        lines += _learning_lines(own.learning, t) if own.learning is not None else []
    below = ["\n".join(lines)] if lines else []
    return _card(ref, stats, display, *below, *(_controls(ref, stats, t) if stats.career.standing.matches else []))


def shown_stats(ref: StatsRef, stats: Stats, shown_by: str, display: Display) -> Layout:
    """A page of somebody's statistics for everybody in the channel; `shown_by` is the person who shows it."""
    return _card(ref, stats, display, "-# " + display.words("Shown by {name}", name=safe(shown_by)))


def _controls(ref: StatsRef, stats: Stats, t: Words) -> list[BoxPart]:
    """The buttons of all pages, the menu of rivals, and the button that shows the page to everybody."""
    tabs = [
        button(
            StatsRef(ref.person_id, page).custom_id(StatsVerb.PAGE),
            t(_TITLES[page]),
            style=ButtonStyle.primary if page is ref.page else ButtonStyle.secondary,
            emoji=_EMOJIS[page],
            disabled=page is ref.page,
        )
        for page in StatsPage
        if page is not StatsPage.DUEL and not (stats.everywhere and page in OF_A_SERVER)
    ]
    show = button(ref.custom_id(StatsVerb.SHOW), t("Show to everyone"), emoji="📣")
    against = StatsRef(ref.person_id).custom_id(StatsVerb.AGAINST)
    menu = row(people_menu(against, ref.rival_id, placeholder=t("Choose someone")))
    return [
        achievements_menu(ref, stats, t) if ref.page is StatsPage.ACHIEVEMENTS else None,
        row(*tabs, show),
        *([] if stats.everywhere else [t("**Head to head with**"), menu]),
    ]


def _card(ref: StatsRef, stats: Stats, display: Display, *below: BoxPart) -> Layout:
    t = display.words
    if ref.page is StatsPage.OVERVIEW or not stats.career.standing.matches:
        return _overview(stats, display, *below)
    page = page_of(ref, stats, display)
    title = f"## {_EMOJIS[ref.page]} {safe(stats.name)} · {t(_TITLES[ref.page])}"
    return box_of(TURN, title, page.body, page.below, *below, scene=page.picture and page.picture.scene)


def _overview(stats: Stats, display: Display, *below: BoxPart) -> Layout:
    t = display.words
    career = stats.career
    standing = stats.career.standing
    picture = None
    if display.pictures and standing.matches:
        picture = pictured(stats_scene(stats.name, career, stats.at, t), t)
    small = ["-# " + t("On all servers together")] if stats.everywhere else []
    if standing.practice_matches:
        played = t.plural("{n} match", "{n} matches", standing.practice_matches)
        won = t.plural("{n} win", "{n} wins", standing.practice_wins)
        small.append("-# " + t("Against robots only: {matches}, {wins}", matches=played, wins=won))
    if standing.last_at is not None:
        small.append("-# " + t("Last match {time}", time=format_dt(standing.last_at, "R")))
    return box_of(
        TURN,
        t("## 📊 {name}", name=safe(stats.name)),
        Either("\n".join(_lines(career, stats.at, t)), picture and picture.component),
        "\n".join(small) or None,
        *below,
        scene=picture and picture.scene,
    )


def _lines(career: Career, at: datetime, t: Words) -> list[str]:
    """Put into words what the picture shows."""
    stats = career.standing
    if not stats.matches:
        return [t("No ranked matches yet. A match counts when people sit on at least two sides.")]
    rate = format_percent(stats.rate, locale=t.language)
    rating = stats.rating_at(at)
    lines = [
        *([] if rating is None else [t("Rating: **{rating}**", rating=rating_text(rating, t))]),
        t.plural("**{n}** match played", "**{n}** matches played", stats.matches),
        t.plural("**{n}** win ({rate})", "**{n}** wins ({rate})", stats.wins, rate=rate),
        f"{_points(stats.points, t)} · {_escobas(stats.escobas, t)}",
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
        duels = " · ".join(rivalry_score(each, safe(each.name), t) for each in career.rivals)
        lines.append(t("Head to head: {duels}", duels=duels))
    return lines


def _points(n: int, t: Words) -> str:
    return t.plural("**{n}** point", "**{n}** points", n)


def _escobas(n: int, t: Words) -> str:
    return t.plural("**{n}** escoba", "**{n}** escobas", n)


def _play_lines(reviews: Sequence[ReviewRow], t: Words) -> list[str]:
    """Say how well the player decided in the matches they reviewed, and the trend."""
    found = [review.judgement for review in reversed(reviews)]  # the oldest first
    scores = [each.score // 10 for each in found]
    count, rounds = len(found), sum(each.rounds for each in found)
    given = sum(each.given_away for each in found) / 1000 / max(1, rounds)
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
