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
from bot.players.greed import SHIFT, TOTAL, Style, count_by_worth, style_of
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
        places: by seat, where its hidden cards begin and end in an order of the unseen cards.
    """

    __slots__ = ("_plays", "_risks")

    def __init__(self, view: SeatView, style: Style, places: Mapping[int, tuple[int, int]]) -> None:
        # For each play: the places of the player's hidden cards, and how plausible the play is if there are none, and
        # if a card is among them.
        self._plays: list[tuple[int, int, float, list[float]]] = []
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
            best = max([made, *(worths[index] for index in held)])
            fits = [_fit(made - max(best, worth)) for worth in worths]
            self._plays.append((*places.get(play.seat, (0, 0)), _fit(made - best), fits))
            held.append(play.card.index)

    def __bool__(self) -> bool:
        return bool(self._plays)

    def _worth(self, style: Style, table: int, index: int) -> int:
        """Compute the worth of playing a card on that table: its best capture, or else laying it."""
        look = style.greed.look(table)
        goal = style.greed.goals[index]
        if (group := look[goal]) > 0:
            return (group >> SHIFT) + style.takes[index] + self._risks[look[TOTAL] - goal]
        return self._worth_of_laying(style, table, index)

    def _worth_of_laying(self, style: Style, table: int, index: int) -> int:
        return style.lays[index] + self._risks[style.greed.look(table)[TOTAL] + WORTHS[index]]

    def plausibility(self, cards: Sequence[int]) -> float:
        """Compute how plausible the plays are with the unseen cards in this order; 1 if every play was the best one."""
        found = 1.0
        for start, end, alone, fits in self._plays:
            found *= min([fits[index] for index in cards[start:end]]) if end else alone
        return found


def _fit(lead: int) -> float:
    """Compute how plausible a play is that is better by `lead` than the player's other cards, or worse if negative."""
    return FLOOR + (1 - FLOOR) * exp(lead / DOUBT)


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

    The others hold some of the `unseen` cards; `stock` is how many of these are still to be dealt. `places` tells, for
    each seat that holds any (if its hand was sung, it lies open), where they begin and end in an order of these cards.
    """

    __slots__ = ("base", "places", "stock", "unseen")

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
        self.unseen = _indexes(view.unseen)
        self.places: dict[int, tuple[int, int]] = {}
        dealt = 0
        for seat in ((view.seat + offset) % seats for offset in range(1, seats)):
            if count := public.hand_counts[seat] - len(base.hands[seat]):
                self.places[seat] = dealt, dealt + count
                dealt += count
        self.stock = len(self.unseen) - dealt
        base.deck = self.unseen  # until a draw puts them into hands
        base.count_unplayed()

    @property
    def left(self) -> int:
        """The number of cards that have yet to be played."""
        return len(self.unseen) + sum(map(len, self.base.hands))

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: no cards are left to deal, and only one other player holds any unseen ones."""
        return not self.stock and len(self.places) <= 1

    def sample_plausible(self, rng: Rng, reading: Reading) -> list[int]:
        """Draw an order of the unseen cards that fits the others' plays: one of `TRIES`, chosen by plausibility."""
        if not reading:
            cards = self.unseen.copy()
            shuffle(cards, rng)
            return cards
        dealt = len(self.unseen) - self.stock
        orders: list[list[int]] = []
        weights: list[float] = []
        for _ in range(TRIES):
            cards = self.unseen.copy()
            shuffle(cards, rng, 0, dealt)
            orders.append(cards)
            weights.append(reading.plausibility(cards))
        point = rng.random() * sum(weights)
        chosen = 0
        while chosen < TRIES - 1 and (point := point - weights[chosen]) >= 0:
            chosen += 1
        cards = orders[chosen]
        shuffle(cards, rng, dealt)
        return cards

    def with_cards(self, cards: list[int], now: FastRound | None = None) -> FastRound:
        """Return the round (or what a move made of `base`) with the unseen cards in this order: hands, then stock."""
        drawn = (now or self.base).copy()
        for seat, (start, end) in self.places.items():
            drawn.hands[seat] = cards[start:end]
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
        self._begun: dict[FastMove, FastRound] = {}
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
        return Reading(self._view, self.style, self.hidden.places)

    def draw(self, rng: Rng) -> list[int]:
        """Draw an order of the unseen cards at random, in line with the others' plays."""
        return self.hidden.sample_plausible(rng, self._reading)

    def after(self, move: FastMove, cards: list[int]) -> FastRound:
        """Return the round after a move, with the unseen cards in this order; if it ended a deal, nothing is dealt."""
        begun = self._begun.get(move)
        if begun is None:
            begun = self._begun[move] = self.hidden.base.copy()
            begun.make(move)
        return self.hidden.with_cards(cards, begun)
