"""A decision's theme is what its best move has and the next best hasn't."""

from random import Random

import pytest

from bot.coach.analysis import TERMS, Analysis, MoveRating, Others, Term, analyse
from bot.engine.scoring import Item
from bot.engine.views import seat_view
from bot.training.rules.themes import Theme, theme_of
from tests.players.positions import play, position

LEVEL: dict[Term, float] = dict.fromkeys(TERMS, 0.0)
VIEW = seat_view(position("2c 4e", "7o 5c 1b"), 0)
BEST, OTHER, THIRD = VIEW.moves[0], VIEW.moves[1], VIEW.moves[2]


def rated(gains: dict[Term, float], *, third: dict[Term, float] | None = None) -> Analysis:
    """An analysis in which the best move gains this much in each term over the next best, or over the third."""

    def rating(move: object, terms: dict[Term, float]) -> MoveRating:
        total = sum(terms.values())
        return MoveRating(move, total, terms, 0.5, sum(gains.values()) - total, 0.01)  # type: ignore[arg-type]

    worst = {term: gains.get(term, 0.0) - (third or {}).get(term, 0.0) for term in TERMS}
    return Analysis((rating(BEST, LEVEL | gains), rating(OTHER, LEVEL), rating(THIRD, worst)), exact=False)


@pytest.mark.parametrize(
    ("gains", "theme"),
    [
        ({Others.ESCOBAS: 0.4, Item.OROS: 0.2}, Theme.LEFT_OPEN),
        ({Item.OROS: 0.4, Item.CARDS: 0.3}, Theme.OROS),
        ({Item.SEVENS: 0.4, Item.ESCOBAS: -0.1}, Theme.SEVENS),
        ({Item.PRIME: 0.4}, Theme.SEVENS),
        ({Item.SEVEN_OF_OROS: 0.4}, Theme.SEVENS),
        ({Item.CARDS: 0.4}, Theme.CARDS),
        ({Item.ESCOBAS: 0.4}, Theme.ESCOBA),
    ],
)
def test_the_theme_is_what_the_best_move_gains_most_in(gains: dict[Term, float], theme: Theme) -> None:
    assert theme_of(VIEW, rated(gains)) is theme


def test_a_mistakes_theme_is_what_that_move_lost() -> None:
    analysis = rated({Item.OROS: 0.4}, third={Others.ESCOBAS: 0.9})
    assert theme_of(VIEW, analysis) is Theme.OROS
    assert theme_of(VIEW, analysis, THIRD) is Theme.LEFT_OPEN


def test_an_escoba_is_the_theme_if_only_the_best_move_makes_one() -> None:
    view = seat_view(position("4e 4b", "7o 5c 1b"), 0)
    swept, *others = sorted(view.moves, key=lambda move: move != play("7o", "4e 4b"))
    ratings = [MoveRating(move, 0.0, LEVEL, 0.5, 1.0, 0.01) for move in others]
    best = MoveRating(swept, 1.0, LEVEL | {Item.OROS: 1.0}, 0.5, 0.0, 0.0)
    assert theme_of(view, Analysis((best, *ratings), exact=False)) is Theme.ESCOBA


def test_with_nothing_hidden_the_theme_is_counting() -> None:
    gone = "1o 2o 3o 4o 5o 6o 7o 10o 11o 12o 1c 2c 3c 4c 5c 6c 7c 10c 11c 12c 1e 2e 3e 4e 5e 6e 7e 10e 11e 12e"
    view = seat_view(position("1b 2b 3b 4b", "5b 6b 7b", gone=gone, deal=6), 0)
    analysis = analyse(view, Random(1), draws=20)
    assert analysis.exact
    assert theme_of(view, analysis) is Theme.COUNTING
