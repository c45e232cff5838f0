"""The leaderboard's pages, and the buttons and menus that turn them."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord

from bot.club.ids.leaderboard import SEASON, LeaderboardRef, LeaderboardVerb
from bot.club.parts import ClubParts
from bot.club.rules.seasons import ALL_TIME, SeasonLength, is_key, key_of, number_of, season_of
from bot.club.screens.ranking import (
    MENUS,
    METRICS,
    MOST_PERIODS,
    PAGE,
    Listing,
    choosing_layout,
    is_period,
    leaderboard_layout,
    shown_leaderboard,
)
from bot.club.settings import ClubSettings
from bot.club.store.leaderboard import Leaderboards
from bot.club.store.rule_sets import RuleSets
from bot.club.store.standing import EVERY_PRESET, Leaderboard, Metric
from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen, server_of
from bot.platform.layout import Layout
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.transport.reply import private_words

SCREEN: Final = Screen("leaderboards", LeaderboardRef)


async def page_for(interaction: discord.Interaction[Any], ref: LeaderboardRef) -> Layout:
    """A page of the leaderboard of the server where somebody asks for it."""
    return leaderboard_layout(await _listing_for(interaction, ref), private_words(interaction))


async def first_page(interaction: discord.Interaction[Any], metric: Metric | None, period: str) -> Layout:
    """The page with which it opens. Without a metric, a season is ordered by its points, and all time by rating."""
    if metric is None:
        settings = await host_of(interaction).of(GuildSettingsCache).of(server_of(interaction), ClubSettings)
        of_season = period == SEASON and settings.season is not SeasonLength.NONE
        metric = Metric.SEASON_POINTS if of_season else Metric.RATING
    return await page_for(interaction, LeaderboardRef(metric, period))


async def _listing_for(interaction: discord.Interaction[Any], ref: LeaderboardRef) -> Listing:
    host, guild_id, user_id = host_of(interaction), server_of(interaction), interaction.user.id
    length, now = (await host.of(GuildSettingsCache).of(guild_id, ClubSettings)).season, host.tools.clock.now()
    rate_matches, stores = host.of(ClubParts).rate_matches, (host.of(Leaderboards), host.of(RuleSets))
    return await listing_of(*stores, guild_id, user_id, ref, now, length=length, rate_matches=rate_matches)


async def listing_of(
    leaderboards: Leaderboards,
    rule_sets: RuleSets,
    guild_id: int,
    user_id: int,
    ref: LeaderboardRef,
    now: datetime,
    *,
    length: SeasonLength,
    rate_matches: int,
) -> Listing:
    """Read what a page shows, or the last page if there are fewer."""
    season = season_of(length, now)
    if ref.period == SEASON:
        ref = replace(ref, period=season or ALL_TIME)
    min_matches = rate_matches if ref.metric is Metric.RATE else 1
    which = Leaderboard(ref.metric, ref.period, ref.preset, min_matches)
    page = await leaderboards.page(guild_id, which, limit=PAGE, offset=ref.page * PAGE)
    own = await leaderboards.own_row(guild_id, user_id, which)
    past = [] if season is None else await leaderboards.seasons_before(guild_id, season, limit=MOST_PERIODS)
    sets = {key_of(row.id): row.name for row in await rule_sets.of(guild_id)}
    if (number := number_of(ref.preset)) is not None and ref.preset not in sets:
        sets |= {key_of(each): name for each, name in (await rule_sets.names(guild_id, [number])).items()}
    listing = Listing(ref, page, user_id, own, min_matches, now, season, past, sets)
    last = replace(ref, page=listing.paging.page)
    if last == ref:
        return listing
    # a new season has fewer pages
    return await listing_of(
        leaderboards, rule_sets, guild_id, user_id, last, now, length=length, rate_matches=rate_matches
    )


@SCREEN.on(LeaderboardVerb.OPEN, LeaderboardVerb.PREVIOUS, LeaderboardVerb.NEXT)
async def open_page(press: Press, ref: LeaderboardRef) -> None:
    """Show the page itself, in private."""
    await press.reply.update_private(await page_for(press.interaction, ref))


@SCREEN.on(LeaderboardVerb.CHANGE)
async def change(press: Press, ref: LeaderboardRef) -> None:
    """Show the chosen menu."""
    if press.value not in MENUS:
        await open_page(press, ref)
        return
    listing = await _listing_for(press.interaction, ref)
    await press.reply.update_private(choosing_layout(listing, LeaderboardVerb(press.value), press.t))


@SCREEN.on(LeaderboardVerb.METRIC)
async def order_by(press: Press, ref: LeaderboardRef) -> None:
    """Show the first page in another order."""
    await open_page(press, ref.by(Metric(press.value)) if press.value in METRICS else ref)


@SCREEN.on(LeaderboardVerb.PERIOD)
async def count(press: Press, ref: LeaderboardRef) -> None:
    """Show the first page of another period."""
    await open_page(press, replace(ref, period=press.value, page=0) if is_period(press.value) else ref)


@SCREEN.on(LeaderboardVerb.PRESET)
async def limit(press: Press, ref: LeaderboardRef) -> None:
    """Show the first page of a rule system, or of all."""
    preset = press.value if is_key(press.value) else EVERY_PRESET
    await open_page(press, replace(ref, preset=preset, page=0))


@SCREEN.on(LeaderboardVerb.SHOW)
async def show(press: Press, ref: LeaderboardRef) -> None:
    """Show the page to everybody in the channel, in the language of the server; it pings nobody."""
    listing = await _listing_for(press.interaction, ref)
    await press.show_to_all(lambda display: shown_leaderboard(listing, press.person.name, display.words))
