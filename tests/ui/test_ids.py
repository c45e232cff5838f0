"""What a button carries comes back from its custom_id, and no two kinds of item answer to the same one."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from discord.ui import DynamicItem
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK, FULL, CardSet
from bot.store import Metric
from bot.ui.ids import Ref, base36, pack, template, unpack
from bot.ui.items import GameItem
from bot.ui.ranking import Period, Place
from bot.ui.registry import ITEMS

LARGEST = 2**63 - 1
numbers = st.integers(0, LARGEST)
arguments = st.one_of(
    st.sampled_from([card.notation for card in DECK]), st.integers(0, FULL.mask).map(base36), st.just("claim")
)


def pattern(item: type[DynamicItem[Any]]) -> re.Pattern[str]:
    """What an item answers to."""
    return item.__discord_ui_compiled_template__


def samples() -> list[str]:
    """A custom_id or more of every kind of item."""
    ids: list[str] = []
    for item in ITEMS:
        if issubclass(item, GameItem):
            many = ((), ("7o",), ("12b", pack(FULL)), ("claim", "0", "1"))
            ids += [Ref(LARGEST, LARGEST, args).custom_id(item.verb) for args in many]
    for metric in Metric:
        for period in Period:
            ids += [Place(metric, period, 999_999).custom_id(kind) for kind in ("prev", "next", "metric", "period")]
    ids += [f"s:{kind}" for kind in ("preset", "target", "turn", "pace")]
    return ids


@given(numbers, numbers, st.lists(arguments, max_size=3))
def test_a_reference_comes_back_from_its_custom_id(game: int, version: int, args: list[str]):
    ref = Ref(game, version, tuple(args))
    custom_id = ref.custom_id("take")
    match = re.fullmatch(template("take"), custom_id)
    assert match is not None
    assert Ref.parse(match) == ref
    assert len(custom_id) <= 100


@given(st.integers(0, FULL.mask))
def test_a_set_of_cards_comes_back_from_its_argument(mask: int):
    assert unpack(pack(CardSet(mask))) == CardSet(mask)
    assert len(pack(CardSet(mask))) <= 8


@pytest.mark.parametrize("argument", ["", "!", "-1", "1.5", base36(FULL.mask + 1), "zzzzzzzzzzzzz", "7-o"])
def test_what_is_no_set_of_cards_is_none(argument: str):
    assert unpack(argument) is None


@pytest.mark.parametrize("custom_id", [f"e:take:{'z' * 13}:1", f"e:take:1:{'z' * 13}:7o"])
def test_numbers_too_large_for_any_game_refer_to_none(custom_id: str):
    match = re.fullmatch(template("take"), custom_id)
    assert match is not None
    assert Ref.parse(match) == Ref(0, 0)


@pytest.mark.parametrize(
    "custom_id",
    [
        "e:take:1",
        "e:take:1:",
        "e:take::1",
        "e:take:1:1:",
        "e:take:-1:1",
        "e:take:1:1:7O",
        f"e:take:1:1:{'z' * 14}",
        "take",
    ],
)
def test_what_is_malformed_refers_to_nothing(custom_id: str):
    assert re.fullmatch(template("take"), custom_id) is None


def test_every_custom_id_belongs_to_exactly_one_kind_of_item():
    for custom_id in samples():
        assert sum(bool(pattern(item).fullmatch(custom_id)) for item in ITEMS) == 1, custom_id


def test_no_kind_of_item_is_found_inside_another_ones_custom_id():
    for first, second in combinations(ITEMS, 2):
        assert pattern(first).pattern != pattern(second).pattern
    for custom_id in samples():
        assert sum(bool(pattern(item).match(custom_id)) for item in ITEMS) == 1, custom_id


def test_every_kind_of_game_item_has_a_verb_of_its_own():
    verbs = [item.verb for item in ITEMS if issubclass(item, GameItem)]
    assert len(set(verbs)) == len(verbs)
    assert all(re.fullmatch("[a-z]{1,12}", verb) for verb in verbs)
