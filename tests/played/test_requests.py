"""Requests that the bot avoids: needless edits, and posting the same message twice."""

import asyncio

import pytest

from bot.platform.transport.turns import Priority
from bot.tables.parts import TableParts
from tests.support.escoba import RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import FURTHER_DOWN, YOUR_HAND

EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"


async def test_an_unchanged_table_message_is_not_edited(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        await here.env.settle()
        edits = len(here.tap.to("PATCH", EDITS))
        here.bot.host.of(TableParts).presenter.table_changed(here.table)
        await here.env.settle()
        assert len(here.tap.to("PATCH", EDITS)) == edits
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert len(here.tap.to("PATCH", EDITS)) > edits


async def test_no_answer_to_a_click_or_command_waits_for_a_turn_to_send(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        older, add = here.shown, next(b.custom_id for b in ana.buttons(here.shown) if ":addc:" in b.custom_id)
        budget = asyncio.Event()

        async def spent(priority: Priority, channel_id: int | None) -> None:
            await here.env.external_wait(budget.wait(), reason="a turn")

        monkeypatch.setattr(here.bot.parts.pacer, "_wait", spent)
        edits = len(here.tap.to("PATCH", EDITS))
        await here.press(bea, here.shown, "join")
        assert "2. **Bea**" in here.public_text
        await ana.slash(here.channel, "escoba table")
        assert here.shown.id > older.id
        await forge(bea, older, add)
        assert FURTHER_DOWN in text_of(ana.latest(here.channel, lambda message: message.id == older.id))
        await here.press(ana, here.shown, "start")
        assert YOUR_HAND in here.private_text(ana)
        assert len(here.tap.to("PATCH", EDITS)) == edits
        budget.set()


async def test_every_ping_has_its_own_nonce(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        await here.begin()
        _ana, bea = here.people
        await here.wait(75)
        await here.wait(30)
        await here.press(bea, here.shown, "hand")  # she is back, with a new deadline
        await here.wait(75)
        nonces = [ping.body["nonce"] for ping in here.tap.to("POST", SENDS) if "content" in ping.body]
        assert len(nonces) > 1
        assert len(set(nonces)) == len(nonces)
        assert all(ping.body["enforce_nonce"] for ping in here.tap.to("POST", SENDS))
        assert max(map(len, nonces)) <= 25


async def test_what_a_click_brings_is_shown_by_its_answer_alone(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        _, bea = here.people
        card = next(b.custom_id for b in bea.buttons(here.panel(bea)) if ":card:" in b.custom_id)
        before = len(here.tap.requests)
        await bea.press(here.panel(bea), custom_id=card)
        assert len([each for each in here.tap.requests[before:] if each.viewer == bea.id]) == 1


async def test_a_game_that_a_click_ends_is_noted_as_shown(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        game_id = here.table.id
        await forge(ana, here.shown, f"e:leave:{here.table.id}:0")  # as on a lobby of 1.0
        row = await here.bot.parts.stores.games.get(game_id)
        assert row is not None
        assert row.closed_at is not None
        assert row.message_id is None
        assert await here.bot.parts.stores.games.unshown_ends() == []
