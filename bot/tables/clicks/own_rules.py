"""The screens of a server's own rules, for those who may manage the server."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from bot.club.store.rule_sets import RuleSets
from bot.platform.kit.screen import Press, Screen
from bot.platform.language.texts import Words
from bot.platform.people import plain, safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.pages import SettingPage
from bot.tables.clicks.rules import change_rules
from bot.tables.clicks.rules_option import check_name
from bot.tables.clicks.settings import current
from bot.tables.ids.game import Verb
from bot.tables.ids.own_rules import OwnRulesRef, OwnRulesVerb
from bot.tables.live.manager import TableManager
from bot.tables.live.own_rules import (
    SavedRules,
    delete_rules,
    find,
    rename_rules,
    replace_rules,
    save_rules,
    saved_rules,
)
from bot.tables.log.events import Config
from bot.tables.refusals import Conflicting, TableRefusal
from bot.tables.screens.own_rules import (
    HOUSE_RULES,
    RULES_OF_SETS,
    delete_question,
    one_layout,
    own_rule_layout,
    own_rules_layout,
)
from bot.tables.screens.rules_editor import name_form
from bot.tables.screens.settings import Current
from bot.tables.settings import TableSettings


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
        t, custom_id = press.t, ref.custom_id(OwnRulesVerb.RENAME)
        await press.reply.modal(name_form(t.context("form", "Rename"), custom_id, saved.name, t))


async def _rename(press: Press, ref: OwnRulesRef, written: Sequence[str]) -> None:
    name, note = plain(next(iter(written), "")), None
    try:
        await asyncio.to_thread(check_name, name)  # reads the catalogues of all languages, once
        await rename_rules(press.host.of(RuleSets), press.guild_id, ref.number, name)
    except Refusal as error:
        note = f"⚠️ {error.reason(press.t)}"
    await _one(press, await _saved(press, ref), note)


async def _ask_new(press: Press, ref: OwnRulesRef) -> None:
    t, custom_id = press.t, ref.custom_id(OwnRulesVerb.NEW)
    await press.reply.modal(name_form(t("New house rules"), custom_id, None, t))


async def _make(press: Press, ref: OwnRulesRef, written: Sequence[str]) -> None:
    """Save the server's rule system under the name that was typed, and show them, to be changed."""
    name, now = plain(next(iter(written), "")), press.host.of(TableManager).now()
    config = Config.of_preset((await press.host.of(GuildSettingsCache).of(press.guild_id, TableSettings)).preset)
    try:
        await asyncio.to_thread(check_name, name)  # reads the catalogues of all languages, once
        number = await save_rules(press.host.of(RuleSets), press.guild_id, name, config, press.person.id, now)
    except Refusal as error:
        await _all(press, f"⚠️ {error.reason(press.t)}")
    else:
        await _one(press, await _saved(press, OwnRulesRef(number)))


async def _show_rule(press: Press, ref: OwnRulesRef) -> None:
    if press.value not in RULES_OF_SETS:
        raise Refusal(CommonRefusal.STALE)
    await _rule(press, ref, Verb(press.value))


async def _rule(press: Press, ref: OwnRulesRef, verb: Verb, note: str | None = None) -> None:
    if (saved := await _saved(press, ref)) is None:
        await _one(press, None)
    else:
        await press.reply.update_private(own_rule_layout(saved, verb, press.t, note))


async def _change(verb: Verb, press: Press, ref: OwnRulesRef) -> None:
    """Save what was chosen in the menu of a rule."""
    if (saved := await _saved(press, ref)) is None:
        await _one(press, None)
        return
    config, said = change_rules(verb, saved.config, press.values, press.t)
    if (refused := await _replace(press, ref, config)) is not None:
        await _rule(press, ref, verb, refused)
    else:
        await _one(press, await _saved(press, ref), said and f"⚠️ {said}")


async def _replace(press: Press, ref: OwnRulesRef, config: Config) -> str | None:
    """Save other rules under the same name. Returns why they were refused, if they were."""
    try:
        if conflicts := config.conflicts():
            raise Conflicting(conflicts)
        now = press.host.of(TableManager).now()
        await replace_rules(press.host.of(RuleSets), press.guild_id, ref.number, config, press.person.id, now)
    except Refusal as error:
        return error.reason(press.t)
    return None


async def _ask_delete(press: Press, ref: OwnRulesRef) -> None:
    saved = await _saved(press, ref)
    if saved is None:
        await _one(press, None)
    else:
        await press.reply.update_private(delete_question(saved, press.t))


async def _delete(press: Press, ref: OwnRulesRef) -> None:
    saved, note = await _saved(press, ref), None
    try:
        await delete_rules(press.host.of(RuleSets), press.guild_id, ref.number)
    except Refusal as error:
        note = f"⚠️ {error.reason(press.t)}"
    else:
        note = None if saved is None else "🗑️ " + press.t("**{name}** is deleted.", name=safe(saved.name))
    await _all(press, note)


async def _all(press: Press, note: str | None = None) -> None:
    await press.reply.update_private(own_rules_layout(await _sets(press), press.t, note=note))


async def _one(press: Press, saved: SavedRules | None, note: str | None = None) -> None:
    """Show one set of rules, or all of them if it has been deleted."""
    if saved is None:
        await _all(press, f"⚠️ {TableRefusal.RULES_DELETED.reason(press.t)}")
    else:
        await press.reply.update_private(one_layout(saved, press.t, note=note))


async def _sets(press: Press) -> list[SavedRules]:
    return await saved_rules(press.host.of(RuleSets), press.guild_id)


async def _saved(press: Press, ref: OwnRulesRef) -> SavedRules | None:
    return next((saved for saved in await _sets(press) if saved.number == ref.number), None)


SCREEN: Final = Screen(
    "own rules",
    OwnRulesRef,
    {
        OwnRulesVerb.OPEN: _show_all,
        OwnRulesVerb.PICK: _pick,
        OwnRulesVerb.ONE: _show_one,
        OwnRulesVerb.RENAME: _ask_name,
        OwnRulesVerb.NEW: _ask_new,
        Verb.RULE: _show_rule,
        **{verb: partial(_change, verb) for verb in RULES_OF_SETS},
        OwnRulesVerb.DELETE: _ask_delete,
        OwnRulesVerb.CONFIRM_DELETE: _delete,
    },
    forms={OwnRulesVerb.RENAME: _rename, OwnRulesVerb.NEW: _make},
    managers_only=True,
)


def _count(which: Choice, now: Current, t: Words) -> str:
    return str(len(now.sets))


PAGE: Final = SettingPage(choice=HOUSE_RULES, show=_all, read=current, value=_count)
