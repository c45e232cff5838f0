"""The fast round of roll-outs follows the rules: the same moves, the same deals, the same points."""

from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards import SUNG_CARDS, CardSet, canto_points
from bot.engine.events import MatchStarted
from bot.engine.match import Match, start
from bot.engine.moves import Claim, Move, Stage
from bot.engine.round import Round
from bot.engine.rules import SWITCHES, Capture, Duty, Opening, Prime, Rules, Seating
from bot.engine.scoring import RoundScore, score_round
from bot.players.counting import counter
from bot.players.fast_round import FastRound, Met
from bot.players.greed import Style, style_of
from bot.players.lookahead import fast_move
from tests.players.positions import GAMES, shuffled
from tests.support.dose import dose

ROUNDS = dose("ROUNDS", 150)
"""How many rounds to play side by side; `make soak` plays 20,000."""


def any_game(rng: Random) -> tuple[Rules, Seating]:
    """A preset's rules, or random ones, with a seating that fits."""
    if rng.random() < 0.3:
        return rng.choice(GAMES)
    seating = rng.choice(list(Seating))
    while True:
        rules = Rules(
            capture=rng.choice(list(Capture)),
            duty=rng.choice(list(Duty)),
            opening=rng.choice(list(Opening)),
            prime=rng.choice(list(Prime)),
            **{switch: rng.random() < 0.5 for switch in SWITCHES},
            hand=rng.choice([1, 2, 3, 3, 3, 4, 5, 6, 9, 10]),
            table=rng.choice([0, 2, 4, 4, 4, 8, 10]),
        )
        if not rules.conflicts(seating):
            return rules, seating


def dealt(game: tuple[Rules, Seating], rng: Random) -> Match:
    """A match whose first round has been dealt."""
    rules, seating = game
    return start(MatchStarted(rules, seating, rng.randrange(seating.seats))).apply(shuffled(rng))


def round_of(match: Match) -> Round:
    """The match's round."""
    assert match.round is not None
    return match.round


def fast(now: Round) -> FastRound:
    """The same round with all hidden cards known, as no player ever gets it."""
    twin = FastRound(now.rules, now.seating, now.dealer)
    twin.hands = [[card.index for card in hand] for hand in now.hands]
    twin.deck = [card.index for card in now.deck[now.dealt :]]
    twin.table = now.table.mask
    twin.piles = [pile.mask for pile in now.piles]
    twin.escobas = list(now.escobas)
    twin.cantos = [canto_points(sung) for sung in now.cantos]
    twin.shown = sum(1 << seat for seat, shown in enumerate(now.shown) if shown)
    twin.sings = now.rules.cantos and now.rules.hands(now.seating)[now.deal - 1] == SUNG_CARDS
    twin.taker = -1 if now.last_taker is None else now.seating.side_of(now.last_taker)
    twin.turn = now.turn
    twin.count_unplayed()
    twin.claimable = -1 if now.claimable is None else now.claimable.index
    return twin


def apply(match: Match, move: Move) -> Match:
    """The match after a move."""
    return match.apply(match.event_of(move))


def style(match: Match, rng: Random) -> Style:
    """The greedy style of the match."""
    return style_of(match.rules, match.seating, most_cards_won=rng.random() < 0.2)


def same(match: Match, twin: FastRound) -> None:
    """Check that the two agree while the round is in progress."""
    ours = fast(round_of(match))
    for name in ("table", "piles", "escobas", "cantos", "taker", "turn", "claimable", "deck", "unplayed", "sings"):
        assert getattr(ours, name) == getattr(twin, name), name
    assert ours.shown == sum(1 << seat for seat, hand in enumerate(twin.hands) if hand and twin.shown >> seat & 1)
    assert [sorted(hand) for hand in ours.hands] == [sorted(hand) for hand in twin.hands]
    assert sorted(map(fast_move, match.legal_moves())) == sorted(twin.moves())


@pytest.mark.thorough
def test_random_rounds_follow_the_rules_to_the_end():
    """The whole state is compared after each move, so that a difference shows up where it arises."""
    rng = Random("side by side")
    for _ in range(ROUNDS):
        match = dealt(any_game(rng), rng)
        twin = fast(round_of(match))
        while match.stage is Stage.TO_PLAY:
            same(match, twin)
            move = rng.choice(match.legal_moves())
            match = apply(match, move)
            twin.play(fast_move(move))
        assert twin.over
        assert twin.claimable == -1, "after the last card there is no claim"
        assert tuple(twin.points()) == match.scores[0].points


def test_a_roll_out_equals_greedy_play_by_the_rules():
    """From any point of a round, what `finish` counts in one loop equals what the rules give, move by move."""
    rng = Random("greedy")
    for _ in range(ROUNDS):
        match = dealt(any_game(rng), rng)
        for _ in range(rng.randrange(40)):
            after = apply(match, rng.choice(match.legal_moves()))
            if after.stage is not Stage.TO_PLAY:
                break
            match = after
        how = style(match, rng)
        twin = fast(round_of(match))
        points = twin.copy().finish(how)
        twin.claim_greedily(how)
        claims = [move for move in match.legal_moves() if isinstance(move, Claim)]
        if claims:
            match = apply(
                match, next(claim for claim in claims if claim.captured.mask & ~twin.table == claim.captured.mask)
            )
        while match.stage is Stage.TO_PLAY:
            greedy = twin.greedy_move(how)
            move = next(move for move in match.legal_moves() if fast_move(move) == greedy)
            twin.play(greedy)
            match = apply(match, move)
        assert tuple(points) == match.scores[0].points


def test_a_roll_out_that_goes_on_like_an_earlier_one_ends_as_it_would_alone():
    """Every move of a position is rolled out twice: with the others remembered, and without."""
    rng, joined = Random("met"), 0
    for _ in range(ROUNDS):
        match = dealt(any_game(rng), rng)
        for _ in range(rng.randrange(12)):
            after = apply(match, rng.choice(match.legal_moves()))
            if after.stage is not Stage.TO_PLAY:
                break
            match = after
        how, met, now = style(match, rng), Met(), fast(round_of(match))
        for move in now.moves():
            alone, beside = now.copy(), now.copy()
            for each in (alone, beside):
                each.play(move)
            assert beside.finish(how, met) == alone.finish(how)
            for name in ("piles", "escobas", "cantos", "taker"):
                assert getattr(beside, name) == getattr(alone, name), name
            joined += bool(beside.deck)
    assert joined > ROUNDS / 4


@pytest.mark.parametrize("prime", Prime)
def test_piles_are_counted_as_the_rules_score_them(prime):
    """Including rare piles: all ten oros, all four sevens, a suit that nobody has."""
    rng = Random(f"piles {prime}")
    for _ in range(ROUNDS):
        rules = replace(Rules(), prime=prime, **{switch: rng.random() < 0.5 for switch in SWITCHES})
        sides, leaning = rng.choice([2, 3, 4]), rng.random()
        piles = [0] * sides
        for index in range(40):
            if rng.random() < 0.9:
                piles[0 if rng.random() < leaning else rng.randrange(sides)] |= 1 << index
        escobas = [rng.randrange(3) for _ in piles]
        items = score_round(rules, [CardSet(pile) for pile in piles], escobas)
        assert tuple(counter(rules)(piles, escobas)) == RoundScore(items, CardSet(), None).points
