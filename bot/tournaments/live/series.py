"""The same tournament every week: what is announced once one is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.platform.language.appointments import next_in_week
from bot.platform.language.time_zones import zone_named
from bot.tournaments.rules.log import Announced
from bot.tournaments.rules.standings import podium
from bot.tournaments.rules.tournament import Tournament, TournamentStage, Winner


def next_week(over: Tournament, now: datetime, lot: int) -> Announced:
    """The announcement of the same tournament at its next time, by the clocks of its zone, with this one's podium.

    If this one was cancelled, the podium is the latest that there was.
    """
    start = over.setup.start
    assert start is not None, "only what begins at a time is repeated"
    assert start.weekly is not None, "and only if somebody wishes"
    moment = next_in_week(start.weekly, max(now, start.moment), zone_named(start.zone))
    setup = replace(over.setup, start=replace(start, at=round(moment.timestamp())))
    best = tuple(Winner(each.rank, over.entry(each.entry).people) for each in podium(over))
    return Announced(over.organiser, setup, lot, best if over.stage is TournamentStage.FINISHED else over.last)
