"""A player's statistics on a server: a card to look at, and to show to everybody."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from babel.numbers import format_percent
from discord import ButtonStyle
from discord.utils import format_dt

from bot.club.ids.leaderboard import StatsPage, StatsRef, StatsVerb
from bot.club.pictures.overview import stats_scene
from bot.club.screens.stats_pages import Stats, achievements_menu, page_of
from bot.club.store.career import Career
from bot.club.store.standing import read_record
from bot.club.words.honours import rivalry_score
from bot.club.words.ratings import rating_text
from bot.platform.kit.colours import TURN
from bot.platform.kit.host import Display
from bot.platform.kit.pictured import pictured
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import BoxPart, Either, Layout, box_of, button, people_menu, row
from bot.platform.people import safe

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


def stats_layout(ref: StatsRef, stats: Stats, display: Display, own: Sequence[str] | None = None) -> Layout:
    """A page of somebody's statistics. `own`: lines for the player themselves, below the overview."""
    below = ["\n".join(own)] if own and ref.page is StatsPage.OVERVIEW else []
    controls = _controls(ref, stats, display.words) if stats.career.standing.matches else []
    return _card(ref, stats, display, *below, *controls)


def shown_stats(ref: StatsRef, stats: Stats, shown_by: str, display: Display) -> Layout:
    """A page of somebody's statistics for everybody in the channel; `shown_by` is the person who shows it."""
    return _card(ref, stats, display, "-# " + display.words("Shown by {name}", name=safe(shown_by)))


def _controls(ref: StatsRef, stats: Stats, t: Words) -> list[BoxPart]:
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
