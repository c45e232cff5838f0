"""Opening a table in a channel: where that is possible, in which language, and what to do with a forgotten game."""

from typing import Any, Final

import discord

from bot.club.rules.seasons import is_key
from bot.engine.rules import TARGETS
from bot.platform.kit.codec import number_in
from bot.platform.kit.host import Host, host_of
from bot.platform.kit.interactions import named_right
from bot.platform.kit.screen import public_locale, server_of
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, button, layout_of, notice, row
from bot.platform.people import plain
from bot.platform.place import Spot
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.permissions import check_may_speak, may_open_threads
from bot.platform.transport.reply import person_of, private_words, reply_to
from bot.tables.boards.handover import start_thread
from bot.tables.boards.public_message import pointer_to_thread
from bot.tables.clicks.alone import offer_solo
from bot.tables.clicks.aside import set_aside
from bot.tables.clicks.door import call_waiting, free_seats
from bot.tables.clicks.ending import moderators_button
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.clicks.rules_option import key_of_option, lobby_config
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.target import in_one_round
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.ending import clear_question
from bot.tables.settings import ServerOptions, TablePreferences
from bot.tables.words.names import plain_rules_name

MOST_WAITING: Final = 20
"""People in a channel who are told of its next table: those who asked last."""
_USUAL: Final = "0"
"""Stands for an option that was left out."""


async def open_table(interaction: discord.Interaction[Any], preset: str | None, target: int | None) -> None:
    """Open a lobby with the server's defaults, except for the options given, and post it as the answer.

    If the channel has a game already, say where; if that is forgotten, offer to end it. Where nobody can play, offer to
    play alone.

    Raises:
        Refusal: if no table can be opened there.
        StoreError: if the server's defaults can't be read.
    """
    host, t = host_of(interaction), private_words(interaction)
    preset = await key_of_option(interaction, preset)
    running = host.of(TableManager).at(interaction.channel_id or 0)
    if running is None:
        try:
            check_may_speak(interaction)
        except Refusal as error:
            await offer_solo(interaction, await named_right(interaction, error))
            return
        host.throttle.tables.take_or_refuse(interaction.user.id, TableRefusal.TOO_MANY_OPENED)
        table = await _opened(interaction, preset, target)
        await host.of(TableParts).presenter.post(interaction, table)
        await call_waiting(interaction, table)
        await set_aside(interaction, table)
        await host.of(TableParts).presenter.greet(interaction, table)
        return
    ref = Ref(running.id, args=(preset or _USUAL, str(target or _USUAL)))
    if running.forgotten:
        text = busy_text(host, running, t)
        await reply_to(interaction).send_private(clear_question(ref, text, running.view(), running.acted_at, t))
    else:
        await reply_to(interaction).send_private(await busy_layout(interaction, running, ref))


async def busy_layout(interaction: discord.Interaction[Any], running: Table, ref: Ref | None = None) -> Layout:
    """Say that a channel has a game, and where; offer to end it and to play in a thread, where that is allowed, and
    tell of tables elsewhere with free seats.

    `ref`: names the game, and what was asked for; without it no thread is offered.
    """
    t = private_words(interaction)
    text = busy_text(host_of(interaction), running, t)
    buttons: list[Component] = []
    if (offered := moderators_button(interaction, running)) is not None:
        buttons.append(offered)
    elif running.contested:
        text += "\n" + t(
            "It's a rated match, which only those who play it can end. You can play in a thread of this channel, or "
            "in another channel."
        )
    if free := await free_seats(interaction):
        text += "\n\n" + "\n".join((t("**Free seats elsewhere**"), *free))
    if ref is not None and may_open_threads(interaction):
        buttons.append(button(ref.custom_id(Verb.ASIDE), t("Play in a thread"), emoji="🧵"))
    return layout_of(text, row(*buttons)) if buttons else notice(text)


def busy_text(host: Host, running: Table, t: Words) -> str:
    """Say that a channel has a game, and where."""
    text = t("There's already a table in this channel.")
    if (url := host.of(TableParts).presenter.link(running)) is not None:
        text += " " + t("[Go to the table]({url})", url=url)
    return text


def _wanted(press: GamePress) -> tuple[str | None, int | None]:
    """The rules and the target that the options of `/escoba play` named, from a button's arguments.

    Raises:
        Refusal: if they name none.
    """
    named, points = press.argument(0), number_in(press.argument(1))
    preset = None if named == _USUAL else named
    if points not in (0, *TARGETS) or not (preset is None or is_key(preset)):
        raise Refusal(CommonRefusal.STALE)
    return preset, points or None


@at_table(Verb.CONFIRM_CLEAR)
async def clear(press: GamePress) -> None:
    """End a forgotten game, and open another in its channel."""
    preset, target = _wanted(press)
    check_may_speak(press.interaction)
    table = await _opened(press.interaction, preset, target, instead_of=press.found)
    try:
        await press.reply.update_private(notice(press.t("The old match is over, and a new table is open.")))
    finally:  # even if the answer fails: nothing else shows the new table
        await press.host.of(TableParts).presenter.post(press.interaction, table)
        await set_aside(press.interaction, table)
        await press.host.of(TableParts).presenter.greet(press.interaction, table)


async def _opened(
    interaction: discord.Interaction[Any],
    preset: str | None,
    target: int | None,
    *,
    instead_of: Table | None = None,
    aside: bool = False,
) -> Table:
    """Open a lobby for the person who asks: in the channel, in place of a forgotten game, or `aside` in a thread."""
    host, guild_id = host_of(interaction), server_of(interaction)
    settings = await host.of(GuildSettingsCache).of(guild_id, LanguageSettings)
    config = await lobby_config(interaction, preset, target)
    chosen = host.of(PreferencesCache).cached(interaction.user.id, TablePreferences)
    if target is None and str(guild_id) in chosen.express_on:
        config = in_one_round(config)
    channel_id = interaction.channel_id or 0
    if aside:
        name = f"🧹 {plain(interaction.user.display_name)} · {plain_rules_name(config, private_words(interaction))}"
        slow = (await host.of(ServerOptions).of(guild_id)).pace.at(config.tempo).slow
        channel_id = await start_thread(host.tools, Spot(channel_id, guild_id), name, slow=slow)
    return await host.of(TableManager).open(
        guild_id=guild_id,
        channel_id=channel_id,
        opener=person_of(interaction),
        config=config,
        locale=public_locale(interaction, settings.language),
        instead_of=instead_of,
        movable=not aside and may_open_threads(interaction),
    )


@at_table(Verb.AWAIT_NEXT)
async def await_next(press: GamePress) -> None:
    """Remember, until the next restart, to tell somebody when the channel's next table opens."""
    waiting, channel_id = press.host.of(TableParts).waiting, press.table.spot.channel_id
    others = [person_id for person_id in waiting.get(channel_id, []) if person_id != press.person.id]
    waiting[channel_id] = [press.person.id, *others][:MOST_WAITING]
    await press.reply.update_private(notice(press.t("I'll mention you here when the next table opens.")))


@at_table(Verb.ASIDE)
async def open_aside(press: GamePress) -> None:
    """Open a table in a thread of a channel that has one already."""
    if not may_open_threads(press.interaction):
        raise Refusal(TableRefusal.NO_THREADS)
    preset, target = _wanted(press)
    press.host.throttle.tables.take_or_refuse(press.person.id, TableRefusal.TOO_MANY_OPENED)
    table = await _opened(press.interaction, preset, target, aside=True)
    press.host.of(TableManager).announce(table)
    await press.reply.update_private(pointer_to_thread(table, press.t))
    await press.host.of(TableParts).presenter.greet(press.interaction, table)
