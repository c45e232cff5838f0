"""Who gains by a match, and who pays for it."""

from collections.abc import Sequence

import pytest

from bot.club.rules.gains import Gains, gained, rate_within_limit
from bot.club.rules.playing import Share, gainers
from bot.club.rules.rating import Rated, Rating, rate

NEW = Rating()


def shares(*seats: str, sides: int | None = None) -> list[Share]:
    """Seats whose people have played (p), were played for (r), were played for most of the time (m), or neither (-)."""
    number = sides or len(seats)
    return [Share(seat % number, played=each in "pm", mostly_robot=each in "rm") for seat, each in enumerate(seats)]


@pytest.mark.parametrize(
    ("seats", "sides", "gain"),
    [
        ("pp", 2, [True, True]),
        ("p-", 2, [False, False]),
        ("--", 2, [False, False]),
        ("pr", 2, [False, False]),
        ("pm", 2, [True, False]),
        ("pmr-", 4, [True, False, False, False]),
        ("p-p-", 2, [False] * 4),
        ("rpmp", 2, [False, True, False, True]),
    ],
)
def test_one_gains_by_having_played_against_people_who_have(seats: str, sides: int, gain: Sequence[bool]) -> None:
    assert gainers(shares(*seats, sides=sides)) == gain


def weights(*players: Rated) -> list[float]:
    return [change.weight for change in rate_within_limit(range(1, 1 + len(players)), players, 1, Gains())]


def test_what_nobody_gains_nobody_loses() -> None:
    assert weights(Rated(0, 1, gains=False), Rated(1, 2)) == [0, 0], "a robot has won"
    assert weights(Rated(0, 1), Rated(1, 2, gains=False)) == [1, 1], "a robot has lost"
    assert weights(Rated(0, 1, gains=False), Rated(1, 2, played=False, gains=False)) == [0, 0]


def test_who_leaves_loses_also_if_nobody_gains() -> None:
    assert weights(Rated(0, 1, gains=False), Rated(1, 2, left=True)) == [0, 1]
    assert weights(Rated(0, 1, gains=False), Rated(1, 2, left=True, played=False, gains=False)) == [0, 1]


def test_of_several_only_those_who_have_played_give_something() -> None:
    half = weights(Rated(0, 1), Rated(1, 2), Rated(2, 2, played=False, gains=False))
    assert half == [0.5, 0.5, 0]
    pairs = weights(Rated(0, 1), Rated(1, 2), Rated(0, 1, gains=False), Rated(1, 2))
    assert pairs == [1, 0.5, 0, 0.5], "the losers pay only what one of the winners gains"


def test_a_gain_counts_as_coming_from_those_who_have_played() -> None:
    players = [Rated(0, 1), Rated(1, 2), Rated(2, 2, played=False, gains=False)]
    after = [change.after for change in rate_within_limit([1, 2, 3], players, 1, Gains({2, 3}))]
    found = gained([1, 2, 3], [True] * 3, players, after)
    assert {gain.source_id for gain in found if gain.user_id == 1} == {2}


def test_where_everybody_has_played_all_is_as_it_was() -> None:
    players = [Rated(0, 1, NEW), Rated(1, 2, Rating(27.1, 3.3)), Rated(2, 2, Rating(23, 2.2))]
    changes = rate_within_limit([1, 2, 3], players, 1, Gains())
    assert tuple(change.after for change in changes) == rate(players)
