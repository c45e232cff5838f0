"""/escoba tournament: sets one up in private and announces it, or shows where it is; the set-up can change later."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.club.rules.seasons import is_key
from bot.club.store.rule_sets import RuleSets
from bot.engine.rules import PRESETS
from bot.platform.kit.screen import Press, RefHandler, Screen, public_locale
from bot.platform.language.appointments import UnclearAppointment
from bot.platform.language.texts import Words
from bot.platform.layout import notice
from bot.platform.people import safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.channels import only_role
from bot.platform.transport.permissions import check_may_speak, check_may_write, may_manage, may_organise
from bot.tables.clicks.finding import claim_players_role
from bot.tables.live.manager import TableManager
from bot.tables.live.own_rules import config_of, new_config, saved_rules
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TableSettings
from bot.tournaments.boards.changes import Changed
from bot.tournaments.clicks.appointment import CHANGES, nearest_valid, number_of, typed_appointment, zone_of
from bot.tournaments.clicks.tournament import TournamentPress, check_may_change, in_tournament
from bot.tournaments.ids.tournament import Draft, DraftVerb, TournamentRef, TournamentVerb
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import ChangeSetup
from bot.tournaments.rules.setup import Start
from bot.tournaments.rules.tournament import Setup
from bot.tournaments.screens.own import own_entry, own_layout
from bot.tournaments.screens.setup import SettingUp, appointment_form, setup_layout, unclear_text
from bot.tournaments.settings import TournamentSettings
from bot.tournaments.words.formats import begins_text, setup_title

SCREEN: Final = Screen("tournaments being set up", Draft)
_MENUS: Final = (*CHANGES, DraftVerb.PRESET, DraftVerb.TELL, DraftVerb.WHO)
"""All that can be changed, each by a menu."""
SHOWN_SECONDS: Final = 2.0
"""Seconds that an answer waits for the tournament's message, so that it can lead there."""


async def open_tournament(interaction: discord.Interaction[Any]) -> None:
    """Show the channel's tournament, or the screen for setting one up."""
    press = Press(interaction)
    live = await _live_at(press)
    if live is not None:
        await show_tournament(press, live)
        return
    await _check_may_organise(press)
    check_may_speak(interaction)
    settings = await press.host.of(GuildSettingsCache).of(press.guild_id, TableSettings)
    config = new_config(settings, sets=await saved_rules(press.host.of(RuleSets), press.guild_id))
    setup = Setup(preset=config.preset, own=config.own)
    if config.own is not None or settings.target is not None:
        setup = replace(setup, target=config.rules.target)
    await _show_setup(press, Draft.of(nearest_valid(setup)))


async def _live_at(press: Press) -> LiveTournament | None:
    """The tournament of a channel, or that of the table in a thread."""
    host, channel_id = press.host, press.interaction.channel_id or 0
    found = host.of(TournamentParts).tournaments.here(channel_id)
    if found is None and (table := host.of(TableManager).at(channel_id)) is not None:
        fixture = table.view().fixture
        return None if fixture is None else host.of(TournamentParts).tournaments.get(fixture.tournament)
    return found


async def show_tournament(press: Press, live: LiveTournament) -> None:
    """Say privately where somebody plays and where the tournament's message is; for those who take part, and for
    moderators, it is posted again at the bottom of its channel."""
    board = press.host.of(TournamentParts).boards.kept(live)
    takes_part = own_entry(live.state, press.person.id) is not None or live.state.organiser.id == press.person.id
    there = live.open and live.channel_id == press.interaction.channel_id
    if board is not None and there and (takes_part or may_organise(press.interaction)):
        check_may_speak(press.interaction)
        if board.repost():
            await board.settled(SHOWN_SECONDS)
    url = None if board is None else board.url
    await press.reply.send_private(own_layout(live.view(), press.person.id, press.t, url=url))


@in_tournament(TournamentVerb.BACK)
async def come_back(press: TournamentPress, live: LiveTournament) -> None:
    """Lead somebody from a table to where they play next, and to the tournament's message."""
    await show_tournament(press, live)


async def _check_may_organise(press: Press) -> None:
    """Check that the person may organise a tournament in the channel. Raises Refusal if they may not."""
    check_may_write(press.interaction)
    settings = await press.host.of(GuildSettingsCache).of(press.guild_id, TournamentSettings)
    if not (settings.all_organise or may_organise(press.interaction) or may_manage(press.interaction)):
        raise Refusal(TournamentRefusal.MAY_NOT_ORGANISE)


async def _setup_of(press: Press, draft: Draft) -> Setup:
    """The set-up that was chosen.

    Raises Refusal if the server has deleted the rules, StoreError if they can't be read.
    """
    before = Setup() if draft.changes is None else (await _changed(press, draft.changes).managed()).state.setup
    if draft.preset in PRESETS:
        setup = draft.setup(draft.preset, None)
    elif before.own is not None and before.own.key == draft.preset:
        setup = draft.setup(before.preset, before.own)  # as they were then, even if they have been deleted
    else:
        config = config_of(await saved_rules(press.host.of(RuleSets), press.guild_id), draft.preset)
        setup = draft.setup(config.preset, config.own)
    return replace(setup, title=before.title, start=before.start)


async def show_changing(press: Press, live: LiveTournament) -> None:
    """Show the screen for changing an announced tournament, as it stands."""
    await _show_setup(press, Draft.of(live.state.setup, changes=live.id))


async def _show_setup(
    press: Press,
    draft: Draft,
    note: str | None = None,
    *,
    editing: DraftVerb | None = None,
    changed: DraftVerb | None = None,
) -> None:
    sets = await saved_rules(press.host.of(RuleSets), press.guild_id)
    setup = nearest_valid(await _setup_of(press, draft))  # a forged draft may be one that nobody could play
    if draft.changes is not None:
        live = await _changed(press, draft.changes).managed()
        check_may_change(live)
        entered = any(not entry.withdrawn for entry in live.state.entries)
        page = SettingUp(draft, setup, sets, entered=entered)
    else:
        chosen = press.host.of(GuildSettingsCache)
        everybody = (await chosen.of(press.guild_id, TournamentSettings)).all_organise
        role = (await chosen.of(press.guild_id, TableSettings)).players_role
        page = SettingUp(draft, setup, sets, role, everybody if may_manage(press.interaction) else None)
    page = replace(page, editing=editing, changed=changed, note=note)
    await press.reply.update_private(setup_layout(page, press.t))


def _changed(press: Press, number: int) -> TournamentPress:
    return TournamentPress(press.interaction, TournamentRef(number))


@SCREEN.on(DraftVerb.EDIT)
async def _edit(press: Press, draft: Draft) -> None:
    if press.value not in _MENUS:
        raise Refusal(CommonRefusal.STALE)
    await _show_setup(press, draft, editing=DraftVerb(press.value))


def _choice(verb: DraftVerb) -> RefHandler[Draft]:
    async def choose(press: Press, draft: Draft) -> None:
        changed = CHANGES[verb](await _setup_of(press, draft), press.value)
        await _show_setup(press, draft.with_setup(nearest_valid(changed)), changed=verb)

    return choose


@SCREEN.on(DraftVerb.PRESET)
async def _rules(press: Press, draft: Draft) -> None:
    if not is_key(press.value):
        raise Refusal(CommonRefusal.STALE)
    setup = await _setup_of(press, replace(draft, preset=press.value))
    if setup.own is not None and draft.preset != press.value:
        setup = replace(setup, target=setup.own.rules.target)
    await _show_setup(press, draft.with_setup(nearest_valid(setup)), changed=DraftVerb.PRESET)


@SCREEN.on(DraftVerb.TELL)
async def _tell(press: Press, draft: Draft) -> None:
    await _show_setup(press, replace(draft, tells=bool(number_of(press.value, (0, 1)))), changed=DraftVerb.TELL)


@SCREEN.on(DraftVerb.WHO)
async def _open_to_all(press: Press, draft: Draft) -> None:
    """Let everybody on the server organise tournaments, or stop that."""
    if not may_manage(press.interaction):
        raise Refusal(CommonRefusal.NOT_MANAGER)
    try:
        await press.host.of(GuildSettingsCache).change(
            press.guild_id, TournamentSettings, all_organise=bool(number_of(press.value, (0, 1)))
        )
    except Refusal as error:
        await _show_setup(press, draft, error.reason(press.t))
    else:
        await _show_setup(press, draft, changed=DraftVerb.WHO)


@SCREEN.on(DraftVerb.SAVE)
async def _save(press: Press, draft: Draft) -> None:
    """Change an announced tournament, and tell people if they signed up for something else."""
    if draft.changes is None:
        raise Refusal(CommonRefusal.STALE)
    of = _changed(press, draft.changes)
    live = await of.managed()
    before = live.state.setup
    try:
        await of.submit(live, ChangeSetup(press.person, await _setup_of(press, draft)))
    except Refusal as error:
        await _show_setup(press, draft, error.reason(press.t))
        return
    await of.show_managed(live, press.t.context("notice", "Saved."))
    t = press.host.tools.display(live.locale, live.guild_id).words
    played = setup_title(live.state.setup, t)
    if played != setup_title(before, t) and any(not entry.withdrawn for entry in live.state.entries):
        name = safe(press.person.name)
        text = t("⚙️ **{name}** changed what is played in the tournament: {setup}.", name=name, setup=played)
        press.host.of(TournamentParts).boards.of(live).changes.tell(Changed.SETUP, text)


@SCREEN.on(DraftVerb.WHEN)
async def _ask_when(press: Press, draft: Draft) -> None:
    form = appointment_form(draft.custom_id(DraftVerb.WHEN), await zone_of(press), press.t)
    await press.reply.modal(form)


@SCREEN.on_form(DraftVerb.WHEN)
async def _announce_for(press: Press, draft: Draft, written: Sequence[str]) -> None:
    """Open the sign-up for a tournament with a title and a time, if the time is clear."""
    try:
        title, start = await typed_appointment(press, written)
    except UnclearAppointment as error:
        await _show_setup(press, draft, unclear_text(error.why, written[1], press.t))
        return
    await _announce(press, draft, title, start)


@SCREEN.on(DraftVerb.ANNOUNCE)
async def _announce(press: Press, draft: Draft, title: str = "", start: Start | None = None) -> None:
    """Open the sign-up, and mention the server's role for players if that is wanted."""
    if draft.changes is not None:
        raise Refusal(CommonRefusal.STALE)
    interaction = press.interaction
    host = press.host
    t = press.t
    await _check_may_organise(press)
    check_may_speak(interaction)
    if (running := host.of(TournamentParts).tournaments.at(interaction.channel_id or 0)) is not None:
        await press.reply.update_private(
            own_layout(running.view(), press.person.id, t, t("There's already a tournament here."))
        )
        return
    host.throttle.tables.take_or_refuse(press.person.id, TableRefusal.TOO_MANY_OPENED)
    role = None
    if draft.tells:
        try:
            role = await claim_players_role(press)
        except Refusal as error:
            await _show_setup(press, replace(draft, tells=False), error.reason(t))
            return
    settings, setup = (
        await host.of(GuildSettingsCache).of(press.guild_id, LanguageSettings),
        await _setup_of(press, draft),
    )
    setup = replace(setup, title=title, start=start)
    try:
        live = await host.of(TournamentParts).tournaments.open(
            guild_id=press.guild_id,
            channel_id=interaction.channel_id or 0,
            locale=public_locale(interaction, settings.language),
            organiser=press.person,
            setup=setup,
        )
    except Refusal as error:
        await _show_setup(press, draft, error.reason(t))
        return
    board = host.of(TournamentParts).boards.of(live)
    await board.settled(SHOWN_SECONDS)
    text = t("The tournament is announced. **Manage**, on its message, has what you need to run it.")
    if board.url is not None:
        text += " " + t("[Go to the tournament]({url})", url=board.url)
    await press.reply.update_private(notice(text))
    if role is not None:
        told = _announcement(live, role, board.url, host.tools.display(live.locale, live.guild_id).words)
        await press.reply.announce(told, allowed_mentions=only_role(role))


def _announcement(live: LiveTournament, role: int, url: str | None, t: Words) -> str:
    """The announcement to people who want to play, in the language of the tournament."""
    text = t(
        "{role} **{name}** set up a tournament: {setup}.",
        role=f"<@&{role}>",
        name=safe(live.state.organiser.name),
        setup=setup_title(live.state.setup, t),
    )
    if live.state.setup.start is not None:
        text += " " + begins_text(live.state.setup.start, t)
    return text if url is None else text + " " + t.context("link", "[Join]({url})", url=url)


for _verb in CHANGES:
    SCREEN.on(_verb)(_choice(_verb))
