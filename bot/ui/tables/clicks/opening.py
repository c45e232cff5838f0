"""Opening a table in a channel: where that is possible, in which language, and what to do with a forgotten game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.club.rule_set import is_key
from bot.engine.rules import TARGETS
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.table import Table
from bot.ui.kit.host import Host, host_of
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.kit.numbers import number_in
from bot.ui.kit.press import public_locale
from bot.ui.layout import Layout, layout_of, notice, row
from bot.ui.tables.clicks.ending import may_end
from bot.ui.tables.clicks.press import GameHandler, GamePress
from bot.ui.tables.clicks.rules_option import config_for, key_of_option
from bot.ui.tables.parts import TableParts
from bot.ui.tables.screens.ending import clear_question, end_button
from bot.ui.transport.permissions import check_may_speak, may_open_threads
from bot.ui.transport.reply import person_of, private_words, reply_to
from bot.ui.words.texts import Words

_USUAL: Final = "0"
"""Stands for an option that was left out."""


async def open_table(interaction: discord.Interaction[Any], preset: str | None, target: int | None) -> None:
    """Open a lobby with the server's defaults, except for the options given, and post it as the answer.

    If the channel has a game already, say where; if that is forgotten, offer to end it.

    Raises:
        Refusal: if no table can be opened there.
        StoreError: if the server's defaults can't be read.
    """
    host, t = host_of(interaction), private_words(interaction)
    preset = await key_of_option(interaction, preset)
    running = host.manager.at(interaction.channel_id or 0)
    if running is None:
        check_may_speak(interaction)
        host.throttle.tables.take_or_refuse(interaction.user.id, RefusalCode.TOO_MANY_OPENED)
        await host.of(TableParts).presenter.post(interaction, await _opened(interaction, preset, target))
        return
    if running.forgotten:
        ref = Ref(running.id, args=(preset or _USUAL, str(target or _USUAL)))
        text = busy_text(host, running, t)
        await reply_to(interaction).send_private(clear_question(ref, text, running.view(), running.acted_at, t))
    else:
        await reply_to(interaction).send_private(busy_layout(interaction, running))


def busy_layout(interaction: discord.Interaction[Any], running: Table) -> Layout:
    """Says that a channel has a game, and where; whoever may end it gets a button for that."""
    t = private_words(interaction)
    text = busy_text(host_of(interaction), running, t)
    if may_end(interaction, running):
        return layout_of(text, row(end_button(running.view(), t)))
    if running.contested:
        text += "\n" + t(
            "It's a rated match, which only those who play it can end. You can play in a thread of this channel, or "
            "in another channel."
        )
    return notice(text)


def busy_text(host: Host, running: Table, t: Words) -> str:
    """Says that a channel has a game, and where."""
    text = t("There's already a table in this channel.")
    if (url := host.of(TableParts).presenter.link(running)) is not None:
        text += " " + t("[Go to the table]({url})", url=url)
    return text


async def clear(press: GamePress) -> None:
    """End a forgotten game, and open another in its channel."""
    named, points = press.argument(0), number_in(press.argument(1))
    preset = None if named == _USUAL else named
    if points not in (0, *TARGETS) or not (preset is None or is_key(preset)):
        raise Refusal(RefusalCode.STALE)
    check_may_speak(press.interaction)
    table = await _opened(press.interaction, preset, points or None, instead_of=press.found)
    try:
        await press.reply.update_private(notice(press.t("The old match is over, and a new table is open.")))
    finally:  # even if the answer fails: nothing else shows the new table
        await press.host.of(TableParts).presenter.post(press.interaction, table)


async def _opened(
    interaction: discord.Interaction[Any], preset: str | None, target: int | None, *, instead_of: Table | None = None
) -> Table:
    host = host_of(interaction)
    settings = await host.guild_settings.get(interaction.guild_id or 0)
    return await host.manager.open(
        guild_id=interaction.guild_id or 0,
        channel_id=interaction.channel_id or 0,
        opener=person_of(interaction),
        config=await config_for(interaction, preset, target),
        locale=public_locale(interaction, settings),
        instead_of=instead_of,
        movable=may_open_threads(interaction),
    )


HANDLERS: Final[Mapping[Verb, GameHandler]] = {Verb.CONFIRM_CLEAR: clear}
