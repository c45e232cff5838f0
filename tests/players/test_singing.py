"""Computers and the coach know what singing brings, and what others see from then on."""

from dataclasses import replace
from random import Random

import pytest

from bot.coach.analysis import analyse, merged
from bot.coach.explaining import why_best, why_better
from bot.coach.grading import Grade, grade
from bot.coach.luck import DealtRound, compared, played_again
from bot.coach.reasons import Sings, Unswept
from bot.engine.cards import FULL, CardSet
from bot.engine.match import Match
from bot.engine.moves import Move, Sing, Stage
from bot.engine.rules import Seating
from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.platform.language.catalogues import words
from bot.players import Character, Level, choose
from bot.players.characters import PERSONAS
from bot.players.fast_round import FastRound
from bot.players.greed import style_of
from bot.players.last_deal import solved
from bot.players.lookahead import Hidden, Lookahead, fast_move, never
from bot.thinking import InlineThinker, Urgency
from bot.thinking.worker import bare, tried_in_steps
from bot.training.rules.themes import Theme, theme_of
from bot.training.words.coaching import danger_text, hint_text, why_text
from tests.players.positions import CHORIZO, anything, normal, play, position, states, view_at_turn

SONGS = ["4o 5c 6e", "1o 3o 6o", "1o 1c 4b", "2o 3c 4b", "7o 7c 7e", "10o 11c 12e"]


def singing(hand: str) -> Match:
    """The first turn of a round between two players."""
    return position("12c 12e 12b 11c", hand, rules=CHORIZO)


def facing(open_hand: str, hand: str, table: str = "") -> Match:
    """A turn between two players; the other has sung, and still holds the cards of `open_hand`."""
    seen = CardSet.of(f"{open_hand} {hand} {table}")
    gone = list(FULL - seen)[: 40 - 30 - len(seen)]  # thirty are still to be dealt
    match, held = position(table, hand, rules=CHORIZO, gone=str(CardSet.of(gone))), CardSet.of(open_hand)
    assert match.round is not None
    hands = (match.round.hands[0], held)
    return replace(match, round=replace(match.round, hands=hands, shown=(CardSet(), held)))


def sings(view: SeatView, rng: Random) -> Move:
    """A player that sings, and otherwise picks any legal move."""
    return view.moves[0] if isinstance(view.moves[0], Sing) else anything(view, rng)


def sung_states(seating: Seating, rounds: int) -> list[SeatView]:
    """Views from random rounds in which somebody else's cards lie open."""
    found: list[SeatView] = []
    for seed in range(rounds):
        for match in states(CHORIZO, seating, [sings] * seating.sides, seed, rounds=1):
            if match.stage is Stage.TO_PLAY and match.turn is not None:
                view = view_at_turn(match)
                if any(shown for seat, shown in enumerate(view.public.shown) if seat != view.seat):
                    found.append(view)
    return found


class TestWhoSings:
    @pytest.mark.parametrize("hand", SONGS)
    @pytest.mark.parametrize("level", [Level.NORMAL, Level.HARD])
    def test_the_normal_and_the_hard_level_sing_what_they_can(self, level: Level, hand: str):
        view = view_at_turn(singing(hand))
        assert choose(view, level, Random(1), effort=0.05) == Sing()

    @pytest.mark.parametrize("level", [Level.NORMAL, Level.HARD])
    def test_no_manner_keeps_the_normal_or_hard_level_from_singing(self, level: Level):
        view = view_at_turn(singing("1o 1c 4b"))
        for character, persona in PERSONAS.items():
            if persona.level is level:
                assert choose(view, level, Random(1), character=character, effort=0.02) == Sing()

    def shares(self, character: Character | None) -> float:
        view = view_at_turn(singing("4o 5c 6e"))
        sung = [choose(view, Level.EASY, Random(seed), character=character) == Sing() for seed in range(200)]
        return sum(sung) / len(sung)

    def test_the_easy_level_sings_now_and_then(self):
        assert 0.5 < self.shares(None) < 0.7

    def test_a_quiet_character_seldom_sings_and_a_loud_one_always_does(self):
        assert self.shares(Character.BETO) == 1
        assert 0.15 < self.shares(Character.TITO) < 0.35

    @pytest.mark.parametrize("hand", ["4o 5c 6e", "1o 1c 4b"])
    def test_the_hard_level_would_not_show_its_cards_for_nothing(self, hand: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("bot.players.fast_round.sung_points", lambda hand: 1e-9)
        monkeypatch.setattr("bot.players.outlook.canto_points", lambda cantos: 0)
        view = view_at_turn(singing(hand))
        assert choose(view, Level.HARD, Random(1)) != Sing()


class TestWhatLiesOpen:
    @pytest.mark.parametrize("seating", [Seating.TWO, Seating.PAIRS])
    def test_what_was_sung_is_in_its_singers_hand_in_every_draw(self, seating: Seating):
        views = sung_states(seating, 12)
        assert len(views) > 15
        for number, view in enumerate(views):
            ahead, rng = Lookahead(view), Random(number)
            for _ in range(3):
                drawn = ahead.hidden.with_cards(ahead.draw(rng))
                cards = [*drawn.deck, *(card for hand in drawn.hands for card in hand)]
                gone = drawn.table | sum(drawn.piles)
                assert sorted(cards) == [index for index in range(40) if not gone >> index & 1]
                for seat, shown in enumerate(view.public.shown):
                    assert not shown or sorted(drawn.hands[seat]) == [card.index for card in shown]
                assert list(map(len, drawn.hands)) == list(view.public.hand_counts)

    def test_the_normal_level_leaves_no_escoba_to_a_hand_that_it_sees(self):
        # All sixes and eights are still out. The other hand decides which card may be laid on an empty table.
        assert normal(facing("6c 6b", "11e 10c")) == play("10c")
        assert normal(facing("7c 7b", "11e 10c")) == play("11e")

    def test_roll_outs_leave_no_escoba_to_an_open_hand(self):
        for seating, others in ((Seating.TWO, 1), (Seating.FOUR, 3)):
            for held, laid in (("6c 6b 6e", "10c"), ("7c 7b 7e", "11e")):
                now = FastRound(CHORIZO, seating, others)
                rest = FULL - CardSet.of(f"11e 10c {held}")
                now.hands[0], now.hands[1] = ([card.index for card in CardSet.of(each)] for each in ("11e 10c", held))
                now.deck = [card.index for card in rest][: 2 * 3 * seating.seats]
                now.count_unplayed()
                now.shown = 0b10
                assert now.greedy_move(style_of(CHORIZO, seating)) == fast_move(play(laid))


class TestTheCoach:
    def test_not_singing_is_a_blunder_and_the_reason_is_the_song(self):
        match = singing("2o 3c 4b")
        view, silent = view_at_turn(match), play("4b")
        found = analyse(view, Random(1), draws=60, played=silent)
        assert found.best.move == Sing()
        assert found.best.terms[Item.CANTOS] - found.rating_of(silent).terms[Item.CANTOS] == 6
        assert grade(found.rating_of(silent)) is Grade.BLUNDER
        assert theme_of(view, found, silent) is Theme.CANTOS
        for why in (why_best(view, found), why_better(view, found, silent)):
            assert [type(reason) for reason in why.reasons] == [Sings]
        said = "Better than 2🪙 to the table: it is worth 6 points (escalera + tres de nueve)."
        assert hint_text(view, found, words("en")).replace("\u2060", "") == f"💡 **sing your hand.** {said}"
        assert grade(found.best) is Grade.GOOD

    async def test_parts_of_an_analysis_have_a_term_for_cantos(self):
        view = view_at_turn(singing("2o 3c 4b"))
        tried = await InlineThinker().solve(tried_in_steps(bare(view), "a", Lookahead(view).moves, 10), Urgency.DAY)
        assert tried is not None
        best = merged(view, tried[0]).best
        assert best.move == Sing()
        assert best.terms[Item.CANTOS] > 5

    def test_what_an_open_hand_sweeps_is_stated_as_certain(self):
        view = view_at_turn(facing("11b 12b", "1e 2e", table="5c"))
        found = analyse(view, Random(1), draws=100, played=play("1e"))
        assert found.best.move == play("2e")
        why = why_better(view, found, play("1e"))
        assert why.known
        assert Unswept(7, 8, in_hand=True) in why.reasons
        assert "the open hand has no 8" in why_text(why, CHORIZO, words("en"))
        assert danger_text(why, words("en")) == (
            "Your move left 6 on the table, and the other hand had a card worth 9, which sweeps that."
        )

    def test_the_open_end_of_a_round_is_exact_including_cantos_to_come(self):
        """Tries every line of play to the end with the rules engine: the search isn't trusted."""
        sung = 0
        for seed in range(40):
            for match in states(CHORIZO, Seating.TWO, [anything] * 2, seed, rounds=1):
                now = match.round
                if match.stage is Stage.TO_PLAY and now is not None and now.deal == 6 and sum(map(len, now.hands)) <= 6:
                    break
            else:
                continue
            assert match.round is not None
            if not any(match.round.hands):
                continue
            singers = [hand for hand in match.round.hands if replace(match.round, hands=(hand, hand)).singable()]
            if not singers:
                continue
            sung += 1
            hidden = Hidden(view_at_turn(match))
            state = hidden.with_cards(hidden.unseen)
            assert match.turn is not None
            for move in match.legal_moves():
                worth = _value(match.apply(match.event_of(move)), match.turn)
                assert solved(state, fast_move(move), match.turn) == worth
            if sung == 4:
                break
        assert sung >= 3


def _value(match: Match, side: int) -> int:
    if match.turn is None:
        points = match.scores[-1].points
        return points[side] - points[1 - side]
    values = [_value(match.apply(match.event_of(move)), side) for move in match.legal_moves()]
    return max(values) if match.turn == side else min(values)


def test_a_chorizo_in_the_cards_is_luck():
    cards = CardSet.of("7o 7c 7e")
    rest = list(FULL - cards)
    Random(3).shuffle(rest)
    deck = (*rest[:3], *cards, *rest[3:])
    leads = {
        rules.cantos: compared(played_again(DealtRound(rules, Seating.TWO, 0, tuple(deck)), Random(1), 40, never))
        for rules in (CHORIZO, replace(CHORIZO, cantos=False))
    }
    assert leads[True][0][0] - leads[False][0][0] > 8
