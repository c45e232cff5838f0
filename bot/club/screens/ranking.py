"""The leaderboards, and the podium of a season that is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from babel.numbers import format_percent
from discord.utils import format_dt

from bot.cards.words.rules import name_of_key
from bot.club.ids.leaderboard import SEASON, LeaderboardRef, LeaderboardVerb
from bot.club.rules.seasons import ALL_TIME, bounds, is_season
from bot.club.store.standing import LeaderboardPage, Metric, Standing
from bot.club.words.ratings import period_name, rating_notes, rating_text
from bot.engine.rules import PRESETS
from bot.platform.kit.colours import TURN
from bot.platform.kit.paging import Paging
from bot.platform.language.texts import N_, NC_, Words, place_sign
from bot.platform.layout import Component, Layout, box_of, button, line, menu, option, row
from bot.platform.people import safe, told_apart

PAGE: Final = 7
"""Rows on a page, which a phone shows without scrolling."""
MOST_PERIODS: Final = 25
"""Periods that fit into a menu."""

METRICS: Final = {
    Metric.SEASON_POINTS: NC_("menu", "Season points"),
    Metric.RATING: NC_("menu", "Rating"),
    Metric.WINS: NC_("menu", "Wins"),
    Metric.RATE: NC_("menu", "Win rate"),
    Metric.POINTS: NC_("menu", "Points scored"),
    Metric.ESCOBAS: NC_("menu", "Escobas"),
}
PERIODS: Final = {SEASON: NC_("menu", "This season"), ALL_TIME: NC_("menu", "All time")}
"""The periods that the command offers; the menu below a page has past seasons, too."""
MENUS: Final = {
    LeaderboardVerb.METRIC: N_("Ranked by"),
    LeaderboardVerb.PERIOD: NC_("menu", "Season"),
    LeaderboardVerb.PRESET: NC_("menu", "Variant"),
}


def is_period(text: str) -> bool:
    return text in PERIODS or is_season(text)


@dataclass(frozen=True, slots=True)
class Listing:
    """The content of a page of the leaderboard.

    Attributes:
        ref: which page; its period is a season or ALL_TIME.
        page: its rows.
        user_id: the reader.
        own: the reader's row, None while they aren't ranked.
        min_matches: how many matches a player needs to be ranked.
        now: the time, as ratings are less certain the longer ago the latest match was.
        season: the current one; None on a server without seasons.
        past: earlier seasons in which there were matches, the latest first.
        sets: the names of the server's own rules by their keys.
    """

    ref: LeaderboardRef
    page: LeaderboardPage
    user_id: int
    own: Standing | None
    min_matches: int
    now: datetime
    season: str | None = None
    past: Sequence[str] = ()
    sets: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        rows, own = self.page.rows, self.own
        beside = () if own is None or own.user_id in {row.user_id for row in rows} else (own,)
        told = told_apart((*rows, *beside))
        object.__setattr__(self, "page", replace(self.page, rows=told[: len(rows)]))
        if own is not None:
            name = next(standing.name for standing in told if standing.user_id == own.user_id)
            object.__setattr__(self, "own", replace(own, name=name))

    @property
    def paging(self) -> Paging:
        return Paging.of(self.ref.page, self.page.total, PAGE)


def leaderboard_layout(listing: Listing, t: Words) -> Layout:
    """A page of the leaderboard, with the reader's own row below it if it isn't on it."""
    own = listing.own
    yours = None
    if own is None:
        yours = "-# " + _unranked(listing, t)
    elif own.user_id not in {standing.user_id for standing in listing.page.rows}:
        yours = t("Your place: {line}", line=_line(own, listing, t, own=True))
    return box_of(
        TURN,
        *_rows(listing, t, own=True),
        yours,
        _what_to_change(listing, t),
        _last_row(listing, t),
        listing.paging.note(t),
    )


def choosing_layout(listing: Listing, which: LeaderboardVerb, t: Words) -> Layout:
    """The screen with one of the menus, which change what the leaderboard shows."""
    ref = listing.ref
    text = f"## {t(MENUS[which])}"
    if which is LeaderboardVerb.METRIC:
        text += "".join(f"\n-# {note}" for note in (_scoring(t), *rating_notes(t)))
    back = button(ref.custom_id(LeaderboardVerb.OPEN), t.context("button", "Back"), emoji="🏆")
    return box_of(TURN, text, row(menu(ref.custom_id(which), _options(listing, which, t))), row(back))


def shown_leaderboard(listing: Listing, name: str, t: Words) -> Layout:
    """A page of the leaderboard for everybody in the channel; `name` is the person who shows it."""
    return box_of(TURN, *_rows(listing, t, own=False), "-# " + t("Shown by {name}", name=safe(name)))


def _what_to_change(listing: Listing, t: Words) -> Component:
    """The menu that opens the others: those in which there is a choice."""
    offered = [
        (which, name, options) for which, name in MENUS.items() if len(options := _options(listing, which, t)) > 1
    ]
    options = [
        option(t(name), which, chosen=False, description=next(each["label"] for each in choices if each["default"]))
        for which, name, choices in offered
    ]
    custom_id = listing.ref.custom_id(LeaderboardVerb.CHANGE)
    return row(menu(custom_id, options, placeholder=t("What do you want to see?")))


def _options(listing: Listing, which: LeaderboardVerb, t: Words) -> list[Component]:
    ref, season = listing.ref, listing.season
    if which is LeaderboardVerb.METRIC:
        return [option(t(name), metric.value, chosen=metric is ref.metric) for metric, name in METRICS.items()]
    if which is LeaderboardVerb.PERIOD:
        shown = dict.fromkeys(([] if season is None else [season]) + [ALL_TIME, ref.period, *listing.past])
        return [
            option(
                t("{season}, now", season=period_name(period, t)) if period == season else period_name(period, t),
                period,
                chosen=period == ref.period,
            )
            for period in list(shown)[:MOST_PERIODS]
        ]
    everything = option(t("All variants"), ALL_TIME, chosen=not ref.preset)
    if ref.metric is Metric.RATING:
        return [everything]
    keys = dict.fromkeys([*listing.sets, *PRESETS, ref.preset or next(iter(PRESETS))])
    return [everything, *(option(name_of_key(key, listing.sets, t), key, chosen=key == ref.preset) for key in keys)]


def _rows(listing: Listing, t: Words, *, own: bool) -> tuple[str, str]:
    ref = listing.ref
    below = [period_name(ref.period, t)]
    if ref.period == listing.season:
        below.append(t("ends {when}", when=format_dt(bounds(ref.period)[1], "R")))
    if ref.preset:
        below.append(safe(name_of_key(ref.preset, listing.sets, t)))
    title = t("## 🏆 Leaderboard: {metric}", metric=t(METRICS[ref.metric]))
    lines = [_line(each, listing, t, own=own and each.user_id == listing.user_id) for each in listing.page.rows]
    return f"{title}\n-# {' · '.join(below)}", "\n".join(lines) or _nobody(listing, t)


def _nobody(listing: Listing, t: Words) -> str:
    ref = listing.ref
    if ref.metric is Metric.RATE:
        return t.plural("Nobody has played {n} match yet.", "Nobody has played {n} matches yet.", listing.min_matches)
    if ref.preset:
        return t("No match with these rules was finished here in this time.")
    if ref.period == listing.season:
        return t("No match finished here this season. `/escoba play` starts one.")
    if ref.period != ALL_TIME:
        return t("No match was finished here in this time.")
    return t("No match finished here yet. `/escoba play` starts one.")


def _unranked(listing: Listing, t: Words) -> str:
    if listing.ref.metric is Metric.RATE:
        return t.plural(
            "Ranked by win rate from {n} match.", "Ranked by win rate from {n} matches.", listing.min_matches
        )
    if listing.ref.metric is Metric.RATING:
        return t("You have no rating here yet: only rated matches without robots change it.")
    return t("You aren't ranked here yet: only rated matches with people on at least two sides count.")


def _scoring(t: Words) -> str:
    return t(
        "3 points for a win, 1 for finishing any other match. Only the first three matches a day with the same people "
        "score."
    )


def _last_row(listing: Listing, t: Words) -> Component | None:
    ref = listing.ref
    paging = listing.paging
    buttons = paging.buttons(
        replace(ref, page=paging.before).custom_id(LeaderboardVerb.PREVIOUS),
        replace(ref, page=paging.after).custom_id(LeaderboardVerb.NEXT),
        t,
    )
    if listing.page.rows:
        buttons.append(button(ref.custom_id(LeaderboardVerb.SHOW), t("Show to everyone"), emoji="📣"))
    return row(*buttons) if buttons else None


def _line(standing: Standing, listing: Listing, t: Words, *, own: bool) -> str:
    name = f"__**{safe(standing.name)}**__" if own else f"**{safe(standing.name)}**"
    return f"{place_sign(standing.rank, t)} {name}\n-# {_figures(standing, listing, t)}"


def _figures(standing: Standing, listing: Listing, t: Words) -> str:
    matches = t.plural("{n} match", "{n} matches", standing.matches)
    match listing.ref.metric:
        case Metric.RATING:
            rating = standing.rating_at(listing.now)
            return ("?" if rating is None else rating_text(rating, t)) + f" · {matches}"
        case Metric.SEASON_POINTS:
            return season_figures(standing, t)
        case Metric.WINS:
            return f"{_wins(standing, t)} · {matches}"
        case Metric.RATE:
            return f"{format_percent(standing.rate, locale=t.language)} · {_wins(standing, t)} · {matches}"
        case Metric.POINTS:
            return t.plural("{n} point", "{n} points", standing.points) + f" · {matches}"
        case Metric.ESCOBAS:
            return t.plural("{n} escoba", "{n} escobas", standing.escobas) + f" · {matches}"


def season_figures(standing: Standing, t: Words) -> str:
    """Somebody's points and wins in a season."""
    points = t.plural("{n} point", "{n} points", standing.season_points)
    return f"**{points}** · " + t("won {wins} of {matches}", wins=standing.wins, matches=standing.matches)


def _wins(standing: Standing, t: Words) -> str:
    return t.plural("{n} win", "{n} wins", standing.wins)


PLACES: Final = 3
MOST: Final = 10
"""The most people on a podium. A place is left out if those who share it would exceed this."""


@dataclass(frozen=True, slots=True)
class Podium:
    """A season's podium.

    Attributes:
        season: which one, as in `bot.club.rules.seasons`.
        rows: its people, the winner first; equal ones share a place.
        people: how many were ranked in the season.
        rewards: the roles given, each with the names of those who got it.
        crowded: whether more people share the first place than the rows have room for.
    """

    season: str
    rows: tuple[Standing, ...]
    people: int
    rewards: tuple[tuple[int, tuple[str, ...]], ...] = ()
    crowded: bool = False


def podium_rows(best: Sequence[Standing]) -> tuple[Standing, ...]:
    """The people on a season's podium. `best`: the season's best, MOST and one more if there are that many."""
    placed = [standing for standing in best if standing.rank <= PLACES and standing.season_points]
    if len(placed) > MOST:
        crowded = placed[MOST].rank
        placed = [standing for standing in placed if standing.rank < crowded]
    return told_apart(placed)


def crowd_rows(best: Sequence[Standing]) -> tuple[Standing, ...]:
    """Some of those who share the first place, if there are too many of them for the podium."""
    shared = [standing for standing in best if standing.rank == 1 and standing.season_points]
    return told_apart(shared[:MOST]) if len(shared) > MOST else ()


def podium_layout(podium: Podium, t: Words) -> Layout:
    """The message with a season's podium; it mentions nobody."""
    lines = [f"{place_sign(each.rank, t)} **{safe(each.name)}**\n-# {season_figures(each, t)}" for each in podium.rows]
    rewards = [f"🎖️ <@&{role_id}>{t.colon}{', '.join(map(safe, names))}" for role_id, names in podium.rewards]
    ref = LeaderboardRef(Metric.SEASON_POINTS, podium.season)
    return box_of(
        TURN,
        t("## 🏆 {season}: the podium", season=period_name(podium.season, t)),
        "\n".join(lines),
        t("They share the first place with others.") if podium.crowded else None,
        "\n".join(rewards) or None,
        line(),
        "-# "
        + t.plural("{n} person was ranked.", "{n} people were ranked.", podium.people)
        + " "
        + t("A new season started, and everyone begins at zero."),
        row(button(ref.custom_id(LeaderboardVerb.OPEN), t("The whole leaderboard"), emoji="🏆")),
    )
