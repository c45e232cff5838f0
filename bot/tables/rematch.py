"""The rematch of a match: the same rules, and the same people if they join."""

from __future__ import annotations

from contextlib import suppress

from bot.tables.data.guild_settings import GuildSettingsCache
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import Start
from bot.tables.log.events import Person
from bot.tables.log.state import Seat
from bot.tables.manager import TableManager
from bot.tables.table import Table


async def open_rematch(
    manager: TableManager, guild_settings: GuildSettingsCache, game_id: int, person: Person, *, movable: bool = False
) -> Table:
    """Open a lobby for a person with the rules and the computer players of a finished match.

    The people of that match are invited. If nobody is missing, the match begins. `movable`: otherwise its lobby may go
    on in a thread.

    Raises:
        Refusal: if there is no such match, its channel has a game, or the store can't write.
        StoreError: if it can't be read.
    """
    before = await manager.finished(game_id)
    if before is None:
        raise Refusal(RefusalCode.STALE)
    seats = before.state.seats
    settings = await guild_settings.get(before.row.guild_id)
    table = await manager.open(
        guild_id=before.row.guild_id,
        channel_id=before.row.channel_id,
        opener=person,
        config=before.state.config,
        locale=settings.language or before.row.locale,
        computers=[seat for seat in seats if seat.is_computer],
        invited=tuple(map(_invited, seats)),
        movable=movable,
    )
    if not table.view().missing and len(table.view().seats) == len(seats):
        with suppress(Refusal):  # the lobby is open, and its people can start
            await table.submit(Start(person, table.version))
    return table


def _invited(seat: Seat) -> Person | None:
    """Whom to invite from a seat of the previous match: nobody who left it or has been erased since."""
    if seat.person_id is None or seat.person_id < 0 or not seat.may_return:
        return None
    return Person(seat.person_id, seat.name)
