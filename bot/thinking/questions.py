"""The messages to a worker process and back: questions are pickled, answers are JSON.

The bot doesn't trust answers: one that doesn't fit its question is treated as no answer.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from math import isfinite
from random import Random
from typing import Any

from bot.engine.errors import EngineError
from bot.engine.position import Position, format_position, parse_position
from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.lookahead import CANDIDATES, Stop
from bot.players.training.analysis import Analysis, Tallies, Trials, tallied, terms_of, tried_on
from bot.players.training.finding import Wanted, scout
from bot.players.training.luck import DealtRound, Replayed, replayed
from bot.thinking.port import seeded


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
        """The move with that index."""
        return _move(self.view, answer)


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
        rng = seeded(self.rng) if isinstance(self.rng, str) else _resumed(self.rng)
        tallies = tried_on(self.view, self.moves, rng, self.draws, stop)
        return [tallies, rng.getstate()]

    def parse(self, answer: Any) -> tuple[Tallies, RngState]:
        """The tallies, all of the same number of draws, and the generator's state."""
        rows, (version, words, _) = answer
        state = int(version), tuple(int(word) for word in words), None
        _resumed(state)
        found = _tallies(rows, self.view, len(self.moves))
        drawn = len(found[0][0][0])
        if not 1 <= drawn <= self.draws or not all(0 <= last <= drawn for _, last in found):
            raise ValueError("a draw is missing")
        return found, state


def analysis_in_steps(
    view: SeatView, seed: str, draws: int, played: Move | None
) -> Generator[TrialQuestion, tuple[Tallies, RngState], Analysis]:
    """Analyse a view by questions that take little time each."""
    trials = Trials(view, played)
    rng: str | RngState = seed
    for tried, count in trials.looks(draws, settle=True):
        left = count
        while left:
            parts, rng = yield TrialQuestion(view, rng, tuple(tally.move for tally in tried), left)
            for tally, part in zip(tried, parts, strict=True):
                tally.add(*part)
            left -= len(parts[0][0][0])
    return trials.result()


@dataclass(frozen=True, slots=True)
class ScoutQuestion:
    """A question: which decisions of a random round are worth a longer look?"""

    wanted: Wanted
    seed: str

    def think(self, stop: Stop) -> object:
        """The positions, as text."""
        return [format_position(position) for position in scout(self.wanted, seeded(self.seed))]

    def parse(self, answer: Any) -> tuple[Position, ...]:
        """The positions that the texts describe."""
        try:
            return tuple(parse_position(text.splitlines()) for text in answer)
        except EngineError as error:
            raise ValueError("not a position") from error


@dataclass(frozen=True, slots=True)
class TallyQuestion:
    """A question: how do a view's moves come out in some draws? One part of an analysis, which never takes long."""

    view: SeatView
    seed: str
    draws: int

    def think(self, stop: Stop) -> object:
        return tallied(self.view, seeded(self.seed), draws=self.draws)

    def parse(self, answer: Any) -> Tallies:
        """The tallies: one for each move that is tried, all with the same number of draws."""
        found = _tallies(answer, self.view, min(CANDIDATES, len(self.view.moves)))
        if len(found[0][0][0]) not in (1, self.draws):
            raise ValueError("a draw is missing")
        return found


@dataclass(frozen=True, slots=True)
class LuckQuestion:
    """A question: by how much does each side come out ahead when a round is played again that many times?"""

    dealt: DealtRound
    seed: str
    games: int

    def think(self, stop: Stop) -> object:
        """The means and variances by side; it never stops early."""
        return replayed(self.dealt, seeded(self.seed), self.games)

    def parse(self, answer: Any) -> Replayed:
        """The means and variances by side."""
        found: Replayed = []
        for mean, variance in map(_numbers, answer):
            if variance < 0:
                raise ValueError("not a variance")
            found.append((mean, variance))
        if len(found) != self.dealt.seating.sides:
            raise ValueError("these aren't the leads of all sides")
        return found


def bare(view: SeatView) -> SeatView:
    """A view without the match's history, which is large and not needed."""
    return replace(view, public=replace(view.public, scores=(), facts=(), recent=()))


def _move(view: SeatView, number: Any) -> Move:
    if not isinstance(number, int) or not 0 <= number < len(view.moves):
        raise ValueError("no such move")
    return view.moves[number]


def _tallies(rows: Any, view: SeatView, moves: int) -> Tallies:
    """The tallies of as many moves, all of the same number of draws."""
    found = [([[int(lead) for lead in column] for column in columns], int(last)) for columns, last in rows]
    if len(found) != moves or {len(columns) for columns, _ in found} != {len(terms_of(view.public.rules))}:
        raise ValueError("a part is missing")
    if len({len(column) for columns, _ in found for column in columns}) != 1:
        raise ValueError("a draw is missing")
    return found


def _resumed(state: RngState) -> Random:
    rng = seeded("")
    try:
        rng.setstate(state)
    except OverflowError as error:
        raise ValueError("not a generator's state") from error
    return rng


def _numbers(values: Any) -> list[float]:
    found = [float(value) for value in values]
    if not all(map(isfinite, found)):
        raise ValueError("not a number")
    return found
