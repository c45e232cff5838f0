"""The screens of a server's own rules, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import Config
from bot.tables.server.rule_sets import SavedRules, delete_rules, find, rename_rules, replace_rules, saved_rules
from bot.ui.kit.ids.server import OwnRulesRef, OwnRulesVerb
from bot.ui.kit.press import Press
from bot.ui.kit.screen import Screen
from bot.ui.server.screens.own_rules import delete_question, one_layout, own_rules_layout, rename_form
from bot.ui.tables.clicks.rules_option import check_name
from bot.ui.words.names import plain, safe
from bot.ui.words.refusals import refusal


async def _show_all(press: Press, ref: OwnRulesRef) -> None:
    await _all(press)


async def _pick(press: Press, ref: OwnRulesRef) -> None:
    await _one(press, find(await _sets(press), press.value))


async def _show_one(press: Press, ref: OwnRulesRef) -> None:
    await _one(press, await _saved(press, ref))


async def _ask_name(press: Press, ref: OwnRulesRef) -> None:
    saved = await _saved(press, ref)
    if saved is None:
        await _one(press, None)
    else:
        await press.reply.modal(rename_form(saved, press.t))


async def _rename(press: Press, ref: OwnRulesRef, written: Sequence[str]) -> None:
    """Rename rules to what was typed."""
    name, note = plain(next(iter(written), "")), None
    try:
        check_name(name)
        await rename_rules(press.host.store, press.guild_id, ref.number, name)
    except Refusal as error:
        note = f"⚠️ {refusal(error, press.t)}"
    await _one(press, await _saved(press, ref), note)


async def _replace(press: Press, ref: OwnRulesRef) -> None:
    """Replace these rules with those of the channel's game."""
    if (here := _here(press)) is None:
        raise Refusal(RefusalCode.NO_GAME)
    now, note = press.host.manager.now(), press.t("✅ Replaced. Open tables keep the rules they started with.")
    try:
        await replace_rules(press.host.store, press.guild_id, ref.number, here, press.person.id, now)
    except Refusal as error:
        note = f"⚠️ {refusal(error, press.t)}"
    await _one(press, await _saved(press, ref), note)


async def _ask_delete(press: Press, ref: OwnRulesRef) -> None:
    saved = await _saved(press, ref)
    if saved is None:
        await _one(press, None)
    else:
        await press.reply.update_private(delete_question(saved, press.t))


async def _delete(press: Press, ref: OwnRulesRef) -> None:
    saved, note = await _saved(press, ref), None
    try:
        await delete_rules(press.host.store, press.guild_id, ref.number)
    except Refusal as error:
        note = f"⚠️ {refusal(error, press.t)}"
    else:
        note = None if saved is None else "🗑️ " + press.t("**{name}** is deleted.", name=safe(saved.name))
    await _all(press, note)


async def _all(press: Press, note: str | None = None) -> None:
    await press.reply.update_private(own_rules_layout(await _sets(press), press.t, note=note))


async def _one(press: Press, saved: SavedRules | None, note: str | None = None) -> None:
    """Show one set of rules, or all of them if it has been deleted."""
    if saved is None:
        await _all(press, f"⚠️ {refusal(Refusal(RefusalCode.RULES_DELETED), press.t)}")
    else:
        await press.reply.update_private(one_layout(saved, _here(press), press.t, note=note))


async def _sets(press: Press) -> list[SavedRules]:
    return await saved_rules(press.host.store, press.guild_id)


async def _saved(press: Press, ref: OwnRulesRef) -> SavedRules | None:
    return next((each for each in await _sets(press) if each.number == ref.number), None)


def _here(press: Press) -> Config | None:
    """The config of the channel's game; None if there is no game, or if a tournament has decided its config."""
    table = press.host.manager.at(press.interaction.channel_id or 0)
    return None if table is None or table.view().fixture is not None else table.view().config


SCREEN: Final = Screen(
    "own rules",
    OwnRulesRef,
    {
        OwnRulesVerb.OPEN: _show_all,
        OwnRulesVerb.PICK: _pick,
        OwnRulesVerb.ONE: _show_one,
        OwnRulesVerb.RENAME: _ask_name,
        OwnRulesVerb.REPLACE: _replace,
        OwnRulesVerb.DELETE: _ask_delete,
        OwnRulesVerb.CONFIRM_DELETE: _delete,
    },
    forms={OwnRulesVerb.RENAME: _rename},
    managers_only=True,
)
