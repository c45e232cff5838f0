"""The search of rounds for decisions that are worth asking somebody about: hard to see, but clear once looked into.

A search consists of short steps, so that a live move never waits long behind one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.coach.analysis import Analysis
from bot.coach.explaining import sweeps
from bot.engine.cards import DECK
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Move
from bot.engine.notation import Position
from bot.engine.rules import Rules, Seating
from bot.engine.views import SeatView, seat_view
from bot.players.characters import Level
from bot.players.choosing import choose
from bot.players.fast_round import CLAIM, FastMove
from bot.players.greed import GROUP
from bot.players.lookahead import CANDIDATES, Lookahead, fast_move
from bot.players.outlook import WEIGHTS, Outlook
from bot.players.rng import Rng, shuffle

LEAST_MOVES: Final = 3
MOST_MOVES: Final = CANDIDATES
"""Most moves of a decision: with more, not all of them would be rated."""
AHEAD: Final = 0.35
"""Points by which the best move must be ahead of the second."""
OBVIOUS: Final = 2.5
"""A move that is further ahead than this many points is obvious."""
SLIP: Final = 0.12
"""Chance that a player of the normal level moves like one of the easy level instead, so that positions vary."""
LOOKED_AT: Final = 3
"""Decisions of a round that are looked at."""
LOOK: Final = 180
"""Roll-outs in a look."""
DOUBT: Final = 1.0
"""Standard errors by which a look may fall short of `AHEAD`: a longer look then decides."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kind of decision to look for: the rules, the seating, whether a greedy player may find the move, and whether
    the move may be obvious."""

    rules: Rules
    seating: Seating
    greedy: bool
    obvious: bool

    def takes(self, view: SeatView, analysis: Analysis) -> bool:
        """Whether the best move is as hard to see as is wanted."""
        if not self.obvious and is_obvious(view, analysis):
            return False
        return self.greedy or not is_greedy(view, analysis.best.move)


def scout(wanted: Wanted, rng: Rng) -> list[Position]:
    """Choose decisions of a random round to look at, more often those with many moves."""
    decisions = [(rng.random() ** (1 / (len(each.view.moves) - 2)), each) for each in _decisions(wanted, rng)]
    return [position for _, position in sorted(decisions, key=lambda each: -each[0])[:LOOKED_AT]]


def is_eligible(view: SeatView) -> bool:
    """Whether a decision has enough moves, and not too many."""
    return LEAST_MOVES <= len(view.moves) <= MOST_MOVES


def seems_to_fit(wanted: Wanted, view: SeatView, analysis: Analysis) -> bool:
    """Whether a decision may be what is wanted, by the analysis of a quick look."""
    second = analysis.ratings[1]
    return second.behind >= AHEAD - DOUBT * second.error and wanted.takes(view, analysis)


def fits(wanted: Wanted, view: SeatView, analysis: Analysis) -> bool:
    """Whether a decision is what is wanted, by the analysis of a long look."""
    return (
        LEAST_MOVES <= len(view.moves) == len(analysis.ratings)
        and analysis.ratings[1].behind >= AHEAD
        and wanted.takes(view, analysis)
    )


def is_obvious(view: SeatView, analysis: Analysis) -> bool:
    """Whether anybody sees the best move: it is an escoba at hand, or wins or saves a fortune."""
    return sweeps(view, analysis.best.move) or analysis.ratings[1].behind > OBVIOUS


def is_greedy(view: SeatView, move: Move) -> bool:
    """Whether a greedy player finds a move: one who considers only what it gains now, or one who also looks at what the
    next player may take, as roll-outs do."""
    gain = Outlook.from_view(view, WEIGHTS).gain
    return gain(move) >= max(map(gain, view.moves)) > 0 or fast_move(move) == _rolled_out(view)


def _rolled_out(view: SeatView) -> FastMove:
    ahead = Lookahead(view)
    now, style = ahead.hidden.base, ahead.style
    if now.claimable >= 0:
        bit = 1 << now.claimable
        return CLAIM, style.greed.look(now.table ^ bit)[now.goals[now.claimable]] & GROUP | bit
    return now.greedy_move(style)


def _decisions(wanted: Wanted, rng: Rng) -> Iterator[Position]:
    """Yield the decisions of a random round that are eligible."""
    deck = list(range(len(DECK)))
    shuffle(deck, rng)
    started = MatchStarted(wanted.rules, wanted.seating, int(rng.random() * wanted.seating.seats))
    dealt = RoundDealt(tuple(DECK[index] for index in deck))
    events: list[Event] = [started, dealt]
    match = start(started).apply(dealt)
    while (seat := match.turn) is not None:
        view = seat_view(match, seat)
        if is_eligible(view) and _clear(view):
            yield Position(tuple(events))
        level = Level.EASY if rng.random() < SLIP else Level.NORMAL
        event = match.event_of(choose(view, level, rng))
        events.append(event)
        match = match.apply(event)


def _clear(view: SeatView) -> bool:
    """Whether moves can be rated well in short steps: by roll-outs, or exactly, but not by solving draw after draw."""
    ahead = Lookahead(view)
    return ahead.open_end or not ahead.solvable
