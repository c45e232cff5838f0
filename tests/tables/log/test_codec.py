"""The codec of the log: every event survives being stored, and damaged rows raise an error."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, CardSet
from bot.engine.errors import IllegalMove
from bot.engine.events import Claimed, Laid, MatchStarted, Played, RoundDealt, Sang
from bot.engine.rules import PRESETS, Capture, Duty, Opening, Prime, Rules, Seating
from bot.platform.eventlog import CodecError
from bot.platform.people import Person
from bot.players import Character, Level
from bot.tables.log.codec import MATCH, decode, encode, fold
from bot.tables.log.events import (
    ChangeAccepted,
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Opened,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
)
from bot.tables.log.topics import Sign
from tests.support.tables.kit import ANA, BEA, config_of, playing

odd_names = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", " ", '"', "\\", "{}", "7o", "a\nb", "\x00", "\u2028", "\u202eoña", "👩\u200d👧", "null"]),
)
people = st.builds(Person, st.integers(0, 2**64), odd_names)
seats = st.integers(0, 5)
any_card = st.sampled_from(DECK)
some_cards = st.sets(any_card, min_size=1, max_size=12).map(CardSet.of)
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
    hand=st.integers(1, 20),
    table=st.integers(0, 39),
    target=st.integers(5, 101),
    rounds=st.integers(0, 40),
    lead=st.integers(1, 2),
    cantos=st.booleans(),
)
configs = st.builds(
    Config, st.sampled_from(sorted(PRESETS)), any_rules, st.booleans(), st.integers(2, 6), *[st.booleans()] * 3
)
any_event = st.one_of(
    st.builds(Opened, people, configs, movable=st.booleans(), challenge=st.booleans()),
    st.builds(Moved, st.integers(0, 2**64)),
    st.builds(Joined, people),
    st.builds(LeftLobby, st.integers(0, 2**64)),
    st.builds(
        ComputerAdded, odd_names, st.sampled_from(Level), st.sampled_from(Character), st.none() | st.integers(0, 5)
    ),
    st.builds(ComputerRemoved, st.integers(0, 5)),
    st.builds(Configured, configs, st.none() | seats, st.none() | st.integers(0, 2**40)),
    st.builds(ChangeAccepted, seats),
    st.builds(PresenceChanged, seats, st.sampled_from(Presence), st.none() | seats),
    st.builds(Reacted, seats, st.sampled_from(Sign)),
    st.builds(Closed, st.sampled_from(Phase), st.none() | people),
    st.builds(MatchStarted, any_rules, st.sampled_from(Seating), seats),
    st.builds(RoundDealt, st.randoms(use_true_random=False).map(lambda rng: tuple(rng.sample(DECK, len(DECK))))),
    st.builds(Laid, seats, any_card),
    st.builds(Played, seats, any_card, st.one_of(st.just(CardSet()), some_cards)),
    st.builds(Claimed, seats, some_cards),
    st.builds(Sang, seats),
)


@given(any_event)
def test_every_event_survives_being_stored(event: LogEvent):
    kind, body = encode(event)
    assert decode(kind, body) == event
    assert "\n" not in body, "a row is one line"


@given(any_event, any_event)
def test_different_events_make_different_rows(one: LogEvent, other: LogEvent):
    assert (encode(one) == encode(other)) == (one == other)


def test_rows_have_the_format_that_every_later_version_must_read():
    config = config_of("escoba")
    rules = (
        "capture=fifteen duty=compulsory opening=sum prime=setenta most_sevens=no many_cards=no all_oros=no "
        "four_sevens=no hand=3 table=4 target=21"
    )
    agreed = f'{{"preset":"escoba","rules":"{rules}"}}'
    assert encode(Opened(Person(12, "Ñ"), config)) == (
        "opened",
        f'{{"opener":{{"id":12,"name":"Ñ"}},"config":{agreed}}}',
    )
    assert encode(Opened(Person(12, "Ñ"), config, movable=True))[1].endswith(f'"config":{agreed},"movable":true}}')
    assert encode(Moved(7)) == ("moved", '{"thread_id":7}')
    assert encode(Joined(Person(3, "B"))) == ("joined", '{"person":{"id":3,"name":"B"}}')
    assert encode(LeftLobby(3)) == ("left_lobby", '{"person_id":3}')
    assert encode(ComputerAdded("Curro", Level.HARD, Character.CURRO)) == (
        "computer_added",
        '{"name":"Curro","level":"hard","character":"curro"}',
    )
    assert encode(ComputerRemoved(2)) == ("computer_removed", '{"seat":2}')
    others = replace(config, teams=True, capacity=6, rated=False)
    assert encode(Configured(others))[1].endswith('target=21","teams":true,"capacity":6,"rated":false}}')
    assert encode(Configured(config)) == ("configured", f'{{"config":{agreed}}}')
    assert encode(PresenceChanged(1, Presence.AWAY)) == ("presence", '{"seat":1,"presence":"away"}')
    assert encode(PresenceChanged(1, Presence.AWAY, by=0)) == ("presence", '{"seat":1,"presence":"away","by":0}')
    assert encode(Reacted(1, Sign.CLAP)) == ("reacted", '{"seat":1,"sign":"clap"}')
    assert encode(Closed(Phase.EXPIRED)) == ("closed", '{"phase":"expired"}')
    assert encode(MatchStarted(config.rules, Seating.PAIRS, 2)) == (
        MATCH,
        f"match {rules} seating=2x2 dealer=2",
    )
    assert encode(Played(0, DECK[0], CardSet.of("7o 7c"))) == (MATCH, "0 1o x 7o 7c")


def test_a_rule_that_a_row_doesnt_name_has_its_default():
    body = json.dumps(
        {"config": {"preset": "escoba", "rules": "target=11 most_sevens=yes", "teams": False, "capacity": 4}}
    )
    assert decode("configured", body) == Configured(
        replace(Config(), rules=replace(Rules(), target=11, most_sevens=True))
    )


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("", "{}"),
        ("never_heard_of", "{}"),
        ("joined", ""),
        ("joined", "{"),
        ("joined", "[]"),
        ("joined", "null"),
        ("joined", "7"),
        ("joined", "{}"),
        ("joined", '{"person":{"id":1}}'),
        ("joined", '{"person":{"id":1,"name":"A","age":9}}'),
        ("joined", '{"person":"Ana"}'),
        ("joined", "[" * 100_000),
        ("opened", '{"opener":{"id":1,"name":"A"}}'),
        ("opened", '{"opener":{"id":1,"name":"A"},"config":{"preset":"escoba"}}'),
        ("configured", '{"config":{"preset":"escoba","rules":"hand=x","teams":false,"capacity":4}}'),
        ("configured", '{"config":{"preset":"escoba","rules":"colour=red","teams":false,"capacity":4}}'),
        ("configured", '{"config":{"preset":"escoba","rules":7,"teams":false,"capacity":4}}'),
        ("computer_added", '{"name":"Curro","level":"genius","character":"curro"}'),
        ("computer_added", '{"name":"Curro","level":"hard","character":"nobody"}'),
        ("computer_added", '{"name":"Curro","level":"hard"}'),
        ("left_lobby", "{}"),
        ("presence", '{"seat":0,"presence":"asleep"}'),
        ("presence", '{"presence":"away"}'),
        ("closed", '{"phase":"lost"}'),
        (MATCH, ""),
        (MATCH, "{}"),
        (MATCH, "0 13o"),
        (MATCH, "0 7o x"),
        (MATCH, "deal 7o 7q"),
        (MATCH, "match seating=7 dealer=0"),
        (MATCH, "match duty=none seating=2 dealer=0"),
        (MATCH, "9999 7o"),
    ],
)
def test_a_damaged_row_cant_be_read(kind: str, body: str):
    with pytest.raises(CodecError):
        decode(kind, body)


@given(st.sampled_from(["opened", "joined", "configured", "presence", "closed", MATCH, "?"]), st.text(max_size=60))
def test_any_row_is_an_event_or_a_codec_error(kind: str, body: str):
    try:
        event = decode(kind, body)
    except CodecError:
        return
    assert decode(*encode(event)) == event


def test_a_codec_errors_message_names_no_card():
    deck = " ".join(map(str, DECK[:39]))
    with pytest.raises(CodecError) as caught:
        decode(MATCH, f"deal {deck} 99z")
    assert "99z" not in str(caught.value)
    assert "7o" not in str(caught.value)


@pytest.mark.parametrize("events", [[], [Joined(ANA)], [MatchStarted(Rules(), Seating.TWO, 0)]])
def test_a_log_must_begin_with_an_opening(events: list[LogEvent]):
    with pytest.raises(CodecError):
        fold(events)


@pytest.mark.parametrize(
    "further",
    [
        [Opened(BEA, Config())],
        [RoundDealt(DECK)],
        [Played(0, DECK[0])],
        [PresenceChanged(1, Presence.AWAY)],
        [ComputerRemoved(0)],
        [MatchStarted(Rules(hand=7), Seating.TWO, 0)],
    ],
)
def test_a_log_with_an_event_out_of_place_makes_no_table(further: list[LogEvent]):
    with pytest.raises((IllegalMove, ValueError, IndexError)):
        fold([Opened(ANA, Config()), *further])


def test_a_second_match_cant_begin_during_a_match():
    state = playing()
    with pytest.raises(ValueError, match="once"):
        state.apply(Opened(BEA, Config()))
