"""The server's leaderboard and a player's figures, as private messages with pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Self

import discord
from discord.ui import Button, DynamicItem, Item, LayoutView, Select
from discord.utils import format_dt, utcnow

from bot.store import Metric, PlayerStats, RankedRow, Store
from bot.ui.colours import TURN
from bot.ui.interactions import answered, host_of, private_words, values_of
from bot.ui.layout import box_of, line, row
from bot.ui.names import safe
from bot.ui.reply import Reply
from bot.ui.texts import N_, Words

PAGE: Final = 10
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


class Period(StrEnum):
    """Which matches count."""

    ALL = "all"
    MONTH = "month"

    def since(self, now: datetime) -> datetime | None:
        """The first instant that counts, or None for all; a month is the calendar's, in UTC."""
        if self is Period.ALL:
            return None
        return now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


METRICS: Final = {
    Metric.WINS: N_("Wins"),
    Metric.RATE: N_("Win rate"),
    Metric.POINTS: N_("Points"),
    Metric.ESCOBAS: N_("Escobas"),
}
PERIODS: Final = {Period.ALL: N_("All time"), Period.MONTH: N_("This month")}


@dataclass(frozen=True, slots=True)
class Place:
    """A page of a leaderboard, as a custom_id names it."""

    metric: Metric = Metric.WINS
    period: Period = Period.ALL
    page: int = 0

    def custom_id(self, kind: str) -> str:
        """The custom_id of an item of that kind on this page."""
        return f"r:{kind}:{self.metric}:{self.period}:{self.page}"

    @classmethod
    def parse(cls, match: re.Match[str]) -> Place:
        """The page that a custom_id names."""
        return cls(Metric(match["metric"]), Period(match["period"]), int(match["page"]))


def _template(kind: str) -> str:
    metrics, periods = "|".join(Metric), "|".join(Period)
    return rf"r:{kind}:(?P<metric>{metrics}):(?P<period>{periods}):(?P<page>[0-9]{{1,6}})"


async def leaderboard_layout(
    store: Store, guild_id: int, user_id: int, place: Place, t: Words, *, rate_matches: int
) -> LayoutView:
    """A page of the leaderboard, with the asker's own row always below it."""
    since = place.period.since(utcnow())
    least = rate_matches if place.metric is Metric.RATE else 1
    page = await store.leaderboard(
        guild_id, place.metric, since=since, min_matches=least, limit=PAGE, offset=place.page * PAGE
    )
    pages = max(1, -(-page.total // PAGE))
    if place.page >= pages:  # a month that has begun anew has fewer
        return await leaderboard_layout(
            store, guild_id, user_id, replace(place, page=pages - 1), t, rate_matches=rate_matches
        )
    own = await store.standing(guild_id, user_id, place.metric, since=since, min_matches=least)
    title = t("## 🏆 Leaderboard: {metric}", metric=t(METRICS[place.metric]))
    lines = [_line(each, place.metric, t, own=each.user_id == user_id) for each in page.rows]
    if own is not None:
        yours = t("Your place: {line}", line=_line(own, place.metric, t, own=True))
    elif place.metric is Metric.RATE:
        text = t.plural("Ranked by win rate from {n} match.", "Ranked by win rate from {n} matches.", least)
        yours = "-# " + text
    else:
        yours = "-# " + t("You aren't ranked yet: only matches with at least two people count.")
    metrics = [
        discord.SelectOption(label=t(name), value=metric.value, default=metric is place.metric)
        for metric, name in METRICS.items()
    ]
    periods = [
        discord.SelectOption(label=t(name), value=period.value, default=period is place.period)
        for period, name in PERIODS.items()
    ]
    turning = row(
        RankButton.make("prev", place, t("Previous"), disabled=place.page == 0),
        RankButton.make("next", place, t("Next"), disabled=place.page + 1 >= pages),
    )
    number = "-# " + t("Page {page} of {pages}", page=place.page + 1, pages=pages)
    return box_of(
        TURN,
        f"{title}\n-# {t(PERIODS[place.period])}",
        "\n".join(lines) or t("No match has been finished here yet. `/escoba play` begins one."),
        line(),
        yours,
        row(RankSelect.make("metric", place, metrics)),
        row(RankSelect.make("period", place, periods)),
        turning if pages > 1 else None,
        number if pages > 1 else None,
    )


def _line(row: RankedRow, metric: Metric, t: Words, *, own: bool) -> str:
    place = _MEDALS.get(row.rank, f"**{row.rank}.**")
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


def stats_layout(name: str, stats: PlayerStats, t: Words) -> LayoutView:
    """What a player has done on this server."""
    lines = [t("## 📊 {name}", name=safe(name))]
    if stats.matches:
        rate = f"{stats.wins / stats.matches:.0%}"
        lines += [
            t.plural("**{n}** match played", "**{n}** matches played", stats.matches),
            t.plural("**{n}** win ({rate})", "**{n}** wins ({rate})", stats.wins, rate=rate),
            t.plural("**{n}** point", "**{n}** points", stats.points)
            + " · "
            + t.plural("**{n}** escoba", "**{n}** escobas", stats.escobas),
        ]
        if stats.rank_by_wins is not None:
            lines.append(t("Place by wins: **{rank}**", rank=stats.rank_by_wins))
    else:
        lines.append(t("No ranked match yet: matches with at least two people count."))
    if stats.practice_matches:
        played = t.plural("{n} match", "{n} matches", stats.practice_matches)
        won = t.plural("{n} win", "{n} wins", stats.practice_wins)
        lines.append("-# " + t("Against computers only: {matches}, {wins}", matches=played, wins=won))
    if stats.last_played_at is not None:
        lines.append("-# " + t("Last match {time}", time=format_dt(stats.last_played_at, "R")))
    return box_of(TURN, "\n".join(lines))


async def page_for(interaction: discord.Interaction[Any], place: Place) -> LayoutView:
    """A page of the leaderboard of the server where somebody asks for it."""
    host = host_of(interaction)
    return await leaderboard_layout(
        host.store,
        interaction.guild_id or 0,
        interaction.user.id,
        place,
        private_words(interaction),
        rate_matches=host.rate_matches,
    )


async def _show(interaction: discord.Interaction[Any], place: Place) -> None:
    await Reply.of(interaction).update_private(await page_for(interaction, place))


class RankButton(DynamicItem[Button[Any]], template=_template("(?P<kind>prev|next)")):
    """Turns the page."""

    def __init__(self, item: Button[Any], kind: str, place: Place) -> None:
        super().__init__(item)
        self.kind = kind
        self.place = place

    @classmethod
    def make(cls, kind: str, place: Place, label: str, *, disabled: bool) -> Self:
        """The button to put in a layout."""
        return cls(Button(label=label, disabled=disabled, custom_id=place.custom_id(kind)), kind, place)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button that was clicked."""
        return cls(item, match["kind"], Place.parse(match))  # pyright: ignore[reportArgumentType] - a button by its pattern

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the page."""
        page = max(0, self.place.page + (1 if self.kind == "next" else -1))
        await answered(interaction, _show(interaction, Place(self.place.metric, self.place.period, page)))


class RankSelect(DynamicItem[Select[Any]], template=_template("(?P<kind>metric|period)")):
    """Orders by something else, or counts another period."""

    def __init__(self, item: Select[Any], kind: str, place: Place) -> None:
        super().__init__(item)
        self.kind = kind
        self.place = place

    @classmethod
    def make(cls, kind: str, place: Place, options: list[discord.SelectOption]) -> Self:
        """The menu to put in a layout."""
        return cls(Select(options=options, custom_id=place.custom_id(kind)), kind, place)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item[Any], match: re.Match[str], /
    ) -> Self:
        """The menu that was used."""
        return cls(item, match["kind"], Place.parse(match))  # pyright: ignore[reportArgumentType] - a menu by its pattern

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of what was chosen."""
        value = next(iter(values_of(interaction)), "")
        place = self.place
        if self.kind == "metric" and value in METRICS:
            place = Place(Metric(value), place.period)
        elif self.kind == "period" and value in PERIODS:
            place = Place(place.metric, Period(value))
        await answered(interaction, _show(interaction, place))
