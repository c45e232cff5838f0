"""Every reason given for a move is true: each is checked against the match by means other than those that found it."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bench.reasons import after, check, check_danger, ends, known
from bench.sentences import is_empty
from bot.coach.analysis import Analysis, MoveRating, analyse
from bot.coach.explaining import why_best, why_better
from bot.coach.facts import prepared, table_after, trap
from bot.coach.grading import lost
from bot.coach.reasons import Brings, Gains, LeavesRest, NothingBetter, OutOfReach, Prepares, Sweeps, Trap, Unswept, Why
from bot.engine.cards import FULL, Card, CardSet
from bot.engine.match import Match
from bot.engine.moves import Move, Play
from bot.engine.rules import PRESETS, Duty, Rules, Seating
from bot.engine.scoring import Item
from bot.engine.views import seat_view
from bot.platform.language.catalogues import words
from bot.players.last_deal import leftovers_won
from bot.players.lookahead import Hidden, fast_move
from bot.training.words.coaching import behind_text, danger_text, points_text, why_text
from tests.players.positions import GAMES, play, position, view_at_turn
from tests.players.test_levels import some_state
from tests.support.dose import dose

GAMES_WITH_DUTIES = [*GAMES, (Rules(duty=Duty.CLAIMABLE), Seating.TWO), (Rules(duty=Duty.OPTIONAL), Seating.THREE)]
UNSURE = ("may", "might", "could", "likelier", "still out", "chance")
EN = words("en")


def say(why: Why, match: Match) -> str:
    return " ".join(filter(None, (danger_text(why, EN), why_text(why, match.rules, EN))))


def test_every_reason_is_true_and_no_sentence_doubts_what_is_known():
    rng = Random("reasons")
    told, total = Counter[type](), dose("REASONS", 150)
    sure = vague = 0
    for number in range(total):
        late = rng.random() < 0.3
        match = some_state(
            rng.choice(GAMES_WITH_DUTIES), rng.randrange(10_000), 30 + rng.randrange(6) if late else rng.randrange(36)
        )
        view = view_at_turn(match)
        if len(view.moves) < 2:
            continue
        played = rng.choice(view.moves)
        analysis = analyse(view, Random(number), draws=24, played=played)
        hinted = next((rating.move for rating in analysis.ratings if lost(rating)), None)
        explained = [(why_best(view, analysis), hinted)]
        if lost(analysis.rating_of(played)):
            explained.append((why_better(view, analysis, played), played))
        for why, other in explained:
            for reason in why.reasons:
                check(reason, match, view, analysis, other)
                told[type(reason)] += 1
            assert why.known is known(match)
            assert not why.exact or (why.known and match.seating.sides == 2)
            if why.danger is not None:
                assert other is not None
                check_danger(why.danger, match, view, other)
            text = say(why, match)
            if why.known:
                sure += 1
                assert not [word for word in UNSURE if word in text.split() or (" " in word and word in text)], text
            else:
                assert "known" not in text
            assert len(set(why.reasons)) == len(why.reasons) <= 2
            vague += is_empty(why)
    assert sure >= total / 25
    assert len(told) >= 9, told
    assert vague <= total / 12


def analysed(match: Match, draws: int = 300, played: Move | None = None) -> Analysis:
    return analyse(view_at_turn(match), Random(1), draws=draws, played=played)


def test_an_escoba_is_the_reason_for_a_sweep():
    match = position("4c 11e", "2b 5c 12e", gone="6o 6c")
    found = analysed(match)
    assert found.best.move == play("2b", "4c 11e")
    assert why_best(view_at_turn(match), found).reasons[0] == Sweeps()


def test_the_risk_of_an_escoba_is_the_reason_against_a_table_that_a_card_sweeps():
    # 8 and 5 on the table make 13; a 3 laid beside them makes 16, which no card sweeps; an ace makes 14, which aces do.
    match = position("10e 5c", "1b 3c", gone="2o 2c 2e 2b")
    found = analysed(match, 1_000, play("1b"))
    assert found.best.move == play("3c")
    why = why_better(view_at_turn(match), found, play("1b"))
    assert why.reasons[0] == Unswept(16, None)
    assert why.danger is not None
    assert (why.danger.total, why.danger.need, why.danger.out) == (14, 1, 3)
    assert "3 cards worth 1 were still out" in say(why, match)


def test_the_seven_of_oros_is_the_reason_for_taking_it():
    match = position("7o 12e 12b 11c", "10e 1c 4b")
    found = analysed(match)
    assert found.best.move == play("10e", "7o")
    reasons = why_best(view_at_turn(match), found).reasons
    assert any(isinstance(reason, Brings) and Item.SEVEN_OF_OROS in reason.items for reason in reasons)


def test_a_table_from_which_every_capture_leaves_what_the_hand_sweeps_is_a_trap():
    # On 5 and 7 only the sota (8) can take anything, which leaves the 5 to the king.
    unseen = CardSet.of("1e 4c 4b 5o 6c 7b 10e 11b")
    gone = FULL - CardSet.of("5b 6o 7e 4o 11c 12e") - unseen
    match = position("5b 6o 7e", "4o 11c 12e", gone=str(gone), others=2, deal=5)
    why = why_best(view_at_turn(match), analysed(match))
    assert LeavesRest(5, 10, Card.parse("12e")) in why.reasons
    assert "any capture leaves 5, which your rey" in say(why, match)


def test_a_card_laid_for_one_in_hand_that_would_take_everything_prepares_an_escoba():
    # 4 and 2 make 6; only the caballo (9) in hand takes both, and the 9s that could do the same are gone.
    match = position("4c", "2b 11e 12e", gone="11o 11c 11b")
    view = view_at_turn(match)
    assert prepared(view, play("2b")) == Prepares(Card.parse("11e"), CardSet.of("4c 2b"), escoba=True)
    assert "prepares an escoba with your caballo" in why_text(
        Why((Prepares(Card.parse("11e"), CardSet.of("4c 2b"), True),)), match.rules, EN
    )


def test_a_trap_catches_the_next_player_of_three_too():
    match = position("4c 6b", "10e 7o", seating=Seating.THREE)
    found = trap(view_at_turn(match), play("10e"))
    assert found is not None
    assert found == Trap(5, CardSet.of("4c 6b"), 8, Card.parse("7o"))
    said = why_text(Why((found,)), match.rules, EN)
    assert "a card worth 5 takes 4" in said
    assert "leaves 8, for your 7" in said


def test_a_reason_is_told_only_if_its_difference_is_twice_its_error():
    match = position("4c 6b", "10e 10b 12c", gone="2o 2c")
    view = view_at_turn(match)
    best, other = (analysed(match).rating_of(play(card)) for card in ("10e", "10b"))
    best = replace(best, terms={Item.CARDS: 0.3, Item.OROS: 0.3}, behind=0.0)
    for error, told in ((0.14, True), (0.16, False)):
        errors = {Item.CARDS: error, Item.OROS: 0.2}
        worse = replace(other, terms={Item.CARDS: 0.0, Item.OROS: 0.0}, behind=0.6, errors=errors)
        why = why_better(view, Analysis((best, worse), exact=False), worse.move)
        assert why.reasons == (Gains(Item.CARDS, 0.3) if told else Gains(None, 0.6),)


def test_the_seven_of_oros_is_named_if_its_place_is_known():
    rules = Rules()
    seen, hidden = (why_text(Why((Gains(Item.SEVEN_OF_OROS, 0.3, place),)), rules, EN) for place in (True, False))
    assert "7" in seen
    assert "7" not in hidden


def test_the_other_move_is_named_unless_it_has_been():
    why, played = Why((Sweeps(),), other=play("7o")), play("7o")
    assert why_text(why, Rules(), EN).startswith("Better than 7")
    assert why_text(why, Rules(), EN, mentioned=played).startswith("It sweeps")


def test_an_only_move_is_explained_without_a_comparison():
    match = position("7c", "11b")
    [move] = view_at_turn(match).moves
    why = why_best(view_at_turn(match), Analysis((MoveRating(move, 0.0, {}, 0.0, 0.0, 0.0),), exact=False))
    assert not any(word in why_text(why, match.rules, EN) for word in ("no move", "better"))


def test_a_move_that_is_as_good_is_shown_behind_by_nothing():
    rating = analysed(position("4c 6b", "10e 10b 12c", gone="2o 2c")).best
    assert behind_text(replace(rating, behind=0.14, error=0.01), EN) == "**±0**"
    assert behind_text(replace(rating, behind=0.16, error=0.01), EN) == "−0.1"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("table", "hand", "best", "said"),
    [
        ("7c", "11b 12e", "12e", "leaves 17 on the table, of which 8 cards still out could take something: no move"),
        (
            "5e 10c",
            "1b 2c",
            "1b",
            "a capture if any of 14 cards still out is laid next: no move gives you more chances",
        ),
        ("5e 10e", "4o 5o", "4o", "lets the next player take 2 cards of the table at most: no move leaves less"),
    ],
)
def test_if_no_move_is_worse_a_fact_about_the_table_is_told(table: str, hand: str, best: str, said: str):
    match = position(table, hand)
    view = view_at_turn(match)
    moves = sorted(view.moves, key=lambda move: move != play(best))
    analysis = Analysis(tuple(MoveRating(move, 0.0, {}, 0.0, 0.0, 0.0) for move in moves), exact=False)
    why = why_best(view, analysis)
    assert said in why_text(why, match.rules, EN)


def test_what_is_left_is_certain_only_if_it_doesnt_depend_on_which_best_move_is_made():
    rng, differ = Random("last"), 0
    for _ in range(30):
        match = some_state((Rules(duty=Duty.CLAIMABLE), Seating.TWO), rng.randrange(10_000), 36)
        view = view_at_turn(match)
        if not known(match) or match.turn is None:
            continue
        hidden = Hidden(view)
        for move in view.moves:
            found = leftovers_won(hidden.with_cards(hidden.unseen), fast_move(move), view.seat)
            assert found == ends(after(match, move), view.seat).last
            differ += len(found) > 1
    assert differ


def test_if_nothing_is_hidden_a_move_that_ends_as_well_as_any_says_so():
    match = position("", "12e 12b", gone=str(FULL - CardSet.of("12e 12b 11e 11b")), deal=6)
    why = why_best(view_at_turn(match), analysed(match))
    assert why.exact
    assert why.reasons == (OutOfReach(10), NothingBetter())


@pytest.mark.parametrize(
    ("table", "move", "total", "need", "out"),
    [
        ("4c 11e", play("2b", "4c 11e"), 0, None, 0),
        ("4c 2e", play("1c"), 7, 10 - 2, 4),
        ("1o", play("2c"), 3, None, 0),
        ("10e 5c", play("2b", "5c 10e"), 0, None, 0),
        ("12o 11o", play("3b"), 22, None, 0),
    ],
)
def test_the_table_after_a_move_is_counted(table: str, move: Play, total: int, need: int | None, out: int):
    match = position(table, f"{move.card} 7b")
    left = table_after(seat_view(match, 0), move)
    assert (left.total, left.need, left.out) == (total, need, out)


def test_for_equal_captures_the_sum_itself_is_what_sweeps():
    rules = PRESETS["clasica"].rules
    match = position("4c 2e", "1c 7b", rules=rules)
    left = table_after(seat_view(match, 0), play("1c"))
    assert (left.total, left.need, left.out) == (7, 7, 3)


@pytest.mark.parametrize(("loss", "shown"), [(0.15, "0.1"), (0.39, "0.3"), (0.4, "0.4"), (0.99, "0.9"), (1.0, "1")])
def test_the_same_number_of_points_is_never_two_grades(loss: float, shown: str):
    assert points_text(loss, EN) == (f"−{shown} point" if shown == "1" else f"−{shown} points")
    assert points_text(0.1 + 0.2, EN) == "−0.3 points"


def test_a_number_with_decimals_is_singular_where_the_language_says_so():
    assert [points_text(loss, words("fr")) for loss in (0.4, 1.9, 2)] == ["−0,4 point", "−1,9 point", "−2 points"]
