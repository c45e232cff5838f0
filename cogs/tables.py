"""/escoba play, solo, challenge, hand, table, leave and rules: the game of a channel; the challenge by right click."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import TARGETS
from bot.platform.kit.host import host_of
from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_
from bot.platform.layout import notice
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import may_moderate
from bot.platform.transport.reply import person_of, private_words, reply_to
from bot.tables.clicks.alone import play_alone
from bot.tables.clicks.door import matches_elsewhere, turn_away
from bot.tables.clicks.ending import ask_to_leave, moderators_button, taken_out_match
from bot.tables.clicks.finding import challenge
from bot.tables.clicks.opening import open_table
from bot.tables.clicks.rules_option import config_for, key_of_option, offer_rules
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.actions import Touch
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.ending import offer_layout
from bot.tables.screens.guide import guide_layout
from bot.tables.words.names import own_rules_name


class TableCommands(commands.Cog):
    """The commands about the channel's game."""

    @app_commands.command(name="play", description=N_("Open a table in this channel"))
    @app_commands.describe(preset=N_("The variant"), target=N_("Points to play to"))
    @app_commands.rename(preset="variant")
    @app_commands.autocomplete(preset=offer_rules)
    async def play(
        self,
        interaction: discord.Interaction[Any],
        preset: str | None = None,
        target: app_commands.Range[int, TARGETS[0], TARGETS[-1]] | None = None,
    ) -> None:
        """Open a lobby, or say where the channel's game is, and offer to end one that is forgotten."""
        await respond(interaction, open_table(interaction, preset, target), public=True)

    @app_commands.command(name="solo", description=N_("Play against robots, for your eyes only"))
    async def solo(self, interaction: discord.Interaction[Any]) -> None:
        """Show the asker's own match, or what they can begin."""
        await respond(interaction, play_alone(interaction))

    @app_commands.command(name="challenge", description=N_("Challenge someone to a match"))
    @app_commands.describe(player=N_("Who to challenge"), preset=N_("The variant"), target=N_("Points to play to"))
    @app_commands.rename(preset="variant")
    @app_commands.autocomplete(preset=offer_rules)
    async def challenge(
        self,
        interaction: discord.Interaction[Any],
        player: discord.User,
        preset: str | None = None,
        target: app_commands.Range[int, TARGETS[0], TARGETS[-1]] | None = None,
    ) -> None:
        """Open a table for two, and mention the other person."""
        await respond(interaction, challenge(interaction, player, preset, target), public=True)

    @app_commands.command(name="hand", description=N_("Show your cards, to you only"))
    async def hand(self, interaction: discord.Interaction[Any]) -> None:
        """Open the private panel."""
        await respond(interaction, _hand(interaction))

    @app_commands.command(name="table", description=N_("Show the table again at the bottom of the channel"))
    async def table(self, interaction: discord.Interaction[Any]) -> None:
        """Post the table as the answer, or show it to the asker only."""
        await respond(interaction, _table(interaction))

    @app_commands.command(name="leave", description=N_("Leave the table, or end it"))
    async def leave(self, interaction: discord.Interaction[Any]) -> None:
        """Leave the lobby, or ask what is meant."""
        await respond(interaction, _leave(interaction))

    @app_commands.command(name="rules", description=N_("Explain how Escoba is played"))
    @app_commands.describe(preset=N_("Variant; this channel's one if left out"))
    @app_commands.rename(preset="variant")
    @app_commands.autocomplete(preset=offer_rules)
    async def rules(self, interaction: discord.Interaction[Any], preset: str | None = None) -> None:
        """Show the rules, to the asker only."""
        await respond(interaction, _rules(interaction, preset))


@app_commands.context_menu(name=N_("Challenge to Escoba"))
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
async def challenge_person(interaction: discord.Interaction[Any], player: discord.User) -> None:
    """Open a table for two, and mention the person who was chosen by a right click."""
    await respond(interaction, challenge(interaction, player, None, None), public=True)


def table_of(interaction: discord.Interaction[Any]) -> Table:
    """The open table of the channel.

    Raises:
        Refusal: if there is none, or a newer version has written it.
    """
    return host_of(interaction).of(TableManager).here(interaction.channel_id or 0)


async def _hand(interaction: discord.Interaction[Any]) -> None:
    table, presenter = table_of(interaction), host_of(interaction).of(TableParts).presenter
    if table.seat_of(interaction.user.id) is None:
        await turn_away(interaction, table)
        return
    await table.submit(Touch(person_of(interaction)))
    await presenter.open_panel(interaction, table)


async def _table(interaction: discord.Interaction[Any]) -> None:
    presenter = host_of(interaction).of(TableParts).presenter
    try:
        table = table_of(interaction)
    except Refusal as error:
        found = await matches_elsewhere(interaction) if error.code is TableRefusal.NO_GAME else []
        if not found:
            raise
        t = private_words(interaction)
        text = "\n".join((error.reason(t) + "\n", t("**Matches elsewhere**"), *found))
        await reply_to(interaction).send_private(notice(text))
        return
    board, seated = presenter.board_of(table), table.seat_of(interaction.user.id) is not None
    # Decided once, before anything is awaited: a deferral must be public if the answer will be.
    posts = (seated or may_moderate(interaction)) and board.claim_repost()
    if posts:
        reply_to(interaction).promise_in_public()
    try:
        if seated:
            await table.submit(Touch(person_of(interaction)))
        if posts:
            await presenter.post(interaction, table)
        else:
            await presenter.show(interaction, table)
    except Refusal:
        if posts:
            board.release_repost()
        raise
    if not seated and (offered := moderators_button(interaction, table)) is not None:
        await reply_to(interaction).send_private(offer_layout(offered, private_words(interaction)))


async def _leave(interaction: discord.Interaction[Any]) -> None:
    try:
        table = table_of(interaction)
    except Refusal as error:
        found = await taken_out_match(interaction) if error.code is TableRefusal.NO_GAME else None
        if found is None:
            raise
        table = found
    await ask_to_leave(interaction, table)


async def _rules(interaction: discord.Interaction[Any], preset: str | None) -> None:
    table, t = host_of(interaction).of(TableManager).at(interaction.channel_id or 0), private_words(interaction)
    named = await key_of_option(interaction, preset)
    if named is None and table is not None:
        config = table.view().config
    else:
        config = await config_for(interaction, named, None)
    layout = guide_layout(config.preset, config.rules, t, own_rules_name(config, t))
    await reply_to(interaction).send_private(layout)
