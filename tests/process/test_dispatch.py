"""A click or a form reaches its handler, whichever verb it names, only if the clicked message has it."""

from collections.abc import Coroutine
from datetime import date
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.platform.kit.screen import Screen
from bot.process import dispatch
from bot.process.dispatch import SCREENS
from tests.support.every_press import Known, presses

KNOWN = Known({}, (1, 2), date(2026, 1, 1))
every_screen = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each interaction reached a handler of its own."""
    found: list[bool] = []

    async def note(interaction: object, work: Coroutine[Any, Any, None]) -> None:
        found.append(getattr(work, "cr_code", None) is not dispatch._unknown.__code__)
        work.close()

    monkeypatch.setattr(dispatch, "respond", note)
    return found


def click(custom_id: str, *on: str) -> Any:
    """A click on a message with these buttons; without any, its components are unknown."""
    message = SimpleNamespace(components=[SimpleNamespace(children=[SimpleNamespace(custom_id=each) for each in on])])
    if not on:
        message.components = []
    kind = discord.InteractionType.component
    return SimpleNamespace(type=kind, data={"custom_id": custom_id}, message=message)


def form(custom_id: str) -> Any:
    kind = discord.InteractionType.modal_submit
    return SimpleNamespace(type=kind, data={"custom_id": custom_id, "components": []}, message=None)


@every_screen
async def test_a_click_must_be_on_a_button_of_its_message(screen: Screen[Any], handled: list[bool]):
    for custom_id in presses(screen, KNOWN):
        handled.clear()
        for on in ((custom_id,), (), ("x", custom_id), ("x",), (f"{custom_id}:",)):
            await dispatch.dispatch(click(custom_id, *on))
        assert handled == [True, True, True, False, False], custom_id


@every_screen
async def test_only_a_form_that_the_bot_opens_is_read(screen: Screen[Any], handled: list[bool]):
    for custom_id in presses(screen, KNOWN):
        await dispatch.dispatch(form(custom_id))
        assert handled.pop() is (custom_id.split(":")[1] in screen.forms), custom_id
