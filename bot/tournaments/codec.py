"""A tournament's log as text: its events as JSON; see `bot.platform.eventlog`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.club.tournaments.log import LeftEntry, RepeatSet, RoundPaired, StageBegan, TableEnded, TournamentEvent
from bot.club.tournaments.state import apply_all, begin
from bot.club.tournaments.tournament import Tournament
from bot.platform.eventlog.log import EventLog, kinds_of
from bot.tables.log.values import VALUES

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
