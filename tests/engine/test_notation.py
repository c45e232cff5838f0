"""A match as text: every event is one line, and parsing restores it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, CardSet
from bot.engine.errors import NotationError
from bot.engine.events import Claimed, Laid, MatchStarted, Played, RoundDealt, Sang
from bot.engine.notation import format_event, format_rules, parse_event, parse_rules
from bot.engine.rules import TARGETS, Capture, Duty, Opening, Prime, Rules, Seating
from tests.support.engine import QUICK, any_card, any_cards, card, cards

seats = st.integers(0, 5)
some_cards = any_cards.filter(bool)
any_rules = st.builds(
    Rules,
    capture=st.sampled_from(Capture),
    duty=st.sampled_from(Duty),
    opening=st.sampled_from(Opening),
    prime=st.sampled_from(Prime),
    most_sevens=st.booleans(),
    many_cards=st.booleans(),
    all_oros=st.booleans(),
    four_sevens=st.booleans(),
    hand=st.integers(1, 10),
    table=st.integers(0, 8),
    target=st.sampled_from(TARGETS),
    rounds=st.integers(0, 40),
    lead=st.integers(1, 2),
    cantos=st.booleans(),
)
any_event = st.one_of(
    st.builds(MatchStarted, any_rules, st.sampled_from(Seating), seats),
    st.permutations(DECK).map(lambda deck: RoundDealt(tuple(deck))),
    st.builds(Laid, seats, any_card),
    st.builds(Played, seats, any_card, any_cards, forced=st.booleans()),
    st.builds(Claimed, seats, some_cards),
    st.builds(Sang, seats),
)


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("0 4c", Played(0, card("4c"))),
        ("0 4c  # forced", Played(0, card("4c"), forced=True)),
        ("1 4e x 4c 7o  # forced", Played(1, card("4e"), cards("4c 7o"), forced=True)),
        ("1 4e x 4c 7o", Played(1, card("4e"), cards("4c 7o"))),
        ("0 5c ?", Laid(0, card("5c"))),
        ("1 claim 4c 4e 7o", Claimed(1, cards("4c 4e 7o"))),
        ("5 12b", Played(5, card("12b"))),
        ("2 sing", Sang(2)),
    ],
)
def test_an_event_is_one_line(line, event):
    assert parse_event(line) == event
    assert format_event(event) == line


def test_the_order_of_captured_cards_does_not_matter():
    assert parse_event("1 4e x 7o 4c") == parse_event("1 4e x 4c 7o")


@QUICK
@given(any_event)
def test_every_event_is_read_back_as_it_was(event):
    line = format_event(event)
    assert "\n" not in line
    assert parse_event(line) == event
    assert parse_event(f"  {line}   # a remark") == event


@QUICK
@given(any_rules)
def test_rules_are_read_back_as_they_were(rules):
    assert parse_rules(format_rules(rules).split()) == rules


def test_rules_are_written_in_full():
    assert format_rules(Rules()) == (
        "capture=fifteen duty=compulsory opening=sum prime=setenta most_sevens=no many_cards=no all_oros=no "
        "four_sevens=no hand=3 table=4 target=21"
    )


def test_newer_rules_are_written_only_where_they_are_played():
    assert format_rules(Rules(rounds=2)).endswith(" target=21 rounds=2")
    assert format_rules(Rules(lead=2)).endswith(" target=21 lead=2")
    assert format_rules(Rules(cantos=True)).endswith(" target=21 cantos=yes")


def test_text_written_before_a_rule_existed_is_read_as_without_it():
    old = "match capture=match duty=optional opening=none prime=points hand=3 table=4 target=11 seating=3 dealer=1"
    assert parse_event(old) == MatchStarted(
        Rules(Capture.MATCH, Duty.OPTIONAL, Opening.NONE, Prime.POINTS, target=11, lead=1, cantos=False),
        Seating.THREE,
        1,
    )


def test_rules_that_are_not_given_have_their_defaults():
    assert parse_rules([]) == Rules()
    assert parse_rules(["target=11", "most_sevens=yes"]) == Rules(target=11, most_sevens=True)
    assert parse_event("match seating=3 dealer=2") == MatchStarted(Rules(), Seating.THREE, 2)


@pytest.mark.parametrize(
    "word",
    ["jokers=2", "=", "", "target", "target=", "target=many", "target=1.5", "capture=sixteen", "capture=",
     "duty=FIFTEEN", "opening=pair", "prime=yes", "most_sevens=1", "most_sevens=True", "all_oros=", "Target=21",
     "name=escoba"],
)  # fmt: skip
def test_an_unknown_rule_or_value_is_refused(word):
    with pytest.raises(NotationError):
        parse_rules([word])
    if word:
        with pytest.raises(NotationError):
            parse_event(f"match {word} seating=2 dealer=0")


@pytest.mark.parametrize(
    "line",
    ["", "   ", "# only a remark", "hello", "0", "0 8o", "0 4c 5c", "0 4c x", "0 4c x 4z", "0 4c y 5c", "-1 4c",
     "x 4c", "0 back", "back", "sing", "x sing", "0 sing 4c", "0 claim", "0 claim 9o", "claim 4c", "0 4c ??", "? 4c",
     "deal 7o 8o", "deal 7o,1c", "match", "match seating=2", "match dealer=0", "match seating=7 dealer=0",
     "match seating=2 dealer=x", "match seating=2 dealer=-1", "match dealer=0 seating=2", "round 1", "1.5 4c",
     "²  4c", "٣ 4c", "0 4c x 4e\u00a0x"],
)  # fmt: skip
def test_a_line_that_is_not_an_event_is_refused(line):
    with pytest.raises(NotationError):
        parse_event(line)


@pytest.mark.parametrize(
    "line",
    ["9" * 5000 + " 4c", "match seating=2 dealer=" + "9" * 5000, "match target=" + "9" * 5000 + " seating=2 dealer=0"],
)
def test_a_huge_number_is_refused_too(line):
    with pytest.raises(NotationError):
        parse_event(line)


@QUICK
@given(st.text(max_size=60))
def test_any_other_text_is_refused_and_never_breaks_the_parser(text):
    with pytest.raises(NotationError) as refusal:
        parse_event(text)
    assert len(str(refusal.value)) < 500


def test_a_capture_is_written_with_table_cards_only_and_a_claim_with_the_laid_card_too():
    assert format_event(Played(0, card("4b"), CardSet.of("7b 4e"))) == "0 4b x 4e 7b"
    assert format_event(Claimed(1, CardSet.of("7b 4e 4b"))) == "1 claim 4e 4b 7b"
