"""The services that all tables need from outside."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.platform.clock import Clock
from bot.platform.database.key_values import KeyValues
from bot.platform.database.ownership import Owner
from bot.platform.operating.meter import Meter
from bot.tables.live.chance import Chance, SystemChance
from bot.tables.live.turn import QuietHours, TurnNotices
from bot.tables.log.events import LogEvent
from bot.tables.log.state import TableState
from bot.tables.log.topics import DaySpent
from bot.tables.store.alone import GamesAlone
from bot.tables.store.deals import Deals
from bot.tables.store.logs import Games
from bot.thinking import InlineThinker, Thinker


async def _no_day(person_id: int, now: datetime) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Services:
    """The services that all tables need from outside.

    Attributes:
        games: hold every event before anybody sees it.
        alone: has the games of those who play alone.
        deals: have the seeds of decks.
        values: have the times in which channels took no message.
        clock: schedules all deadlines.
        turn_notice: when a person wants to be notified of their turn.
        chance: shuffles the decks; the system's random source by default.
        meter: counts what is stored.
        thinker: finds the computers' moves; in this process by default.
        holidays: the times of a person's holidays, each in seconds since 1970, by their id; nobody has any by default.
        spend_day: makes today a holiday of somebody who has missed a turn; whether any was left. Nobody has any by
            default.
        away: the times in which the bot wasn't in a server, likewise; it was in each all the time by default.
        quiet: a person's quiet hours, if they have some; nobody has by default.
        leases: which of several processes has the table of somebody who plays alone.
    """

    games: Games
    alone: GamesAlone
    deals: Deals
    values: KeyValues
    clock: Clock
    turn_notice: TurnNotices
    chance: Chance = field(default_factory=SystemChance)
    meter: Meter = field(default_factory=Meter)
    thinker: Thinker = field(default_factory=InlineThinker)
    leases: Owner = field(default_factory=Owner)
    holidays: Callable[[int | None], Sequence[tuple[float, float]]] = lambda _: ()
    away: Callable[[int | None], Sequence[tuple[float, float]]] = lambda _: ()
    quiet: QuietHours = lambda person_id, guild_id: None
    spend_day: Callable[[int, datetime], Awaitable[bool]] = _no_day


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
