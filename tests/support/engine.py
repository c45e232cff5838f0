"""Shared by the engine's tests: presets and their seatings, positions in notation, and players that pick at random."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bot.engine.cards import DECK, EMPTY, FULL, Card, CardSet
from bot.engine.errors import IllegalMove, RuleCode
from bot.engine.events import Event, Laid, MatchStarted, RoundDealt
from bot.engine.highlights import Highlights, no_highlights
from bot.engine.match import Match, start
from bot.engine.moves import Move, Play, Stage
from bot.engine.notation import parse_event
from bot.engine.round import Round
from bot.engine.rules import PRESETS, Duty, Rules, Seating
from tests.support.dose import dose

ROUNDS = dose("ROUNDS", 12)
"""How many random rounds `test_random_play` plays for each preset and seating; `make soak` plays 2,000.

The name lacks the prefix of the bot's settings because `tests.conftest` takes those out of the environment.
"""

MORE = dose("MORE", 5)
"""How many random rounds for each seating that no source has."""
MATCHES = dose("MATCHES", 1)
"""How many random matches to 5 points for each mixture of rules that no source has."""

QUICK = settings(
    deadline=None, database=None, max_examples=dose("EXAMPLES", 25), suppress_health_check=[HealthCheck.too_slow]
)

COMBOS = [
    (preset.name, seating) for preset in PRESETS.values() for seating in (*preset.seatings, *preset.other_seatings)
]
USUAL = [
    ("escoba", Seating.TWO),
    ("escoba", Seating.FIVE),
    ("juegon", Seating.FOUR),
    ("quince", Seating.TRIPLE_PAIRS),
    ("clasica", Seating.THREE),
    ("clasica", Seating.TRIPLES),
    ("cientifica", Seating.PAIRS),
    ("chorizo", Seating.PAIRS),
]
"""The combinations that `make test` runs, which have each preset and each seating."""
every_preset_and_seating = pytest.mark.parametrize(
    ("preset", "seating"),
    [
        pytest.param(*combo, id=f"{combo[0]}-{combo[1]}", marks=() if combo in USUAL else pytest.mark.thorough)
        for combo in COMBOS
    ],
)

any_card = st.sampled_from(DECK)
any_cards = st.integers(0, FULL.mask).map(CardSet)
any_table = st.lists(any_card, unique=True, max_size=12).map(CardSet.of)


def cards(text: str = "") -> CardSet:
    """The cards that notation names."""
    return CardSet.of(text)


def card(text: str) -> Card:
    """The card that notation names."""
    return Card.parse(text)


def rules_of(preset: str = "escoba", **changes: Any) -> Rules:
    """A preset's rules with some of them changed."""
    return replace(PRESETS[preset].rules, **changes)


def begin(preset: str = "escoba", seating: Seating = Seating.TWO, dealer: int = 0, **changes: Any) -> Match:
    """A match before the first deal."""
    return start(MatchStarted(rules_of(preset, **changes), seating, dealer))


def stacked(*words: str) -> tuple[Card, ...]:
    """A deck that begins with the given cards; the others follow in deck order."""
    first = tuple(card(word) for text in words for word in text.split())
    return first + tuple(each for each in DECK if each not in first)


def shuffled(rng: Random) -> tuple[Card, ...]:
    """A deck in random order."""
    return tuple(rng.sample(DECK, len(DECK)))


def position(
    hands: Sequence[str],
    table: str = "",
    *,
    preset: str = "escoba",
    seating: Seating = Seating.TWO,
    turn: int = 0,
    stock: str = "",
    piles: Sequence[str] | None = None,
    rest_to: int = -1,
    escobas: Sequence[int] | None = None,
    last_taker: int | None = None,
    totals: Sequence[int] | None = None,
    **changes: Any,
) -> Match:
    """A match in the middle of a round, with these hands by seat, this table and this stock still to be dealt.

    `piles` is by side; all other cards go to the pile of side `rest_to`. The last seat deals.
    """
    rules = rules_of(preset, **changes)
    held = tuple(map(cards, hands))
    left = tuple(map(card, stock.split()))
    made = [cards(pile) for pile in piles] if piles is not None else [EMPTY] * seating.sides
    placed = cards(table) | CardSet.of(left)
    for some in (*held, *made):
        assert not placed & some, "a card is in two places"
        placed |= some
    made[rest_to] |= FULL - placed
    dealer, each = seating.seats - 1, (*rules.hands(seating), 0)
    now = Round(
        rules=rules,
        seating=seating,
        dealer=dealer,
        deck=(*(each for each in DECK if each not in left), *left),
        dealt=len(DECK) - len(left),
        deal=next(deal for deal, _ in enumerate(each) if sum(each[deal:]) * seating.seats == len(left)),
        hands=held,
        table=cards(table),
        piles=tuple(made),
        escobas=tuple(escobas or (0,) * seating.sides),
        cantos=((),) * seating.sides,
        shown=(EMPTY,) * seating.seats,
        turn=turn,
        last_taker=last_taker,
    )
    zeros = (0,) * seating.sides
    return Match(
        rules,
        seating,
        dealer,
        round=now,
        totals=tuple(totals or zeros),
        escobas=zeros,
        places=tuple(now.table),
    )


def after(match: Match, *lines: str) -> Match:
    """The match after these events, given in notation."""
    for line in lines:
        match = match.apply(parse_event(line))
    return match


def the_round(match: Match) -> Round:
    """The latest round of a match that has one."""
    assert match.round is not None
    return match.round


def options(match: Match, name: str) -> set[str]:
    """What the card `name` may capture, each group in notation; an empty string means that it is laid."""
    return {str(move.captured) for move in match.legal_moves() if isinstance(move, Play) and str(move.card) == name}


@contextmanager
def refused(code: RuleCode) -> Iterator[None]:
    """Expect the rules to refuse what the block does, for this reason."""
    with pytest.raises(IllegalMove) as caught:
        yield
    assert caught.value.code is code


Chooser = Callable[[Random, Match, tuple[Move, ...]], Move]


def at_random(rng: Random, match: Match, moves: tuple[Move, ...]) -> Move:
    """Any legal move."""
    return rng.choice(moves)


def next_event(match: Match, rng: Random, choose: Chooser = at_random) -> Event:
    """The next event of a random match: a deal, a move, or now and then showing a card."""
    if match.stage is Stage.TO_DEAL:
        return RoundDealt(shuffled(rng))
    now = the_round(match)
    move = choose(rng, match, match.legal_moves())
    if isinstance(move, Play):
        several = now.laid is None and move.captured and len(now.captures_of(move.card)) > 1
        if several and now.rules.duty is Duty.COMPULSORY and rng.random() < 0.3:
            return Laid(now.turn, move.card)
    return match.event_of(move)


def random_events(
    preset: str, seating: Seating, rng: Random, choose: Chooser = at_random, **changes: Any
) -> Iterator[tuple[Event, Match]]:
    """The events of a random match to its end, each with the match after it."""
    begun = MatchStarted(rules_of(preset, **changes), seating, rng.randrange(seating.seats))
    match = start(begun)
    yield begun, match
    while match.stage is not Stage.OVER:
        event = next_event(match, rng, choose)
        match = match.apply(event)
        yield event, match


def highlights_of(states: Sequence[Match]) -> Highlights:
    """The highlights of a match, from its state after each event."""
    return reduce(Highlights.after_event, states, no_highlights(states[0].seating))


def finish_round(match: Match, rng: Random) -> Match:
    """The match once the current round is scored."""
    while match.stage is Stage.TO_PLAY:
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
    return match
