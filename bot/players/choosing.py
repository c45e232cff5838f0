"""The choice of a move at each level.

The hard level simulates the round to its end many times, with plausible hidden cards. Each draw of the hidden cards is
tried with every move still in question, so that they share the same luck; the worse half of the moves is dropped from
time to time. How many draws there are depends on no clock, so the same seed makes the same move.
The last deal of two players hides nothing, and is solved.

A forecast gives each side's chance of every point of a round that is still open, from its piles. It values a roll-out
that stops early. Such a roll-out is shorter, and later luck doesn't drown out what the move does now. A card that isn't
in a pile is assumed to be equally likely to go to either of the two sides. Cards arrive several at a time, so that
their total number varies more than it would if they came singly.

"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt, tanh
from typing import Final

from bot.engine.cards import FULL, Rank
from bot.engine.moves import Move, Sing
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, Item, MostOf
from bot.engine.views import SeatView
from bot.players.characters import PERSONAS, Character, Level, preferred
from bot.players.counting import larger_from
from bot.players.fast_round import FastMove, Met
from bot.players.last_deal import margin, solved
from bot.players.lookahead import CANDIDATES, SOLVED_WORK, Hidden, Lookahead, Stop, fast_move, never
from bot.players.outlook import WEIGHTS, Outlook
from bot.players.rng import Rng

Forecast = Callable[[Sequence[int], Sequence[int]], float]
"""A function that maps two sides' piles (masks) and escobas to the first side's expected lead at the end, in points."""

AT_A_TIME: Final = 3
"""Cards that arrive together."""
PRIME_STEPS: Final = {Rank.SEVEN: 8, Rank.SIX: 4, Rank.ACE: 2, Rank.FIVE: 1}
"""The help of one more card of a rank with the prime, as measured in greedy play."""
PRIME_EARLY: Final = 0.045
"""The contribution of a step to deciding the prime while few cards have been captured."""
PRIME_LATE: Final = 0.085
"""The same when nearly all have been."""
_STEPS: Final = [(FULL.of_rank(rank).mask, step) for rank, step in PRIME_STEPS.items()]
_CARDS: Final = 40


@lru_cache(maxsize=8)
def forecaster(rules: Rules) -> Forecast:
    """Make a function that forecasts the lead between two sides under `rules`."""
    cards = _leads_of(MOST_OF[Item.CARDS], rules)
    others = [
        (most.cards.mask, _leads_of(most, rules))
        for item, most in MOST_OF.items()
        if item is not Item.CARDS and most.scored(rules)
    ]
    has_prime = rules.prime is not Prime.NONE
    primes = [PRIME_LATE + (PRIME_EARLY - PRIME_LATE) * rest / _CARDS for rest in range(_CARDS + 1)]

    def forecast(piles: Sequence[int], escobas: Sequence[int]) -> float:
        first, second = piles
        many, more = first.bit_count(), second.bit_count()
        found = escobas[0] - escobas[1] + cards[many][more]
        for mask, leads in others:
            found += leads[(first & mask).bit_count()][(second & mask).bit_count()]
        if has_prime:
            steps = 0
            for mask, step in _STEPS:
                steps += step * ((first & mask).bit_count() - (second & mask).bit_count())
            found += tanh(primes[_CARDS - many - more] * steps)
        return found

    return forecast


def _leads_of(most: MostOf, rules: Rules) -> list[list[float]]:
    total = len(most.cards)
    at_a_time = AT_A_TIME if total == _CARDS else 1
    return _expected_leads(total, larger_from(most, rules), at_a_time, int(most.point(rules)))


def _expected_leads(total: int, larger: int, at_a_time: int, most: int) -> list[list[float]]:
    """Compute the first side's expected lead from an item, by how many of its `total` cards each of the two sides has.

    Args:
        total: the number of cards there are.
        larger: the amount from which a side scores one point more.
        at_a_time: the number of cards that arrive together.
        most: the points for the most cards.
    """

    def points(own: int, other: int) -> int:
        if own <= other:
            return 0
        return most + (own >= larger)

    def mean(own: int, other: int) -> float:
        rest = total - own - other
        parts = [at_a_time] * (rest // at_a_time) + ([rest % at_a_time] if rest % at_a_time else [])
        ways = {0: 1}
        for part in parts:
            following: dict[int, int] = {}
            for gained, number in ways.items():
                following[gained] = following.get(gained, 0) + number
                following[gained + part] = following.get(gained + part, 0) + number
            ways = following
        found = sum(
            number * (points(own + gained, other + rest - gained) - points(other + rest - gained, own + gained))
            for gained, number in ways.items()
        )
        return found / 2 ** len(parts)

    return [[mean(own, other) for other in range(total - own + 1)] for own in range(total + 1)]


WORK: Final = 100_000
"""Most that a search may cost, in the units of `_roll_outs`; about 15 to 30 ms."""
MOST: Final = 1_500
"""Most roll-outs that are worth making: more find nothing new."""
PRIOR: Final = 6.0
"""Draws that the normal level's opinion of a move counts as."""
LEAST: Final = 16
"""Draws with the last two moves before a search may end early."""
SURELY: Final = 4.0
"""Standard deviations of what the remaining draws may change (each by a point at least) for the choice to be sure."""
AHEAD: Final = 1
"""Deals after the current one that a roll-out plays between two players; the rest is forecast."""
_TWO: Final = 2


def think(
    view: SeatView, rng: Rng, *, character: Character | None = None, effort: float = 1.0, stop: Stop = never
) -> Move:
    """Find the best move for the seat at turn, which must have at least two.

    Args:
        view: the seat's view.
        rng: the source of randomness.
        character: decides between moves that are practically equal; None: chance decides.
        effort: the fraction of the usual work to do.
        stop: ends the search early; the result then depends on when that happens.
    """
    ahead = Lookahead(view)
    if ahead.open_end:
        state = ahead.hidden.with_cards(ahead.hidden.unseen)
        worths = [solved(state, fast_move(move), ahead.side) for move in ahead.moves]
        return preferred(view, ahead.moves, worths, character)
    roll_outs = max(1, round(effort * _roll_outs(ahead.hidden)))
    freedom = 0.0 if character is None else PERSONAS[character].freedom
    found, worths = _Search(view, ahead, freedom).best(rng, roll_outs, stop)
    return preferred(view, found, worths, character)


class _Search:
    def __init__(self, view: SeatView, ahead: Lookahead, freedom: float) -> None:
        self._ahead = ahead
        self._freedom = freedom
        self._moves = ahead.moves[:CANDIDATES]
        self._numbers = [fast_move(move) for move in self._moves]
        self._prior = [ahead.prior[move] for move in self._moves]
        self._until = _until(ahead.hidden)
        self._forecast = forecaster(view.public.rules)
        self._sums = [0.0] * len(self._moves)
        self._drawn = 0
        self._squares: list[float] = []  # of the differences between the last two moves

    def best(self, rng: Rng, roll_outs: int, stop: Stop) -> tuple[list[Move], list[float]]:
        """Find the two moves that remain after dropping the worse half again and again, and the worth of each."""
        tried = list(range(len(self._moves)))
        if self._ahead.solvable:
            roll_outs //= SOLVED_WORK
        stages = max(1, (len(tried) - 1).bit_length())
        for stage in range(stages):
            if stage:
                tried.sort(key=self._worth, reverse=True)
                del tried[(len(tried) + 1) // 2 :]
            for left in reversed(range(max(1, roll_outs // (stages * len(tried))))):
                self._try(tried, rng)
                if stop() or self._is_sure(tried, left):
                    break
        return [self._moves[index] for index in tried], [self._worth(index) for index in tried]

    def _try(self, tried: list[int], rng: Rng) -> None:
        """Play each of the moves once, with the same hidden cards."""
        cards, met = self._ahead.draw(rng), Met()
        outcomes = [self._outcome(cards, self._numbers[index], met) for index in tried]
        for index, outcome in zip(tried, outcomes, strict=True):
            self._sums[index] += outcome
        self._drawn += 1
        if len(tried) == _TWO:
            self._squares.append((outcomes[0] - outcomes[1]) ** 2)

    def _is_sure(self, tried: list[int], left: int) -> bool:
        """Whether the choice between the last two moves can't be expected to change with `left` more draws."""
        if len(self._squares) < LEAST or left % 4:  # to look less often, as this takes a while
            return False
        spread = sqrt(left * max(1.0, sum(self._squares) / len(self._squares)))
        lead = abs(self._worth(tried[0]) - self._worth(tried[1])) * (self._drawn + PRIOR)
        return lead - SURELY * spread > self._freedom * (self._drawn + left + PRIOR)

    def _outcome(self, cards: list[int], move: FastMove, met: Met) -> float:
        side = self._ahead.side
        if self._ahead.solvable:
            return solved(self._ahead.hidden.with_cards(cards), move, side)
        after = self._ahead.after(move, cards)
        after.go_on(self._ahead.style, self._until, met)
        if self._until:
            lead = self._forecast(after.piles, after.escobas) + after.cantos[0] - after.cantos[1]
            return lead if side == 0 else -lead
        return margin(after.points(), side)

    def _worth(self, index: int) -> float:
        return (self._sums[index] + PRIOR * self._prior[index]) / (self._drawn + PRIOR)


def _roll_outs(hidden: Hidden) -> int:
    """Compute the number of roll-outs a search makes; one costs more the more cards it plays and chooses from."""
    hand = max(hidden.base.sizes.values())
    cost = 2 * (4 + hand) if hidden.base.seats == _TWO else 3 + hand  # between two players, replies count
    return min(MOST, WORK // ((hidden.left - _until(hidden)) * cost))


def _until(hidden: Hidden) -> int:
    """Compute the number of cards still unplayed when a roll-out ends."""
    if hidden.base.seats != _TWO:
        return 0
    size = hidden.base.sizes.get(hidden.stock, 0)
    return max(0, hidden.stock - AHEAD * size * _TWO)


@dataclass(frozen=True, slots=True)
class _Skill:
    """The skill of a level: whether it looks ahead, how often it overlooks a capture, how noisy its judgement is, and
    how often it sings what it can, unless its character has a rate of its own."""

    looks_ahead: bool
    overlooks: float
    noise: float
    sings: float


_SKILLS: Final = {
    # The noise only breaks ties, so that the level doesn't always pick the same one of equal moves.
    Level.NORMAL: _Skill(looks_ahead=True, overlooks=0.0, noise=1e-6, sings=1.0),
    # Overlooking a quarter shows without looking silly; noise of a fifth of a point hides an oro, not an escoba.
    Level.EASY: _Skill(looks_ahead=False, overlooks=0.25, noise=0.2, sings=0.6),
}


def choose(
    view: SeatView,
    level: Level,
    rng: Rng,
    *,
    character: Character | None = None,
    effort: float = 1.0,
    stop: Stop = never,
) -> Move:
    """Choose a legal move of `view`; the same one for the same view, level, character, effort and state of `rng`.

    After a card has been laid, the legal moves are its captures. With a compulsory duty no legal move misses a capture
    of the card it plays, so the easy level can overlook one only by playing another card (RULES.md, decision 2).

    Args:
        view: the view of the seat at turn.
        level: the skill to play with.
        rng: the source of randomness.
        character: decides between moves that the level considers practically equal; None: chance decides.
        effort: the fraction of its usual work that the hard level does; the others do next to none.
        stop: ends the hard level's search early; the move then depends on when that happens.

    Raises:
        ValueError: if the seat has no legal move because it isn't its turn.
    """
    if not view.moves:
        raise ValueError("there is no legal move to choose from")
    if level is Level.HARD:
        if len(view.moves) == 1:
            return view.moves[0]
        return think(view, rng, character=character, effort=effort, stop=stop)
    skill, moves = _SKILLS[level], view.moves
    if isinstance(moves[0], Sing):
        if rng.random() < (skill.sings if character is None else PERSONAS[character].sings / 12):
            return moves[0]
        moves = moves[1:]
    moves = _noticed(moves, skill.overlooks, rng)
    if len(moves) == 1:
        return moves[0]
    outlook = Outlook.from_view(view, WEIGHTS)
    judge = outlook.worth if skill.looks_ahead else outlook.gain
    return preferred(view, moves, [judge(move) + skill.noise * rng.random() for move in moves], character)


def _noticed(moves: Sequence[Move], overlooks: float, rng: Rng) -> Sequence[Move]:
    """Drop the moves that a player overlooks: never one that lays a card, perhaps a capture or a claim."""
    if not overlooks:
        return moves
    return [move for move in moves if not move.captured or rng.random() >= overlooks] or moves
