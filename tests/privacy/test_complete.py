"""Whatever a log or a table can say about somebody is in the file with their data, or is marked as about nobody."""

from typing import Any, Final, get_args

import pytest

from bot.privacy.live.keys import KEYS
from bot.privacy.live.marks import KEYS as MARKED
from bot.privacy.live.personal_data import _appearance  # pyright: ignore[reportPrivateUsage] - each event by itself
from bot.privacy.live.tournament_data import KEYS as OF_TOURNAMENTS
from bot.privacy.live.tournament_data import _about  # pyright: ignore[reportPrivateUsage] - each event by itself
from bot.schema import SCHEMA
from bot.tables.log.events import (
    ChangeAccepted,
    Closed,
    Config,
    Configured,
    Guests,
    GuestsChosen,
    Joined,
    LeftLobby,
    Opened,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
    TableEvent,
    TakenOff,
    TurnMissed,
)
from bot.tables.log.state import opened
from bot.tables.log.topics import (
    DaySpent,
    Nudged,
    Paused,
    QuestionAnswered,
    QuestionAsked,
    Resumed,
    SeatTaken,
    Sign,
)
from bot.tournaments.rules.log import (
    Agreed,
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
from bot.tournaments.rules.state import apply, begin
from bot.tournaments.rules.tournament import Gone, Outcome, Pairing, Setup, TournamentStage
from tests.support.tables.kit import ANA, BEA
from tests.test_project import ABOUT_NOBODY, WHAT_IS_KEPT

ALL: Final = "all"

AT_TABLES: Final = (
    Opened(ANA, Config()),
    GuestsChosen(Guests((ANA,))),
    TakenOff(ANA.id),
    Joined(ANA),
    LeftLobby(ANA.id),
    Configured(Config(), by=0),
    ChangeAccepted(0),
    PresenceChanged(0, Presence.AWAY),
    TurnMissed(0),
    DaySpent(0),
    Nudged(0),
    Reacted(0, Sign.LUCK),
    QuestionAsked(0, 60),
    QuestionAnswered(0, agrees=True),
    Paused(0, 0, 60),
    Resumed(0, 30),
    SeatTaken(1, ANA),
    Closed(Phase.CANCELLED, ANA),
)
"""One event of each kind that can be about somebody, and is about Ana in seat 0."""
WON: Final = Outcome((5, 2), 0)
IN_TOURNAMENTS: Final = (
    Announced(ANA, Setup()),
    SetUp(Setup()),
    RepeatSet(60, ANA),
    Asked(ANA, BEA),
    Entered((ANA,)),
    PartnerJoined(1, ANA),
    LeftEntry(ANA.id),
    StageBegan(TournamentStage.CHECK_IN, ANA),
    CheckedIn(1),
    Withdrawn(1, Gone.WITHDREW),
    CameBack(1),
    Seeded((1, 2)),
    RoundPaired((Pairing(1, 1, 2),)),
    ByeTaken(Pairing(1, 1, 2)),
    TableEnded(1, WON),
    Corrected(1, 1, WON, ANA),
    Replayed(1, ANA),
    Proposed(1, 1, WON, ANA),
    Agreed(1, 1, ANA),
    Declined(1, 1, ANA),
)
"""In the same way, in a tournament that Ana organises, and where her entry is the first."""


def test_the_events_below_are_all_that_can_be_about_somebody() -> None:
    kinds = {event.__name__ for event in (*get_args(TableEvent), *get_args(TournamentEvent))}
    assert {type(each).__name__ for each in (*AT_TABLES, *IN_TOURNAMENTS)} == kinds - ABOUT_NOBODY


@pytest.mark.parametrize("event", AT_TABLES, ids=lambda event: type(event).__name__)
def test_what_an_event_at_a_table_says_about_somebody_is_in_their_file(event: Any) -> None:
    state = opened(Opened(ANA, Config()))
    assert _appearance(event, state, ANA.id) is not None
    assert _appearance(event, state, BEA.id) is None


@pytest.mark.parametrize("event", IN_TOURNAMENTS, ids=lambda event: type(event).__name__)
def test_what_an_event_in_a_tournament_says_about_somebody_is_in_their_file(event: Any) -> None:
    before = begin(Announced(ANA, Setup()))
    for each in (Entered((ANA,)), Entered((BEA,)), RoundPaired((Pairing(1, 1, 2),))):
        before = apply(before, each)
    after = before if isinstance(event, RoundPaired | ByeTaken | SetUp | Entered) else None
    assert _about(ANA.id, event, before, after)


COLUMNS: Final[dict[str, tuple[str, str, str]]] = {
    "people": ("choices", "choices user_id chosen_at", ""),
    "games": (
        "games",
        "id guild_id channel_id opener_id locale opened_at closed_at broken_off",
        "message_id message_at tournament_id fixture gains_by_play",  # about the table
    ),
    "events": ("games", "game_id kind body at", "version"),
    "participants": ("games", "game_id user_id", ""),
    "ahead_cards": ("ahead", "game_id user_id card captured untaken turn", ""),
    "faces": ("faces", "game_id user_id face", "deal"),
    "votes": ("votes", "game_id round user_id side", ""),
    "results": (
        "results",
        "game_id guild_id channel_id ended_at preset target seating rounds ranked luck friendly rule_set",
        "id version weight nth",  # of all who played
    ),
    "result_players": (
        "results",
        "seat side user_id name won points escobas place sources mu sigma new_mu new_sigma stayed weight known played "
        "gains nth",
        "result_id guild_id ended_at ranked",  # they repeat the result's
    ),
    "standings": ("results", "", ALL),  # sums of the results
    "rivals": ("opponents", "guild_id user_id matches wins losses", "rival_id"),
    "rating_gains": ("gains", "guild_id user_id day amount", "source_id"),
    "achievements": ("achievements", "guild_id user_id achievement at", "result_id"),
    "given_roles": ("roles", "guild_id role_id user_id", ""),
    "marked_rivals": ("marks", "guild_id day gained", "mark rival"),
    "marked_matches": ("marks", "guild_id day matches", "mark people"),
    "marked_ratings": ("marks", "guild_id mu sigma rated_at", "mark"),
    "reviews": ("reviews", "user_id score given_away rounds decisions at", "result_id"),
    "practice_positions": ("practice", "user_id source exercise theme step due_at", ""),
    "lessons": ("lessons", "user_id lesson step state at", ""),
    "day_answers": ("answers", "day user_id guild_id name move lost counted at", ""),
    "rule_sets": ("rule_sets", "guild_id name config saved_by saved_at", "id removed"),
    "tournaments": (
        "tournaments",
        "id guild_id channel_id organiser_id locale opened_at closed_at",
        "message_id event_id repeats",
    ),
    "tournament_events": ("tournaments", "tournament_id kind body at", "version"),
    "tournament_people": ("tournaments", "tournament_id user_id", ""),
}
"""The tables that are about people: the part of the file, the columns in it, and those that it leaves out because they
say nothing about the person, or something about others."""


def test_every_column_is_in_the_file_or_about_nobody() -> None:
    tables = set(SCHEMA.metadata.tables) - ABOUT_NOBODY - set(WHAT_IS_KEPT["About the server"])
    assert set(COLUMNS) == tables
    for table, (part, told, left_out) in COLUMNS.items():
        there = {column.name for column in SCHEMA.metadata.tables[table].columns}
        assert left_out == ALL or there == {*told.split(), *left_out.split()}, table
        assert part == "choices" or part in {*KEYS, *OF_TOURNAMENTS, *MARKED}, table
