"""How fast the engine is: complete random rounds, and the search for captures, compared with trying all subsets."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from bench import subsets
from bot.engine.cards import DECK, Card, CardSet
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import captures
from bot.engine.round import Round
from bot.engine.rules import PRESETS, Seating

BATCHES = 8
RULES = PRESETS["escoba"].rules
_BEGUN = start(MatchStarted(RULES, Seating.TWO, dealer=0))


@dataclass(frozen=True, slots=True)
class Rounds:
    """Random rounds of two players with the preset `escoba`, listing all legal moves at each turn.

    `engine` and `plain` are rounds per CPU second, `ratio` the median over batches of engine to plain. `search` is how
    many times longer trying all subsets took than looking captures up, for every card in hand at every turn of these
    rounds, and `crowded` the same for tables of eight cards or more.
    """

    rounds: int
    engine: float
    plain: float
    ratio: float
    search: float
    crowded: float


class RandomChoice:
    """A random but repeatable choice of moves."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, moves: int) -> int:
        return int(self._random.random() * moves)


def play_round(deck: tuple[Card, ...], choose: Callable[[int], int]) -> Match:
    """Play a round the way a table does, with events."""
    match = _BEGUN.apply(RoundDealt(deck))
    while moves := match.legal_moves():
        match = match.apply(match.event_of(moves[choose(len(moves))]))
    return match


def measure(rounds: int) -> Rounds:
    """Play that many rounds on the engine and on the plain version in turn, and check that they are the same."""
    shuffle = random.Random(7)
    decks = [tuple(shuffle.sample(DECK, len(DECK))) for _ in range(rounds)]
    size = max(1, rounds // BATCHES)
    ours: list[float] = []
    theirs: list[float] = []
    for first in range(0, rounds, size):
        numbers = range(first, min(first + size, rounds))
        plain_decks = [[_plain(card) for card in decks[n]] for n in numbers]
        began = time.process_time()
        played = [play_round(decks[n], RandomChoice(n)) for n in numbers]
        between = time.process_time()
        plainly = [subsets.play_round(deck, RandomChoice(n)) for n, deck in zip(numbers, plain_decks, strict=True)]
        ended = time.process_time()
        ours.append((between - began) / len(numbers))
        theirs.append((ended - between) / len(numbers))
        for match, (piles, escobas) in zip(played, plainly, strict=True):
            if match.round is None or not _same(match.round, piles, escobas):
                raise AssertionError("the engine and the plain round disagree")
    found = _positions(decks[:size])
    return Rounds(
        rounds,
        1 / median(ours),
        1 / median(theirs),
        median(plain / engine for plain, engine in zip(theirs, ours, strict=True)),
        _search(found),
        _search([each for each in found if len(each[1]) > 7] or found),
    )


def _plain(card: Card) -> subsets.PlainCard:
    return card.worth, card.suit.value


def _same(played: Round, piles: list[set[subsets.PlainCard]], escobas: list[int]) -> bool:
    ours = [{_plain(card) for card in pile} for pile in played.piles]
    return ours == piles and list(played.escobas) == escobas


def _positions(decks: list[tuple[Card, ...]]) -> list[tuple[Card, CardSet]]:
    """Every card in hand at every turn, with the table at that moment."""
    found: list[tuple[Card, CardSet]] = []
    for number, deck in enumerate(decks):
        choose = RandomChoice(number)
        match = _BEGUN.apply(RoundDealt(deck))
        while moves := match.legal_moves():
            now = match.round
            assert now is not None
            found += [(card, now.table) for card in now.hands[now.turn]]
            match = match.apply(match.event_of(moves[choose(len(moves))]))
    return found


def _search(positions: list[tuple[Card, CardSet]]) -> float:
    """How many times longer trying subsets takes than the engine's look-up, after a first pass of both."""
    plain = [(_plain(card), [_plain(each) for each in table]) for card, table in positions]
    ratios: list[float] = []
    for _ in range(4):
        began = time.process_time()
        for card, table in positions:
            captures(RULES.capture, card, table)
        between = time.process_time()
        for card, table in plain:
            subsets.captures(card, table)
        ratios.append((time.process_time() - between) / (between - began))
    return median(ratios[1:])
