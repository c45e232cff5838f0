"""The days of holidays that are spent on missed turns."""

from bot.tables.live.services import Services
from bot.tables.log.events import LogEvent
from bot.tables.log.state import TableState
from bot.tables.log.topics import DaySpent


async def day_spent(services: Services, state: TableState) -> list[LogEvent]:
    """Spend a day of holidays of the current player of a slow match, whose time is up, if they have any left.

    Not twice in a row, since the person would be away all the same, nor a third time in a match, nor in a tournament.

    Raises:
        Refusal: if it can't be stored.
    """
    turn, person_id = None if state.match is None else state.match.turn, state.current_person_id
    if turn is None or person_id is None or state.fixture is not None or not state.spending.may(turn):
        return []
    return [DaySpent(turn)] if await services.spend_day(person_id, services.clock.now()) else []
