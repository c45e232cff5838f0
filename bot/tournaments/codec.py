"""A tournament's log as text: its events as JSON; see `bot.platform.eventlog`."""

from __future__ import annotations

from typing import Final

from bot.club.tournaments.log import (
    Announced,
    Asked,
    ByeTaken,
    CameBack,
    CheckedIn,
    Corrected,
    Declined,
    Entered,
    LeftEntry,
    PartnerJoined,
    Proposed,
    RepeatSet,
    Replayed,
    RoundPaired,
    Seeded,
    SetUp,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.club.tournaments.state import apply_all, begin
from bot.club.tournaments.tournament import Tournament
from bot.platform.eventlog.log import EventLog
from bot.tables.log.values import VALUES

LOG: Final = EventLog[TournamentEvent, Tournament](
    {
        "announced": Announced,
        "set_up": SetUp,
        "repeat": RepeatSet,
        "asked": Asked,
        "entered": Entered,
        "partner_joined": PartnerJoined,
        "left": LeftEntry,
        "stage": StageBegan,
        "checked_in": CheckedIn,
        "withdrawn": Withdrawn,
        "came_back": CameBack,
        "seeded": Seeded,
        "paired": RoundPaired,
        "bye_taken": ByeTaken,
        "ended": TableEnded,
        "corrected": Corrected,
        "replayed": Replayed,
        "proposed": Proposed,
        "declined": Declined,
    },
    begin,
    apply_all,
    VALUES,
    {},
)
encode = LOG.encode
decode = LOG.decode
replayed = LOG.replayed
