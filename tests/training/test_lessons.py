"""Every lesson's steps can be solved, and every wrong answer is explained; a deal goes on where it was left."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from bot.coach.analysis import analyse
from bot.engine.cards import Card, CardSet
from bot.engine.events import Laid
from bot.engine.moves import FIFTEEN, Claim, Play, captures
from bot.engine.rules import Capture
from bot.training.live.lesson_deal import LessonDeal, advice
from bot.training.rules.lesson_steps import FIRST, LESSONS
from bot.training.rules.lessons import (
    Adds,
    Asks,
    ClaimFirst,
    Fewer,
    LaysInstead,
    LeavesPart,
    LeavesSeven,
    LessonStep,
    Misadded,
    Miscounted,
    NothingFor,
    Sweepable,
    named,
)

STEPS = {step.key: step for lesson in LESSONS.values() for step in lesson.steps}
QUESTIONS = [step for step in STEPS.values() if step.asks is not Asks.DEAL]
DEAL = LESSONS[FIRST].steps[-1]


def every_answer(step: LessonStep) -> Iterator[str]:
    """All answers that a step accepts."""
    if step.asks is not Asks.PICK:
        yield from step.answers
        return
    view = step.view
    table = list(view.public.table)
    for size in range(len(table) + 1):
        for chosen in map(CardSet.of, combinations(table, size)):
            yield from (named(Play(card, chosen)) for card in view.hand)
            if view.memory.claimable in chosen:
                yield named(Claim(chosen))


def test_each_step_has_a_name_of_its_own():
    assert len(STEPS) == sum(map(len, LESSONS.values()))


@pytest.mark.parametrize("step", QUESTIONS, ids=lambda step: step.key)
def test_right_answers_are_legal_and_every_wrong_one_is_explained(step: LessonStep):
    answers = list(every_answer(step))
    assert len(answers) == len(set(answers)) > len(step.right) > 0
    assert all(map(step.accepts, answers))
    for answer in answers:
        fault = step.fault(answer)
        assert (fault is None) == (answer in step.right), answer
        if fault is None:
            after = step.after(answer)
            assert after is step.match or after.version == step.match.version + 1


@pytest.mark.parametrize("step", QUESTIONS, ids=lambda step: step.key)
def test_explanations_of_wrong_answers_are_true(step: LessonStep):
    view, rule = step.view, step.match.rules.capture
    table = view.public.table
    best = step.right_moves[0] if step.item is None else None
    for answer in every_answer(step):
        fault, move = step.fault(answer), step.move(answer)
        match fault:
            case Adds(card, terms, aim, printed):
                assert sum(each.worth for each in terms) != aim == (FIFTEEN if rule is Capture.FIFTEEN else card.worth)
                assert printed == (rule is Capture.FIFTEEN and sum(t.worth for t in terms[1:]) + card.printed == aim)
            case NothingFor(card, need):
                assert need == FIFTEEN - card.worth
                assert not captures(rule, card, table)
            case LaysInstead(card, itself):
                assert itself == bool(captures(rule, card, table))
                assert best is not None
                assert best.captured
            case ClaimFirst(laid):
                assert laid is view.memory.claimable
            case LeavesPart(rest, total):
                assert move is not None
                assert best is not None
                assert rest == move.table_after(table)
                assert total == table.worth
                assert not best.table_after(table)
            case LeavesSeven(taken):
                assert "7o" in map(str, table - taken)
            case Fewer(cards, most):
                assert move is not None
                assert best is not None
                assert (cards, most) == (len(move.gained), len(best.gained))
                assert cards < most
            case Sweepable(total, need):
                assert move is not None
                assert total == move.table_after(table).worth
                assert need == (FIFTEEN - total if rule is Capture.FIFTEEN else total)
                assert any(card.worth == need for card in view.unseen)
            case Miscounted(item):
                assert item.points != {"0": (1, 0), "1": (0, 1), "none": (0, 0)}[answer]
            case Misadded(said, items):
                assert said != sum(item.points[0] for item in items) == step.match.scores[-1].points[0]
            case None:
                pass


@pytest.mark.thorough
@pytest.mark.parametrize(
    "step", [step for step in QUESTIONS if step.asks in (Asks.MOVE, Asks.CAPTURE, Asks.PICK)], ids=lambda step: step.key
)
def test_what_a_lesson_recommends_is_what_the_coach_would_play(step: LessonStep):
    assert analyse(step.view, Random(1), draws=300).best.move == step.right_moves[0]


@pytest.mark.parametrize("step", [step for step in QUESTIONS if step.item is None], ids=lambda step: step.key)
def test_no_right_answer_leaves_the_other_player_an_escoba(step: LessonStep):
    match = step.match
    assert match.round is not None
    for answer in step.right:
        after = step.after(answer).round
        assert after is not None
        table = after.table
        assert not any(table in captures(match.rules.capture, card, table) for card in after.hands[1]), answer


@pytest.mark.parametrize("key", ["leaving", "leaving_little", "clasica_leaving"])
def test_no_card_can_sweep_what_is_safe_to_leave(key: str):
    step = STEPS[key]
    [move] = step.right_moves
    table = move.table_after(step.view.public.table)
    assert not any(table in captures(step.match.rules.capture, card, table) for card in step.view.unseen)


def test_an_invalid_answer_is_not_accepted():
    pick, claim, side = STEPS["quince_find"], STEPS["quince_claim"], STEPS["score_oros"]
    assert not any(map(pick.accepts, ("", "7c-", "4o", "7c-1o", "claim-5e", "13o")))
    assert not claim.accepts("claim-11e"), "the card just laid is part of any claim"
    assert not any(map(side.accepts, ("2", "0-1", "")))


# -------------------------------------------------------------------------------------------------- the deal


def played(deal: LessonDeal, rng: Random | None = None) -> LessonDeal:
    """The deal after the learner's next move, as advised or at random, pressed as on a panel."""
    view = deal.view
    move = advice(view)[0] if rng is None else rng.choice(view.moves)
    assert isinstance(move, Play)
    after = deal.play(named(move) if view.public.laid is not None else move.card.notation)
    assert after is not None
    return after


def test_following_the_advice_sweeps_and_wins_the_round():
    deal = LessonDeal(DEAL)
    own = 0
    while not deal.over:
        assert advice(deal.view)[1].reasons, "there is always something to say"
        deal = played(deal)
        own += deal.swept[0]
    assert own
    assert deal.match.totals[0] > deal.match.totals[1]


@pytest.mark.parametrize("seed", range(5))
def test_a_deal_goes_on_from_its_stored_text_as_if_it_had_not_been_left(seed: int):
    rng, left, again = Random(seed), LessonDeal(DEAL), Random(seed)
    stayed = left
    while not left.over:
        assert left.match.turn == 0
        left, stayed = LessonDeal.load(DEAL, played(left, rng).dump()), played(stayed, again)
        assert left == stayed
    assert left.match.scores


@pytest.mark.parametrize("state", ["nonsense", "0 7o", "1 5e", "0 5c x 1c 2b 7b"])
def test_a_text_that_does_not_fit_the_deal_begins_it_again(state: str):
    assert LessonDeal.load(DEAL, state) == LessonDeal(DEAL)


def test_a_card_that_takes_in_several_ways_is_shown_first():
    shown = LessonDeal(DEAL).play("5c")
    assert shown is not None
    assert shown.events == (Laid(0, Card.parse("5c")),)
    assert shown.swept == (False, False)
    assert shown.play("5c") is None
    assert shown.play("1e") is None
    assert shown.play("5c-1c-11c") is not None
    assert LessonDeal(DEAL).play("5c-1c-11c") is None
    assert LessonDeal(DEAL).play("7o") is None
