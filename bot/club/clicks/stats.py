"""A player's statistics: for the person who asks, and for everybody."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.club.ids.leaderboard import StatsPage, StatsRef, StatsVerb
from bot.club.parts import ClubParts
from bot.club.rules.achievements import Achievement
from bot.club.screens.stats import OF_A_SERVER, shown_stats, stats_layout
from bot.club.screens.stats_pages import Stats
from bot.club.store.career import Careers
from bot.club.store.ratings import Ratings
from bot.platform.kit.codec import number_in
from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen
from bot.platform.layout import Layout, with_text
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import own_server
from bot.platform.transport.reply import reply_to

SCREEN: Final = Screen("statistics", StatsRef)


async def send_stats(interaction: discord.Interaction[Any], user: discord.User | discord.Member) -> None:
    """Answer a command with somebody's statistics, for the asker only."""
    layout = await _page_for(interaction, StatsRef(user.id), user.display_name)
    await host_of(interaction).tools.send(interaction.channel_id or 0, layout, reply_to(interaction))


async def _page_for(
    interaction: discord.Interaction[Any], ref: StatsRef, name: str | None = None, asked: Achievement | None = None
) -> Layout:
    """A page of a player's statistics, for whoever opened it. `name`: their current name, if known. `asked`: the
    achievement that they ask about."""
    host, guild_id = host_of(interaction), own_server(interaction)
    stats = replace(await _stats(interaction, ref, name), asked=asked)
    display = host.tools.display_for(interaction)
    own = None
    if ref.person_id == interaction.user.id and ref.page is StatsPage.OVERVIEW:
        # how good somebody's decisions are, and what they learn, is shown to nobody else
        own = await host.of(ClubParts).own_lines(guild_id, ref.person_id, interaction.created_at, display.words)
    note = None if own is None else host.tools.waiting_note(ref.person_id, display.words)
    layout = stats_layout(ref, stats, display, own)
    return layout if note is None else with_text(layout, note)


async def _stats(interaction: discord.Interaction[Any], ref: StatsRef, name: str | None = None) -> Stats:
    """The data that a page needs. Without a server of the bot's, it is all that somebody has played anywhere.

    Raises Refusal if the page needs a server: it is about somebody else, or about what only a server has.
    """
    host, guild_id = host_of(interaction), own_server(interaction)
    if guild_id is None and (ref.person_id != interaction.user.id or ref.page in OF_A_SERVER):
        raise Refusal(CommonRefusal.NEEDS_SERVER)
    career = await host.of(Careers).of(guild_id, ref.person_id)
    if name is None:
        name = interaction.user.display_name if ref.person_id == interaction.user.id else career.standing.name
    stats = Stats(name, career, interaction.created_at, everywhere=guild_id is None)
    if guild_id is None:
        return stats
    if ref.page is StatsPage.RATING:
        return replace(stats, history=await host.of(Ratings).history(guild_id, ref.person_id))
    if ref.page is StatsPage.DUEL and ref.rival_id is not None:
        return replace(stats, duel=await host.of(Careers).duel(guild_id, ref.person_id, ref.rival_id))
    return stats


@SCREEN.on(StatsVerb.PAGE)
async def turn(press: Press, ref: StatsRef) -> None:
    """Show another page of the same person's statistics."""
    await press.answer(await _page_for(press.interaction, ref))


@SCREEN.on(StatsVerb.HOW)
async def how(press: Press, ref: StatsRef) -> None:
    """Say on the page how the chosen achievement is earned."""
    asked = Achievement(press.value) if press.value in set(Achievement) else None
    await press.answer(await _page_for(press.interaction, ref, asked=asked))


@SCREEN.on(StatsVerb.AGAINST)
async def against(press: Press, ref: StatsRef) -> None:
    """Turn to the duel with the chosen person."""
    if (rival := number_in(press.value)) is not None:
        ref = StatsRef(ref.person_id, StatsPage.DUEL, rival)
    await turn(press, ref)


@SCREEN.on(StatsVerb.SHOW)
async def show(press: Press, ref: StatsRef) -> None:
    """Show the page to everybody in the channel, in the language of the server; it pings nobody."""
    stats = await _stats(press.interaction, ref)
    await press.show_to_all(lambda display: shown_stats(ref, stats, press.person.name, display))
