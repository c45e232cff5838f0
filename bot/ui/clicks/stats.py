"""A player's statistics: for whoever asks, and for everybody."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import discord

from bot.ui.clicks.interactions import host_of
from bot.ui.clicks.press import Press
from bot.ui.screens.layout import Layout
from bot.ui.screens.stats import REVIEWS, StatsRef, StatsVerb, shown_stats, stats_layout
from bot.ui.transport.files import Sent
from bot.ui.transport.reply import reply_to


async def send_stats(interaction: discord.Interaction[Any], user: discord.User | discord.Member) -> None:
    """Answer a command with somebody's statistics, for the asker only."""
    host, guild_id = host_of(interaction), interaction.guild_id or 0
    career = await host.store.career(guild_id, user.id)
    own = user.id == interaction.user.id  # how right somebody's decisions were is for nobody else
    reviews = await host.store.reviews(guild_id, user.id, limit=REVIEWS) if own else []
    display = host.presenter.display(interaction.locale.value, guild_id)
    layout = stats_layout(user.display_name, user.id, career, display, reviews)
    await host.presenter.send(interaction.channel_id or 0, layout, reply_to(interaction).send_private)


async def show(press: Press, ref: StatsRef) -> None:
    """Show them to everybody in the channel, in the language of the server; that pings nobody."""
    interaction, guild_id = press.interaction, press.interaction.guild_id or 0
    career = await press.host.store.career(guild_id, ref.person_id)
    own = ref.person_id == press.person.id
    name = press.person.name if own else career.standing.name
    display = press.host.presenter.display((interaction.guild_locale or interaction.locale).value, guild_id)
    layout = shown_stats(name, career, press.person.name, display)
    press.claim_show()

    async def send(each: Layout) -> Sent:
        return await press.reply.send_public(each, allowed_mentions=discord.AllowedMentions.none())

    await press.host.presenter.send(interaction.channel_id or 0, layout, send)


HANDLERS: Final[Mapping[str, Callable[[Press, StatsRef], Coroutine[Any, Any, None]]]] = {StatsVerb.SHOW: show}
