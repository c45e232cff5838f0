"""A person's honours from a match, line by line: achievements, records, runs of wins, their place and rivals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.club.store.career import Aftermath
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import Standing, read_record
from bot.club.words.achievements import achievement_text
from bot.platform.language.texts import Words
from bot.platform.people.names import safe
from bot.platform.people.person import Person

_MET: Final = 2
"""Fewest meetings of two people for a head to head: after one match it says nothing."""
_RECORDS_FROM: Final = 5
"""Matches after which a record is worth telling: the first matches break one after the other."""
_RUN: Final = 3
"""Wins in a row that make a run."""


def honour_lines(aftermath: Aftermath, person_id: int, people: Iterable[Person], t: Words) -> list[str]:
    """Write what a match of these people has brought one of them besides rating, as far as it is worth telling."""
    names = {person.id: safe(person.name) for person in people}
    lines = [achievement_text(each.achievement, t) for each in aftermath.achievements if each.user_id == person_id]
    for row in aftermath.standings:
        if row.user_id != person_id:
            continue
        lines += _records(row, aftermath.result_id, t)
        if row.streak >= _RUN:
            lines.append(t("🔥 A streak of {n} wins", n=row.streak))
        wins = t.plural("{n} win", "{n} wins", row.wins)
        matches = t.plural("{n} match", "{n} matches", row.matches)
        place = t("📊 Leaderboard: **{rank}.** · {wins} · {matches}", rank=row.rank, wins=wins, matches=matches)
        lines.append(place)
    met = (each for each in aftermath.rivalries if each.user_id == person_id and each.matches >= _MET)
    scores = (rivalry_score(each, names.get(each.rival_id, safe(each.name)), t) for each in met)
    return lines + [t("⚔️ Head to head: {score}", score=score) for score in scores]


def rivalry_score(rivalry: Rivalry, name: str, t: Words) -> str:
    """Write somebody's score against a rival, to follow their own name: "7 – 5 Bea"."""
    return f"**{t.number(rivalry.wins)} – {t.number(rivalry.losses)}** {name}"


def _records(row: Standing, result_id: int, t: Words) -> list[str]:
    if row.matches < _RECORDS_FROM:
        return []
    points, with_points = read_record(row.top_points)
    escobas, with_escobas = read_record(row.top_escobas)
    lines: list[str] = []
    if with_points == result_id:
        lines.append(t.plural("🎖️ Personal best: {n} point", "🎖️ Personal best: {n} points", points))
    if with_escobas == result_id:
        lines.append(t.plural("🎖️ Personal best: {n} escoba", "🎖️ Personal best: {n} escobas", escobas))
    return lines
