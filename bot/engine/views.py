"""The views of a match that one seat, or everybody, may have. Renderers and computer players get views, never the
state."""

from dataclasses import dataclass

from bot.engine.cards import EMPTY, FULL, Canto, Card, CardSet
from bot.engine.facts import CaptureClaimed, CardPlayed, Fact
from bot.engine.match import Match
from bot.engine.moves import Move, Places, Stage
from bot.engine.rules import Rules, Seating
from bot.engine.scoring import RoundScore


@dataclass(frozen=True, slots=True)
class PublicView:
    """The part of a match that everybody at the table sees.

    `hand_counts` and `shown` are indexed by seat; `pile_counts`, `escobas`, `cantos` and `totals` by side. `places`
    shows where the cards of `table` lie, `shown` the cards in hands that have lain open since they were sung.
    """

    rules: Rules
    seating: Seating
    version: int
    stage: Stage
    round_number: int
    dealer: int
    deal: int
    deals: int
    turn: int | None
    table: CardSet
    places: Places
    laid: Card | None
    choices: tuple[CardSet, ...]
    hand_counts: tuple[int, ...]
    shown: tuple[CardSet, ...]
    pile_counts: tuple[int, ...]
    escobas: tuple[int, ...]
    cantos: tuple[tuple[Canto, ...], ...]
    totals: tuple[int, ...]
    match_escobas: tuple[int, ...]
    scores: tuple[RoundScore, ...]
    winner: int | None
    facts: tuple[Fact, ...]
    recent: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """A perfect memory of the round: things that were shown openly, and nothing else.

    `piles` are the captured cards by side, `last_taker` is the seat of the latest capture, `plays` are this deal's
    plays and claims in order. `claimable` is the card that has just missed a capture, while it may be claimed.
    """

    piles: tuple[CardSet, ...]
    last_taker: int | None = None
    plays: tuple[CardPlayed | CaptureClaimed, ...] = ()
    claimable: Card | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat's view: the public view, its hand, and its legal moves when it is the seat's turn.

    `unseen` are the cards in other hands or in the stock that nobody has shown this round: they have neither been on
    the table nor been sung. Computer players may use it and `memory`, as a person with a good memory would. No screen
    of a running match shows either.
    """

    public: PublicView
    seat: int
    hand: CardSet
    moves: tuple[Move, ...]
    unseen: CardSet
    memory: Memory

    @property
    def has_turn(self) -> bool:
        return self.public.turn == self.seat


def public_view(match: Match) -> PublicView:
    """Return what everybody may see of `match`."""
    now = match.round
    seats, sides = match.seating.seats, match.seating.sides
    return PublicView(
        rules=match.rules,
        seating=match.seating,
        version=match.version,
        stage=match.stage,
        round_number=match.round_number,
        dealer=match.dealer if now is None else now.dealer,
        deal=0 if now is None else now.deal,
        deals=len(match.rules.hands(match.seating)),
        turn=match.turn,
        table=EMPTY if now is None else now.table,
        places=match.places,
        laid=None if now is None else now.laid,
        choices=() if now is None or now.laid is None else now.captures_of(now.laid),
        hand_counts=(0,) * seats if now is None else tuple(map(len, now.hands)),
        shown=(EMPTY,) * seats if now is None else now.shown,
        pile_counts=(0,) * sides if now is None else tuple(map(len, now.piles)),
        escobas=(0,) * sides if now is None else now.escobas,
        cantos=((),) * sides if now is None else now.cantos,
        totals=match.totals,
        match_escobas=match.escobas,
        scores=match.scores,
        winner=match.winner,
        facts=match.facts,
        recent=match.recent,
    )


def seat_view(match: Match, seat: int, public: PublicView | None = None) -> SeatView:
    """Return what the player of `seat` may see of `match`; pass its `public` view if you have it already."""
    now = match.round
    public = public or public_view(match)
    if now is None:
        return SeatView(public, seat, EMPTY, (), FULL, Memory((EMPTY,) * match.seating.sides))
    seen = now.hands[seat] | now.table
    for cards in (*now.piles, *now.shown):
        seen |= cards
    if now.laid is not None:
        seen = seen.with_card(now.laid)
    if now.score is not None:
        seen |= now.score.leftovers  # in no pile if nobody captured
    moves = match.legal_moves() if match.turn == seat else ()
    memory = Memory(now.piles, now.last_taker, now.plays, now.claimable)
    return SeatView(public, seat, now.hands[seat], moves, FULL - seen, memory)
