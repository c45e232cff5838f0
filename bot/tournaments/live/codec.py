"""A tournament's log as text: its events as JSON; see `bot.platform.eventlog`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.platform.eventlog.log import EventLog, kinds_of
from bot.tables.log.values import VALUES
from bot.tournaments.rules.log import LeftEntry, RepeatSet, RoundPaired, StageBegan, TableEnded, TournamentEvent
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Tournament

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
