"""The leaderboard's pages, and the buttons and menus that turn them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord.utils import utcnow

from bot.store import Metric, Store
from bot.ui.clicks.interactions import host_of
from bot.ui.clicks.press import Press
from bot.ui.screens.layout import Layout
from bot.ui.screens.ranking import (
    METRICS,
    PAGE,
    PERIODS,
    Listing,
    Period,
    Place,
    Turn,
    leaderboard_layout,
    shown_leaderboard,
)
from bot.ui.transport.reply import private_words
from bot.ui.words.texts import words


async def page_for(interaction: discord.Interaction[Any], place: Place) -> Layout:
    """A page of the leaderboard of the server where somebody asks for it."""
    return leaderboard_layout(await _listing_for(interaction, place), private_words(interaction))


async def _listing_for(interaction: discord.Interaction[Any], place: Place) -> Listing:
    host = host_of(interaction)
    return await listing_of(
        host.store, interaction.guild_id or 0, interaction.user.id, place, rate_matches=host.rate_matches
    )


async def listing_of(store: Store, guild_id: int, user_id: int, place: Place, *, rate_matches: int) -> Listing:
    """What a page shows; the last one, if there are fewer."""
    since = place.period.since(utcnow())
    least = rate_matches if place.metric is Metric.RATE else 1
    page = await store.leaderboard(
        guild_id, place.metric, since=since, min_matches=least, limit=PAGE, offset=place.page * PAGE
    )
    own = await store.standing(guild_id, user_id, place.metric, since=since, min_matches=least)
    listing = Listing(place, page, user_id, own, least)
    if place.page < listing.pages:
        return listing
    # a month that has begun anew has fewer
    last = replace(place, page=listing.pages - 1)
    return await listing_of(store, guild_id, user_id, last, rate_matches=rate_matches)


async def _show(press: Press, place: Place) -> None:
    await press.reply.update_private(await page_for(press.interaction, place))


async def previous(press: Press, place: Place) -> None:
    """The page before."""
    await _show(press, replace(place, page=max(0, place.page - 1)))


async def following(press: Press, place: Place) -> None:
    """The page after."""
    await _show(press, replace(place, page=place.page + 1))


async def order_by(press: Press, place: Place) -> None:
    """The first page by something else."""
    await _show(press, Place(Metric(press.value), place.period) if press.value in METRICS else place)


async def count(press: Press, place: Place) -> None:
    """The first page of another period."""
    await _show(press, Place(place.metric, Period(press.value)) if press.value in PERIODS else place)


async def show(press: Press, place: Place) -> None:
    """Show the page to everybody in the channel, in the language of the server; it pings nobody."""
    interaction = press.interaction
    listing = await _listing_for(interaction, place)
    t = words((interaction.guild_locale or interaction.locale).value)
    layout = shown_leaderboard(listing, press.person.name, t)
    await press.reply.public(layout, allowed_mentions=discord.AllowedMentions.none())


HANDLERS: Final[Mapping[str, Callable[[Press, Place], Coroutine[Any, Any, None]]]] = {
    Turn.PREVIOUS: previous,
    Turn.NEXT: following,
    Turn.METRIC: order_by,
    Turn.PERIOD: count,
    Turn.SHOW: show,
}
