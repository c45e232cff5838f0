"""A server's own defaults: what they are when nothing is set, how they are kept, and what they do to the pace."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.rules import PRESETS
from bot.tables.house import House
from bot.tables.pace import Pace
from bot.tables.state import Config

USUAL = Pace(turn=120, warning=30, computer=1.5)
houses = st.builds(
    House,
    preset=st.sampled_from(sorted(PRESETS)),
    target=st.none() | st.integers(5, 101),
    turn=st.none() | st.just(0) | st.integers(15, 86400),
    computer=st.none() | st.floats(0, 30),
    language=st.none() | st.sampled_from(["en", "es"]),
    pictures=st.booleans(),
    talk=st.booleans(),
)


@given(houses)
def test_what_a_server_settled_on_comes_back_as_it_was(house: House):
    assert House.load(house.dump()) == house


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        "null",
        "[]",
        "7",
        "{",
        '{"colour": "red"}',
        '{"preset": "brisca"}',
        '{"preset": ["escoba"]}',
        '{"target": 4}',
        '{"target": 102}',
        '{"target": "11"}',
        '{"turn": "long"}',
        '{"turn": -1}',
        '{"computer": [2]}',
        '{"language": 7}',
        '{"pictures": "off"}',
        '{"talk": "no"}',
    ],
)
def test_what_makes_no_sense_is_as_if_never_set(text: str | None):
    assert House.load(text) == House()


@given(houses)
def test_a_new_lobby_begins_with_the_server_s_preset_and_target(house: House):
    assert house.config() == Config.of_preset(house.preset, target=house.target)
    assert house.config("juegon", 15) == Config.of_preset("juegon", target=15)
    assert not house.config().conflicts()


def test_what_a_server_didn_t_set_is_as_usual():
    assert House().pace(USUAL) == USUAL
    assert House().config() == Config()


@given(houses)
def test_a_warning_comes_before_the_deadline(house: House):
    pace = house.pace(USUAL)
    assert pace.turn == (USUAL.turn if house.turn is None else house.turn)
    assert pace.computer == (USUAL.computer if house.computer is None else house.computer)
    assert 0 <= pace.warning < pace.turn or pace.warning == pace.turn == 0


@pytest.mark.parametrize(("turn", "warning"), [(15, 7.5), (30, 15), (31, 30), (0, 0)])
def test_a_short_turn_is_warned_of_at_its_half(turn: int, warning: float):
    assert House(turn=turn).pace(USUAL).warning == warning


@pytest.mark.parametrize(
    ("turn", "warning"), [(60, 30), (120, 30), (300, 75), (3600, 900), (14_400, 3600), (86_400, 3600)]
)
def test_the_longer_a_turn_the_earlier_its_warning_but_never_more_than_an_hour(turn: int, warning: float):
    assert House(turn=turn).pace(USUAL).warning == warning
    assert House().pace(replace(USUAL, turn=turn)).warning == warning


@pytest.mark.parametrize(("usual", "warning"), [(0, 0), (7200, 7200)], ids=["never", "two hours"])
def test_a_bot_that_warns_never_or_earlier_does_so_for_any_deadline(usual: float, warning: float):
    assert House(turn=86_400).pace(replace(USUAL, warning=usual)).warning == warning
