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
    """What stands in for the operating system's source: the same bytes for the same seed. Counts what is taken."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.taken = 0

    def __call__(self, size: int) -> bytes:
        """So many bytes."""
        self.taken += size
        return self._random.randbytes(size)


@pytest.fixture
def entropy(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Source]:
    """Puts another source in the operating system's place; the standard library reads that through this name."""

    def put(seed: int) -> Source:
        source = Source(seed)
        monkeypatch.setattr("random._urandom", source)
        monkeypatch.setattr("os.urandom", source)
        return source

    return put


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """All clocks stand still."""
    for name in ("time", "monotonic", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: 1_773_489_600.0)
        monkeypatch.setattr(time, f"{name}_ns", lambda: 1_773_489_600 * 10**9)


def test_the_first_dealer_is_any_seat() -> None:
    chance = SystemChance()
    assert {chance.dealer(1, 4) for _ in range(500)} == {0, 1, 2, 3}


def test_a_deck_is_the_forty_cards_in_an_order_of_its_own() -> None:
    chance = SystemChance()
    first, second = chance.deck(1, 1), chance.deck(1, 1)
    assert len(first) == 40
    assert CardSet.of(first) == CardSet.of(second) == FULL
    assert first != second


@pytest.mark.usefixtures("frozen")
def test_at_the_same_instant_with_the_same_seed_the_same_game_gets_another_deck() -> None:
    decks = set[object]()
    for _ in range(5):
        random.seed(4)
        decks.add(SystemChance().deck(1, 1))
    assert len(decks) == 5


@pytest.mark.usefixtures("frozen")
def test_at_the_same_instant_with_the_same_seed_the_first_dealers_differ() -> None:
    rows = set[tuple[int, ...]]()
    for _ in range(5):
        random.seed(4)
        chance = SystemChance()
        rows.add(tuple(chance.dealer(1, 6) for _ in range(40)))
    assert len(rows) == 5


def test_decks_and_dealers_follow_the_system_s_source_and_nothing_else(entropy: Callable[[int], Source]) -> None:
    def drawn(seed: int, game_id: int) -> tuple[object, ...]:
        random.seed(datetime.now(UTC).isoformat())
        entropy(seed)
        chance = SystemChance()
        return *(chance.deck(game_id, number) for number in (1, 2)), *(chance.dealer(game_id, 6) for _ in range(20))

    assert drawn(1, 7) == drawn(1, 8), "neither the time nor the game's number makes the deck"
    assert not set(drawn(1, 7)[:2]) & set(drawn(2, 7)[:2])
    assert drawn(1, 7)[2:] != drawn(2, 7)[2:]


def test_every_deck_takes_as_much_from_the_source_as_it_has_orders(entropy: Callable[[int], Source]) -> None:
    source = entropy(1)
    chance = SystemChance()
    for number in range(1, 6):
        before = source.taken
        chance.deck(1, number)
        assert 8 * (source.taken - before) >= math.log2(math.factorial(40)), "no deck follows from those before it"
