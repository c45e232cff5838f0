"""The worker process: questions come in through its pipe, answers go out.

Questions are pickled, answers are JSON. The bot doesn't trust answers: one that doesn't fit its question is treated as
no answer.

It reads nothing else, logs nothing, and ends when the pipe is closed, so it never outlives the bot, however the bot
ended.
"""

import gc
import json
import os
import pickle
import signal
import struct
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, BinaryIO, Final

from bot.coach.analysis import Analysis, Tallies, Trials, merged, terms_of, tried_on
from bot.coach.finding import LOOK, LOOKED_AT, Wanted, is_eligible, scout, seems_to_fit
from bot.coach.luck import DealtRound, Replayed, compared, played_again
from bot.engine.errors import EngineError
from bot.engine.moves import Move
from bot.engine.notation import Position, format_position, parse_position
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.lookahead import Lookahead, Stop
from bot.thinking.port import Work, seeded


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A question: which move does a level play? `effort` is the fraction of its usual work to do."""

    view: SeatView
    level: Level
    seed: str
    effort: float
    character: Character | None = None

    def think(self, stop: Stop) -> object:
        """The index of the move among the view's moves."""
        rng = seeded(self.seed)
        move = choose(self.view, self.level, rng, character=self.character, effort=self.effort, stop=stop)
        return self.view.moves.index(move)

    def parse(self, answer: Any) -> Move:
        if not isinstance(answer, int) or not 0 <= answer < len(self.view.moves):
            raise ValueError("no such move")
        return self.view.moves[answer]


RngState = tuple[int, tuple[int, ...], None]
"""The state of a random generator."""


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A question: how do some of a view's moves come out in further draws? One step of an analysis.

    `rng` is the seed, or where the previous step left the generator, so that it makes no difference where an analysis
    is cut into steps.
    """

    view: SeatView
    rng: str | RngState
    moves: tuple[Move, ...]
    draws: int

    def think(self, stop: Stop) -> object:
        """The tallies of at least one draw, and the state of the generator."""
        rng = _generator(self.rng)
        tallies = tried_on(self.view, self.moves, rng, self.draws, stop)
        return [tallies, rng.getstate()]

    def parse(self, answer: Any) -> tuple[Tallies, RngState]:
        rows, state = answer
        found = _tallies(rows, self.view, len(self.moves))
        drawn = len(found[0][0][0])
        if not 1 <= drawn <= self.draws or not all(0 <= last <= drawn for _, last in found):
            raise ValueError("a draw is missing")
        return found, _state(state)


Tried = tuple[list[Tallies], RngState | str]
"""The tallies of each step, and where the last one left the generator."""


def tried_in_steps(
    view: SeatView, rng: str | RngState, moves: Sequence[Move], draws: int
) -> Generator[TrialQuestion, tuple[Tallies, RngState], Tried]:
    """Try moves with that many draws by questions that take little time each."""
    found: list[Tallies] = []
    while draws:
        part, rng = yield TrialQuestion(view, rng, tuple(moves), draws)
        found.append(part)
        draws -= len(part[0][0][0])
    return found, rng


def analysis_in_steps(
    view: SeatView, seed: str, draws: int, played: Move | None
) -> Generator[TrialQuestion, tuple[Tallies, RngState], Analysis]:
    """Analyse a view by questions that take little time each."""
    trials = Trials(view, played)
    rng: str | RngState = seed
    for tried, count in trials.looks(draws, settle=True):
        parts, rng = yield from tried_in_steps(view, rng, [tally.move for tally in tried], count)
        for part in parts:
            for tally, more in zip(tried, part, strict=True):
                tally.add(*more)
    return trials.result()


@dataclass(frozen=True, slots=True)
class ScoutQuestion:
    """A question: which decisions of a random round are to be looked at?"""

    wanted: Wanted
    seed: str

    def think(self, stop: Stop) -> object:
        """The positions, as text, and the state of the generator; it takes too little time to stop early."""
        rng = seeded(self.seed)
        return [[format_position(position) for position in scout(self.wanted, rng)], rng.getstate()]

    def parse(self, answer: Any) -> tuple[list[Position], RngState]:
        texts, state = answer
        try:
            positions = [parse_position(text.splitlines()) for text in texts]
        except EngineError as error:
            raise ValueError("not a position") from error
        if len(positions) > LOOKED_AT or not all(is_eligible(position.view) for position in positions):
            raise ValueError("not a decision to look at")
        return positions, _state(state)


def scouted_in_steps(wanted: Wanted, seed: str) -> Work[list[Position]]:
    """Find the decisions of a random round that seem to be what is wanted, after a quick look at some."""
    found: list[Position] = []
    positions, rng = yield ScoutQuestion(wanted, seed)
    for position in positions:
        view = bare(position.view)
        ahead = Lookahead(view)
        draws = 1 if ahead.open_end else LOOK // len(ahead.moves)
        parts, rng = yield from tried_in_steps(view, rng, ahead.moves, draws)
        if seems_to_fit(wanted, view, merged(view, parts)):
            found.append(position)
    return found


@dataclass(frozen=True, slots=True)
class LuckQuestion:
    """A question: which points does each side get when a round is played again that many times? `rng`: as above."""

    dealt: DealtRound
    rng: str | RngState
    games: int

    def think(self, stop: Stop) -> object:
        """The points of at least one game, and the state of the generator."""
        rng = _generator(self.rng)
        return [played_again(self.dealt, rng, self.games, stop), rng.getstate()]

    def parse(self, answer: Any) -> tuple[list[list[int]], RngState]:
        rows, state = answer
        played = [[int(points) for points in row] for row in rows]
        if not 1 <= len(played) <= self.games or {len(row) for row in played} != {self.dealt.seating.sides}:
            raise ValueError("these aren't the points of all sides")
        return played, _state(state)


def luck_in_steps(
    dealt: DealtRound, seed: str, games: int
) -> Generator[LuckQuestion, tuple[list[list[int]], RngState], Replayed]:
    played: list[list[int]] = []
    rng: str | RngState = seed
    while len(played) < games:
        more, rng = yield LuckQuestion(dealt, rng, games - len(played))
        played += more
    return compared(played)


def bare(view: SeatView) -> SeatView:
    """A view without the match's history, which is large and not needed."""
    return replace(view, public=replace(view.public, scores=(), facts=(), recent=()))


def _tallies(rows: Any, view: SeatView, moves: int) -> Tallies:
    """The tallies of as many moves, all of the same number of draws."""
    found = [([[int(lead) for lead in column] for column in columns], int(last)) for columns, last in rows]
    if len(found) != moves or {len(columns) for columns, _ in found} != {len(terms_of(view.public.rules))}:
        raise ValueError("a part is missing")
    if len({len(column) for columns, _ in found for column in columns}) != 1:
        raise ValueError("a draw is missing")
    return found


def _state(state: Any) -> RngState:
    version, words, _ = state
    found = int(version), tuple(int(word) for word in words), None
    _generator(found)
    return found


def _generator(rng: str | RngState) -> Random:
    if isinstance(rng, str):
        return seeded(rng)
    found = seeded("")
    try:
        found.setstate(rng)
    except OverflowError as error:
        raise ValueError("not a generator's state") from error
    return found


SIZE: Final = struct.Struct("!I")
"""The length prefix of a question or an answer."""
NONE: Final = b"null"
"""The answer when none was found."""
ENOUGH_SECONDS: Final = 1.0
"""After this long the search for a move settles for what it has found; only very slow machines need that long."""
STEP_SECONDS: Final = 0.04
"""After this long a step of an analysis ends, and a live move may come next; the result doesn't depend on it."""
_POLITE: Final = 5


def answer_to(body: bytes) -> bytes:
    """The answer to a question, or `NONE`."""
    began = time.monotonic()
    try:
        question = pickle.loads(body)  # noqa: S301 - from the process that started this one
        until = began + (ENOUGH_SECONDS if isinstance(question, MoveQuestion) else STEP_SECONDS)
        return json.dumps(question.think(lambda: time.monotonic() > until)).encode()
    except Exception:  # the next question may succeed
        return NONE


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer questions until the source ends."""
    while len(head := source.read(SIZE.size)) == SIZE.size:
        answer = answer_to(source.read(SIZE.unpack(head)[0]))
        target.write(SIZE.pack(len(answer)) + answer)
        target.flush()
        set_aside()


def set_aside() -> None:
    """Keep the garbage collector away from what is there now, above all the tables of roll-outs: going through it all
    takes twice as long as a step."""
    gc.collect()
    gc.freeze()


def main() -> None:
    """Answer the process that started this one."""
    # Ctrl-C and a service manager's stop signal reach all processes; this one ends when the bot closes the pipe.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(_POLITE)  # clicks come first
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
