"""Lessons: steps that each ask a question about a position, and the fault of each wrong answer to it.

A step is data. Its position is played out by the engine, so it is legal; what is wrong with an answer is derived from
the position, as a value that `bot.training.words.lessons` puts into a sentence.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet, Rank
from bot.engine.errors import EngineError
from bot.engine.match import Match, replay
from bot.engine.moves import Claim, Move, Play, captures, is_capture, target
from bot.engine.notation import parse_event
from bot.engine.rules import Capture, Duty
from bot.engine.scoring import SEVEN_OF_OROS, Item, ItemScore
from bot.engine.views import SeatView, seat_view

LEARNER: Final = 0
"""The seat of the person who learns; the other one is a computer's."""
NOBODY: Final = "none"
"""The answer that nobody gets an item's point."""
_CLAIM: Final = "claim"
_GLUE: Final = "-"


class Asks(StrEnum):
    """The kind of answer that a step asks for."""

    PARTNER = "partner"
    """The one table card that a card in hand takes."""
    CARD = "card"
    """A card in hand; the buttons don't say what it would do."""
    MOVE = "move"
    """A card in hand; the buttons say what it would do, as on a panel."""
    CAPTURE = "capture"
    """The capture by the card just shown."""
    PICK = "pick"
    """Cards on the table and the card that takes them, or a claim, found without help as on the panel of a preset
    whose players find captures themselves."""
    SIDE = "side"
    """The side that gets an item's point in a finished round."""
    POINTS = "points"
    """The learner's points in a finished round."""
    DEAL = "deal"
    """Nothing: the learner plays on to the end of the round."""


@dataclass(frozen=True, slots=True)
class Adds:
    """The cards don't add up. `printed`: they would if the played card counted as the number printed on it.

    `aim` is what they must add up to; where captures make fifteen, the played card is among the `terms`.
    """

    card: Card
    terms: tuple[Card, ...]
    aim: int
    printed: bool


@dataclass(frozen=True, slots=True)
class NothingFor:
    """The card takes nothing here: no cards add up to `need`."""

    card: Card
    need: int


@dataclass(frozen=True, slots=True)
class LaysInstead:
    """The card would be laid on the table though it (`itself`) or else another in hand takes something."""

    card: Card
    itself: bool
    claimable: bool


@dataclass(frozen=True, slots=True)
class ClaimFirst:
    """The answer plays a card while a capture that the `laid` card missed may be claimed."""

    laid: Card


@dataclass(frozen=True, slots=True)
class LeavesPart:
    """The answer takes only a part of the table, which adds up to `total`, although another capture sweeps it."""

    rest: CardSet
    total: int


@dataclass(frozen=True, slots=True)
class LeavesSeven:
    """The answer takes these cards and leaves the seven of oros on the table, although another capture takes it."""

    taken: CardSet


@dataclass(frozen=True, slots=True)
class Fewer:
    """The answer takes fewer cards than another capture, the played card included."""

    cards: int
    most: int


@dataclass(frozen=True, slots=True)
class Sweepable:
    """The answer leaves `total` on the table, which one card worth `need` sweeps."""

    total: int
    need: int


@dataclass(frozen=True, slots=True)
class Miscounted:
    """The item's point goes to somebody else, or to nobody."""

    item: ItemScore
    said: str


@dataclass(frozen=True, slots=True)
class Misadded:
    """The learner has a different number of points. `items` are those that give them some."""

    said: int
    items: tuple[ItemScore, ...]


Fault = (
    Adds | NothingFor | LaysInstead | ClaimFirst | LeavesPart | LeavesSeven | Fewer | Sweepable | Miscounted | Misadded
)
"""The fault of a wrong answer."""


@dataclass(frozen=True)
class LessonStep:
    """A question about a position.

    Attributes:
        key: the name under which the step's words are found.
        asks: the kind of answer it asks for.
        lines: the match up to the question, in the engine's notation.
        right: the right answers, the best first; empty if anything goes.
        card: the card in hand that the question is about, if any.
        item: the item of the score that the question is about, if any.
    """

    key: str
    asks: Asks
    lines: str = field(repr=False)
    right: tuple[str, ...] = ()
    card: Card | None = None
    item: Item | None = None

    @cached_property
    def match(self) -> Match:
        return replay(map(parse_event, self.lines.splitlines()))

    @property
    def view(self) -> SeatView:
        """The player's view."""
        return seat_view(self.match, LEARNER)

    @property
    def scored(self) -> ItemScore:
        """The item that the question is about, as the round scored it."""
        return next(item for item in self.match.scores[-1].items if item.item is self.item)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that have a button each."""
        view = self.view
        match self.asks:
            case Asks.PARTNER:
                assert self.card is not None, "it asks about a card"
                return tuple(named(Play(self.card, CardSet.of([card]))) for card in view.public.places if card)
            case Asks.CARD | Asks.MOVE:
                return tuple(card.notation for card in view.hand)
            case Asks.CAPTURE:
                return tuple(map(named, view.moves))
            case Asks.SIDE:
                return (*map(str, range(self.match.seating.sides)), NOBODY)
            case Asks.POINTS:
                points = self.match.scores[-1].points[LEARNER]
                return tuple(map(str, range(points - 1, points + 3)))
            case Asks.PICK | Asks.DEAL:
                return ()

    def move(self, answer: str) -> Move | None:
        """Find the move that an answer means, whether it is legal or not; None if the answer names none."""
        try:
            first, *others = answer.split(_GLUE)
            taken = CardSet.of(map(Card.parse, others))
            if first == _CLAIM:
                return Claim(taken)
            card = Card.parse(first)
        except EngineError:
            return None
        if self.asks in (Asks.CARD, Asks.MOVE) and not taken:
            taken = next(iter(captures(self.match.rules.capture, card, self.view.public.table)), EMPTY)
        return Play(card, taken)

    def accepts(self, answer: str) -> bool:
        """Whether an answer can be given here."""
        if self.asks is not Asks.PICK:
            return answer in self.answers
        view, move = self.view, self.move(answer)
        if isinstance(move, Play):
            return move.card in view.hand and move.captured <= view.public.table
        return move is not None and view.memory.claimable in move.captured and move.captured <= view.public.table

    def fault(self, answer: str) -> Fault | None:
        """Find the fault in an answer that is accepted; None if it is right."""
        if answer in self.right:
            return None
        match self.asks:
            case Asks.SIDE:
                return Miscounted(self.scored, answer)
            case Asks.POINTS:
                own = (item for item in self.match.scores[-1].items if item.points[LEARNER])
                return Misadded(int(answer), tuple(own))
            case _:
                move = self.move(answer)
                assert move is not None, "it was accepted"
                best, *others = self.right_moves
                return None if move == best or move in others else self._wrong(move, best)

    @property
    def right_moves(self) -> list[Move]:
        """The moves that are right, the best first."""
        return [move for answer in self.right if (move := self.move(answer)) is not None]

    def after(self, answer: str) -> Match:
        """Return the match after a right answer; unchanged if the answer isn't a move."""
        move = self.move(answer)
        if move is None or self.asks in (Asks.SIDE, Asks.POINTS):
            return self.match
        return self.match.apply(self.match.event_of(move))

    def _wrong(self, move: Move, best: Move) -> Fault:
        table, rule = self.view.public.table, self.match.rules.capture
        if isinstance(move, Play) and not move.captured:
            return self._wrongly_laid(move, best)
        card = _played(move, self.view.memory.claimable)
        others = move.captured.without(card)
        if not is_capture(rule, card, others):
            return _adds(rule, card, others)
        if isinstance(best, Claim) and isinstance(move, Play):
            return ClaimFirst(_played(best, self.view.memory.claimable))
        if not best.table_after(table) and (rest := move.table_after(table)):
            return LeavesPart(rest, table.worth)
        if SEVEN_OF_OROS in best.gained and SEVEN_OF_OROS not in move.gained:
            return LeavesSeven(others)
        return Fewer(len(move.gained), len(best.gained))

    def _wrongly_laid(self, move: Play, best: Move) -> Fault:
        rule = self.match.rules.capture
        if isinstance(best, Claim):
            return ClaimFirst(_played(best, self.view.memory.claimable))
        if best.captured:
            if self.asks is Asks.CARD:
                return NothingFor(move.card, target(rule, move.card.worth))
            itself = bool(captures(self.match.rules.capture, move.card, self.view.public.table))
            return LaysInstead(move.card, itself, itself and self.match.rules.duty is Duty.CLAIMABLE)
        total = move.table_after(self.view.public.table).worth
        need = target(rule, total)
        assert Rank.ACE <= need <= Rank.REY, "what is wrong with it is that it can be swept"
        return Sweepable(total, need)


@dataclass(frozen=True)
class Lesson:
    """A lesson, named after the rule system that it teaches."""

    name: str
    steps: tuple[LessonStep, ...]

    def __len__(self) -> int:
        return len(self.steps)


def named(move: Move) -> str:
    """Write a move as an answer: "5c" lays it, "5c-3o-7e" takes two cards with it, "claim-3o-7e-5c" claims them."""
    first = move.card.notation if isinstance(move, Play) else _CLAIM  # no lesson is about singing
    return _GLUE.join((first, *(card.notation for card in move.captured)))


def _played(move: Move, claimable: Card | None) -> Card:
    """Return the card that takes the others: in a claim, the one that was laid."""
    if isinstance(move, Play):
        return move.card
    assert claimable is not None, "there is something to claim"
    return claimable


def _adds(rule: Capture, card: Card, others: CardSet) -> Adds:
    fifteen = rule is Capture.FIFTEEN
    terms = (card, *others) if fifteen else tuple(others)
    aim = target(rule, 0) if fifteen else card.worth
    printed = fifteen and card.printed + others.worth == aim
    return Adds(card, terms, aim, printed)
