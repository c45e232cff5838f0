"""The menus of the private editor of a lobby's rules, the form for its target, and saving them for the server."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.club.rules.seasons import key_of, number_of
from bot.club.store.rule_sets import RuleSets
from bot.engine.cards import SUNG_CARDS
from bot.engine.rules import PRESETS, SWITCHES, Opening
from bot.platform.kit.codec import number_in
from bot.platform.language.spelling import normalized_name
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, button
from bot.platform.people import plain, safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice
from bot.platform.transport.permissions import check_manages, may_manage
from bot.tables.clicks.options import agree
from bot.tables.clicks.press import GameHandler, GamePress, at_table, form_at_table
from bot.tables.clicks.rules_option import check_name
from bot.tables.ids.game import RULE_MENUS, Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.own_rules import SavedRules, config_of, find, replace_rules, save_rules, saved_rules
from bot.tables.log.actions import Configure
from bot.tables.log.events import USUAL_CAPACITY, Config, Phase
from bot.tables.refusals import TableRefusal
from bot.tables.screens.options import TARGET
from bot.tables.screens.rules_editor import (
    DEAL,
    LEAD,
    PRESET,
    RULES,
    SEATS,
    Saving,
    editor_layout,
    name_form,
    rule_layout,
)

Change = Callable[[Config, list[str]], Config]
"""Applies a choice in a menu to the config. Raises Refusal for a value that was never offered."""


def _with(config: Config, **changes: Any) -> Config:
    return replace(config, rules=replace(config.rules, **changes))


def _preset(config: Config, values: list[str]) -> Config:
    """The preset as its source plays it; a target other than the usual one stays."""
    target = config.rules.target
    usual = target == PRESETS[config.preset].rules.target
    chosen = Config.of_preset(_chosen(PRESET, values), target=None if usual else target)
    return replace(chosen, tempo=config.tempo, forced=config.forced)


@at_table(Verb.PRESET)
async def _choose_preset(press: GamePress) -> None:
    """Set a rule system, or the server's own rules as they are now."""
    if number_of(press.value) is None:
        await _choosing(Verb.PRESET)(press)
    else:
        await _agree(press, Verb.PRESET, config_of(await _saved_sets(press), press.value))


def _switches(config: Config, values: list[str]) -> Config:
    """The config with all switches as chosen: sevens, larger values, cantos, and a win by two points."""
    return _with(config, lead=2 if LEAD in values else 1, **{name: name in values for name in SWITCHES})


def _field(choice: Choice, config: Config, values: list[str]) -> Config:
    return _with(config, **{choice.field: _chosen(choice, values)})


def _deal(config: Config, values: list[str]) -> Config:
    """The config with the chosen first deal, which may rule other things out: see `_without_conflicts`."""
    hand, table = _chosen(DEAL, values)
    return _with(config, hand=hand, table=table)


def _seats(config: Config, values: list[str]) -> Config:
    capacity, threes = _chosen(SEATS, values)
    return replace(config, capacity=capacity, threes=threes)


def _chosen(choice: Choice, values: list[str]) -> Any:
    return choice.read(next(iter(values), ""))


def _without_conflicts(config: Config, t: Words) -> tuple[Config, list[str]]:
    """The config without what the chosen deal rules out, and sentences that say what was changed."""
    rules, said = config.rules, list[str]()
    if not rules.table and rules.opening is not Opening.NONE:
        config = _with(config, opening=Opening.NONE)
        said.append(t("Without cards on the table there's no opening escoba, so that's off now."))
    if rules.cantos and rules.hand != SUNG_CARDS:
        config = _with(config, cantos=False)
        said.append(t("Cantos go with three cards in hand, so they are off now."))
    if config.capacity > USUAL_CAPACITY and rules.hand > SUNG_CARDS:
        config = replace(config, capacity=USUAL_CAPACITY)
        said.append(t("With so many cards each, four may sit."))
    return config, said


def change_rules(verb: Verb, config: Config, values: list[str], t: Words) -> tuple[Config, str | None]:
    """The config after a choice in a menu, and what else that has changed, in words, if anything.

    Raises:
        Refusal: for a value that was never offered.
    """
    config = _CHANGES[verb](config, values)
    if verb is not Verb.DEAL:
        return config, None
    config, said = _without_conflicts(config, t)
    return config, " ".join(said) or None


def _choosing(verb: Verb) -> GameHandler:
    async def choose(press: GamePress) -> None:
        await _agree(press, verb, *change_rules(verb, press.table.view().config, press.values, press.t))

    return choose


async def _agree(press: GamePress, verb: Verb, config: Config, said: str | None = None) -> None:
    """Set other rules, and answer with the editor, which tells what else has changed (`said`), or with the screen of
    the menu that was used, which explains a refusal."""

    async def shown(note: str | None) -> Layout:
        return await editor_of(press, said=said) if note is None else await _rule(press, verb, note)

    await agree(press, Configure(press.person, press.ref.version, config), shown)


@at_table(Verb.RULE)
async def show_rule(press: GamePress) -> None:
    if press.value not in RULE_MENUS:
        raise Refusal(CommonRefusal.STALE)
    if press.table.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    await press.reply.update_private(await _rule(press, Verb(press.value)))


async def _rule(press: GamePress, verb: Verb, note: str | None = None) -> Layout:
    view = press.table.view()
    ref = Ref(view.id, view.version)
    sets = await _saved_sets(press) if verb is Verb.PRESET else ()
    back = button(ref.custom_id(Verb.RULES), press.t.context("button", "Back"), emoji="📜")
    return rule_layout(verb, view.config, ref.custom_id(verb), back, press.t, sets=sets, note=note)


async def _saved_sets(press: GamePress) -> Sequence[SavedRules]:
    """The server's own rules, by which nobody plays alone: such a match belongs to no server."""
    return () if press.table.alone else await saved_rules(press.host.of(RuleSets), press.guild_id)


async def editor_of(press: GamePress, *, said: str | None = None, saving: Saving | None = None) -> Layout:
    """The editor with the rules as they are now, for the person who pressed."""
    if saving is None and not press.table.alone and may_manage(press.interaction):
        saving = Saving()
    return editor_layout(press.table.view(), press.t, said=said, saving=saving)


@at_table(Verb.SAVE_RULES)
async def ask_name(press: GamePress) -> None:
    """Ask for the name under which the server keeps these rules."""
    check_manages(press.interaction)
    own, custom_id = press.table.view().config.own, Ref(press.ref.game).custom_id(Verb.SAVE_RULES)
    await press.reply.modal(
        name_form(press.t("Save house rules"), custom_id, None if own is None else own.name, press.t)
    )


@form_at_table(Verb.SAVE_RULES)
async def save(press: GamePress, written: Sequence[str]) -> None:
    """Keep the rules under the name that was typed; if the server has such rules, ask whether to replace them."""
    check_manages(press.interaction)
    config = press.table.view().config
    name = plain(next(iter(written), ""))
    saving = Saving()
    try:
        await asyncio.to_thread(check_name, name)  # reads the catalogues of all languages, once
        number = await save_rules(
            press.host.of(RuleSets), press.guild_id, name, config, press.person.id, press.host.of(TableManager).now()
        )
        saving = await _saved(press, number)
    except Refusal as error:
        there = [
            saved
            for saved in await saved_rules(press.host.of(RuleSets), press.guild_id)
            if error.code is TableRefusal.RULES_NAMED_SO and normalized_name(saved.name) == normalized_name(name)
        ]
        saving = Saving(instead_of=there[0]) if there else Saving(note=f"⚠️ {error.reason(press.t)}")
    await press.reply.update_private(await editor_of(press, saving=saving))


@at_table(Verb.REPLACE_RULES)
async def replace_saved(press: GamePress) -> None:
    """Replace the server's own rules that the button names with these."""
    check_manages(press.interaction)
    number = number_in(press.argument(), base=36)
    if number is None:
        raise Refusal(CommonRefusal.STALE)
    try:
        await replace_rules(
            press.host.of(RuleSets),
            press.guild_id,
            number,
            press.table.view().config,
            press.person.id,
            press.host.of(TableManager).now(),
        )
        saving = await _saved(press, number)
    except Refusal as error:
        saving = Saving(note=f"⚠️ {error.reason(press.t)}")
    await press.reply.update_private(await editor_of(press, saving=saving))


async def _saved(press: GamePress, number: int) -> Saving:
    """Make the lobby play by the rules that were just saved from it, unless it has moved on meanwhile."""
    saved = find(await saved_rules(press.host.of(RuleSets), press.guild_id), key_of(number))
    if saved is None:
        raise Refusal(TableRefusal.RULES_DELETED)
    with suppress(Refusal):
        await press.table.submit(Configure(press.person, press.table.view().version, saved.config))
    text = press.t("Saved as **{name}**. `/escoba play` offers it first.", name=safe(saved.name))
    return Saving(note=f"✅ {text}")


_CHANGES: Final[Mapping[Verb, Change]] = {
    Verb.PRESET: _preset,
    Verb.TARGET: partial(_field, TARGET),
    **{verb: partial(_field, choice) for verb, choice in RULES.items()},
    Verb.DEAL: _deal,
    Verb.SWITCH: _switches,
    Verb.SEATS: _seats,
}
for _menu in RULE_MENUS:
    if _menu is not Verb.PRESET:
        at_table(_menu)(_choosing(_menu))
