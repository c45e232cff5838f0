"""A server's settings: their defaults, how they are stored, and how they change the pace of its tables."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.rules import PRESETS
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.tables.live.own_rules import new_config
from bot.tables.log.events import Config
from bot.tables.log.pace import Pace
from bot.tables.settings import TableSettings
from tests.platform.settings.chosen import ServerChoices

USUAL = Pace(turn=120, warning=30, computer=1.5)
guild_settings = st.builds(
    TableSettings,
    preset=st.sampled_from(sorted(PRESETS)),
    target=st.none() | st.integers(5, 101),
    turn=st.none() | st.just(0) | st.integers(15, 86400),
    computer=st.none() | st.floats(0, 30),
    pictures=st.booleans(),
    talk=st.booleans(),
    reactions=st.booleans(),
)


@given(guild_settings)
def test_a_servers_settings_survive_being_stored(settings: TableSettings):
    assert TableSettings.load(settings.dump()) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("preset", "brisca"),
        ("preset", ["escoba"]),
        ("target", 4),
        ("target", 102),
        ("target", "11"),
        ("turn", "long"),
        ("turn", -1),
        ("turn", True),
        ("computer", [2]),
        ("computer", float("nan")),
        ("language", 7),
        ("deck", "tarot"),
        ("pictures", "off"),
        ("reactions", 1),
        ("season", "week"),
        ("winner_role", "7"),
        ("podium_role", True),
        ("colour", "red"),
        ("colour", "\ud800"),
    ],
)
def test_a_stored_value_that_is_not_known_costs_that_value_alone(name: str, value: Any):
    usual = ServerChoices(hints=False, talk=False)
    settings = ServerChoices.load(json.dumps({"hints": False, name: value, "talk": False}))
    assert settings.model_dump() == usual.model_dump()
    assert settings.unknown == ({name} & set(ServerChoices.model_fields))


def test_what_is_not_known_is_written_back_when_something_else_is_chosen():
    stored = {"deck": "tarot", "colour": {"of": ["red", 1.5, None]}, "hints": False}
    after = TableSettings.load(json.dumps(stored)).changed(talk=False, hints=True)
    assert json.loads(after.dump() or "") == stored | {"talk": False, "hints": True}
    assert after.deck == "spanish"


def test_a_value_that_is_not_known_can_be_replaced_by_choosing_another():
    after = TableSettings.load('{"deck": "tarot", "colour": "red"}').changed(deck="french")
    assert json.loads(after.dump() or "") == {"deck": "french", "colour": "red"}
    assert not after.unknown


@pytest.mark.parametrize("text", [None, "", "{}"])
def test_without_choices_the_defaults_hold_and_nothing_is_stored(text: str | None):
    assert TableSettings.load(text) == TableSettings()
    assert TableSettings(hints=False).changed(hints=True).dump() is None


def test_a_setting_takes_only_what_makes_sense():
    with pytest.raises(ValueError, match="brisca"):
        TableSettings().changed(preset="brisca")
    with pytest.raises(ValueError, match="color"):
        TableSettings().changed(color="red")


@given(guild_settings)
def test_a_new_lobby_begins_with_the_servers_preset_and_target(settings: TableSettings):
    config = new_config(settings)
    assert replace(config, aimed=False) == Config.of_preset(settings.preset, target=settings.target)
    assert config.aimed == (settings.target == PRESETS[settings.preset].rules.target), "a slow one doesn't change it"
    assert new_config(settings, "juegon", 15) == Config.of_preset("juegon", target=15)
    assert not new_config(settings).conflicts()


def test_what_a_server_hasnt_set_is_the_bots_default():
    assert TableSettings().pace(USUAL) == USUAL
    assert new_config(TableSettings()) == Config()


@given(guild_settings)
def test_a_warning_comes_before_the_deadline(settings: TableSettings):
    pace = settings.pace(USUAL)
    assert pace.turn == (USUAL.turn if settings.turn is None else settings.turn)
    assert pace.computer == (USUAL.computer if settings.computer is None else settings.computer)
    assert 0 <= pace.warning < pace.turn or pace.warning == pace.turn == 0


@pytest.mark.parametrize(("turn", "warning"), [(15, 7.5), (30, 15), (31, 30), (0, 0)])
def test_in_a_short_turn_the_warning_comes_halfway(turn: int, warning: float):
    assert TableSettings(turn=turn).pace(USUAL).warning == warning


@pytest.mark.parametrize(
    ("turn", "warning"), [(60, 30), (120, 30), (300, 75), (3600, 900), (14_400, 3600), (86_399, 3600), (86_400, 21_600)]
)
def test_longer_turns_have_earlier_warnings_up_to_an_hour_before_a_deadline_of_less_than_a_day(
    turn: int, warning: float
):
    assert TableSettings(turn=turn).pace(USUAL).warning == warning
    assert TableSettings().pace(replace(USUAL, turn=turn)).warning == warning


@pytest.mark.parametrize(("usual", "warning"), [(0, 0), (7200, 7200)], ids=["never", "two hours"])
def test_a_bot_that_never_warns_or_warns_earlier_does_so_whatever_the_deadline(usual: float, warning: float):
    assert TableSettings(turn=36_000).pace(replace(USUAL, warning=usual)).warning == warning


class SlowStore:
    """A store whose reads take until they are let go, the first in the list first; they find what was there before."""

    def __init__(self, value: str | None = None) -> None:
        self.value = value
        self.reads: list[asyncio.Event] = []

    async def get(self, key: str) -> str | None:
        found, read = self.value, asyncio.Event()
        self.reads.append(read)
        await read.wait()
        return found

    async def set(self, key: str, value: str | None) -> None:
        self.value = value


async def test_settings_saved_while_older_ones_are_read_are_kept():
    store: Any = SlowStore()
    cache = GuildSettingsCache(store)
    reading = asyncio.create_task(cache.of(1, TableSettings))
    changing = asyncio.create_task(cache.change(1, TableSettings, preset="quince"))
    await asyncio.sleep(0)
    slower, faster = store.reads
    faster.set()
    await changing
    slower.set()
    assert await reading == await cache.of(1, TableSettings) == TableSettings(preset="quince")


@pytest.mark.parametrize("text", ["{", "null", "[]", "7", '"{}"', "<settings/>"])
async def test_a_text_that_cannot_be_read_is_left_alone(text: str):
    store: Any = SlowStore(text)
    cache = GuildSettingsCache(store)
    reading = asyncio.create_task(cache.of(1, TableSettings))
    await asyncio.sleep(0)
    store.reads[0].set()
    settings = await reading
    assert settings.unreadable
    assert settings.model_dump() == TableSettings().model_dump()
    with pytest.raises(Refusal) as raised:
        await cache.change(1, TableSettings, talk=False)
    assert raised.value.code is CommonRefusal.FROM_NEWER
    assert store.value == text
