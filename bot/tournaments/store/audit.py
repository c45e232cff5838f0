"""The tournaments in a database file that is checked: rows as they are."""

from __future__ import annotations

from typing import Any, Final

from bot.platform.database.tools.audit import Audit, RawEntry
from bot.tournaments.store.logs import TOURNAMENTS

_TOURNAMENTS: Final = "SELECT id, closed_at FROM tournaments ORDER BY id"
_ORPHANS: Final = {
    "events of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_events WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "people of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_people WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "a game of tournament": (
        "SELECT DISTINCT tournament_id FROM games"
        " WHERE tournament_id IS NOT NULL AND tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
}


def raw_tournaments(audit: Audit) -> list[tuple[int, Any, list[RawEntry]]]:
    """Read each tournament's id, the time when it was closed, and its log."""
    return [(row[0], row[1], audit.entries(TOURNAMENTS, row[0])) for row in audit.rows(_TOURNAMENTS)]


def orphans_of_tournaments(audit: Audit) -> list[str]:
    """Describe the rows that belong to a missing tournament."""
    return audit.orphans(_ORPHANS)
