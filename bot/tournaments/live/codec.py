"""The log of a tournament as text, and the check of stored ones."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from bot.club.store.revised import Verdict
from bot.platform.database.tools.audit import Audit
from bot.platform.eventlog import EventLog, LogEntry, WrittenByNewer, kinds_of
from bot.tables.log.codec import VALUES
from bot.tournaments.live.outcome import verdicts_of
from bot.tournaments.rules.log import LeftEntry, RepeatSet, RoundPaired, StageBegan, TableEnded, TournamentEvent
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Tournament
from bot.tournaments.store.logs import raw_tournaments

_STORED_AS: Final[Mapping[type[Any], str]] = {
    RepeatSet: "repeat",
    LeftEntry: "left",
    StageBegan: "stage",
    RoundPaired: "paired",
    TableEnded: "ended",
}
"""The kinds of the events whose classes have other names."""
LOG: Final = EventLog[TournamentEvent, Tournament](
    kinds_of(TournamentEvent, _STORED_AS),
    begin,
    apply_all,
    VALUES,
    {},
)
encode = LOG.encode
decode = LOG.decode
replayed = LOG.replayed


Verdicts = Mapping[tuple[int, str], Verdict]
"""How matches are to count, by their tournament and pairing, where that was decided apart from playing them."""
_NO_TIME = datetime.min.replace(tzinfo=UTC)


def wrong_tournaments(audit: Audit, newer: Callable[[str], None]) -> Iterator[str]:
    """A line for each tournament whose log can't be read or contradicts its row. Old logs may have been deleted.

    `newer` is called with each tournament that a newer version has written.
    """
    for number, closed_at, entries in raw_tournaments(audit):
        if not entries and closed_at is not None:
            continue
        try:
            log = [LogEntry(entry.version, str(entry.kind), str(entry.body), _NO_TIME) for entry in entries]
            state = replayed(log)
        except WrittenByNewer:
            newer(f"tournament {number}")
            continue
        except Exception as error:  # a damaged entry may raise anything, and all of it is a finding
            yield f"tournament {number}: its log can't be read ({type(error).__name__})"
            continue
        if state.stage.open != (closed_at is None):
            stands = "closed" if state.stage.open else "open"
            yield f"tournament {number}: it is {stands}, but its log says {state.stage.value}"


def verdicts(audit: Audit) -> Verdicts:
    """Read how matches are to count; a tournament that can't be read decides nothing."""
    found: dict[tuple[int, str], Verdict] = {}
    for number, _, entries in raw_tournaments(audit):
        state = None
        with suppress(Exception):  # whatever a damaged entry causes: `wrong_tournaments` reports it
            state = replayed([LogEntry(entry.version, str(entry.kind), str(entry.body), _NO_TIME) for entry in entries])
        found |= {(number, verdict.fixture): verdict for verdict in (verdicts_of(state) if state else ())}
    return found
