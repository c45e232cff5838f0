"""Finds what is wrong with the log of a table in a database."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from bot.engine.errors import IllegalMove
from bot.platform.database.tools.audit import RawEntry
from bot.platform.eventlog import CodecError, WrittenByNewer, people_of
from bot.tables.log.codec import decode
from bot.tables.log.events import LogEvent, Opened
from bot.tables.log.state import TableState, opened


def decoded(entries: Sequence[RawEntry]) -> list[LogEvent | None]:
    """The events of entries; None for one that can't be read.

    Raises WrittenByNewer if a newer version has written one.
    """
    events: list[LogEvent | None] = []
    for entry in entries:
        try:
            events.append(decode(str(entry.kind), str(entry.body)))
        except WrittenByNewer:
            raise
        except CodecError:
            events.append(None)
    return events


def not_found(events: Sequence[LogEvent | None], participants: set[object]) -> Iterator[str]:
    """Lines about people in a log who aren't stored as participants: a request for their data would miss the game."""
    for person in sorted({*people_of(events)} - participants):
        if person > 0:
            yield f"user {person} is in its log, but isn't stored as a participant"


def replay(
    entries: Sequence[RawEntry], events: Sequence[LogEvent | None], *, end: int
) -> tuple[TableState | None, list[str]]:
    """Replay a log; returns the table, or None if that isn't possible, and the problems.

    `end` is the version at which the game ended according to its result; a shorter log has lost entries.
    """
    problems: list[str] = []
    there = [entry.version for entry in entries]
    if there != list(range(1, len(there) + 1)):
        missing = sorted(set(range(1, max((n for n in there if isinstance(n, int)), default=0))) - set(there))
        problems.append(f"versions are missing: {_some(missing)}" if missing else "its versions don't count from 1")
    last = there[-1] if there else 0
    cut = isinstance(last, int) and last < end
    if cut:
        problems.append(f"its log ends at version {last}, but should end at {end}")
    problems += [f"version {entry.version} has no readable time" for entry in entries if moment(entry.at) is None]
    unread = [entry.version for entry, event in zip(entries, events, strict=True) if event is None]
    problems += [f"version {version} can't be read" for version in unread]
    if unread or there != list(range(1, len(there) + 1)) or cut:
        return None, problems
    if not events or not isinstance(events[0], Opened):
        return None, [*problems, "its log doesn't begin with its opening"]
    state = opened(events[0])
    for number, event in enumerate(events[1:], 2):
        assert event is not None, "all can be read"
        try:
            if not state.open:
                return None, [*problems, f"version {number} comes after its end"]
            state = state.apply(event)
        except IllegalMove as error:
            return None, [*problems, f"version {number} isn't legal ({error.code.value})"]
        except Exception as error:  # a damaged entry may raise anything, and all of it is a finding
            return None, [*problems, f"version {number} can't be applied ({type(error).__name__})"]
    return state, problems


def moment(value: object) -> datetime | None:
    """A stored timestamp; None if it is invalid."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _some(numbers: Iterable[int], most: int = 5) -> str:
    numbers = list(numbers)
    return ", ".join(map(str, numbers[:most])) + (", ..." if len(numbers) > most else "")
