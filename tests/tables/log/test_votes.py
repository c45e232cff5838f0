"""Votes about who wins a round: until when, who was right, and that they tell nothing that isn't seen."""

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import public_view
from bot.platform.refusals import CommonRefusal
from bot.tables.live.crowd import Ballot
from bot.tables.log.events import Fixture
from bot.tables.log.state import TableState
from bot.tables.log.votes import Poll, foreseen, is_open, right_about
from tests.support.tables.bare import ROW
from tests.support.tables.kit import ANA, STRANGER, finish_round, playing, refused, the_match


class Kept:
    """A stand-in for the store."""

    async def vote(self, game_id: int, number: int, user_id: int, side: int) -> dict[int, int]:
        return {user_id: side}


def ballot(state: TableState, *, wanted: bool = True) -> Ballot:
    games: Any = Kept()
    return Ballot(games, ROW, state, wanted=wanted)


def states(preset: str, seating: Seating, seed: int = 1) -> list[Match]:
    """The states of a match's first round, from its deal to its score."""
    rng = Random(seed)
    match = start(MatchStarted(PRESETS[preset].rules, seating, dealer=0)).apply(RoundDealt(tuple(rng.sample(DECK, 40))))
    found = [match]
    while match.stage is Stage.TO_PLAY:
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
        found.append(match)
    return found


@pytest.mark.parametrize("seating", [Seating.TWO, Seating.THREE, Seating.PAIRS, Seating.FIVE])
def test_a_round_is_open_until_its_second_deal(seating: Seating):
    for match in states("escoba", seating):
        view = public_view(match)
        assert is_open(view) == (match.stage is Stage.TO_PLAY and view.deal == 1)


def test_a_round_of_one_deal_is_open_until_half_of_its_cards_are_played():
    opened = [is_open(public_view(match)) for match in states("cientifica", Seating.PAIRS)]
    held = [sum(public_view(match).hand_counts) for match in states("cientifica", Seating.PAIRS)]
    assert public_view(states("cientifica", Seating.PAIRS)[0]).deals == 1
    assert opened == [cards > held[0] / 2 for cards in held]
    assert 0 < sum(opened) < len(opened)
    assert all(before or not after for before, after in pairwise(opened)), "it doesn't open again"


def test_who_was_right_has_voted_for_the_only_side_with_the_most_points():
    for seed in range(12):
        score = states("escoba", Seating.TWO, seed)[-1].scores[0]
        one, other = score.points
        expected = () if one == other else (7, 9) if one > other else (8,)
        assert right_about(score, {7: 0, 8: 1, 9: 0}) == expected
        assert right_about(score, {}) == ()


def test_those_who_were_right_most_often_come_first():
    rounds = [states("escoba", Seating.TWO, seed)[-1].scores for seed in range(9)]
    winners = [scores[0].points.index(max(scores[0].points)) for scores in rounds]
    told = [
        (scores, {1: {5: winner, 6: winner if number else 1 - winner, 7: 1 - winner}})
        for number, (scores, winner) in enumerate(zip(rounds, winners, strict=True))
        if len(set(scores[0].points)) > 1
    ]
    assert foreseen(told) == (5, 6)


async def test_a_vote_tells_nothing_of_hands_and_stock():
    """Whatever isn't seen may be otherwise: what is shown of votes, and who may vote, stays the same."""
    rng, state = Random(3), playing(ANA, STRANGER)
    match = the_match(state)
    table = list(public_view(match).table)
    rest = [card for card in DECK if card not in table]
    seen: set[tuple[Any, ...]] = set()
    for _ in range(20):
        rng.shuffle(rest)
        started = start(MatchStarted(match.rules, match.seating, match.dealer))
        hands = match.rules.hands(match.seating)[0] * match.seating.seats
        other = public_view(started.apply(RoundDealt((*rest[:hands], *table, *rest[hands:]))))
        votes = ballot(state)
        before = votes.poll(other)
        await votes.press(other, 77, 1, 1)
        seen.add((before, votes.poll(other)))
    assert seen == {(Poll(open=True, counts=(0, 0)), Poll(open=True, counts=(0, 1)))}


async def test_nobody_votes_who_plays_nor_at_a_tournaments_table_nor_about_another_round():
    state = playing(ANA, STRANGER)
    view = public_view(the_match(state))
    with refused(CommonRefusal.STALE):
        await ballot(state).press(view, 77, 2, 0)
    with refused(CommonRefusal.STALE):
        await ballot(state).press(view, 77, 1, 2)
    with refused(CommonRefusal.STALE):
        await ballot(state).press(None, 77, 1, 0)
    for closed in (replace(state, fixture=Fixture(1, 1, 1)), replace(state, thread_id=-1)):
        assert ballot(closed).poll(view) is None
        with refused(CommonRefusal.STALE):
            await ballot(closed).press(view, 77, 1, 0)
    assert ballot(state, wanted=False).poll(view) is None
    with refused(CommonRefusal.STALE):
        await ballot(finish_round(state)).press(public_view(the_match(finish_round(state))), 77, 1, 0)
