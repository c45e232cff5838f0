"""Nobody sees what their seat couldn't: views contain no hidden cards, and don't change if hidden cards are swapped."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest

from bot.engine.cards import EMPTY, FULL, Card, CardSet
from bot.engine.events import RoundDealt
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.engine.views import PublicView, public_view, seat_view
from tests.support.engine import (
    after,
    begin,
    card,
    cards,
    every_preset_and_seating,
    next_event,
    position,
    random_events,
    shuffled,
    the_round,
)


def hidden_from_all(match: Match) -> CardSet:
    """The cards in hands and stock, without those that were sung."""
    now = the_round(match)
    held = CardSet.of(now.deck[now.dealt :])
    for hand, shown in zip(now.hands, now.shown, strict=True):
        held |= hand - shown
    return held


def shown_in(value: object) -> Iterator[Card]:
    """Every card anywhere inside a value."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, CardSet):
        yield from value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from shown_in(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from shown_in(getattr(value, field.name))


def permuted(match: Match, rng: Random, keep: int | None = None) -> Match:
    """The match with hidden cards shuffled among hands and stock; seat `keep` keeps its hand, and sung cards stay."""
    now = the_round(match)
    kept = [hand if seat == keep else now.shown[seat] for seat, hand in enumerate(now.hands)]
    movable = [one for hand, own in zip(now.hands, kept, strict=True) for one in hand - own]
    movable += now.deck[now.dealt :]
    rng.shuffle(movable)
    hands: list[CardSet] = []
    for hand, own in zip(now.hands, kept, strict=True):
        more = len(hand) - len(own)
        hands.append(own | CardSet.of(movable[:more]))
        movable = movable[more:]
    deck = (*now.deck[: now.dealt], *movable)
    return replace(match, round=replace(now, hands=tuple(hands), deck=deck))


def positions(preset: str, seating: Seating, rounds: int = 2) -> Iterator[Match]:
    """Every position of a few random rounds."""
    rng = Random(f"views {preset} {seating}")
    match = begin(preset, seating, target=101)
    while len(match.scores) < rounds:
        match = match.apply(next_event(match, rng))
        yield match


@every_preset_and_seating
def test_the_public_view_is_the_same_wherever_the_hidden_cards_are(preset, seating):
    rng = Random("permuted")
    for match in positions(preset, seating):
        assert public_view(permuted(match, rng)) == public_view(match)


@every_preset_and_seating
def test_a_seats_view_is_the_same_wherever_the_cards_it_does_not_hold_are(preset, seating):
    rng = Random("permuted")
    for match in positions(preset, seating, rounds=1):
        for seat in range(seating.seats):
            assert seat_view(permuted(match, rng, keep=seat), seat) == seat_view(match, seat)


def of_this_round(view: PublicView) -> PublicView:
    """The view without anything about earlier rounds, which were played with other deals."""
    return replace(view, scores=())


@every_preset_and_seating
def test_the_public_view_contains_no_card_of_a_hand_or_the_stock(preset, seating):
    for match in positions(preset, seating):
        assert not set(hidden_from_all(match)) & set(shown_in(of_this_round(public_view(match))))


@every_preset_and_seating
def test_a_seats_view_names_other_hands_and_the_stock_only_as_unseen(preset, seating):
    for match in positions(preset, seating, rounds=1):
        for seat in range(seating.seats):
            view = seat_view(match, seat)
            hand = the_round(match).hands[seat]
            others = hidden_from_all(match) - hand
            sung = public_view(match).shown
            assert all(cards <= held for cards, held in zip(sung, the_round(match).hands, strict=True))
            assert view.hand == hand
            assert view.unseen == others
            bare = replace(view, unseen=EMPTY, public=of_this_round(view.public))
            assert not set(others) & set(shown_in(bare))


@every_preset_and_seating
def test_only_the_seat_at_turn_sees_moves(preset, seating):
    for match in positions(preset, seating, rounds=1):
        for seat in range(seating.seats):
            view = seat_view(match, seat)
            assert view.has_turn == (match.turn == seat)
            assert view.moves == (match.legal_moves() if match.turn == seat else ())


def test_a_missed_capture_is_offered_to_the_next_player_only_and_is_not_public():
    match = after(position(["4b 2o", "5c", "6c"], "1o 3c 4e 7b", preset="quince", seating=Seating.THREE), "0 4b")
    assert any("Claim" in repr(move) for move in seat_view(match, 1).moves)
    assert seat_view(match, 0).moves == seat_view(match, 2).moves == ()
    nothing_missed = replace(match, round=replace(the_round(match), claimable=None))
    assert public_view(match) == public_view(nothing_missed)


def test_hands_and_piles_are_counts():
    view = public_view(position(["4b 2o", "5c"], "1o 3c 4e 7b", piles=["5o 12o", "12c 5e 1c 2c 12e"], rest_to=0))
    assert view.hand_counts == (2, 1)
    assert view.pile_counts == (28, 5)


def test_a_shown_card_is_seen_by_every_seat():
    match = after(position(["4b 2o", "5c"], "1o 3c 4e 7b"), "0 4b ?")
    assert card("4b") not in seat_view(match, 1).unseen
    assert seat_view(match, 0).hand == cards("2o")


def test_before_the_first_deal_there_is_nothing_to_see():
    match = begin(seating=Seating.THREE)
    view = public_view(match)
    assert (view.stage, view.round_number, view.deal, view.deals) == (Stage.TO_DEAL, 0, 0, 4)
    assert view.table == EMPTY
    assert view.hand_counts == view.pile_counts == view.totals == (0, 0, 0)
    assert seat_view(match, 1).hand == EMPTY
    assert seat_view(match, 1).unseen == FULL
    assert seat_view(match, 1).moves == ()


@pytest.mark.parametrize("preset", ["escoba", "clasica"])
def test_when_a_round_is_over_every_card_has_been_seen(preset):
    match = begin(preset).apply(RoundDealt(shuffled(Random(3))))
    rng = Random(3)
    while match.stage is Stage.TO_PLAY:
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
    assert seat_view(match, 0).unseen == EMPTY


def test_cards_that_nobody_got_have_been_seen_too():
    others = str(FULL.without(card("12b")))
    match = after(position(["", "12b"], others, preset="clasica", turn=1), "1 12b")
    assert seat_view(match, 0).unseen == EMPTY


def test_a_view_shows_the_state_of_the_match():
    for _, match in random_events("quince", Seating.TRIPLE_PAIRS, Random(8), target=5):
        view = public_view(match)
        assert isinstance(view, PublicView)
        assert (view.version, view.stage, view.turn, view.winner) == (
            match.version,
            match.stage,
            match.turn,
            match.winner,
        )
        assert (view.totals, view.scores, view.facts) == (match.totals, match.scores, match.facts)
        assert (view.match_escobas, view.round_number) == (match.escobas, match.round_number)
        assert (view.rules, view.seating) == (match.rules, match.seating)
