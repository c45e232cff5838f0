"""One round: deals, plays, claims and leftovers. States are immutable; each is made from the one before.

>>> from bot.engine.cards import DECK, Card, CardSet
>>> from bot.engine.round import deal_round
>>> from bot.engine.rules import Rules, Seating
>>> now, facts = deal_round(Rules(), Seating.TWO, dealer=0, deck=DECK[::3] + DECK[1::3] + DECK[2::3])
>>> now.hands[now.turn], now.table
(CardSet(1o 1b 2e), CardSet(5e 6c 7o 7b))
>>> now.legal_moves()[0]
Play(card=Card(1o), captured=CardSet(7o 7b))
>>> now, facts = now.play(1, Card.parse("1o"), CardSet.of("7o 7b"))
>>> now.turn, now.piles
(0, (CardSet(), CardSet(1o 7o 7b)))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.engine.cards import DECK, EMPTY, FULL, SUNG_CARDS, Canto, Card, CardSet, cantos_of
from bot.engine.errors import IllegalMove, RuleCode
from bot.engine.facts import CantosSung, CaptureClaimed, CardLaid, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.moves import FIFTEEN, Claim, Move, Play, Sing, can_capture, captures, is_capture, opening_escobas
from bot.engine.rules import Capture, Duty, Rules, Seating
from bot.engine.scoring import RoundScore, score_round

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round:
    """The state of a round. `deck` and `hands` are secret: renderers and players get `views` of it.

    `hands` is indexed by seat, `piles` and `escobas` by side. `laid` is a card that was shown but whose capture has yet
    to be chosen: it is neither in a hand nor on the table. `claimable` is the card that was just laid and could have
    captured, while the current player may claim it. `last_taker` is the seat of the latest capture. `plays` holds this
    deal's plays and claims, in order. `shown` are, by seat, the cards in hand that have lain open since being sung;
    `cantos` is all that each side has sung in the round.
    """

    rules: Rules
    seating: Seating
    dealer: int
    deck: tuple[Card, ...]
    dealt: int
    deal: int
    hands: tuple[CardSet, ...]
    table: CardSet
    piles: tuple[CardSet, ...]
    escobas: tuple[int, ...]
    cantos: tuple[tuple[Canto, ...], ...]
    shown: tuple[CardSet, ...]
    turn: int
    laid: Card | None = None
    claimable: Card | None = None
    last_taker: int | None = None
    plays: tuple[CardPlayed | CaptureClaimed, ...] = ()
    score: RoundScore | None = None

    @property
    def over(self) -> bool:
        """Whether all cards have been played and the round is scored."""
        return self.score is not None

    def legal_moves(self) -> tuple[Move, ...]:
        """The current player's moves: singing first, then claims, then plays by card. Empty when the round is over."""
        if self.over:
            return ()
        if self.laid is not None:
            return tuple(Play(self.laid, group) for group in self.captures_of(self.laid))
        moves: list[Move] = [Sing()] if self.singable() else []
        moves += [Claim(group) for group in self._claims()]
        for card in self.hands[self.turn]:
            groups = self.captures_of(card)
            if not groups or self.rules.duty is not Duty.COMPULSORY:
                moves.append(Play(card))
            moves += [Play(card, group) for group in groups]
        return tuple(moves)

    def captures_of(self, card: Card) -> tuple[CardSet, ...]:
        return captures(self.rules.capture, card, self.table)

    def singable(self) -> tuple[Canto, ...]:
        """Return what the current player may sing now: only once, before their first card of a deal of three (decision
        19)."""
        if (
            not self.rules.cantos
            or self.shown[self.turn]
            or self.rules.hands(self.seating)[self.deal - 1] != SUNG_CARDS
        ):
            return ()
        return cantos_of(self.hands[self.turn])

    def _claims(self) -> list[CardSet]:
        if self.claimable is None:
            return []
        others = self.table.without(self.claimable)
        return [group.with_card(self.claimable) for group in captures(self.rules.capture, self.claimable, others)]

    def _verify_turn(self, seat: int) -> None:
        if self.over:
            raise IllegalMove(RuleCode.NO_ROUND)
        if seat != self.turn:
            raise IllegalMove(RuleCode.NOT_YOUR_TURN)

    def _verify_play(self, seat: int, card: Card, captured: CardSet) -> None:
        self._verify_turn(seat)
        if self.laid is not None and card is not self.laid:
            raise IllegalMove(RuleCode.CHOOSE_FIRST)
        if self.laid is None and card not in self.hands[seat]:
            raise IllegalMove(RuleCode.CARD_NOT_HELD)
        if captured:
            if not captured <= self.table or not is_capture(self.rules.capture, card, captured):
                raise IllegalMove(RuleCode.NOT_A_CAPTURE)
        elif self.laid is not None or (
            self.rules.duty is Duty.COMPULSORY and can_capture(self.rules.capture, card, self.table)
        ):
            raise IllegalMove(RuleCode.MUST_CAPTURE)

    def lay(self, seat: int, card: Card) -> tuple[Round, tuple[Fact, ...]]:
        """Show a card that has several captures before choosing one.

        Raises:
            IllegalMove: if it isn't the seat's turn, the card isn't held, or there is nothing to choose.
        """
        self._verify_turn(seat)
        if self.laid is not None:
            raise IllegalMove(RuleCode.CHOOSE_FIRST)
        if card not in self.hands[seat]:
            raise IllegalMove(RuleCode.CARD_NOT_HELD)
        if self.rules.duty is not Duty.COMPULSORY or len(self.captures_of(card)) < 2:
            raise IllegalMove(RuleCode.NOTHING_TO_CHOOSE)
        hands = _put(self.hands, seat, self.hands[seat].without(card))
        shown = self._shown_without(seat, card)
        return replace(self, hands=hands, shown=shown, laid=card), (CardLaid(seat, card),)

    def play(
        self, seat: int, card: Card, captured: CardSet = EMPTY, *, forced: bool = False
    ) -> tuple[Round, tuple[Fact, ...]]:
        """Play a card. Deals new hands when all are empty, and ends the round when the deck is used up too.

        Raises:
            IllegalMove: see `RuleCode`.
        """
        self._verify_play(seat, card, captured)
        last_of_round = self.dealt == len(DECK) and not any(hand.without(card) for hand in self.hands)
        hands = _put(self.hands, seat, self.hands[seat].without(card))
        move = Play(card, captured)
        table = move.table_after(self.table)
        escoba = bool(captured) and not table
        piles, escobas = self._credited(seat, move.gained, escoba) if captured else (self.piles, self.escobas)
        missed = (
            not captured
            and self.rules.duty is Duty.CLAIMABLE
            and not last_of_round
            and can_capture(self.rules.capture, card, self.table)
        )
        played = CardPlayed(seat, card, captured, escoba, forced)
        moved = replace(
            self,
            hands=hands,
            shown=self._shown_without(seat, card),
            table=table,
            piles=piles,
            escobas=escobas,
            last_taker=seat if captured else self.last_taker,
            laid=None,
            claimable=card if missed else None,
            turn=(seat + 1) % self.seating.seats,
            plays=(*self.plays, played),
        )
        if last_of_round:
            return moved._end(), (played,)
        if any(hands):
            return moved, (played,)
        dealt, deal = moved._deal()
        return dealt, (played, deal)

    def claim(self, seat: int, captured: CardSet) -> tuple[Round, tuple[Fact, ...]]:
        """Claim a capture that the card just laid has missed (decision 3).

        Raises:
            IllegalMove: if it isn't the seat's turn or there is no such capture to claim.
        """
        self._verify_turn(seat)
        card = self.claimable
        if card is None:
            raise IllegalMove(RuleCode.NOTHING_TO_CLAIM)
        others = captured.without(card)
        if card not in captured or not captured <= self.table or not is_capture(self.rules.capture, card, others):
            raise IllegalMove(RuleCode.NOT_A_CAPTURE)
        table = self.table - captured
        piles, escobas = self._credited(seat, captured, escoba := not table)
        claimed = CaptureClaimed(seat, card, others, escoba)
        moved = replace(
            self,
            table=table,
            piles=piles,
            escobas=escobas,
            last_taker=seat,
            claimable=None,
            plays=(*self.plays, claimed),
        )
        return moved, (claimed,)

    def sing(self, seat: int) -> tuple[Round, tuple[Fact, ...]]:
        """Show a hand of three and sing all its cantos (decision 19).

        Raises:
            IllegalMove: if it isn't the seat's turn or there is nothing that it may sing.
        """
        self._verify_turn(seat)
        if self.laid is not None:
            raise IllegalMove(RuleCode.CHOOSE_FIRST)
        sung = self.singable()
        if not sung:
            raise IllegalMove(RuleCode.NOTHING_TO_SING)
        hand, side = self.hands[seat], self.seating.side_of(seat)
        cantos = _put(self.cantos, side, self.cantos[side] + sung)
        return replace(self, cantos=cantos, shown=_put(self.shown, seat, hand)), (CantosSung(seat, hand, sung),)

    def _shown_without(self, seat: int, card: Card) -> tuple[CardSet, ...]:
        own = self.shown[seat]
        return _put(self.shown, seat, own.without(card)) if own else self.shown

    def _credited(self, seat: int, cards: CardSet, escobas: int) -> tuple[tuple[CardSet, ...], tuple[int, ...]]:
        side = self.seating.side_of(seat)
        piles = _put(self.piles, side, self.piles[side] | cards)
        return piles, _put(self.escobas, side, self.escobas[side] + escobas)

    def _deal(self) -> tuple[Round, DealMade]:
        hands: list[CardSet] = [EMPTY] * self.seating.seats
        dealt, sizes = self.dealt, self.rules.hands(self.seating)
        for offset in range(1, self.seating.seats + 1):
            seat = (self.dealer + offset) % self.seating.seats
            hands[seat] = CardSet.of(self.deck[dealt : dealt + sizes[self.deal]])
            dealt += sizes[self.deal]
        number = self.deal + 1
        moved = replace(self, hands=tuple(hands), dealt=dealt, deal=number, plays=())
        return moved, DealMade(number, last=number == len(sizes))

    def _end(self) -> Round:
        """Give the leftovers to the side of the latest capture, never as an escoba (decision 6), and score."""
        left = self.table
        piles = self.piles if self.last_taker is None else self._credited(self.last_taker, left, 0)[0]
        if self.rules.capture is Capture.FIFTEEN:
            assert left.worth % FIFTEEN == 10, "captures of fifteen leave 10 (mod 15)"
        items = score_round(self.rules, piles, self.escobas, self.cantos)
        score = RoundScore(items, left, self.last_taker, self.cantos if self.rules.cantos else ())
        return replace(self, table=EMPTY, piles=piles, score=score)


def deal_round(rules: Rules, seating: Seating, dealer: int, deck: Sequence[Card]) -> tuple[Round, tuple[Fact, ...]]:
    """Deal a round's first hands and table (decision 1); the dealer takes an opening of fifteens right away.

    `dealer` is the seat that deals; the next one plays first. `deck` is all forty cards in dealing order.

    Raises:
        IllegalMove: if the deck isn't exactly the forty cards.
    """
    deck = tuple(deck)
    if len(deck) != len(DECK) or CardSet.of(deck) != FULL:
        raise IllegalMove(RuleCode.BAD_DECK)
    empty = Round(
        rules=rules,
        seating=seating,
        dealer=dealer,
        deck=deck,
        dealt=0,
        deal=0,
        hands=(EMPTY,) * seating.seats,
        table=EMPTY,
        piles=(EMPTY,) * seating.sides,
        escobas=(0,) * seating.sides,
        cantos=((),) * seating.sides,
        shown=(EMPTY,) * seating.seats,
        turn=(dealer + 1) % seating.seats,
    )
    begun, deal = empty._deal()  # pyright: ignore[reportPrivateUsage] - the same module
    opened = begun.dealt + rules.table_cards(seating)
    table = CardSet.of(deck[begun.dealt : opened])
    begun = replace(begun, table=table, dealt=opened)
    count = opening_escobas(rules.opening, table)
    if not count:
        return begun, (deal,)
    piles, escobas = begun._credited(dealer, table, count)  # pyright: ignore[reportPrivateUsage] - the same module
    begun = replace(begun, table=EMPTY, piles=piles, escobas=escobas, last_taker=dealer)
    return begun, (deal, OpeningTaken(dealer, table, count))


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
