"""Finding opponents: a challenge to one person, or a mention of the server's role for people who want to play."""

from datetime import datetime
from typing import Any

import discord

from bot.engine.rules import Seating
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, public_locale, server_of
from bot.platform.kit.throttle import BETWEEN_SEARCHES
from bot.platform.people import Person, safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.channels import only_role
from bot.platform.transport.permissions import check_may_mention, check_may_speak, check_may_write, may_open_threads
from bot.platform.transport.reply import person_of, reply_to
from bot.tables.clicks.aside import set_aside
from bot.tables.clicks.match import open_rematch
from bot.tables.clicks.opening import busy_layout
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.clicks.rules_option import first_friendly, key_of_option, lobby_config
from bot.tables.ids.game import Verb
from bot.tables.live.challenges import check_may_challenge
from bot.tables.live.manager import TableManager
from bot.tables.log.events import Config, Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import Conflicting, TableRefusal
from bot.tables.settings import TableSettings, sought_key
from bot.tables.store.logs import Games
from bot.tables.words.names import rules_name


async def challenge(
    interaction: discord.Interaction[Any], player: discord.User | discord.Member, preset: str | None, target: int | None
) -> None:
    """Open a table for two, and mention the other person, who accepts or declines with a button.

    Raises:
        Refusal: if that person can't be challenged here, or not now.
        StoreError: if the server's defaults can't be read.
    """
    manager = host_of(interaction).of(TableManager)
    _check_challenged(interaction, player)
    key = await key_of_option(interaction, preset)
    running = manager.at(interaction.channel_id or 0)
    if running is not None:
        await reply_to(interaction).send_private(await busy_layout(interaction, running))
        return
    check_may_speak(interaction)
    config = await lobby_config(interaction, key, target)
    if conflicts := config.conflicts_with(Seating.TWO):
        raise Conflicting(conflicts)
    await _open_challenge(interaction, Person(player.id, player.display_name), config)


@at_table(Verb.WINNER)
async def play_the_winner(press: GamePress) -> None:
    """Challenge the winner of a match that is over, by its rules; the other player of one for two asks for a rematch.

    Until the winner has accepted, a rematch of that match takes the challenge's place.
    """
    interaction, manager = press.interaction, press.host.of(TableManager)
    before = await manager.past(press.ref.game)
    winner = None if before is None else before.view().winner_to_play
    if before is None or winner is None or not before.is_at(press.guild_id, interaction.channel_id):
        raise Refusal(CommonRefusal.STALE)
    if winner.id == press.person.id:
        raise Refusal(TableRefusal.CHALLENGES_SELF)
    view = before.view()
    if len(view.seats) == Seating.TWO.seats and press.person.id in (seat.person_id for seat in view.seats):
        await open_rematch(press)
        return
    running = manager.at(interaction.channel_id or 0)
    if running is not None:
        await press.reply.send_private(await busy_layout(interaction, running))
        return
    check_may_write(interaction)
    check_may_speak(interaction)
    if not await press.host.of(TableParts).members.has(press.guild_id, winner.id):
        raise Refusal(TableRefusal.NOT_THERE)
    await _open_challenge(interaction, winner, await first_friendly(interaction, view.config))


async def _open_challenge(interaction: discord.Interaction[Any], player: Person, config: Config) -> None:
    host, guild_id = host_of(interaction), server_of(interaction)
    manager, throttle, opener = host.of(TableManager), host.throttle, person_of(interaction)
    settings = await host.of(GuildSettingsCache).of(guild_id, LanguageSettings)
    await check_may_challenge(host.of(Games), opener.id, player.id, manager.now())
    throttle.tables.take_or_refuse(opener.id, TableRefusal.TOO_MANY_OPENED)
    throttle.challenges.take_or_refuse((opener.id, player.id), TableRefusal.CHALLENGED_JUST_NOW)
    table = await manager.open(
        guild_id=guild_id,
        channel_id=interaction.channel_id or 0,
        opener=opener,
        config=config,
        locale=public_locale(interaction, settings.language),
        invited=(opener, player),
        movable=may_open_threads(interaction),
        challenge=True,
    )
    await host.of(TableParts).presenter.post(interaction, table, inviting=True)
    await set_aside(interaction, table)


def _check_challenged(interaction: discord.Interaction[Any], player: discord.User | discord.Member) -> None:
    if player.id == interaction.user.id:
        raise Refusal(TableRefusal.CHALLENGES_SELF)
    if player.bot:
        raise Refusal(TableRefusal.CHALLENGES_BOT)
    allowed = player.resolved_permissions if isinstance(player, discord.Member) else discord.Permissions.none()
    if allowed is not None and not allowed.view_channel:
        raise Refusal(TableRefusal.NOT_THERE)


@at_table(Verb.SEEK)
async def seek(press: GamePress) -> None:
    """Mention the server's role for players in a message that leads to the lobby."""
    table, host = press.table, press.host
    if table.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    if table.seat_of(press.person.id) is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    if len(table.view().seats) >= table.view().config.capacity:
        raise Refusal(TableRefusal.LOBBY_FULL)
    role = await claim_players_role(press)
    config, t = table.view().config, host.tools.display(table.locale, table.guild_id).words
    named = {"role": f"<@&{role}>", "name": safe(press.person.name), "preset": rules_name(config, t)}
    text = t(
        "{role} **{name}** is looking for players: {preset}, to {target} points.", **named, target=config.rules.target
    )
    if config.rules.rounds:
        text = t("{role} **{name}** is looking for players: {preset}, one round.", **named)
    if (url := host.of(TableParts).presenter.link(table)) is not None:
        text += " " + t("[Go to the table]({url})", url=url)
    await press.reply.announce(text, allowed_mentions=only_role(role))


async def claim_players_role(press: Press) -> int:
    """The server's role for players, if the person may have it mentioned in the channel now; if so, that counts.

    Raises:
        Refusal: if there is none, if they or the bot may not mention it, or if it was mentioned not long ago.
    """
    host = press.host
    settings = await host.of(GuildSettingsCache).of(press.guild_id, TableSettings)
    if settings.players_role is None:
        raise Refusal(TableRefusal.NO_ROLE)
    check_may_write(press.interaction)
    check_may_speak(press.interaction)
    now = host.of(TableManager).now()
    if await _sought_since(host.of(KeyValues), press.guild_id, now - BETWEEN_SEARCHES):
        raise Refusal(TableRefusal.SOUGHT_JUST_NOW)
    await check_may_mention(press.interaction, press.guild_id, settings.players_role)
    host.throttle.searches.take_or_refuse(press.guild_id, TableRefusal.SOUGHT_JUST_NOW)  # of several who press at once
    await host.of(KeyValues).set(sought_key(press.guild_id), now.isoformat())
    return settings.players_role


async def _sought_since(values: KeyValues, guild_id: int, since: datetime) -> bool:
    """Whether somebody on a server has looked for players since then; a restart forgets nothing of that."""
    noted = await values.get(sought_key(guild_id))
    return noted is not None and datetime.fromisoformat(noted) > since
