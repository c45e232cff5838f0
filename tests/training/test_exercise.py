"""An exercise keeps a decision together with what its moves are worth."""

from dataclasses import replace
from random import Random

import pytest

from bot.coach.analysis import Analysis, analyse
from bot.engine.notation import Position
from bot.engine.rules import Seating
from bot.training.live.finding import Exercise, ExerciseError
from tests.support.engine import random_events


def exercise(preset: str = "escoba", *, moves: int = 3) -> Exercise:
    """A decision of the first round, that many moves into it, rated with a few draws."""
    events = [event for event, _ in zip(random_events(preset, Seating.TWO, Random(5)), range(moves + 2), strict=False)]
    position = Position(tuple(event for event, _ in events))
    return Exercise(position, analyse(position.view, Random(1), draws=20))


def test_an_exercise_is_the_same_after_being_kept_as_text() -> None:
    made = exercise()
    again = Exercise.load(made.dump())
    assert again == made
    assert again.view == made.position.view


def test_each_move_has_a_name_of_its_own() -> None:
    made = exercise()
    assert len({made.name_of(move) for move in made.view.moves}) == len(made.view.moves) >= 2
    assert all(made.move_named(made.name_of(move)) == move for move in made.view.moves)
    assert made.move_named("0 1o x 2o") is None


def test_the_best_move_is_judged_to_lose_nothing() -> None:
    made = exercise()
    assert made.judged(made.analysis.best.move).lost == 0


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"position":"","exact":false,"ratings":[]}', exercise().dump().replace("deal", "dealt")]
)
def test_text_that_is_not_an_exercise_is_refused(text: str) -> None:
    with pytest.raises(ExerciseError):
        Exercise.load(text)


def test_a_move_without_a_rating_is_at_least_as_bad_as_the_worst() -> None:
    made = exercise()
    *others, last = made.analysis.ratings
    short = replace(made, analysis=Analysis((*others[:1], replace(others[0], behind=0.7, error=0.1)), exact=False))
    judged = short.judged(last.move)
    assert judged.untried
    assert judged.lost == 0.7
    assert judged.decision.move == last.move
    assert judged.why == short.judged(others[0].move).why
    assert not short.judged(others[0].move).untried
