"""Counts of all legal move sequences from fixed positions: frozen, and checked by the referee."""

from copy import deepcopy

import pytest

from bot.engine.match import Match, Stage
from bot.engine.notation import format_event
from bot.engine.rules import Capture, Duty, Seating

from .kit import position, the_round
from .referee import Referee

LAST_DEAL = (["4b 5c 12o", "7c 6o 10e"], "1o 3c 4e 7b")
# Each position's hands, table and stock are worth 10 (mod 15), as after captures of fifteen only.
NEW_DEAL = (["", "4b"], "1o 3c 4e 7b")
STOCK = "5o 5c 10e 6o 7c 5e"
THREE = (["4b 10c", "5c 12b", "7e 6o"], "1o 3c 4e 7b")
SUNG = ["4b 5c 6o", "1c 1e 1b", "7e 10c 11o", "2o 2c 3e", "6c 10o 12o", "3o 6e 7c"]
"""Six hands of three. All but the fifth and the sixth can be sung."""
OPEN = "1o 3c 4e 7b"
FOURS = "1b 2b 3b 4c 2e 5e 6b 7o 10e 11c 11e 11b 12c 12e 12b 10b 4o 5o 5b 3e"
NINES = (["1o 2o 3o 4o 5o 6o 7o 10o 11o", "1c 2c 3c 4c 5c 6c 7c 10c 11c", "1e 2e 3e 4e 5e 6e 7e 10e 11e",
          "1b 2b 3b 4b 5b 6b 7b 10b 11b"], "12o 12c 12e 12b")  # fmt: skip
TENS = [f"{hand} {king}" for hand, king in zip(NINES[0], NINES[1].split(), strict=True)]


def sequences(match: Match, depth: int) -> int:
    """How many sequences of `depth` moves there are; a round that ends sooner counts once."""
    if depth == 0 or match.stage is not Stage.TO_PLAY:
        return 1
    return sum(sequences(match.apply(match.event_of(move)), depth - 1) for move in match.legal_moves())


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


def refereed_sequences(referee: Referee, depth: int) -> int:
    moves = referee.moves()
    if depth == 0 or not moves:
        return 1
    total = 0
    for line in moves:
        following = deepcopy(referee)
        following.do(line)
        total += refereed_sequences(following, depth - 1)
    return total


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
}


@pytest.mark.parametrize("name", CASES)
def test_the_number_of_move_sequences_is_known(name):
    match, counts = CASES[name]
    assert tuple(sequences(match, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("name", CASES)
def test_the_referee_counts_the_same_number(name):
    match, counts = CASES[name]
    assert tuple(refereed_sequences(refereed(match), depth) for depth in range(1, len(counts) + 1)) == counts


def test_the_engine_and_the_referee_write_moves_the_same_way():
    match = CASES["claims over a new deal"][0]
    referee = refereed(match)
    assert {format_event(match.event_of(move)) for move in match.legal_moves()} == referee.moves()
