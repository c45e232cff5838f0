"""Counts of all legal move sequences from fixed positions: frozen, and checked by the referee."""

from collections.abc import Callable, Collection
from typing import TypeAlias, TypeVar

import pytest

from bot.engine.cards import DECK
from bot.engine.match import Match
from bot.engine.moves import Move, Stage
from bot.engine.notation import format_event
from bot.engine.rules import Capture, Duty, Seating
from tests.engine.referee import Referee
from tests.support.dose import thorough_but
from tests.support.engine import position, the_round

Position = TypeVar("Position")
Step = TypeVar("Step")
Moves: TypeAlias = Callable[[Position], Collection[Step]]
After: TypeAlias = Callable[[Position, Step], Position]

LAST_DEAL = (["4b 5c 12o", "7c 6o 10e"], "1o 3c 4e 7b")
# Each position's hands, table and stock are worth 10 (mod 15), as after captures of fifteen only.
NEW_DEAL = (["", "4b"], "1o 3c 4e 7b")
STOCK = "5o 5c 10e 6o 7c 5e"
THREE = (["4b 10c", "5c 12b", "7e 6o"], "1o 3c 4e 7b")
SUNG = ["4b 5c 6o", "1c 1e 1b", "7e 10c 11o", "2o 2c 3e", "6c 10o 12o", "3o 6e 7c"]
"""Six hands of three. All but the fifth and the sixth can be sung."""
OPEN = "1o 3c 4e 7b"
LAST_OF_FIVE = (["", "", "", "", "4b"], OPEN)
NINES = [" ".join(f"{rank}{suit}" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11)) for suit in "oceb"]
TENS = [f"{hand} 12{suit}" for hand, suit in zip(NINES, "oceb", strict=True)]


def left(*places: str) -> str:
    """The first twenty cards that are in none of these places."""
    return " ".join([str(each) for each in DECK if str(each) not in " ".join(places).split()][:20])


def counted(start: Position, moves: Moves[Position, Step], after: After[Position, Step], depth: int) -> tuple[int, ...]:
    """The number of sequences of 1, 2, ... `depth` moves; a round that ends sooner counts once.

    The last moves are only counted: the moves before them, and random play, show that such moves can be made.
    """
    found: list[int] = []
    over, here = 0, [start]
    for ply in range(1, depth + 1):
        following: list[tuple[Position, Step]] = []
        for each in here:
            possible = moves(each)
            over += not possible
            following += [(each, move) for move in possible]
        found.append(len(following) + over)
        here = [after(*each) for each in following] if ply < depth else []
    return tuple(found)


def moves_of(match: Match) -> tuple[Move, ...]:
    """The legal moves, of which there is always one until the round is over."""
    moves = match.legal_moves()
    assert bool(moves) == (match.stage is Stage.TO_PLAY)
    return moves


def with_move(match: Match, move: Move) -> Match:
    """The match after a move."""
    return match.apply(match.event_of(move))


def with_line(referee: Referee, line: str) -> Referee:
    """The referee after a move in notation."""
    following = referee.copied()
    following.do(line)
    return following


def refereed(match: Match) -> Referee:
    """The referee at the same position."""
    now = the_round(match)
    start = {"seating": now.seating.value, "dealer": str(now.dealer)}
    words = [f"{key}={value}" for key, value in start.items()]
    for name in now.rules.__dataclass_fields__:
        value = getattr(now.rules, name)
        words.append(f"{name}={'yes' if value is True else 'no' if value is False else value}")
    referee = Referee(f"match {' '.join(words)}")
    referee.running = True
    referee.hands = [set(str(hand).split()) for hand in now.hands]
    referee.table = set(str(now.table).split())
    referee.piles = [set(str(pile).split()) for pile in now.piles]
    referee.stock = [str(one) for one in now.deck[now.dealt :]]
    referee.escobas = list(now.escobas)
    referee.cantos = [0] * now.seating.sides
    referee.open = [set(str(shown).split()) for shown in now.shown]
    referee.deal = now.deal
    referee.turn, referee.last, referee.shown, referee.missed = now.turn, now.last_taker, None, None
    return referee


def case(hands, table, stock="", seating=Seating.TWO, turn=0, **rules) -> Match:
    return position(hands, table, stock=stock, seating=seating, turn=turn, last_taker=0, **rules)


CASES = {
    "compulsory fifteens, the last deal": (case(*LAST_DEAL), (4, 12, 25, 57, 70, 74)),
    "claimable fifteens, the last deal": (case(*LAST_DEAL, preset="quince"), (7, 45, 201, 911, 2784, 7296)),
    "optional fifteens, the last deal": (case(*LAST_DEAL, duty=Duty.OPTIONAL), (7, 41, 168, 724, 1716, 3924)),
    "optional matches, the last deal": (case(*LAST_DEAL, preset="clasica"), (7, 42, 153, 575, 1043, 1893)),
    "compulsory matches, the last deal": (case(*LAST_DEAL, capture=Capture.MATCH), (4, 12, 25, 54, 56, 57)),
    "claims over a new deal": (case(*NEW_DEAL, STOCK, turn=1, preset="quince"), (3, 16, 104, 471, 2305, 7120)),
    "compulsory fifteens over a new deal": (case(*NEW_DEAL, STOCK, turn=1), (2, 6, 18, 36, 94, 94)),
    "three players, claims": (case(*THREE, seating=Seating.THREE, preset="quince"), (6, 22, 91, 264, 681, 1706)),
    **{
        f"cantos in seating {seating}": (
            case(
                SUNG[: seating.seats],
                OPEN,
                left(*SUNG[:5], OPEN) if seating is Seating.FIVE else "",
                seating,
                cantos=True,
            ),
            counts,
        )
        for seating, counts in {
            Seating.TWO: (5, 26, 76, 162),
            Seating.THREE: (5, 26, 112, 333),
            Seating.FOUR: (5, 26, 112, 450),
            Seating.PAIRS: (5, 26, 112, 450),
            Seating.FIVE: (5, 26, 112, 450),
            Seating.TRIPLE_PAIRS: (5, 26, 112, 450),
            Seating.TRIPLES: (5, 26, 112, 450),
        }.items()
    },
    "cantos and claims": (case(SUNG[:2], OPEN, preset="quince", cantos=True), (7, 51, 264, 1125)),
    "cantos and matches": (case(SUNG[:2], OPEN, preset="clasica", cantos=True), (7, 42, 198, 774)),
    "five players get four cards and sing no more": (
        case(*LAST_OF_FIVE, left("4b", OPEN), Seating.FIVE, turn=4, cantos=True),
        (2, 8, 32, 128),
    ),
    "nine each by fifteens": (case(NINES, "12o 12c 12e 12b", seating=Seating.FOUR, hand=9), (12, 152, 1986)),
    "nine each by matches": (
        case(NINES, "12o 12c 12e 12b", seating=Seating.PAIRS, hand=9, preset="clasica"),
        (9, 90, 1008),
    ),
    "ten each by fifteens": (
        case(TENS, "", seating=Seating.FOUR, preset="cientifica", capture=Capture.FIFTEEN),
        (10, 106, 1253),
    ),
    "ten each by matches": (case(TENS, "", seating=Seating.FOUR, preset="cientifica"), (10, 110, 1345)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_number_of_move_sequences_is_known(name):
    match, counts = CASES[name]
    assert counted(match, moves_of, with_move, len(counts)) == counts


@pytest.mark.parametrize("name", thorough_but(CASES, *list(CASES)[::4]))
def test_the_referee_counts_the_same_number(name):
    match, counts = CASES[name]
    assert counted(refereed(match), Referee.moves, with_line, len(counts)) == counts


def test_the_engine_and_the_referee_write_moves_the_same_way():
    match = CASES["claims over a new deal"][0]
    referee = refereed(match)
    assert {format_event(match.event_of(move)) for move in match.legal_moves()} == referee.moves()
