"""How a round is dealt (000 "Reparto", 001 "Cómo repartir", 002 §7 and §13; RULES.md, decision 1)."""

from random import Random

import pytest

from bot.engine.cards import DECK, CardSet
from bot.engine.errors import RuleCode
from bot.engine.events import Played, RoundDealt
from bot.engine.facts import DealMade, RoundBegan
from bot.engine.moves import Stage
from bot.engine.rules import Opening, Seating
from tests.support.engine import (
    after,
    begin,
    cards,
    every_preset_and_seating,
    finish_round,
    position,
    refused,
    rules_of,
    shuffled,
    stacked,
    the_round,
)


def dealt(match, *words):
    return match.apply(RoundDealt(stacked(*words)))


def test_three_cards_each_beginning_at_the_dealers_right_then_four_on_the_table():
    match = dealt(begin(seating=Seating.THREE, dealer=1), "1o 1c 1e", "2o 2c 2e", "3o 3c 3e", "4o 4c 5o 5c")
    now = the_round(match)
    assert now.hands[2] == cards("1o 1c 1e")
    assert now.hands[0] == cards("2o 2c 2e")
    assert now.hands[1] == cards("3o 3c 3e")
    assert now.table == cards("4o 4c 5o 5c")


@pytest.mark.parametrize("seating", Seating)
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_player_at_the_dealers_right_begins(seating, dealer):
    match = dealt(begin("quince", seating, dealer))
    assert match.turn == (dealer + 1) % seating.seats


def test_the_turn_passes_from_seat_to_seat():
    rng = Random(1)
    match = begin("clasica", Seating.TRIPLE_PAIRS, dealer=3).apply(RoundDealt(shuffled(rng)))
    seats = []
    while match.stage is Stage.TO_PLAY:
        seats.append(match.turn)
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
    assert seats == [4, 5, 0, 1, 2, 3] * 6


@pytest.mark.parametrize(
    ("seating", "deals"),
    [
        (Seating.TWO, 6),
        (Seating.THREE, 4),
        (Seating.FOUR, 3),
        (Seating.PAIRS, 3),
        (Seating.TRIPLE_PAIRS, 2),
        (Seating.TRIPLES, 2),
    ],
)
def test_two_three_four_and_six_players_have_six_four_three_and_two_deals(seating, deals):
    rng = Random(seating.value)
    match = begin("quince", seating).apply(RoundDealt(shuffled(rng)))
    made = [fact for fact in match.facts if isinstance(fact, DealMade)]
    while match.stage is Stage.TO_PLAY:
        moves = match.legal_moves()
        match = match.apply(match.event_of(rng.choice(moves)))
        made += [fact for fact in match.facts if isinstance(fact, DealMade)]
    assert [fact.number for fact in made] == list(range(1, deals + 1))
    assert len(match.rules.hands(seating)) == deals


@every_preset_and_seating
def test_only_the_last_deal_is_announced_as_the_last(preset, seating):
    rng = Random(seating.value)
    match = begin(preset, seating).apply(RoundDealt(shuffled(rng)))
    made = [fact for fact in match.facts if isinstance(fact, DealMade)]
    while match.stage is Stage.TO_PLAY:
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
        made += [fact for fact in match.facts if isinstance(fact, DealMade)]
    assert [fact.last for fact in made] == [False] * (len(made) - 1) + [True]


@every_preset_and_seating
def test_each_deal_takes_the_next_cards_of_the_deck_in_the_same_order(preset, seating):
    rng = Random(f"deals {preset} {seating}")
    deck = shuffled(rng)
    match = begin(preset, seating, dealer=1).apply(RoundDealt(deck))
    at = 0
    while match.stage is Stage.TO_PLAY:
        if any(isinstance(fact, DealMade) for fact in match.facts):
            now = the_round(match)
            for step in range(seating.seats):
                hand = now.hands[(1 + 1 + step) % seating.seats]
                each = match.rules.hands(seating)[now.deal - 1]
                assert hand == CardSet.of(deck[at : at + each])
                at += each
            at += match.rules.table_cards(seating) if now.deal == 1 else 0
        match = match.apply(match.event_of(rng.choice(match.legal_moves())))
    assert at == len(DECK)


def test_a_later_deal_puts_no_card_on_the_table():
    match = position(["", "2c"], "1o 3c", turn=1, stock="5o 5c 5e 6o 6c 6e")
    again = after(match, "1 2c")
    assert the_round(again).table == cards("1o 2c 3c")
    assert the_round(again).hands == (cards("5o 5c 5e"), cards("6o 6c 6e"))
    assert again.facts[-1] == DealMade(6, last=True)
    assert again.turn == 0


def test_a_new_deal_waits_until_every_hand_is_played():
    match = after(position(["2e", "2c"], "1o 3c", stock="5o 5c 5e 6o 6c 6e"), "0 2e")
    assert the_round(match).hands == (cards(), cards("2c"))
    assert not any(isinstance(fact, DealMade) for fact in match.facts)


def test_in_cientifica_each_player_gets_ten_and_the_table_none():
    match = dealt(
        begin("cientifica", Seating.PAIRS, dealer=2), " ".join(f"{i}o" for i in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12))
    )
    now = the_round(match)
    assert [len(hand) for hand in now.hands] == [10, 10, 10, 10]
    assert now.table == cards()
    assert now.hands[3] == cards("1o 2o 3o 4o 5o 6o 7o 10o 11o 12o")
    assert match.facts == (RoundBegan(1, 2), DealMade(1, last=True))


def test_in_cientifica_the_first_player_can_capture_nothing():
    match = dealt(begin("cientifica", Seating.PAIRS))
    assert [str(move.captured) for move in match.legal_moves()] == [""] * 10


def test_five_players_get_three_cards_and_five_are_opened_then_four_cards_in_the_last_deal():
    first = ["1o 1c 1e", "2o 2c 2e", "3o 3c 3e", "4o 4c 4e", "5o 5c 5e"]
    last = ["7o 7c 7e 7b", "10o 10c 10e 10b", "11o 11c 11e 11b", "12o 12c 12e 12b", "1b 2b 3b 4b"]
    table = "6o 6c 6e 6b 5b"
    match = dealt(begin("quince", Seating.FIVE, dealer=1), *first, table, *last)
    now = the_round(match)
    assert [now.hands[seat] for seat in (2, 3, 4, 0, 1)] == list(map(cards, first))
    assert now.table == cards(table)
    assert match.facts[-1] == DealMade(1, last=False)
    for turn in range(15):
        match = match.apply(Played((2 + turn) % 5, next(iter(the_round(match).hands[(2 + turn) % 5]))))
    now = the_round(match)
    assert [now.hands[seat] for seat in (2, 3, 4, 0, 1)] == list(map(cards, last))
    assert match.facts[-1] == DealMade(2, last=True)
    assert len(now.table) == 5 + 15
    assert now.dealt == 40


@pytest.mark.parametrize("seating", [Seating.FOUR, Seating.PAIRS])
@pytest.mark.parametrize("preset", ["escoba", "clasica"])
@pytest.mark.parametrize(("hand", "table"), [(9, 4), (10, 0)])
def test_scopone_deals_all_cards_at_once_with_either_way_of_capturing(preset, seating, hand, table):
    opening = Opening.NONE if not table else rules_of(preset).opening
    rng = Random(f"{preset} {seating} {hand}")
    match = begin(preset, seating, hand=hand, table=table, opening=opening).apply(RoundDealt(shuffled(rng)))
    assert [len(held) for held in the_round(match).hands] == [hand] * 4
    assert the_round(match).dealt == 40
    assert DealMade(1, last=True) in match.facts
    match = finish_round(match, rng)
    assert len(match.scores) == 1


def test_the_seating_decides_what_is_dealt_and_the_rules_stay():
    rules = rules_of("escoba")
    assert {seating.value: (rules.hands(seating), rules.table_cards(seating)) for seating in Seating} == {
        "2": ((3, 3, 3, 3, 3, 3), 4),
        "3": ((3, 3, 3, 3), 4),
        "4": ((3, 3, 3), 4),
        "2x2": ((3, 3, 3), 4),
        "5": ((3, 4), 5),
        "3x2": ((3, 3), 4),
        "2x3": ((3, 3), 4),
    }
    assert begin("escoba", Seating.FIVE).rules == rules


def test_the_deal_passes_to_the_next_seat_each_round():
    rng = Random("dealers")
    match = begin("escoba", Seating.THREE, dealer=1, target=101)
    dealers, first_players = [], []
    for _ in range(5):
        match = match.apply(RoundDealt(shuffled(rng)))
        dealers.append(the_round(match).dealer)
        first_players.append(match.turn)
        match = finish_round(match, rng)
    assert dealers == [1, 2, 0, 1, 2]
    assert first_players == [2, 0, 1, 2, 0]


def test_the_rounds_are_numbered_from_one():
    rng = Random("numbers")
    match = begin(target=101)
    assert match.round_number == 0
    for number in (1, 2, 3):
        match = match.apply(RoundDealt(shuffled(rng)))
        assert match.round_number == number
        assert match.facts[0] == RoundBegan(number, (number - 1) % 2)
        match = finish_round(match, rng)
        assert match.round_number == number


@pytest.mark.parametrize(
    "deck",
    [(), DECK[:-1], (*DECK[:-1], DECK[0]), (*DECK, DECK[0])],
    ids=["no cards", "39 cards", "a card twice", "41 cards"],
)
def test_only_the_forty_cards_are_dealt(deck):
    with refused(RuleCode.BAD_DECK):
        begin().apply(RoundDealt(deck))
