"""A finished match seen again, step by step: the table as it was after each move, with all hands open; and as a file.

A step is a pure function of the stored log, so a replay goes on after a restart, and shows nothing that was erased.
Only matches that are over are ever read here: `recorded` refuses all others.
"""

import asyncio
import logging
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property, lru_cache
from typing import Final

from bot.engine.cards import CardSet
from bot.engine.errors import IllegalMove
from bot.engine.events import Event, Laid, MatchStarted
from bot.engine.facts import CaptureClaimed, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.match import Match
from bot.engine.match_file import MatchFile, one_line
from bot.engine.proofs import Proof
from bot.engine.views import PublicView, public_view
from bot.platform.eventlog import CodecError, LogEntry, WrittenByNewer
from bot.platform.memories import naming
from bot.platform.people import told_apart
from bot.platform.refusals import CommonRefusal, Refusal
from bot.players import PERSONAS
from bot.replays.refusals import ReplayRefusal
from bot.replays.store.own_matches import OwnMatches, OwnMatchRow
from bot.tables.log.codec import LOG
from bot.tables.log.events import Fixture, LogEvent, Opened, Phase
from bot.tables.log.seats import Seat
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games

log = logging.getLogger(__name__)


def match_file_of(entries: Sequence[LogEntry], proof: Proof | None = None) -> MatchFile:
    """Write the match of a log as a file, with the players' names as they were at its table.

    Args:
        entries: the whole log of a table that is closed: a match that goes on has hidden cards.
        proof: the proof of how it was dealt.

    Raises:
        CodecError: if it isn't such a log, or no match was begun.
        IllegalMove: if an event isn't legal where it stands.
    """
    events = LOG.events(entries)
    state = LOG.fold(events)
    if state.open or state.match is None:
        raise CodecError("there is no match that is over")
    return MatchFile(
        preset=state.config.preset,
        names=tuple(map(_name, state.seats)),
        events=tuple(event for event in events if isinstance(event, Event)),
        when=f"{entries[-1].at.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
        proof=proof,
    )


def _name(seat: Seat) -> str:
    """Write a name as the table shows it: a computer's comes after its face."""
    return one_line(seat.name if seat.character is None else f"{PERSONAS[seat.character].face} {seat.name}")


_OVER: Final = (Phase.FINISHED, Phase.FORFEITED)
_LATEST: Final = 4
"""Matches that are kept for the next step: reading a long one takes a tenth of a second."""


Sweep = CardPlayed | CaptureClaimed | OpeningTaken


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The contents of a step: the table after the match's event `at`.

    Attributes:
        at: the match's version after that event, which names the step.
        before: the match's version before the player of this step had done anything.
        round: the number of the round.
        deal: the number of the deal whose cards are in the hands.
        dealt: whether this step deals those cards.
        escoba: the move that swept the table, if one did.
    """

    at: int
    before: int
    round: int
    deal: int
    dealt: bool
    escoba: Sweep | None


@dataclass(frozen=True)
class Recording:
    """A finished match with its whole log, as one of its players asks for it.

    `seats` are as they were at the end. `played_out` is whether it was played to its end, not given up before.
    """

    row: OwnMatchRow
    events: tuple[LogEvent, ...]
    seats: tuple[Seat, ...]
    played_out: bool

    @cached_property
    def match_events(self) -> tuple[Event, ...]:
        """The events of the match alone."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def fixture(self) -> Fixture | None:
        """The pairing it was played for, if it belongs to a tournament."""
        first = self.events[0]
        return first.fixture if isinstance(first, Opened) else None


@dataclass(frozen=True)
class Replay:
    """A finished match at one of its steps: `state` is the table's at that moment. `place` is the step's index."""

    row: OwnMatchRow
    steps: tuple[ReplayStep, ...]
    place: int
    state: TableState

    @property
    def step(self) -> ReplayStep:
        return self.steps[self.place]

    @property
    def match(self) -> Match:
        assert self.state.match is not None, "there are steps once a match has begun"
        return self.state.match

    @cached_property
    def public(self) -> PublicView:
        """The public view of that moment."""
        return public_view(self.match)

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """All hands at that moment, by seat: the match is over, so nobody hides them any more."""
        assert self.match.round is not None, "the first step deals a round"
        return self.match.round.hands


async def recorded(matches: OwnMatches, games: Games, game_id: int, guild_id: int | None, person_id: int) -> Recording:
    """Load a finished match of a person on a server.

    Raises:
        Refusal: if there is no such match, it isn't over, wasn't theirs, or its log is no longer kept.
        StoreError: if it can't be read.
    """
    row = await matches.of(guild_id, person_id, game_id)
    if row is None:
        raise Refusal(ReplayRefusal.NO_REPLAY)
    if not row.kept:
        raise Refusal(ReplayRefusal.NO_LOG)
    entries = await games.log(game_id)
    try:
        return await asyncio.to_thread(_read, row, tuple(entries))
    except WrittenByNewer as error:
        raise Refusal(CommonRefusal.FROM_NEWER) from error
    except (CodecError, IllegalMove) as error:
        log.warning("Game %s can't be replayed (%s)", game_id, type(error).__name__)
        raise Refusal(ReplayRefusal.NO_LOG) from error


def _read(row: OwnMatchRow, entries: tuple[LogEntry, ...]) -> Recording:
    events, state = _read_log(entries)
    if state.phase not in _OVER:  # its result must say so, too: hands are shown only if both do
        raise Refusal(ReplayRefusal.NO_REPLAY)
    return Recording(row, events, told_apart(state.seats, drawn=True), state.phase is Phase.FINISHED)


@naming
@lru_cache(_LATEST)
def _read_log(entries: tuple[LogEntry, ...]) -> tuple[tuple[LogEvent, ...], TableState]:
    events = tuple(LOG.events(entries))
    return events, LOG.fold(events)


def replay_of(recording: Recording, at: int, by: int = 0) -> Replay:
    """Show a match at the step named `at`, or else the latest before that, moved `by` steps within the match.

    Raises Refusal if no card was ever dealt.
    """
    steps, states = steps_of(recording)
    if not steps:
        raise Refusal(ReplayRefusal.NO_LOG)
    place = max(0, bisect_right([step.at for step in steps], at) - 1)
    place = max(0, min(place + by, len(steps) - 1))
    return Replay(recording.row, steps, place, states[place])


def steps_of(recording: Recording) -> tuple[tuple[ReplayStep, ...], tuple[TableState, ...]]:
    """List all steps of a match, and the table at each."""
    return _steps_of(recording.events)


@naming
@lru_cache(_LATEST)
def _steps_of(events: tuple[LogEvent, ...]) -> tuple[tuple[ReplayStep, ...], tuple[TableState, ...]]:
    steps: list[ReplayStep] = []
    states: list[TableState] = []
    began: int | None = None
    for event, _, state in LOG.states(events):
        match = state.match
        if match is None or not isinstance(event, Event) or isinstance(event, MatchStarted):
            continue
        began = match.version - 1 if began is None else began
        if isinstance(event, Laid):
            continue  # the capture that is chosen next belongs to the same step
        now = match.round
        assert now is not None, "a step follows a deal"
        round_number = len(match.scores) + (match.turn is not None)
        dealt = any(isinstance(fact, DealMade) for fact in match.facts)
        steps.append(ReplayStep(match.version, began, round_number, now.deal, dealt, sweep_in(match.facts)))
        states.append(state)
        began = None
    return tuple(steps), tuple(states)


def sweep_in(facts: Sequence[Fact]) -> Sweep | None:
    """Find the escoba among some facts."""
    for fact in facts:
        match fact:
            case CardPlayed(escoba=True) | CaptureClaimed(escoba=True) | OpeningTaken():
                return fact
            case _:
                continue
    return None
