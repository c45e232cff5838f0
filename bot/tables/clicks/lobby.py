"""The buttons of the lobby."""

from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.platform.kit.codec import number_in
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import roles_of
from bot.platform.transport.reply import is_private
from bot.tables.clicks.ending import ask_to_leave
from bot.tables.clicks.press import GamePress, at_table, submits
from bot.tables.clicks.rules import editor_of
from bot.tables.ids.game import Verb
from bot.tables.live.opponents import default_level
from bot.tables.log.actions import AddComputer, Decline, Join, Leave, Start
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.lobby import FRIENDLY


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


@at_table(Verb.RULES)
async def open_rules(press: GamePress) -> None:
    """Show the private editor of the rules, to a player of the table."""
    table = press.table
    if table.seat_of(press.person.id) is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    await press.reply.update_private(await editor_of(press))


submits(Verb.START, lambda press: Start(press.person, press.ref.version))
submits(Verb.DECLINE, lambda press: Decline(press.person))
