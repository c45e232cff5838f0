"""Reviews of a match: a person's decisions, and the worth of each given what they could know. Hints during one.

Positions come from the stored log, as the seat's view at that moment, so they never contain the others' hands.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor
from typing import Final

from cachetools import LRUCache

from bot.coach.analysis import Analysis, MoveRating
from bot.coach.explaining import why_best, why_better
from bot.coach.grading import Grade, grade, lost, score, shares
from bot.coach.luck import Luck, load_luck
from bot.coach.reasons import Why
from bot.engine.errors import IllegalMove
from bot.engine.events import Claimed, Event, Laid, Played, Sang
from bot.engine.moves import Claim, Move, Play, Sing
from bot.engine.views import SeatView, seat_view
from bot.platform.eventlog import CodecError, LogEntry, WrittenByNewer
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.codec import LOG
from bot.tables.log.events import LogEvent, Phase
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games
from bot.thinking import Analyst, Urgency
from bot.training.refusals import TrainingRefusal
from bot.training.store.lessons import MatchLuck

log = logging.getLogger(__name__)

DRAWS: Final = 8_000
"""The most draws of the hidden cards by which moves are judged, for a hint as for a review. Most decisions take a
tenth of them."""
ATTEMPTS: Final = 3
"""Times that the analysis of a decision is asked for: a process may just have died, or be busy with moves."""
MOST_LEFT_OUT: Final = 3
"""Decisions in a row without an analysis after which a review breaks off."""
MOMENTS: Final = 3
"""Decisions highlighted by a review."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's view and the move they chose; `version` is the match's at that moment."""

    version: int
    view: SeatView
    move: Move


@dataclass(frozen=True)
class Judged:
    """A decision and the analysis of its moves.

    `untried`: the move was too bad to be tried, and the points it gave away are a lower bound.
    """

    decision: Decision
    analysis: Analysis
    untried: bool = False

    @cached_property
    def rating(self) -> MoveRating:
        return self.analysis.rating_of(self.decision.move)

    @cached_property
    def grade(self) -> Grade:
        return grade(self.rating)

    @cached_property
    def lost(self) -> float:
        """The points that the decision gave away."""
        return lost(self.rating)

    @property
    def why(self) -> Why:
        """The reasons why the best move is the best or, if it was tried but not played, why it is better."""
        if self.lost and not self.untried:
            return why_better(self.decision.view, self.analysis, self.decision.move)
        return why_best(self.decision.view, self.analysis)


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A finished match, as one of its players looks back at it: its events, their decisions, their side's luck if
    known."""

    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]
    luck: Luck | None = None


@dataclass(frozen=True)
class Review:
    """A reviewed match: all decisions of one person, in order, where they had more than one move.

    `events` are the match's, with which a decision can be put to its player again. Never show them. `luck` is their
    side's.
    """

    game_id: int
    judged: tuple[Judged, ...]
    events: tuple[Event, ...]
    luck: Luck | None = None

    @cached_property
    def score(self) -> float:
        """The quality of the person's decisions, 0 to 1."""
        return score(shares(judged.analysis, judged.decision.move) for judged in self.judged)

    @property
    def thousandths(self) -> tuple[int, int]:
        """The score and the points given away in thousandths, as they are kept and shown everywhere.

        The score is rounded down, so that it is 1000 only if nothing was given away.
        """
        return floor(1000 * self.score), round(1000 * self.given_away)

    @cached_property
    def given_away(self) -> float:
        return sum(judged.lost for judged in self.judged)

    @property
    def rounds(self) -> int:
        """The number of rounds with a decision."""
        return len({judged.decision.view.public.round_number for judged in self.judged})

    @property
    def moments(self) -> tuple[int, ...]:
        """The indices of the costliest decisions, in the order of the match."""
        return tuple(sorted(self.costliest[:MOMENTS]))

    @cached_property
    def costliest(self) -> list[int]:
        """The indices of the decisions that gave points away, the costliest first."""
        costly = [number for number, judged in enumerate(self.judged) if judged.lost]
        return sorted(costly, key=lambda number: -self.judged[number].lost)

    @cached_property
    def grades(self) -> Counter[Grade]:
        """The number of decisions of each grade."""
        return Counter(judged.grade for judged in self.judged)


def decisions_of(events: Iterable[LogEvent], person_id: int) -> tuple[Decision, ...]:
    """Collect the decisions that a person made at a table themselves, without those a computer made in their place.

    Laying a card and choosing its capture are one decision. A move without an alternative isn't a decision.

    Raises CodecError if the events aren't a log, IllegalMove if one isn't legal where it stands.
    """
    found: list[Decision] = []
    laid: tuple[int, SeatView] | None = None
    for event, state, _ in LOG.states(events):
        if state is None:
            continue
        match event:
            case Laid(seat):
                laid = _seen(state, seat, person_id)
            case Played(seat, card, captured):
                _add(found, laid or _seen(state, seat, person_id), state, seat, Play(card, captured))
                laid = None
            case Claimed(seat, captured):
                _add(found, _seen(state, seat, person_id), state, seat, Claim(captured))
            case Sang(seat):
                _add(found, _seen(state, seat, person_id), state, seat, Sing())
            case _:
                pass
    return tuple(found)


def _seen(state: TableState, seat: int, person_id: int) -> tuple[int, SeatView] | None:
    """Return what a person saw before a move of this seat; None if it isn't theirs or they were away."""
    holder = state.seats[seat]
    if holder.person_id != person_id or not holder.human_here or state.match is None:
        return None
    return state.match.version, seat_view(state.match, seat)


def _add(found: list[Decision], seen: tuple[int, SeatView] | None, state: TableState, seat: int, move: Move) -> None:
    # If somebody lays a card and leaves, a computer chooses the capture, so it isn't their decision.
    if seen is not None and state.seats[seat].human_here and len(seen[1].moves) > 1:
        found.append(Decision(*seen, move))


async def look_back(games: Games, lucks: MatchLuck, game_id: int, guild_id: int | None, person_id: int) -> OwnMatch:
    """Load a finished match of a server, or of a person who played alone, with the decisions that a person made in it.

    Raises Refusal if it isn't finished, wasn't theirs, or is no longer kept; StoreError if it can't be read.
    """
    row = await games.get(game_id)
    if row is None or row.closed_at is None or not (guild_id is None or row.guild_id in (guild_id, None)):
        raise Refusal(TrainingRefusal.NO_REVIEW)
    entries, luck = await games.log(game_id), await lucks.of(game_id)
    try:
        # A long match takes a tenth of a second, which would keep everybody else waiting.
        return await asyncio.to_thread(_replayed, entries, person_id, luck)
    except WrittenByNewer as error:
        raise Refusal(CommonRefusal.FROM_NEWER) from error
    except (CodecError, IllegalMove) as error:
        log.warning("Game %s can't be reviewed (%s)", game_id, type(error).__name__)
        raise Refusal(TrainingRefusal.NO_REVIEW) from error


def _replayed(entries: Sequence[LogEntry], person_id: int, luck: str | None) -> OwnMatch:
    events = LOG.events(entries)
    state = LOG.fold(events)
    own = next((index for index, seat in enumerate(state.seats) if seat.person_id == person_id), None)
    if state.phase is not Phase.FINISHED or state.match is None or own is None:
        raise Refusal(TrainingRefusal.NO_REVIEW)
    return OwnMatch(
        tuple(event for event in events if isinstance(event, Event)),
        decisions_of(events, person_id),
        None if luck is None else load_luck(luck)[state.match.seating.side_of(own)],
    )


def seed_of(game_id: int, view: SeatView) -> str:
    """Return what the analysis of a position is seeded with: a hint and a review of it say the same."""
    return f"advice/{game_id}/{view.public.version}/{view.seat}"


async def reviewed(
    analyst: Analyst,
    game_id: int,
    match: OwnMatch,
    progress: Callable[[int], Awaitable[None]],
    person_id: int,
    pause: Callable[[], Awaitable[None]],
) -> Review | None:
    """Judge a player's decisions one by one; None if they can't be judged now.

    A decision for which there is no analysis is asked about again after a pause, and in the end left out.

    Args:
        analyst: analyses the positions.
        game_id: the game, which seeds the analysis.
        match: the match to judge.
        progress: called after each decision with the number of those that are done.
        person_id: the player.
        pause: waits until it is worth asking the analyst again.
    """
    judged: list[Judged] = []
    left_out = 0
    for number, decision in enumerate(match.decisions, 1):
        view = decision.view
        seed = seed_of(game_id, view)
        for attempt in range(ATTEMPTS):
            if attempt:
                await pause()
            analysis = await analyst.analysis(
                view, seed, Urgency.REVIEW, draws=DRAWS, played=decision.move, person=person_id
            )
            if analysis is not None:
                judged.append(Judged(decision, analysis))
                left_out = 0
                break
        else:
            left_out += 1
            if left_out == MOST_LEFT_OUT:
                return None
        await progress(number)
    return Review(game_id, tuple(judged), match.events, match.luck)


KEPT: Final = 256
"""Positions whose hints are kept."""


class Hints:
    """The ratings of moves at tables where somebody asks for a hint.

    Args:
        analyst: rates the moves.
    """

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._asked: LRUCache[str, asyncio.Task[Analysis | None]] = LRUCache(KEPT)

    async def of(self, view: SeatView, table_id: int, person_id: int) -> Analysis | None:
        """The ratings of a seat's moves at a table; None if they aren't available now."""
        seed = seed_of(table_id, view)
        task = self._asked.get(seed)  # it names the position: a match has one in each version
        if task is None or (task.done() and (task.cancelled() or task.result() is None)):
            asking = self._analyst.analysis(view, seed, Urgency.HINT, draws=DRAWS, person=person_id)
            task = self._asked[seed] = asyncio.create_task(asking)
        return await asyncio.shield(task)
