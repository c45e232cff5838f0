"""Decks and first dealers come from the operating system's random source, and from nothing else."""

import math
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from bot.engine.cards import FULL, CardSet
from bot.tables.chance import SystemChance


class Source:
    """A stand-in for the operating system's source: the same bytes for the same seed. Counts the bytes drawn."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.taken = 0

    def __call__(self, size: int) -> bytes:
        """Draw this many bytes."""
        self.taken += size
        return self._random.randbytes(size)


@pytest.fixture
def entropy(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Source]:
    """Replaces the operating system's source under the name through which the standard library reads it."""

    def put(seed: int) -> Source:
        source = Source(seed)
        monkeypatch.setattr("random._urandom", source)
        monkeypatch.setattr("os.urandom", source)
        return source

    return put


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze all clocks."""
    for name in ("time", "monotonic", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: 1_773_489_600.0)
        monkeypatch.setattr(time, f"{name}_ns", lambda: 1_773_489_600 * 10**9)


def test_any_seat_may_be_the_first_dealer() -> None:
    chance = SystemChance()
    assert {chance.dealer(1, 4) for _ in range(500)} == {0, 1, 2, 3}


def test_every_deck_has_all_forty_cards_in_its_own_order() -> None:
    chance = SystemChance()
    first, second = chance.deck(1, 1), chance.deck(1, 1)
    assert len(first) == 40
    assert CardSet.of(first) == CardSet.of(second) == FULL
    assert first != second


@pytest.mark.usefixtures("frozen")
def test_decks_differ_even_for_the_same_game_time_and_random_seed() -> None:
    decks = set[object]()
    for _ in range(5):
        random.seed(4)
        decks.add(SystemChance().deck(1, 1))
    assert len(decks) == 5


@pytest.mark.usefixtures("frozen")
def test_first_dealers_differ_even_for_the_same_time_and_random_seed() -> None:
    rows = set[tuple[int, ...]]()
    for _ in range(5):
        random.seed(4)
        chance = SystemChance()
        rows.add(tuple(chance.dealer(1, 6) for _ in range(40)))
    assert len(rows) == 5


def test_decks_and_dealers_depend_only_on_the_operating_systems_source(entropy: Callable[[int], Source]) -> None:
    def drawn(seed: int, game_id: int) -> tuple[object, ...]:
        random.seed(datetime.now(UTC).isoformat())
        entropy(seed)
        chance = SystemChance()
        return *(chance.deck(game_id, number) for number in (1, 2)), *(chance.dealer(game_id, 6) for _ in range(20))

    assert drawn(1, 7) == drawn(1, 8), "neither the time nor the game's number affects the deck"
    assert not set(drawn(1, 7)[:2]) & set(drawn(2, 7)[:2])
    assert drawn(1, 7)[2:] != drawn(2, 7)[2:]


def test_every_deck_draws_enough_randomness_for_every_order_of_the_cards(entropy: Callable[[int], Source]) -> None:
    source = entropy(1)
    chance = SystemChance()
    for number in range(1, 6):
        before = source.taken
        chance.deck(1, number)
        assert 8 * (source.taken - before) >= math.log2(math.factorial(40)), (
            "no deck can be predicted from those before it"
        )
