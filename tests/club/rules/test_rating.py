"""Ratings: who gains, who loses, and what never changes a rating."""

import importlib.util
import math
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import openskill.models
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.rules import rating as ratings
from bot.club.rules.rating import PRIOR_SIGMA, Rated, Rating, match_weight, rate

NEW = Rating()
strengths = st.builds(Rating, st.floats(-10, 60), st.floats(0.5, 6))


@st.composite
def matches(draw: st.DrawFn) -> list[Rated]:
    """A match of two or more sides of one to three, in any order of seats, with ties and people who left."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    places = draw(st.lists(st.integers(1, len(sizes)), min_size=len(sizes), max_size=len(sizes)))
    seats = [side for side, size in enumerate(sizes) for _ in range(size)]
    left = st.sampled_from([False, False, False, True])
    return [Rated(side, places[side], draw(strengths), left=draw(left)) for side in draw(st.permutations(seats))]


@given(matches())
def test_no_match_makes_a_rating_less_certain_than_it_was_or_a_newcomers_is(players: list[Rated]) -> None:
    for player, after in zip(players, rate(players), strict=True):
        assert math.isfinite(after.mu)
        assert 0 < after.sigma <= min(player.rating.sigma, PRIOR_SIGMA) + 1e-12


@given(matches())
def test_a_win_lowers_nobodys_rating(players: list[Rated]) -> None:
    best = min((each.place for each in players if not each.left), default=0)
    alone = {each.side for each in players if not each.left and each.place == best}
    for player, after in zip(players, rate(players), strict=True):
        if alone == {player.side} and not player.left:
            assert after.value >= player.rating.at_the_table().value


@given(strengths, strengths)
def test_half_the_weight_is_half_the_change(old: Rating, whole: Rating) -> None:
    assert old.toward(whole, 0) == old
    half = old.toward(whole, 0.5)
    assert half.mu - old.mu == pytest.approx((whole.mu - old.mu) / 2, abs=1e-12)
    assert half.sigma - old.sigma == pytest.approx((whole.sigma - old.sigma) / 2, abs=1e-12)


@given(matches(), st.randoms(use_true_random=False))
def test_the_order_of_the_seats_changes_nothing(players: list[Rated], random: object) -> None:
    order = list(range(len(players)))
    random.shuffle(order)  # type: ignore[attr-defined]
    found = rate([players[index] for index in order])
    for index, after in zip(order, found, strict=True):
        assert after.mu == pytest.approx(rate(players)[index].mu, abs=1e-9)


@given(st.integers(2, 4), st.integers(1, 3), strengths)
def test_equal_people_who_tie_stay_equal_and_where_they_were(sides: int, size: int, rating: Rating) -> None:
    found = rate([Rated(side, 1, rating) for side in range(sides) for _ in range(size)])
    assert {(round(each.mu, 9), round(each.sigma, 9)) for each in found} == {
        (round(found[0].mu, 9), round(found[0].sigma, 9))
    }
    assert found[0].mu == pytest.approx(rating.mu, abs=1e-9)


@given(st.integers(1, 3), strengths)
def test_what_one_side_gains_its_equal_loses(size: int, rating: Rating) -> None:
    found = rate([Rated(side, 1 + side, rating) for side in range(2) for _ in range(size)])
    assert len({round(each.mu, 9) for each in found}) == 2
    assert found[0].mu - rating.at_the_table().mu == pytest.approx(rating.mu - found[-1].mu, abs=1e-9)
    assert found[0].mu > rating.mu


@given(st.integers(2, 4), st.integers(1, 3))
def test_equals_end_in_the_order_in_which_their_sides_ended(sides: int, size: int) -> None:
    found = rate([Rated(side, 1 + side, NEW) for side in range(sides) for _ in range(size)])
    assert all(higher.mu > lower.mu for higher, lower in pairwise(found[::size]))


@given(matches(), st.data())
def test_leaving_does_no_better_than_coming_last(players: list[Rated], data: st.DataObject) -> None:
    one = data.draw(st.integers(0, len(players) - 1))
    own, last = players[one], 1 + max(each.place for each in players)
    stays = [
        Rated(
            each.side, last if each.side == own.side else each.place, each.rating, each.left and each.side != own.side
        )
        for each in players
    ]
    leaves = [Rated(each.side, each.place, each.rating, each.left or each is own) for each in players]
    assert rate(leaves)[one].mu <= rate(stays)[one].mu + 1e-9


def test_a_leavers_partner_is_rated_by_how_the_match_ended() -> None:
    places = [(0, 1), (1, 2), (0, 1), (1, 2)]
    with_both = rate([Rated(side, place) for side, place in places])
    without = rate([Rated(*each, left=seat == 0) for seat, each in enumerate(places)])
    assert without[1:] == with_both[1:]
    assert without[0].mu < NEW.mu < without[2].mu


def test_a_leaver_is_rated_below_somebody_else_in_last_place() -> None:
    tied = rate([Rated(0, 3), Rated(1, 1), Rated(2, 3)])
    left = rate([Rated(0, 3, left=True), Rated(1, 1), Rated(2, 3)])
    assert tied[0] == tied[2]
    assert left[0].mu < left[2].mu


@given(strengths, strengths, st.floats(0, 3000), st.floats(0, 3000), st.floats(0, 3000))
def test_time_alone_never_changes_the_order_of_two_people(
    one: Rating, other: Rating, since_one: float, since_other: float, later: float
) -> None:
    now = max(since_one, since_other) + later
    difference = one.after(now - since_one).value - other.after(now - since_other).value
    assert one.key(since_one) - other.key(since_other) == pytest.approx(difference, abs=1e-9)


def test_a_rating_grows_uncertain_with_time_until_a_newcomer_is_no_less_certain() -> None:
    settled = Rating(30, 2.5)
    assert settled.settled
    assert settled.after(-7) == settled
    assert not settled.after(365).settled
    assert settled.after(3650).at_the_table() == Rating(30, PRIOR_SIGMA)


def test_a_newcomer_has_1000_with_a_question_mark() -> None:
    assert (NEW.shown, NEW.settled) == (1000, False)


def test_the_first_three_matches_of_a_day_count_in_full_and_each_further_one_half() -> None:
    assert [match_weight(nth) for nth in range(1, 7)] == [1, 1, 1, 0.5, 0.25, 0.125]


# ------------------------------------------------------------------------------------------ the wheels


@pytest.fixture(scope="module")
def pure() -> ModuleType:
    """The module with openskill's Python code, which lies beside the compiled code that an import prefers."""
    folder = Path(openskill.models.__file__).parent
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "openskill"}
    for name in kept:
        del sys.modules[name]
    try:
        for name in ("", "models", "models.common", "models.weng_lin", "models.weng_lin.plackett_luce"):
            file = folder.parent.joinpath(*name.split(".")) if name else folder.parent
            _load(f"openskill.{name}".rstrip("."), file / "__init__.py" if file.is_dir() else file.with_suffix(".py"))
        found = _load("tests.club.pure_rating", Path(ratings.__file__))
        found._model()
        source = sys.modules["openskill.models.weng_lin.plackett_luce"].__file__
        assert source is not None
        assert source.endswith(".py")
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "openskill"]:
            del sys.modules[name]
        sys.modules |= kept
        sys.modules.pop("tests.club.pure_rating", None)
    return found


def _load(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[str(file.parent)] if file.name == "__init__.py" else None
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough
@given(matches())
def test_the_compiled_and_the_pure_library_agree(pure: ModuleType, players: Sequence[Rated]) -> None:
    same = [
        pure.Rated(each.side, each.place, pure.Rating(each.rating.mu, each.rating.sigma), each.left) for each in players
    ]
    for one, other in zip(rate(players), pure.rate(same), strict=True):
        assert one.mu == pytest.approx(other.mu, abs=1e-9, rel=0)
        assert one.sigma == pytest.approx(other.sigma, abs=1e-9, rel=0)
