"""Properties of every position in random play, for each preset and seating; the referee follows every move.

`kit.ROUNDS` says how many rounds: 12 by default, twice that in CI, ROUNDS=2000 for a full run.
"""

from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest

from bot.engine.cards import EMPTY, FULL, CardSet, canto_points
from bot.engine.errors import IllegalMove
from bot.engine.events import Claimed, Event, MatchStarted, Played, Sang
from bot.engine.match import Match, replay, start
from bot.engine.moves import Claim, Play, Sing, Stage
from bot.engine.notation import format_event, parse_event
from bot.engine.rules import PRESETS, Capture, Duty, Opening, Prime, Seating
from bot.engine.scoring import Item
from tests.engine.referee import Referee, worth
from tests.support.engine import (
    MATCHES,
    MORE,
    ROUNDS,
    begin,
    every_preset_and_seating,
    next_event,
    random_events,
    rules_of,
    the_round,
)


def forty_cards_are_somewhere_and_none_is_twice(match: Match) -> None:
    now = the_round(match)
    places = [*now.hands, now.table, *now.piles, CardSet.of(now.deck[now.dealt :])]
    if now.laid is not None:
        places.append(CardSet.of([now.laid]))
    if now.score is not None and now.score.leftovers_to is None:
        places.append(now.score.leftovers)
    mask = 0
    for place in places:
        assert not mask & place.mask, "a card is in two places"
        mask |= place.mask
    assert mask == FULL.mask


def every_capture_adds_up(match: Match, event: Event) -> None:
    if isinstance(event, Played) and event.captured:
        together = sum(worth(str(one)) for one in event.captured)
        own = worth(str(event.card))
        assert together + own == 15 if match.rules.capture is Capture.FIFTEEN else together == own
    if isinstance(event, Claimed) and match.rules.capture is Capture.FIFTEEN:
        assert sum(worth(str(one)) for one in event.captured) == 15


def the_referee_agrees(match: Match, referee: Referee) -> None:
    assert match.totals == tuple(referee.totals)
    assert match.winner == referee.winner
    now = the_round(match)
    assert [set(str(hand).split()) for hand in now.hands] == referee.hands
    assert set(str(now.table).split()) == referee.table
    assert [set(str(pile).split()) for pile in now.piles] == referee.piles
    assert list(now.escobas) == referee.escobas
    assert list(map(canto_points, now.cantos)) == referee.cantos
    assert [set(str(shown).split()) for shown in now.shown] == referee.open
    assert now.last_taker == referee.last
    assert {format_event(match.event_of(move)) for move in match.legal_moves()} == referee.moves()


def what_is_left_is_right(match: Match) -> None:
    score = match.scores[-1]
    if match.rules.capture is Capture.FIFTEEN:
        assert score.leftovers.worth % 15 == 10
    if match.rules.duty is Duty.COMPULSORY:
        assert score.leftovers_to is not None, "with compulsory fifteens somebody captures"
        assert score.leftovers
    if score.leftovers_to is not None:
        assert score.leftovers <= the_round(match).piles[match.seating.side_of(score.leftovers_to)]


def the_score_is_what_the_piles_are_worth(match: Match, referee: Referee) -> None:
    counted = referee.scores[-1]
    items = match.scores[-1].items
    assert {item.item.value for item in items} == set(counted)
    for item in items:
        amounts, points = counted[item.item.value]
        assert item.points == points
        if amounts:
            assert item.amounts == amounts
        if item.item is Item.PRIME and match.rules.prime == "setenta":
            assert all(bool(made) == bool(amount) for made, amount in zip(item.cards, item.amounts, strict=True))
    assert match.scores[-1].points == tuple(map(sum, zip(*(item.points for item in items), strict=True)))


def refereed(begun: MatchStarted, rng: Random) -> int:
    """Play a random match and compare everything with the referee; returns the number of its rounds."""
    match, referee = start(begun), Referee(format_event(begun))
    while match.stage is not Stage.OVER:
        event = next_event(match, rng)
        match = match.apply(event)
        referee.do(format_event(event))
        the_referee_agrees(match, referee)
        forty_cards_are_somewhere_and_none_is_twice(match)
        every_capture_adds_up(match, event)
        if the_round(match).over:
            what_is_left_is_right(match)
            the_score_is_what_the_piles_are_worth(match, referee)
    return len(match.scores)


@every_preset_and_seating
def test_in_every_random_round_the_engine_and_the_referee_agree(preset: str, seating: Seating) -> None:
    rng = Random(f"{preset} {seating}")
    rounds = 0
    while rounds < (ROUNDS if seating in PRESETS[preset].seatings else MORE):
        rounds += refereed(MatchStarted(rules_of(preset), seating, rng.randrange(seating.seats)), rng)


WALKS = [
    *[
        (preset, seating, changes)
        for seating in Seating
        for preset, changes in (
            ("escoba", {"prime": Prime.SUITS, "lead": 2, "cantos": True}),
            ("juegon", {"prime": Prime.SEVENS, "cantos": True}),
            ("quince", {"prime": Prime.SEVENS, "lead": 2, "cantos": True, "four_sevens": True}),
            ("clasica", {"prime": Prime.SUITS, "opening": Opening.PAIRS, "cantos": True}),
        )
    ],
    *[
        (preset, seating, {"hand": hand, "table": table, "opening": opening, "prime": prime})
        for seating in (Seating.FOUR, Seating.PAIRS)
        for preset, prime in (("escoba", Prime.SEVENS), ("quince", Prime.SETENTA), ("clasica", Prime.SUITS))
        for hand, table, opening in ((9, 4, Opening.SUM), (10, 0, Opening.NONE))
    ],
]
"""Every switch that no source has, in every seating that has it, among other rules."""


@pytest.mark.parametrize(
    ("preset", "seating", "changes"),
    [
        pytest.param(
            preset,
            seating,
            changes,
            id=f"{preset}-{seating}{'-' * ('hand' in changes)}{changes.get('hand', '')}",
            marks=pytest.mark.thorough if number % 4 else (),
        )
        for number, (preset, seating, changes) in enumerate(WALKS)
    ],
)
def test_in_random_matches_by_the_rules_of_more_tables_the_engine_and_the_referee_agree(preset, seating, changes):
    rng = Random(f"more {preset} {seating} {changes}")
    for _ in range(MATCHES):
        refereed(MatchStarted(rules_of(preset, target=5, **changes), seating, rng.randrange(seating.seats)), rng)


@every_preset_and_seating
def test_a_replay_restores_the_match_exactly(preset, seating):
    rng = Random(f"replay {preset} {seating}")
    events: list[Event] = []
    for event, match in random_events(preset, seating, rng, target=5):
        events.append(event)
        assert match.version == len(events)
        if rng.random() < 0.05 or match.stage is Stage.OVER:
            again = replay(map(parse_event, map(format_event, events)))
            assert again == match
            assert hash(again) == hash(match)


@every_preset_and_seating
def test_exactly_the_legal_moves_are_accepted(preset, seating):
    rng = Random(f"accepted {preset} {seating}")
    match = begin(preset, seating, target=101)
    tried = 0
    while tried < 12:
        match = match.apply(next_event(match, rng))
        now = the_round(match)
        if match.stage is not Stage.TO_PLAY or len(now.table) > 5 or rng.random() < 0.6:
            continue
        tried += 1
        listed = set(match.legal_moves())
        groups = list(map(CardSet.of, subsets(now.table)))
        stranger = rng.choice(list(FULL - now.table))
        groups += [group.with_card(stranger) for group in groups[:3]]
        some_cards = {*chain(*now.hands), *now.table, *([now.laid] if now.laid else [])}
        for one in some_cards:
            for group in groups:
                assert accepts(match, Played(now.turn, one, group)) == (Play(one, group) in listed)
        assert accepts(match, Sang(now.turn)) == (Sing() in listed)
        for group in groups:
            assert accepts(match, Claimed(now.turn, group)) == (Claim(group) in listed)
        for move in listed:
            event = match.event_of(move)
            for seat in range(seating.seats):
                assert accepts(match, replace(event, seat=seat)) == (seat == now.turn)


def subsets(table: CardSet):
    return chain.from_iterable(combinations(table, size) for size in range(len(table) + 1))


def accepts(match: Match, event: Event) -> bool:
    try:
        match.apply(event)
    except IllegalMove:
        return False
    return True


@every_preset_and_seating
def test_there_is_always_a_move_until_the_round_is_over_and_then_none(preset, seating):
    rng = Random(f"moves {preset} {seating}")
    for _, match in random_events(preset, seating, rng, target=5):
        moves = match.legal_moves()
        assert bool(moves) == (match.stage is Stage.TO_PLAY)
        assert len(set(moves)) == len(moves)


@every_preset_and_seating
def test_a_round_has_one_play_for_each_card_dealt_to_a_hand(preset, seating):
    rng = Random(f"plays {preset} {seating}")
    plays = 0
    rules = rules_of(preset)
    for event, match in random_events(preset, seating, rng, target=5):
        plays += isinstance(event, Played)
        if match.round is not None and match.round.over:
            assert plays == 40 - rules.table_cards(seating)
            assert all(hand == EMPTY for hand in match.round.hands)
            plays = 0


@pytest.mark.thorough
def test_random_play_includes_claims_cantos_openings_and_sweeps():
    """The situations that the tests above are about do occur."""
    claims = cantos = openings = escobas = 0
    for preset in ("quince", "chorizo", "juegon"):
        rng = Random(f"met {preset}")
        for _ in range(10):
            for event, match in random_events(preset, Seating.TWO, rng, target=21):
                claims += isinstance(event, Claimed)
                cantos += isinstance(event, Sang)
                openings += any(type(fact).__name__ == "OpeningTaken" for fact in match.facts)
                escobas += any(getattr(fact, "escoba", False) for fact in match.facts)
    assert rules_of("juegon").opening is Opening.PAIRS
    assert min(claims, cantos, openings, escobas) > 0
