"""A server's settings: their defaults, how they are stored, and how they change the pace of its tables."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.seasons import SeasonLength
from bot.engine.rules import PRESETS
from bot.tables.log.events import Config
from bot.tables.options import TableOptions
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings, GuildSettingsCache, Rewards

USUAL = Pace(turn=120, warning=30, computer=1.5)
guild_settings = st.builds(
    GuildSettings,
    preset=st.sampled_from(sorted(PRESETS)),
    target=st.none() | st.integers(5, 101),
    turn=st.none() | st.just(0) | st.integers(15, 86400),
    computer=st.none() | st.floats(0, 30),
    language=st.none() | st.sampled_from(["en", "es"]),
    pictures=st.booleans(),
    talk=st.booleans(),
    reactions=st.booleans(),
    season=st.sampled_from(SeasonLength),
    rewards=st.builds(Rewards, st.none() | st.integers(1, 2**63), st.none() | st.integers(1, 2**63), st.booleans()),
)


@given(guild_settings)
def test_a_servers_settings_survive_being_stored(settings: GuildSettings):
    assert GuildSettings.load(settings.dump()) == settings


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
        '{"reactions": 1}',
        '{"season": "week"}',
        '{"rewards": 7}',
        '{"rewards": {"winner": "7"}}',
        '{"rewards": {"podium": true}}',
        '{"rewards": {"passes_on": 1}}',
        '{"rewards": {"money": 7}}',
    ],
)
def test_stored_settings_that_make_no_sense_are_ignored(text: str | None):
    assert GuildSettings.load(text) == GuildSettings()


@given(guild_settings)
def test_a_new_lobby_begins_with_the_servers_preset_and_target(settings: GuildSettings):
    assert settings.config() == Config.of_preset(settings.preset, target=settings.target)
    assert settings.config("juegon", 15) == Config.of_preset("juegon", target=15)
    assert not settings.config().conflicts()


def test_what_a_server_hasnt_set_is_the_bots_default():
    assert GuildSettings().pace(USUAL) == USUAL
    assert GuildSettings().config() == Config()


@given(guild_settings)
def test_a_warning_comes_before_the_deadline(settings: GuildSettings):
    pace = settings.pace(USUAL)
    assert pace.turn == (USUAL.turn if settings.turn is None else settings.turn)
    assert pace.computer == (USUAL.computer if settings.computer is None else settings.computer)
    assert 0 <= pace.warning < pace.turn or pace.warning == pace.turn == 0


@pytest.mark.parametrize(("turn", "warning"), [(15, 7.5), (30, 15), (31, 30), (0, 0)])
def test_in_a_short_turn_the_warning_comes_halfway(turn: int, warning: float):
    assert GuildSettings(turn=turn).pace(USUAL).warning == warning


@pytest.mark.parametrize(
    ("turn", "warning"), [(60, 30), (120, 30), (300, 75), (3600, 900), (14_400, 3600), (86_400, 3600)]
)
def test_longer_turns_have_earlier_warnings_up_to_an_hour_before_the_deadline(turn: int, warning: float):
    assert GuildSettings(turn=turn).pace(USUAL).warning == warning
    assert GuildSettings().pace(replace(USUAL, turn=turn)).warning == warning


@pytest.mark.parametrize(("usual", "warning"), [(0, 0), (7200, 7200)], ids=["never", "two hours"])
def test_a_bot_that_never_warns_or_warns_earlier_does_so_whatever_the_deadline(usual: float, warning: float):
    assert GuildSettings(turn=86_400).pace(replace(USUAL, warning=usual)).warning == warning


class SlowStore:
    """A store whose reads take until `go_on` is set; they find what was there when they began."""

    def __init__(self) -> None:
        self.value: str | None = None
        self.go_on = asyncio.Event()

    async def get_value(self, key: str) -> str | None:
        found = self.value
        await self.go_on.wait()
        return found

    async def set_value(self, key: str, value: str | None) -> None:
        self.value = value


async def test_settings_saved_while_older_ones_are_read_are_kept():
    store: Any = SlowStore()
    cache = GuildSettingsCache(store, TableOptions(USUAL))
    reading = asyncio.create_task(cache.get(1))
    await asyncio.sleep(0)
    await cache.save(1, GuildSettings(preset="quince"))
    store.go_on.set()
    assert await reading == await cache.get(1) == GuildSettings(preset="quince")
