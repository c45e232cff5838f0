"""The positions in `positions/`, each with the whole round so far: the normal level errs there, the hard one doesn't.

Their first lines give a better and a worse move, and what each is worth to the current player, in points of the round:
exact if no cards are hidden, otherwise the mean of many draws.
"""

import re
from pathlib import Path
from random import Random

import pytest

from bot.engine.match import Match
from bot.engine.moves import Claim, Move, Sing
from bot.engine.notation import parse_position
from bot.players import Level, choose
from bot.players.last_deal import solved
from bot.players.lookahead import Hidden, fast_move
from tests.players.positions import view_at_turn
from tests.support.dose import thorough_but

POSITIONS = sorted((Path(__file__).parent / "positions").glob("*.txt"))
EXACT = [path for path in POSITIONS if "last-deal" in path.name]
SEEDS = range(5)


def position_in(path: Path) -> tuple[Match, dict[str, tuple[str, float]]]:
    """The match at the position; under "better" and "worse", the notation and the worth of a move."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^# (better|worse): (.+) \(([+-][0-9.]+)\)$", text, re.MULTILINE)
    lines = [line for line in text.splitlines() if line.partition("#")[0].strip()]
    return parse_position(lines).match, {which: (move, float(worth)) for which, move, worth in found}


def notation(move: Move) -> str:
    """A move as written in a position's first lines."""
    if isinstance(move, Claim):
        return f"claim {move.captured}"
    if isinstance(move, Sing):
        return "sing"
    return f"{move.card} x {move.captured}" if move.captured else str(move.card)


def test_there_are_ten_and_most_are_exact():
    assert len(POSITIONS) >= 10
    assert len(EXACT) >= 5


@pytest.mark.parametrize("path", thorough_but(POSITIONS, *EXACT, POSITIONS[-1]), ids=lambda path: path.stem)
def test_hard_finds_what_normal_misses(path):
    match, moves = position_in(path)
    view = view_at_turn(match)
    normal = {notation(choose(view, Level.NORMAL, Random(seed))) for seed in SEEDS}
    assert moves["worse"][0] in normal
    assert moves["better"][0] not in normal
    assert {notation(choose(view, Level.HARD, Random(seed))) for seed in SEEDS} == {moves["better"][0]}


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_the_exact_values_are_exact(path):
    """Tries every line of play to the end with the rules engine: the search isn't trusted."""
    match, moves = position_in(path)
    side = match.turn
    assert side is not None

    def value(now: Match) -> float:
        if now.turn is None:
            points = now.scores[0].points
            return points[side] - points[1 - side]
        values = [value(now.apply(now.event_of(move))) for move in now.legal_moves()]
        return max(values) if now.turn == side else min(values)

    values = {notation(move): value(match.apply(match.event_of(move))) for move in match.legal_moves()}
    assert {move: values[move] for move, _ in moves.values()} == dict(moves.values())
    assert max(values.values()) == moves["better"][1]
    hidden = Hidden(view_at_turn(match))
    state = hidden.with_cards(hidden.unseen)
    assert {notation(move): solved(state, fast_move(move), side) for move in match.legal_moves()} == values
