"""The open matches of a person on all servers: whose turn it is in each, and for how long."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.platform.database.continuing import read_log
from bot.platform.database.errors import RowDamaged
from bot.platform.eventlog import WrittenByNewer
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.live.turn import LAST
from bot.tables.live.view import TableView
from bot.tables.log.codec import LOG
from bot.tables.log.events import Phase
from bot.tables.log.pace import Pace, Tempo
from bot.tables.log.seats import Seat
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games
from bot.tables.store.rows import GameRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """An open match, for somebody who has a seat there or is invited.

    Attributes:
        game_id: its game.
        guild_id: its server; None for somebody who plays alone in private.
        channel_id: its channel, likewise.
        message_id: its public message, if there is one.
        begun: whether it has been started; else it is a lobby.
        own: the person's seat; None if they are challenged or invited to a rematch, and haven't answered yet.
        seats: all seats, in order.
        turn: the seat whose turn it is; None between rounds, and in a lobby.
        deadline: until when that turn lasts, if it has an end and this process has the table.
        ours: whether this process has the table, asleep or not, so that it can be played here.
        tempo: what its lobby has chosen for the time of a turn.
        due: the deadline, or about when it must be, as log and tempo tell; the end of all time if there is none.
    """

    game_id: int
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    begun: bool
    own: int | None
    seats: tuple[Seat, ...]
    turn: int | None
    deadline: datetime | None
    ours: bool
    tempo: Tempo
    due: datetime = LAST

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, in order."""
        return tuple(seat for place, seat in enumerate(self.seats) if place != self.own)

    @property
    def waits(self) -> bool:
        """Whether it waits for the person's move or answer."""
        if self.own is None:
            return True
        return self.begun and self.turn == self.own and self.seats[self.own].human_here


def by_deadline(tables: Iterable[Table]) -> list[Table]:
    """Sort tables by the deadline of the present turn, those that have none last."""
    return sorted(tables, key=lambda table: table.view().deadline or LAST)


async def running_matches(
    games: Games, manager: TableManager, rows: Sequence[GameRow], person_id: int
) -> list[RunningMatch]:
    """List the matches of these open games that a person plays or is invited to: those that wait for them first, by
    deadline: all of them, since the oldest are the most urgent.

    What this process has awake is in its memory. The others are read from their logs, and stay asleep.

    Raises StoreError if they can't be read.
    """
    asleep = await states_of(games, [row.id for row in rows if manager.get(row.id) is None])
    found: list[RunningMatch] = []
    for row in rows:
        table = manager.get(row.id)
        told, at = asleep.get(row.id, (None, None)) if table is None else (table.view(), None)
        ours = row.guild_id is None or manager.shards.has(row.guild_id)
        if told is not None and (match := _match(row, told, at, person_id, ours=ours)):
            found.append(match)
    return sorted(found, key=lambda each: (not each.waits, not each.begun, each.due, each.game_id))


async def states_of(games: Games, game_ids: Sequence[int]) -> dict[int, tuple[TableState, datetime]]:
    """Replay the logs of some games, each with the time of its last entry, but for those that this version can't read.

    Raises StoreError.
    """
    try:
        logs = await games.with_logs(game_ids) if game_ids else {}
    except RowDamaged as error:
        log.warning("Open games can't be listed: %s", error)
        return {}
    found: dict[int, tuple[TableState, datetime]] = {}
    for game_id, (_, entries) in logs.items():
        try:
            found[game_id] = await read_log(LOG.replayed, entries), entries[-1].at
        except WrittenByNewer:
            log.info("Game %s was written by a newer version, and isn't listed", game_id)
        except Exception as error:  # a damaged entry may raise anything
            log.warning("Game %s can't be replayed (%s)", game_id, type(error).__name__)
    return found


def _match(
    row: GameRow, told: TableView | TableState, at: datetime | None, person_id: int, *, ours: bool
) -> RunningMatch | None:
    """Describe a table for the list; None if it is over, or the person neither sits there nor is invited: a match that
    has begun without them isn't theirs any more. `at`: the time of its last entry, if it is asleep."""
    places = (index for index, seat in enumerate(told.seats) if seat.person_id == person_id and seat.may_return)
    own = next(places, None)
    begun, tempo = told.phase is Phase.PLAYING, told.config.tempo
    invited = not begun and any(person.id == person_id for person in told.missing)
    if not told.phase.open or (own is None and not invited):
        return None
    turn = None if told.match is None else told.match.turn
    deadline = told.deadline if isinstance(told, TableView) else None
    seconds = Pace().at(tempo).turn
    due = at + timedelta(seconds=seconds) if at is not None and seconds else deadline or LAST
    where = row.guild_id, row.channel_id, row.message_id
    return RunningMatch(row.id, *where, begun, own, told.seats, turn, deadline, ours, tempo, due)
