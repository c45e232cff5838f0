"""Where the people of a match that was won stand on the server's leaderboard, for the message of its result."""

from __future__ import annotations

from dataclasses import replace

from bot.store import Metric, RankedRow, Store, StoreError
from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.screens.table import counts


async def standings_of(view: TableView, store: Store) -> list[RankedRow]:
    """The places of those who sat there; none of a match that counts for nobody, or if they can't be read."""
    if view.phase is not Phase.FINISHED or not counts(view):
        return []
    found: list[RankedRow] = []
    try:
        for seat in view.seats:
            if seat.person_id is None:
                continue
            row = await store.standing(view.guild_id, seat.person_id, Metric.WINS, since=None, min_matches=1)
            if row is not None:
                found.append(replace(row, name=seat.name))
    except StoreError:
        return []
    return found
