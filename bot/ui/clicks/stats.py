"""A player's statistics: for whoever asks, and for everybody."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import discord

from bot.ui.clicks.interactions import host_of
from bot.ui.clicks.press import Press
from bot.ui.screens.layout import Layout
from bot.ui.screens.stats import LEARNING_DAYS, REVIEWS, Learning, StatsRef, StatsVerb, shown_stats, stats_layout
from bot.ui.transport.files import Sent
from bot.ui.transport.reply import reply_to


async def send_stats(interaction: discord.Interaction[Any], user: discord.User | discord.Member) -> None:
    """Answer a command with somebody's statistics, for the asker only."""
    host, guild_id = host_of(interaction), interaction.guild_id or 0
    career = await host.store.career(guild_id, user.id)
    own = user.id == interaction.user.id  # how right somebody's decisions are, and what they learn, is for nobody else
    reviews = await host.store.reviews(guild_id, user.id, limit=REVIEWS) if own else []
    learning = await _learning(interaction) if own else None
    display = host.presenter.display(interaction.locale.value, guild_id)
    layout = stats_layout(user.display_name, user.id, career, display, reviews, learning)
    await host.presenter.send(interaction.channel_id or 0, layout, reply_to(interaction).send_private)


async def _learning(interaction: discord.Interaction[Any]) -> Learning:
    host, person_id, today = host_of(interaction), interaction.user.id, interaction.created_at.date()
    record = await host.store.answers.record(person_id, today, today, LEARNING_DAYS)
    counted = [answer for answer in record.answers.values() if answer.counted]
    solved = sum(not answer.lost for answer in counted)
    return Learning(await host.practice.queue(person_id), solved, len(counted), record.streak)


async def show(press: Press, ref: StatsRef) -> None:
    """Show them to everybody in the channel, in the language of the server; that pings nobody."""
    interaction, guild_id = press.interaction, press.interaction.guild_id or 0
    career = await press.host.store.career(guild_id, ref.person_id)
    own = ref.person_id == press.person.id
    name = press.person.name if own else career.standing.name
    layout = shown_stats(name, career, press.person.name, await press.public_display())
    press.claim_show()

    async def send(each: Layout) -> Sent:
        return await press.reply.send_public(each, allowed_mentions=discord.AllowedMentions.none())

    await press.host.presenter.send(interaction.channel_id or 0, layout, send)


HANDLERS: Final[Mapping[str, Callable[[Press, StatsRef], Coroutine[Any, Any, None]]]] = {StatsVerb.SHOW: show}
