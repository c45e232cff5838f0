"""Looking ahead: the hidden cards as others' moves make them likely, and how a round may go on.

The others' hands are inferred from their plays: a draw in which somebody passed up a good move is less likely. For each
play in this deal we know the table before it, and so what the greedy way would make of any card there. A drawn hand
makes a play plausible if none of its other cards would have been much better.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import exp
from typing import Final

from bot.engine.cards import SUNG_CARDS, CardSet, canto_points
from bot.engine.facts import CaptureClaimed
from bot.engine.moves import Claim, Move, Sing
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.players.counting import WORTHS
from bot.players.fast_round import CLAIM, SING, FastMove, FastRound
from bot.players.greed import SHIFT, Style, count_by_worth, style_of
from bot.players.outlook import WEIGHTS, Outlook, most_cards_are_won
from bot.players.rng import Rng, shuffle

DOUBT: Final = 80.0
"""Thousandths of a point: a play that is worse than the best by this much is e times less likely."""
FLOOR: Final = 0.1
"""The plausibility of even the worst play: people have their reasons."""


class Reading:
    """The others' plays in this deal; falsy if there are none.

    Args:
        view: the view of the seat at turn.
        style: the greedy style that everybody is assumed to follow.
    """

    __slots__ = ("_plays", "_risks")

    def __init__(self, view: SeatView, style: Style) -> None:
        # For each play: the seat, what each card would have been worth, what the played card was worth, and the
        # highest worth among it and the cards that the player held then but has played since.
        self._plays: list[tuple[int, list[int], int, int]] = []
        self._risks = _risks(view, style)
        since: dict[int, list[int]] = {}
        table = view.public.table.mask
        for play in reversed(view.memory.plays):
            if isinstance(play, CaptureClaimed):
                table |= play.captured.mask | play.card.bit
                continue
            table = table | play.captured.mask if play.captured else table & ~play.card.bit
            if play.seat == view.seat or view.public.shown[play.seat]:
                continue  # there is nothing to infer about an open hand
            worths = [self._worth(style, table, index) for index in range(len(WORTHS))]
            made = worths[play.card.index] if play.captured else self._worth_of_laying(style, table, play.card.index)
            held = since.setdefault(play.seat, [])
            self._plays.append((play.seat, worths, made, max([made, *(worths[index] for index in held)])))
            held.append(play.card.index)

    def __bool__(self) -> bool:
        return bool(self._plays)

    def _worth(self, style: Style, table: int, index: int) -> int:
        """Compute the worth of playing a card on that table: its best capture, or else laying it."""
        look = style.greed.look(table)
        goal = style.greed.goals[index]
        if (group := look[goal]) > 0:
            return (group >> SHIFT) + style.takes[index] + self._risks[look[-1] - goal]
        return self._worth_of_laying(style, table, index)

    def _worth_of_laying(self, style: Style, table: int, index: int) -> int:
        return style.lays[index] + self._risks[style.greed.look(table)[-1] + WORTHS[index]]

    def plausibility(self, hands: Mapping[int, Sequence[int]]) -> float:
        """Compute how plausible the plays are if these are the hands now; 1 if every play was the best one."""
        found = 1.0
        for seat, worths, made, best in self._plays:
            for index in hands.get(seat, ()):
                if worths[index] > best:
                    best = worths[index]  # noqa: PLW2901 - the best of this play
            found *= FLOOR + (1 - FLOOR) * exp((made - best) / DOUBT)
        return found


def _risks(view: SeatView, style: Style) -> list[int]:
    """Compute the cost of leaving each sum, by the number of unseen cards that could sweep it."""
    others = sum(len(shown) for seat, shown in enumerate(view.public.shown) if seat != view.seat)
    rest = len(view.unseen) + others + len(view.hand) + (view.public.laid is not None)
    unseen = count_by_worth(card.index for card in view.unseen)
    return [style.risks[rest][unseen[need]] for need in style.needs]


TRIES: Final = 5
"""Draws made to choose one from, if the others' plays say something about their hands."""


class Hidden:
    """A view's round without its hidden cards.

    The others hold some of the `unseen` cards; `stock` is how many of these are still to be dealt. `others` are the
    other seats in play order, and `counts` how many unseen cards each seat holds: none if its hand was sung, and lies
    open.
    """

    __slots__ = ("base", "counts", "others", "stock", "unseen")

    def __init__(self, view: SeatView) -> None:
        public, memory = view.public, view.memory
        seats = public.seating.seats
        self.base = base = FastRound(public.rules, public.seating, public.dealer)
        held = view.hand if public.laid is None else view.hand.with_card(public.laid)
        base.hands = [_indexes(shown) for shown in public.shown]
        base.hands[view.seat] = _indexes(held)
        base.shown = sum(1 << seat for seat, shown in enumerate(public.shown) if shown)
        base.sings = public.rules.cantos and public.rules.hands(public.seating)[public.deal - 1] == SUNG_CARDS
        base.cantos = [canto_points(sung) for sung in public.cantos]
        base.table = public.table.mask
        base.piles = [pile.mask for pile in memory.piles]
        base.escobas = list(public.escobas)
        if memory.last_taker is not None:
            base.taker = public.seating.side_of(memory.last_taker)
        base.turn = view.seat
        if memory.claimable is not None:
            base.claimable = memory.claimable.index
        self.others = [(view.seat + offset) % seats for offset in range(1, seats)]
        self.counts = [held - len(shown) for held, shown in zip(public.hand_counts, public.shown, strict=True)]
        self.unseen = _indexes(view.unseen)
        self.stock = len(self.unseen) - sum(self.counts[seat] for seat in self.others)
        base.deck = self.unseen  # until a draw puts them into hands
        base.count_unplayed()

    @property
    def left(self) -> int:
        """The number of cards that have yet to be played."""
        return len(self.unseen) + sum(map(len, self.base.hands))

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: no cards are left to deal, and only one other player holds any unseen ones."""
        return not self.stock and sum(self.counts[seat] > 0 for seat in self.others) <= 1

    def sample_plausible(self, rng: Rng, reading: Reading) -> FastRound:
        """Draw a random round that fits the others' plays: one of `TRIES` draws, chosen by plausibility."""
        if not reading:
            cards = self.unseen.copy()
            shuffle(cards, rng)
            return self.with_cards(cards)
        dealt = len(self.unseen) - self.stock
        orders: list[list[int]] = []
        weights: list[float] = []
        for _ in range(TRIES):
            cards = self.unseen.copy()
            shuffle(cards, rng, 0, dealt)
            orders.append(cards)
            weights.append(reading.plausibility(self._hands(cards)))
        point = rng.random() * sum(weights)
        chosen = 0
        while chosen < TRIES - 1 and (point := point - weights[chosen]) >= 0:
            chosen += 1
        cards = orders[chosen]
        shuffle(cards, rng, dealt)
        return self.with_cards(cards)

    def _hands(self, cards: list[int]) -> dict[int, list[int]]:
        """Return the others' hands by seat, if the unseen cards are dealt in this order."""
        hands: dict[int, list[int]] = {}
        start = 0
        for seat in self.others:
            if not (count := self.counts[seat]):
                continue
            hands[seat] = cards[start : start + count]
            start += count
        return hands

    def with_cards(self, cards: list[int]) -> FastRound:
        """Return the round with the unseen cards in this order: the others' hands in play order, then the stock."""
        drawn = self.base.copy()
        for seat, hand in self._hands(cards).items():
            drawn.hands[seat] = hand
        drawn.deck = cards[len(cards) - self.stock :]
        return drawn


def _indexes(cards: CardSet) -> list[int]:
    return [card.index for card in cards]


def fast_move(move: Move) -> FastMove:
    """Write a move in the form that `FastRound` uses."""
    if isinstance(move, Claim):
        return CLAIM, move.captured.mask
    if isinstance(move, Sing):
        return SING, 0
    return move.card.index, move.captured.mask


Stop = Callable[[], bool]
"""A function that is called now and then, and returns whether to end early with what has been found."""

CANDIDATES: Final = 12
"""The most moves that are tried: those that the normal level likes best."""
SOLVED_OPEN: Final = 6
"""The most cards left, none of them hidden, with which every line of play is searched."""
SOLVED_HIDDEN: Final = {Duty.COMPULSORY: 6, Duty.CLAIMABLE: 4, Duty.OPTIONAL: 4}
"""The same for each draw of hidden cards; where captures may be missed there are many more lines."""
SOLVED_WORK: Final = 12
"""The cost of solving a draw, in roll-outs."""


def never() -> bool:
    return False


class Lookahead:
    """A seat's decision: its moves as the normal level values them, and what is hidden from it.

    `prior` has the normal level's value of each move; `moves` are ordered by it, best first. `open_end` means that
    nothing is hidden and few cards are left; `solvable` that each draw of the hidden cards can be searched completely.
    """

    def __init__(self, view: SeatView) -> None:
        public = view.public
        self._view = view
        self.hidden = hidden = Hidden(view)
        self.side = public.seating.side_of(view.seat)
        worth = Outlook.from_view(view, WEIGHTS).worth
        self.prior = {move: worth(move) for move in view.moves}
        self.moves = sorted(view.moves, key=lambda move: -self.prior[move])
        self.open_end = hidden.open and hidden.left <= SOLVED_OPEN
        self.solvable = self.open_end or (not hidden.stock and hidden.left <= SOLVED_HIDDEN[public.rules.duty])

    @cached_property
    def style(self) -> Style:
        """The playing style of roll-outs."""
        public = self._view.public
        return style_of(public.rules, public.seating, most_cards_won=most_cards_are_won(public))

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self._view, self.style)

    def revealed(self) -> FastRound:
        """Return the round, when nothing is hidden."""
        return self.hidden.with_cards(self.hidden.unseen)

    def draw(self, rng: Rng) -> FastRound:
        """Draw a round with the hidden cards at random, in line with the others' plays."""
        return self.hidden.sample_plausible(rng, self._reading)
