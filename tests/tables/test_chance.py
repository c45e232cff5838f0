"""Decks and first dealers come from the operating system's random source, and from nothing else."""

import math
import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

import pytest

from bot.engine.cards import DECK, FULL, CardSet
from bot.engine.events import RoundDealt
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.tables.live.chance import SystemChance, board_secret
from bot.tables.log.actions import Start
from bot.tables.log.change import Change, deck_of
from bot.tables.log.decide import decide
from bot.tables.log.events import Fixture, Joined, Opened
from bot.tables.log.questions import deal_due
from bot.tables.log.state import TableState, opened
from bot.tournaments.live.outcome import fixture_of
from bot.tournaments.rules.tournament import Format, Setup
from tests.support.tables.hall import Build
from tests.support.tables.kit import ANA, BEA, config_of


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
    """A function that replaces the operating system's source under the names by which the standard library reads it."""

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
    assert {chance.dealer(1, Seating.FOUR) for _ in range(500)} == {0, 1, 2, 3}


def test_every_deck_has_all_forty_cards_in_its_own_order() -> None:
    chance = SystemChance()
    first, second = chance.deck(1, 1, Seating.TWO), chance.deck(1, 1, Seating.TWO)
    assert len(first) == 40
    assert CardSet.of(first) == CardSet.of(second) == FULL
    assert first != second


@pytest.mark.usefixtures("frozen")
def test_decks_differ_even_for_the_same_game_time_and_random_seed() -> None:
    decks = set[object]()
    for _ in range(5):
        random.seed(4)
        decks.add(SystemChance().deck(1, 1, Seating.TWO))
    assert len(decks) == 5


@pytest.mark.usefixtures("frozen")
def test_first_dealers_differ_even_for_the_same_time_and_random_seed() -> None:
    rows = set[tuple[int, ...]]()
    for _ in range(5):
        random.seed(4)
        chance = SystemChance()
        rows.add(tuple(chance.dealer(1, Seating.TRIPLE_PAIRS) for _ in range(40)))
    assert len(rows) == 5


def test_decks_and_dealers_depend_only_on_the_operating_systems_source(entropy: Callable[[int], Source]) -> None:
    def drawn(seed: int, game_id: int) -> tuple[object, ...]:
        random.seed(datetime.now(UTC).isoformat())
        entropy(seed)
        chance = SystemChance()
        return *(chance.deck(game_id, number, Seating.TWO) for number in (1, 2)), *(
            chance.dealer(game_id, Seating.TRIPLE_PAIRS) for _ in range(20)
        )

    assert drawn(1, 7) == drawn(1, 8), "neither the time nor the game's number affects the deck"
    assert not set(drawn(1, 7)[:2]) & set(drawn(2, 7)[:2])
    assert drawn(1, 7)[2:] != drawn(2, 7)[2:]


def test_every_deck_draws_enough_randomness_for_every_order_of_the_cards(entropy: Callable[[int], Source]) -> None:
    source = entropy(1)
    chance = SystemChance()
    for number in range(1, 6):
        before = source.taken
        chance.deck(1, number, Seating.TWO)
        assert 8 * (source.taken - before) >= math.log2(math.factorial(40)), (
            "no deck can be predicted from those before it"
        )


def boards_by(secret: str) -> SystemChance:
    chance = SystemChance()
    chance.deal_boards_by(secret)
    return chance


def test_a_board_is_dealt_the_same_by_every_process_that_knows_the_secret() -> None:
    one, other = boards_by("a secret"), boards_by("a secret")
    decks = [one.board(7, number) for number in range(1, 41)]
    assert decks == [other.board(7, number) for number in range(1, 41)]
    assert all(CardSet.of(deck) == FULL and len(deck) == 40 for deck in decks)
    assert len(set(decks)) == 40


def test_boards_differ_by_tournament_and_by_secret() -> None:
    chance = boards_by("a secret")
    assert chance.board(7, 1) != chance.board(8, 1)
    assert chance.board(7, 1) != boards_by("another").board(7, 1)
    assert chance.board(1, 12) != chance.board(11, 2)


def test_boards_differ_by_tournament_even_if_a_restore_gives_a_number_again() -> None:
    setup = Setup(Format.DUPLICATE)
    first, again, other = (fixture_of(setup, lot, 7, 1, 1, 1) for lot in (1, 1, 2))
    one, same, new = (deck_of(boards_by("a secret"), each, 0, 1, Seating.TWO) for each in (first, again, other))
    assert one == same != new


def test_each_card_comes_first_on_about_as_many_boards_as_any_other() -> None:
    chance = boards_by("a secret")
    first = Counter(chance.board(1, number)[0] for number in range(2_000))
    spread = sum((first[card] - 50) ** 2 / 50 for card in DECK)
    assert spread < 73, "39 is expected; more than 73 occurs in one of a thousand cases"


async def test_the_secret_of_boards_is_drawn_once(build: Build) -> None:
    hall = await build()
    drawn = await board_secret(hall.store.values)
    assert len(drawn) == 64
    assert await board_secret(hall.store.values) == drawn


def test_every_table_of_a_round_plays_the_same_boards() -> None:
    chance = boards_by("a secret")
    config = config_of(rounds=2)
    states: list[TableState] = []
    for table in (1, 2):
        state = opened(Opened(ANA, config, fixture=Fixture(7, 3, table, (5, 6)))).apply(Joined(BEA))
        states.append(decide(state, Start(ANA, 2), table).dealt(chance, table).state)
    decks = [state.match.round.deck for state in states if state.match is not None and state.match.round is not None]
    assert decks == [chance.board(7, 5)] * 2
    rng = Random(1)
    for state in states:
        now = state
        while now.match is not None and now.match.stage is Stage.TO_PLAY:
            now = now.apply(now.match.event_of(rng.choice(now.match.legal_moves())))
        assert Change(now, deal=deal_due(now)).dealt(chance, 0).events == (RoundDealt(chance.board(7, 6)),)
