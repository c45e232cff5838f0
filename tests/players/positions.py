"""Positions, seeded matches and baselines for the tests of the computer players."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from bot.engine.cards import DECK, EMPTY, FULL, Card, CardSet
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Move, Play, Stage
from bot.engine.round import Round
from bot.engine.rules import PRESETS, Opening, Prime, Rules, Seating
from bot.engine.views import SeatView, seat_view
from bot.players import Level, choose

Player = Callable[[SeatView, Random], Move]
ESCOBA = Rules()
CHORIZO = PRESETS["chorizo"].rules
SCOPONE = replace(ESCOBA, opening=Opening.NONE, prime=Prime.SUITS, hand=10, table=0)
GAMES = [
    *((preset.rules, seating) for preset in PRESETS.values() for seating in preset.seatings),
    (ESCOBA, Seating.FIVE),
    (PRESETS["quince"].rules, Seating.FIVE),
    (PRESETS["clasica"].rules, Seating.TRIPLES),
    (SCOPONE, Seating.FOUR),
    (replace(SCOPONE, hand=9, table=4), Seating.PAIRS),
]
"""Every preset with its seatings, and other rules and seatings that people choose."""
USUAL = (
    (ESCOBA, Seating.TWO),
    (ESCOBA, Seating.FIVE),
    (PRESETS["juegon"].rules, Seating.FOUR),
    (PRESETS["quince"].rules, Seating.TRIPLE_PAIRS),
    (PRESETS["clasica"].rules, Seating.TRIPLES),
    (PRESETS["cientifica"].rules, Seating.PAIRS),
    (CHORIZO, Seating.THREE),
    (SCOPONE, Seating.FOUR),
)
"""Some of these games, which together have every preset and every seating."""


def play(card: str, captured: str = "") -> Play:
    """A play given in notation."""
    return Play(Card.parse(card), CardSet.of(captured))


def position(
    table: str,
    hand: str,
    *,
    gone: str = "",
    rules: Rules = ESCOBA,
    seating: Seating = Seating.TWO,
    others: int | None = None,
    deal: int = 1,
    claimable: str | None = None,
) -> Match:
    """A match in which it is seat 0's turn, with `hand` and `table`.

    Args:
        table: the cards on the table.
        hand: the cards of seat 0.
        gone: cards that have been captured; all others are unseen.
        rules: the rules of the match.
        seating: who plays with whom.
        others: how many of the unseen cards each other player holds, the lowest first; by default as many as seat 0.
        deal: the number of the deal.
        claimable: the table card that the player before seat 0 laid although it could have captured.
    """
    held, lying, taken = CardSet.of(hand), CardSet.of(table), CardSet.of(gone)
    unseen = list(FULL - held - lying - taken)
    size = len(held) if others is None else others
    hands = [held] + [CardSet.of(unseen[i * size : (i + 1) * size]) for i in range(seating.seats - 1)]
    begun = start(MatchStarted(rules, seating, 0))
    now = Round(
        rules=rules,
        seating=seating,
        dealer=0,
        deck=DECK,
        dealt=40 if deal == len(rules.hands(seating)) else 40 - len(unseen) + sum(map(len, hands[1:])),
        deal=deal,
        hands=tuple(hands),
        table=lying,
        piles=(taken,) + (EMPTY,) * (seating.sides - 1),
        escobas=(0,) * seating.sides,
        cantos=((),) * seating.sides,
        shown=(EMPTY,) * seating.seats,
        turn=0,
        claimable=Card.parse(claimable) if claimable else None,
    )
    return replace(begun, round=now)


def normal(match: Match, seed: int = 0) -> Move:
    """What the normal level plays for the current seat."""
    return choose(view_at_turn(match), Level.NORMAL, Random(seed))


def easy(match: Match, seed: int = 0) -> Move:
    """What the easy level plays for the current seat."""
    return choose(view_at_turn(match), Level.EASY, Random(seed))


def view_at_turn(match: Match) -> SeatView:
    """What the current player sees."""
    assert match.turn is not None
    return seat_view(match, match.turn)


def shuffled(rng: Random) -> RoundDealt:
    """A deal of a shuffled deck."""
    deck = list(DECK)
    rng.shuffle(deck)
    return RoundDealt(tuple(deck))


def level(which: Level, effort: float = 0.1) -> Player:
    """A player of this level; the hard one does little work, so that it can play for a while in a test."""
    return lambda view, rng: choose(view, which, rng, effort=effort)


def anything(view: SeatView, rng: Random) -> Move:
    """A player that picks any legal move."""
    return rng.choice(view.moves)


def states(
    rules: Rules, seating: Seating, players: Sequence[Player], seed: int, rounds: int = 10_000
) -> Iterator[Match]:
    """The states of a match, of at most `rounds` rounds, in which it is somebody's turn; and then the last state.

    `players` has one for each side; the seed determines the decks, the dealer and the players' random choices.
    """
    rng = Random(seed)
    match = start(MatchStarted(rules, seating, seed % seating.seats))
    while match.stage is not Stage.OVER and (match.stage is Stage.TO_PLAY or match.round_number < rounds):
        if match.stage is Stage.TO_DEAL:
            match = match.apply(shuffled(rng))
            continue
        yield match
        assert match.turn is not None
        move = players[seating.side_of(match.turn)](view_at_turn(match), rng)
        match = match.apply(match.event_of(move))
    yield match


def wins(rules: Rules, seating: Seating, players: Sequence[Player], matches: int) -> float:
    """The share of matches that side 0 wins."""
    won = 0
    for seed in range(matches):
        *_, last = states(rules, seating, players, seed)
        won += last.winner == 0
    return won / matches
