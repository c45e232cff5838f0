"""Honours from a match, line by line: achievements, head to head, records, and runs of wins."""

from __future__ import annotations

from typing import Final

from bot.engine.views import PublicView
from bot.store import Aftermath, Rivalry, Standing, read_record
from bot.tables.log.state import Seat
from bot.ui.words.club.achievements import achievement_lines
from bot.ui.words.names import holder_name, safe
from bot.ui.words.texts import Words

_MET: Final = 2
"""Fewest meetings of two people for a head to head: after one match it says nothing."""
_RECORDS_FROM: Final = 5
"""Matches after which a record is worth telling: the first matches break one after the other."""
_RUN: Final = 3
"""Wins in a row that make a run."""


def honour_lines(
    aftermath: Aftermath, match: PublicView, winner: int | None, seats: tuple[Seat, ...], t: Words
) -> list[str]:
    """Write what is worth telling; often nothing. `winner`: the side that has won."""
    names = {seat.person_id: holder_name(seat) for seat in seats if seat.person_id is not None}
    lines = achievement_lines(aftermath.achievements, names, t)
    for seat in () if winner is None else match.seating.seats_of(winner):
        person_id = seats[seat].person_id
        met = [each for each in aftermath.rivalries if each.user_id == person_id and each.matches >= _MET]
        if met and person_id is not None:
            duels = " · ".join(rivalry_score(each, names.get(each.rival_id, safe(each.name))) for each in met)
            lines.append(t("⚔️ Head to head: {name} {duels}", name=names[person_id], duels=duels))
    for row in aftermath.standings:
        name = names.get(row.user_id, safe(row.name))
        lines += _records(row, aftermath.result_id, name, t)
        if row.streak >= _RUN:
            lines.append(t("🔥 A streak of {n} wins: {name}", n=row.streak, name=name))
    return lines


def rivalry_score(rivalry: Rivalry, name: str) -> str:
    """Write somebody's score against a rival, to follow their own name: "7 – 5 Bea"."""
    return f"**{rivalry.wins} – {rivalry.losses}** {name}"


def _records(row: Standing, result_id: int, name: str, t: Words) -> list[str]:
    """Write the records that a match has broken."""
    if row.matches < _RECORDS_FROM:
        return []
    points, with_points = read_record(row.top_points)
    escobas, with_escobas = read_record(row.top_escobas)
    lines: list[str] = []
    if with_points == result_id:
        lines.append(
            t.plural(
                "🎖️ Personal best for {name}: {n} point", "🎖️ Personal best for {name}: {n} points", points, name=name
            )
        )
    if with_escobas == result_id:
        lines.append(
            t.plural(
                "🎖️ Personal best for {name}: {n} escoba", "🎖️ Personal best for {name}: {n} escobas", escobas, name=name
            )
        )
    return lines
