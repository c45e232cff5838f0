"""The buttons of the lobby."""

import logging
from dataclasses import replace

from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.platform.database.errors import StoreError
from bot.platform.kit.codec import number_in
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.platform.transport.permissions import roles_of
from bot.platform.transport.reply import is_private
from bot.tables.clicks.ending import ask_to_leave
from bot.tables.clicks.press import GamePress, at_table, submits
from bot.tables.clicks.rules import editor_of
from bot.tables.clicks.rules_option import lobby_config
from bot.tables.ids.game import Verb
from bot.tables.live.opponents import default_level
from bot.tables.log.actions import AddComputer, Configure, Decline, Join, Leave, SetRated, Start
from bot.tables.log.events import Phase
from bot.tables.log.target import in_one_round
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.lobby import FRIENDLY
from bot.tables.settings import TablePreferences, with_express

log = logging.getLogger(__name__)


@at_table(Verb.JOIN)
async def join(press: GamePress) -> None:
    async with press.answering():
        friendly = FRIENDLY in press.ref.args
        seen = next((number for each in press.ref.args if (number := number_in(each)) is not None), 0)
        await press.table.submit(Join(press.person, friendly=friendly, seen=seen, roles=roles_of(press.interaction)))
    await press.host.of(TableParts).presenter.greet(press.interaction, press.table)


@at_table(Verb.LEAVE)
async def leave(press: GamePress) -> None:
    """Give up the person's seat, from the options, or from a lobby of 1.0; if the match has begun meanwhile, ask."""
    table = press.table
    begun = table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None
    if begun or is_private(press.interaction):
        await ask_to_leave(press.interaction, table)
    else:
        async with press.answering():
            await table.submit(Leave(press.person, lobby_only=True))


@at_table(Verb.ADD_COMPUTER)
async def add_robot(press: GamePress) -> None:
    """Seat a robot that fits those who sit there."""
    async with press.answering():
        view, host = press.table.view(), press.host
        people = [person.id for person in view.people]
        known = host.of(Newcomers), host.of(Ratings)
        level = await default_level(*known, people, view.config.preset, view.guild_id, host.tools.clock.now())
        await press.table.submit(AddComputer(press.person, press.ref.version, level))


@at_table(Verb.EXPRESS)
async def switch_express(press: GamePress) -> None:
    """Have the lobby play a single round, or to its points again, as its opener's next ones on the server will."""
    table, person, interaction = press.table, press.person, press.interaction
    async with press.answering():
        view = table.view()
        if person.id != view.opener_id:
            raise Refusal(TableRefusal.NOT_CHOOSER)
        express = not view.config.rules.rounds
        usual = replace(view.config, rules=replace(view.config.rules, rounds=0))
        config = in_one_round(view.config) if express else usual
        alone = not express and view.guild_id is not None and len(view.people) == 1
        rated = alone and (await lobby_config(interaction, None, None)).rated
        await table.submit(Configure(person, press.ref.version, config))
        if view.guild_id is None:
            return
        if rated:
            await table.submit(SetRated(person, rated=True))  # as it would have begun; nobody else has agreed to less
        await _remember_express(press, view.guild_id, express=express)


async def _remember_express(press: GamePress, guild_id: int, *, express: bool) -> None:
    preferences = press.host.of(PreferencesCache)
    chosen = with_express(preferences.cached(press.person.id, TablePreferences), guild_id, express=express)
    try:
        await preferences.change(press.person.id, TablePreferences, express_on=chosen)
    except (Refusal, StoreError) as error:
        log.info("Could not remember that somebody plays express (%s)", type(error).__name__)


@at_table(Verb.RULES)
async def open_rules(press: GamePress) -> None:
    """Show the private editor of the rules, to a player of the table."""
    table = press.table
    if table.seat_of(press.person.id) is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    await press.reply.update_private(await editor_of(press))


submits(Verb.START, lambda press: Start(press.person, press.ref.version))
submits(Verb.DECLINE, lambda press: Decline(press.person))
