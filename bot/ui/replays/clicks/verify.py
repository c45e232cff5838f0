"""The check of how a player's matches were dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.replays.proofs import checked, latest
from bot.store import OwnMatchRow
from bot.tables.errors import Refusal, RefusalCode
from bot.ui.kit.host import host_of
from bot.ui.kit.ids.replay import ReplayRef, ReplayVerb
from bot.ui.kit.press import Press, RefHandler
from bot.ui.replays.screens.replay import PAGE
from bot.ui.replays.screens.verify import nothing_layout, verify_layout
from bot.ui.transport.reply import private_words, reply_to


async def send_check(interaction: discord.Interaction[Any]) -> None:
    """Answer a command with the check of the asker's latest match, for them only."""
    guild_id, t = interaction.guild_id or 0, private_words(interaction)
    found = await latest(host_of(interaction).store, guild_id, interaction.user.id)
    rows = await _rows(interaction)
    layout = nothing_layout(rows, t) if found is None else verify_layout(found, rows, t)
    await reply_to(interaction).send_private(layout)


async def choose(press: Press, ref: ReplayRef) -> None:
    """Check the match that was chosen in the menu."""
    await _answer(press, press.number, 0)


async def choose_round(press: Press, ref: ReplayRef) -> None:
    """Show the deck of the round that was chosen in the menu."""
    await _answer(press, ref.game, press.number)


async def _answer(press: Press, game_id: int, number: int) -> None:
    found = await checked(press.host.store, press.guild_id, press.person.id, game_id)
    if found is None:
        raise Refusal(RefusalCode.NO_LOG)
    layout = verify_layout(found, await _rows(press.interaction), press.t, number=number)
    await press.answer(layout)


async def _rows(interaction: discord.Interaction[Any]) -> Sequence[OwnMatchRow]:
    """The asker's latest matches that are over."""
    store, guild_id = host_of(interaction).store, interaction.guild_id or 0
    rows, _ = await store.matches.page(guild_id, interaction.user.id, limit=PAGE, offset=0)
    return rows


HANDLERS: Final[Mapping[str, RefHandler[ReplayRef]]] = {
    ReplayVerb.VERIFY: choose,
    ReplayVerb.VERIFY_ROUND: choose_round,
}
