"""Shows the faces of people at tables, and takes back those of people who are forgotten."""

from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.topics import Face


async def press_face(tables: TableManager, table: Table, person_id: int, face: Face) -> None:
    """Show somebody's face at a table, or take it back if it is shown; when this returns, the store holds that.

    Raises:
        Refusal: if nobody may show one there now.
        StoreError: if it can't be stored.
    """
    async with table.standing_still():
        if table.closed:
            raise Refusal(CommonRefusal.CLOSING)
        await table.faces.press(person_id, face)
        table.tell()
    tables.announce(table)


def forget_faces(tables: TableManager, person_id: int) -> None:
    """Take back the faces of somebody of whom nothing is stored any more, at all tables that aren't asleep."""
    for table in [each for each in tables.within() if each.faces.forget(person_id)]:
        table.tell()
        tables.announce(table)
