"""Tells of the matches between people that end, to whoever needn't know what a table is."""

from collections.abc import Callable

from bot.platform.observers import Observer
from bot.platform.place import Spot
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.log.seats import is_against_people


class MatchesBetweenPeople(Observer[Table]):
    """An observer of all tables. `ended`: called with a match's place and language, unless it is a tournament's."""

    def __init__(self, ended: Callable[[Spot, str], None]) -> None:
        self._ended = ended

    def table_over(self, table: Table) -> None:
        if table.phase is not Phase.FINISHED or table.alone or table.taken_out:
            return
        view = table.view()
        assert view.match is not None, "a finished table has a match"
        if view.fixture is None and is_against_people(view.seats, view.match.seating):
            self._ended(table.spot, table.locale)
