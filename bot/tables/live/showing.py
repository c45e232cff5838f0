"""Shows the faces and votes of people at tables, and takes back those of people who are forgotten."""

from collections.abc import Awaitable, Callable

from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table


async def press_in_crowd(tables: TableManager, table: Table, press: Callable[[Table], Awaitable[None]]) -> None:
    """Carry out somebody's press of a face or a vote at a table; when this returns, the store holds what it changes.

    Raises:
        Refusal: if that isn't possible there now.
        StoreError: if it can't be stored.
    """
    async with table.standing_still():
        if table.closed:
            raise Refusal(CommonRefusal.CLOSING)
        await press(table)
        table.tell()
    tables.announce(table)


def forget_in_crowds(tables: TableManager, person_id: int) -> None:
    """Take back the faces and votes of somebody of whom nothing is stored any more, at all tables that are awake."""
    for table in [each for each in tables.within() if each.faces.forget(person_id) | each.votes.forget(person_id)]:
        table.tell()
        tables.announce(table)
