"""First table cards that add up to 15 or 30 (000 "Escobas", 001 "Escoba de mano", 003)."""

import pytest

from bot.engine.cards import EMPTY
from bot.engine.events import RoundDealt
from bot.engine.facts import OpeningTaken
from bot.engine.match import Match
from bot.engine.moves import opening_escobas
from bot.engine.rules import Opening, Seating
from tests.support.engine import begin, cards, stacked, the_round

FIFTEEN = "1o 2c 5e 7b"
THIRTY_IN_PAIRS = "7o 10c 6e 11b"
THIRTY_NOT_IN_PAIRS = "12o 12c 6e 4b"
OTHER = "1o 2c 3e 4b"


def opened(table: str, preset: str = "escoba", dealer: int = 0, seating: Seating = Seating.TWO) -> Match:
    """A round dealt with these cards on the table; the hands are other cards."""
    spare = [str(one) for one in stacked(table)[len(table.split()) :]][: 3 * seating.seats]
    return begin(preset, seating, dealer).apply(RoundDealt(stacked(" ".join(spare), table)))


def test_the_examples_add_up_to_what_their_names_say():
    sums = [cards(some).worth for some in (FIFTEEN, THIRTY_IN_PAIRS, THIRTY_NOT_IN_PAIRS, OTHER)]
    assert sums == [15, 30, 30, 10]


@pytest.mark.parametrize("preset", ["escoba", "juegon"])
def test_an_opening_of_fifteen_is_one_escoba_of_the_dealer(preset):
    match = opened(FIFTEEN, preset, dealer=1)
    assert the_round(match).escobas == (0, 1)
    assert the_round(match).piles == (EMPTY, cards(FIFTEEN))
    assert match.facts[-1] == OpeningTaken(1, cards(FIFTEEN), 1)


@pytest.mark.parametrize(
    ("preset", "table"), [("escoba", THIRTY_NOT_IN_PAIRS), ("escoba", THIRTY_IN_PAIRS), ("juegon", THIRTY_IN_PAIRS)]
)
def test_an_opening_of_thirty_is_two_escobas(preset, table):
    match = opened(table, preset)
    assert the_round(match).escobas == (2, 0)
    assert the_round(match).piles[0] == cards(table)


def test_in_juegon_thirty_counts_only_as_two_pairs_of_fifteen():
    match = opened(THIRTY_NOT_IN_PAIRS, "juegon")
    assert the_round(match).escobas == (0, 0)
    assert the_round(match).table == cards(THIRTY_NOT_IN_PAIRS)
    assert not any(isinstance(fact, OpeningTaken) for fact in match.facts)


@pytest.mark.parametrize("preset", ["quince", "clasica"])
@pytest.mark.parametrize("table", [FIFTEEN, THIRTY_IN_PAIRS, THIRTY_NOT_IN_PAIRS])
def test_other_presets_have_no_opening(preset, table):
    match = opened(table, preset)
    assert the_round(match).escobas == (0, 0)
    assert the_round(match).table == cards(table)
    assert the_round(match).last_taker is None


def test_any_other_sum_stays_on_the_table():
    assert the_round(opened(OTHER)).table == cards(OTHER)


def test_the_dealer_then_has_the_latest_capture():
    assert the_round(opened(FIFTEEN, dealer=1)).last_taker == 1
    assert the_round(opened(OTHER, dealer=1)).last_taker is None


def test_the_player_at_the_dealers_right_begins_at_an_empty_table():
    match = opened(FIFTEEN, dealer=1)
    assert match.turn == 0
    assert the_round(match).table == EMPTY
    assert all(not move.captured for move in match.legal_moves())


def test_no_other_four_cards_are_dealt_to_the_table():
    match = opened(FIFTEEN)
    assert the_round(match).dealt == 3 * 2 + 4
    assert [len(hand) for hand in the_round(match).hands] == [3, 3]


def test_a_dealers_opening_counts_for_the_pair():
    match = opened(FIFTEEN, dealer=3, seating=Seating.PAIRS)
    assert the_round(match).escobas == (0, 1)
    assert the_round(match).piles[1] == cards(FIFTEEN)


@pytest.mark.parametrize(
    ("table", "by_sum", "by_pairs"),
    [
        ("12o 5c 11e 6b", 2, 2),
        ("12o 11e 5c 6b", 2, 2),
        ("12o 5c 12e 5b", 2, 2),
        ("12o 10c 5e 7b", 2, 2),
        ("11o 11c 11e 3b", 2, 0),
        ("12o 12c 11e 1b", 2, 0),
        ("7o 7c 10e 10b", 2, 2),
        ("4o 4c 1e 6b", 1, 1),
        ("12o 3c 1e 1b", 1, 1),
        ("12o 12c 12e 12b", 0, 0),
        ("1o 2c 3e 4b 5o", 1, 1),
        ("12o 5c 4e 7b 4o", 2, 2),  # 10 + 5, 4 + 7 + 4
        ("12o 12c 5e 4b 1o", 2, 2),  # 10 + 5, 10 + 4 + 1
        ("12o 12c 4e 4b 2o", 2, 0),
        ("11o 7o 6o 4e 4b", 2, 2),  # 9 + 6, 7 + 4 + 4
        ("10o 10c 10e 5e 1b", 2, 0),
        ("12o 12c 12e 11b 6o", 3, 0),
        ("12o 12c 12e 10b 7o", 3, 0),
        ("12o 12c 12e 12b 5o", 3, 0),
        ("12o 12c 12e 12b 6o", 0, 0),
        ("1o 1c 1e 1b 12o", 0, 0),
    ],
)
def test_each_opening_is_worth_its_escobas_by_sum_and_by_pairs(table, by_sum, by_pairs):
    """Four cards, or the five that lie open when five people play."""
    assert opening_escobas(Opening.SUM, cards(table)) == by_sum
    assert opening_escobas(Opening.PAIRS, cards(table)) == by_pairs
    assert opening_escobas(Opening.NONE, cards(table)) == 0


@pytest.mark.parametrize(
    ("preset", "table", "escobas"),
    [
        ("escoba", "1o 2c 3e 4b 5o", 1),
        ("escoba", "12o 12c 4e 4b 2o", 2),
        ("escoba", "12o 12c 12e 11b 6o", 3),
        ("juegon", "1o 2c 3e 4b 5o", 1),
        ("juegon", "12o 12c 5e 4b 1o", 2),
        ("juegon", "12o 12c 4e 4b 2o", 0),
        ("juegon", "12o 12c 12e 11b 6o", 0),
    ],
)
def test_five_players_open_with_all_five_cards_or_none(preset, table, escobas):
    match = opened(table, preset, dealer=2, seating=Seating.FIVE)
    now = the_round(match)
    assert now.escobas == (0, 0, escobas, 0, 0)
    assert now.piles[2] == (cards(table) if escobas else EMPTY)
    assert now.table == (EMPTY if escobas else cards(table))
    assert now.last_taker == (2 if escobas else None)
    assert match.turn == 3


def test_an_opening_of_two_sides_of_three_counts_for_the_dealers_side():
    match = opened(FIFTEEN, dealer=4, seating=Seating.TRIPLES)
    assert the_round(match).escobas == (1, 0)
    assert the_round(match).piles[0] == cards(FIFTEEN)
