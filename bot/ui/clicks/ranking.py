"""The leaderboard's pages, and the buttons and menus that turn them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord.utils import utcnow

from bot.store import Leaderboard, Metric, Store
from bot.ui.clicks.interactions import host_of
from bot.ui.clicks.press import Press
from bot.ui.screens.layout import Layout
from bot.ui.screens.ranking import (
    METRICS,
    PAGE,
    PERIODS,
    LeaderboardRef,
    LeaderboardVerb,
    Listing,
    Period,
    leaderboard_layout,
    shown_leaderboard,
)
from bot.ui.transport.reply import private_words


async def page_for(interaction: discord.Interaction[Any], ref: LeaderboardRef) -> Layout:
    """A page of the leaderboard of the server where somebody asks for it."""
    return leaderboard_layout(await _listing_for(interaction, ref), private_words(interaction))


async def _listing_for(interaction: discord.Interaction[Any], ref: LeaderboardRef) -> Listing:
    host = host_of(interaction)
    return await listing_of(
        host.store, interaction.guild_id or 0, interaction.user.id, ref, rate_matches=host.rate_matches
    )


async def listing_of(store: Store, guild_id: int, user_id: int, ref: LeaderboardRef, *, rate_matches: int) -> Listing:
    """What a page shows; the last one, if there are fewer."""
    min_matches = rate_matches if ref.metric is Metric.RATE else 1
    which = Leaderboard(ref.metric, ref.period.at(utcnow()), min_matches=min_matches)
    page = await store.leaderboard(guild_id, which, limit=PAGE, offset=ref.page * PAGE)
    own = await store.standing(guild_id, user_id, which)
    listing = Listing(ref, page, user_id, own, min_matches)
    if ref.page < listing.pages:
        return listing
    # a new month has fewer
    last = replace(ref, page=listing.pages - 1)
    return await listing_of(store, guild_id, user_id, last, rate_matches=rate_matches)


async def _show(press: Press, ref: LeaderboardRef) -> None:
    await press.reply.update_private(await page_for(press.interaction, ref))


async def previous(press: Press, ref: LeaderboardRef) -> None:
    await _show(press, replace(ref, page=max(0, ref.page - 1)))


async def following(press: Press, ref: LeaderboardRef) -> None:
    await _show(press, replace(ref, page=ref.page + 1))


async def order_by(press: Press, ref: LeaderboardRef) -> None:
    """The first page by something else."""
    await _show(press, LeaderboardRef(Metric(press.value), ref.period) if press.value in METRICS else ref)


async def count(press: Press, ref: LeaderboardRef) -> None:
    """The first page of another period."""
    await _show(press, LeaderboardRef(ref.metric, Period(press.value)) if press.value in PERIODS else ref)


async def show(press: Press, ref: LeaderboardRef) -> None:
    """Show the page to everybody in the channel, in the language of the server; it pings nobody."""
    interaction = press.interaction
    listing = await _listing_for(interaction, ref)
    layout = shown_leaderboard(listing, press.person.name, (await press.public_display()).words)
    press.claim_show()
    await press.reply.send_public(layout, allowed_mentions=discord.AllowedMentions.none())


HANDLERS: Final[Mapping[str, Callable[[Press, LeaderboardRef], Coroutine[Any, Any, None]]]] = {
    LeaderboardVerb.PREVIOUS: previous,
    LeaderboardVerb.NEXT: following,
    LeaderboardVerb.METRIC: order_by,
    LeaderboardVerb.PERIOD: count,
    LeaderboardVerb.SHOW: show,
}
