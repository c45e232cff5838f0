"""Reasons why one move is better than another: facts about a seat's view, which training puts into words.

Each can be checked against the view and the ratings alone. What roll-outs have only measured is given as a measurement.
"""

from dataclasses import dataclass

from bot.coach.analysis import Term
from bot.engine.cards import Canto, Card, CardSet
from bot.engine.moves import Move
from bot.engine.scoring import Item


@dataclass(frozen=True, slots=True)
class Sweeps:
    """The move is an escoba."""


@dataclass(frozen=True, slots=True)
class Sings:
    """The move sings the hand, which scores at once."""

    cantos: tuple[Canto, ...]


@dataclass(frozen=True, slots=True)
class TakesLast:
    """The move leads to the latest capture more often than the other move.

    `certain`: with the best play of both sides it does, the other doesn't, and there will be leftovers to win.
    """

    certain: bool


@dataclass(frozen=True, slots=True)
class Brings:
    """The move captures `cards`: for each of `items`, more cards that count than the other move captures; if
    no move is worse, at least as many as any."""

    items: tuple[Item, ...]
    cards: CardSet


@dataclass(frozen=True, slots=True)
class MostCards:
    """The move captures this many cards, the played one included; no other move captures as many."""

    count: int


@dataclass(frozen=True, slots=True)
class Keeps:
    """The move keeps a card in hand that the other move would lay on the table."""

    card: Card


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """The move leaves a table of this sum, from which no card that the player hasn't seen can capture anything."""

    total: int


@dataclass(frozen=True, slots=True)
class Unswept:
    """The move leaves a table of this sum, which no card can sweep.

    `need` is the worth that would sweep it if such a card were still out; None if there is no such worth. `in_hand`:
    such cards are still out, but none is in the other player's open hand.
    """

    total: int
    need: int | None
    in_hand: bool = False


@dataclass(frozen=True, slots=True)
class AllSafe:
    """No move leaves a table that a card of the others sweeps."""


@dataclass(frozen=True, slots=True)
class FewSweep:
    """The move leaves a table of this sum, which `out` unseen cards can sweep: fewer than after the other move.

    `least`: no move at all leaves fewer.
    """

    total: int
    out: int
    least: bool = False


@dataclass(frozen=True, slots=True)
class LeavesRest:
    """Any capture by the other player leaves a rest that adds up to `rest`, which a card worth `need` sweeps.

    `card` is such a card in hand; None if it would have to be dealt.
    """

    rest: int
    need: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Trap:
    """From the table that the move leaves, a card worth `worth` captures `group` and nothing else; that leaves `rest`,
    which `card`, in hand, sweeps."""

    worth: int
    group: CardSet
    rest: int
    card: Card


@dataclass(frozen=True, slots=True)
class Guards:
    """`out` cards that others may play can capture one of `cards`, which the move leaves on the table.

    After the other move, `against` cards can; None if no move at all leaves fewer. `everything`: `cards` is the whole
    table.
    """

    cards: CardSet
    out: int
    against: int | None
    everything: bool = False


@dataclass(frozen=True, slots=True)
class AtMost:
    """The next player can capture at most `most` cards of the table; after the other move `against`, after no move
    fewer if it is None."""

    most: int
    against: int | None


@dataclass(frozen=True, slots=True)
class Waits:
    """A sweep to wait for: once a card worth `worth`, which captures nothing, is laid on the table that the move
    leaves, `card`, in hand, takes all."""

    worth: int
    card: Card


@dataclass(frozen=True, slots=True)
class Chances:
    """`out` cards that others may play capture nothing from the table that the move leaves, but let a card in hand
    capture if they are laid there; after the other move, this goes for `against` cards (None: after no move for more).
    """

    out: int
    against: int | None


@dataclass(frozen=True, slots=True)
class FewCollect:
    """`out` cards that others may play, and that count for `item` themselves, can capture something from the table that
    the move leaves; after the other move `against`."""

    item: Item
    out: int
    against: int


@dataclass(frozen=True, slots=True)
class Farther:
    """The move leaves a table of this sum; after the other move it is `against`, which is less, and no card sweeps
    either."""

    total: int
    against: int


@dataclass(frozen=True, slots=True)
class Prepares:
    """The move leaves `cards` on the table, which `card`, in hand, could capture next time; `escoba`: they are all."""

    card: Card
    cards: CardSet
    escoba: bool = False


@dataclass(frozen=True, slots=True)
class Gains:
    """Over all draws the move came out this many points ahead of the other move: in this term, or on the whole.

    `seen`: the player knows where the card is that the term is about.
    """

    term: Term | None
    points: float
    seen: bool = False


@dataclass(frozen=True, slots=True)
class EndsBetter:
    """With the best play of both sides the move ends the round this many points ahead of the other move."""

    points: int


@dataclass(frozen=True, slots=True)
class NothingBetter:
    """With the best play of both sides no move ends the round better."""


Reason = (
    Sweeps
    | Sings
    | TakesLast
    | Brings
    | MostCards
    | Keeps
    | OutOfReach
    | Unswept
    | AllSafe
    | FewSweep
    | LeavesRest
    | Trap
    | Guards
    | AtMost
    | Waits
    | Chances
    | FewCollect
    | Farther
    | Prepares
    | Gains
    | EndsBetter
    | NothingBetter
)


@dataclass(frozen=True, slots=True)
class TableAfter:
    """The table that a move leaves.

    `total` is its sum, `need` the worth of a card that would sweep it (None if none would), and `out` how many such
    cards the others may hold: see `bot.coach.explaining.theirs`.
    """

    total: int
    need: int | None
    out: int


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons why a move is better than another.

    `reasons` has the most important first; it is empty if none was found. `danger` is the table that the other move
    would have left, if the escobas it allows are what is wrong with it. `known`: the player could tell every card in
    the only other hand. `exact`: every line of play was searched, too. `other` is the move that it was compared with.
    """

    reasons: tuple[Reason, ...]
    danger: TableAfter | None = None
    known: bool = False
    exact: bool = False
    other: Move | None = None
