"""A server's leaderboard, page by page, and a player's statistics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.club.seasons import ALL_TIME, month_of
from bot.store import Metric, Page, Standing
from bot.ui.screens.colours import TURN
from bot.ui.screens.layout import Component, Layout, box_of, button, line, menu, option, row
from bot.ui.words.names import safe
from bot.ui.words.texts import N_, Words

KIND: Final = "r"
"""Begins the leaderboard's custom_ids: `r:<verb>:<metric>:<period>:<page>`."""
PAGE: Final = 10
"""Rows on a page."""
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
_PAGE_NUMBER: Final = re.compile("[0-9]{1,6}")


class Period(StrEnum):
    """Which matches count."""

    ALL = "all"
    MONTH = "month"

    def at(self, now: datetime) -> str:
        """What the store calls it; a month is the calendar's, in UTC."""
        return ALL_TIME if self is Period.ALL else month_of(now)


METRICS: Final = {
    Metric.WINS: N_("Wins"),
    Metric.RATE: N_("Win rate"),
    Metric.POINTS: N_("Points"),
    Metric.ESCOBAS: N_("Escobas"),
}
PERIODS: Final = {Period.ALL: N_("All time"), Period.MONTH: N_("This month")}


class LeaderboardVerb(StrEnum):
    """What a button or menu of the leaderboard asks for."""

    PREVIOUS = "prev"
    NEXT = "next"
    METRIC = "metric"
    PERIOD = "period"
    SHOW = "show"
    """Shows the page to everybody in the channel."""


@dataclass(frozen=True, slots=True)
class LeaderboardRef:
    """A page of a leaderboard, as custom_ids refer to it."""

    metric: Metric = Metric.WINS
    period: Period = Period.ALL
    page: int = 0

    def custom_id(self, verb: LeaderboardVerb) -> str:
        return f"{KIND}:{verb}:{self.metric}:{self.period}:{self.page}"

    @classmethod
    def read(cls, parts: Sequence[str]) -> LeaderboardRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if len(parts) != 3 or not _PAGE_NUMBER.fullmatch(parts[2]):
            return None
        try:
            found = cls(Metric(parts[0]), Period(parts[1]), int(parts[2]))
            return found if found.metric in METRICS else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a page of the leaderboard shows.

    Attributes:
        ref: which page.
        page: its rows.
        user_id: the reader.
        own: the reader's row, None while they aren't ranked.
        min_matches: how many matches a player needs to be ranked.
    """

    ref: LeaderboardRef
    page: Page
    user_id: int
    own: Standing | None
    min_matches: int

    @property
    def pages(self) -> int:
        """The number of pages, at least 1."""
        return max(1, -(-self.page.total // PAGE))


def leaderboard_layout(listing: Listing, t: Words) -> Layout:
    """A page of the leaderboard, with the reader's own row always below it."""
    ref, own = listing.ref, listing.own
    if own is not None:
        yours = t("Your place: {line}", line=_line(own, ref.metric, t, own=True))
    elif ref.metric is Metric.RATE:
        text = t.plural(
            "Ranked by win rate from {n} match.", "Ranked by win rate from {n} matches.", listing.min_matches
        )
        yours = "-# " + text
    else:
        yours = "-# " + t("You aren't ranked yet: only matches with at least two people count.")
    metrics = [option(t(name), metric.value, chosen=metric is ref.metric) for metric, name in METRICS.items()]
    periods = [option(t(name), period.value, chosen=period is ref.period) for period, name in PERIODS.items()]
    pages = listing.pages
    return box_of(
        TURN,
        *_rows(listing, t, own=True),
        line(),
        yours,
        t("**Ranked by**"),
        row(menu(ref.custom_id(LeaderboardVerb.METRIC), metrics)),
        t("**Which matches**"),
        row(menu(ref.custom_id(LeaderboardVerb.PERIOD), periods)),
        _last_row(listing, t),
        "-# " + t("Page {page} of {pages}", page=ref.page + 1, pages=pages) if pages > 1 else None,
    )


def shown_leaderboard(listing: Listing, name: str, t: Words) -> Layout:
    """A page of the leaderboard for everybody in the channel; `name` is the person who shows it."""
    return box_of(TURN, *_rows(listing, t, own=False), "-# " + t("Shown by {name}", name=safe(name)))


def _rows(listing: Listing, t: Words, *, own: bool) -> tuple[str, str]:
    ref = listing.ref
    title = t("## 🏆 Leaderboard: {metric}", metric=t(METRICS[ref.metric]))
    lines = [_line(each, ref.metric, t, own=own and each.user_id == listing.user_id) for each in listing.page.rows]
    return f"{title}\n-# {t(PERIODS[ref.period])}", "\n".join(lines) or _nobody(listing, t)


def _nobody(listing: Listing, t: Words) -> str:
    """Why nobody is on the leaderboard."""
    if listing.ref.metric is Metric.RATE:
        return t.plural("Nobody has {n} match yet.", "Nobody has {n} matches yet.", listing.min_matches)
    if listing.ref.period is Period.MONTH:
        return t("No match has been finished here this month. `/escoba play` begins one.")
    return t("No match has been finished here yet. `/escoba play` begins one.")


def _last_row(listing: Listing, t: Words) -> Component | None:
    ref = listing.ref
    buttons: list[Component] = []
    if listing.pages > 1:
        buttons.append(button(ref.custom_id(LeaderboardVerb.PREVIOUS), t("Previous"), disabled=ref.page == 0))
        buttons.append(button(ref.custom_id(LeaderboardVerb.NEXT), t("Next"), disabled=ref.page + 1 >= listing.pages))
    if listing.page.rows:
        buttons.append(button(ref.custom_id(LeaderboardVerb.SHOW), t("Show to everybody"), emoji="📣"))
    return row(*buttons) if buttons else None


def _line(row: Standing, metric: Metric, t: Words, *, own: bool) -> str:
    place = MEDALS.get(row.rank, f"**{row.rank}.**")
    name = f"__**{safe(row.name)}**__" if own else f"**{safe(row.name)}**"
    wins = t.plural("{n} win", "{n} wins", row.wins)
    matches = t.plural("{n} match", "{n} matches", row.matches)
    figures = {
        Metric.WINS: f"{wins} · {matches}",
        Metric.RATE: f"{row.rate:.0%} · {wins} · {matches}",
        Metric.POINTS: t.plural("{n} point", "{n} points", row.points) + f" · {matches}",
        Metric.ESCOBAS: t.plural("{n} escoba", "{n} escobas", row.escobas) + f" · {matches}",
    }
    return f"{place} {name} · {figures[metric]}"
