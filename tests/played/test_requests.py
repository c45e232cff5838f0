"""Requests that the bot avoids: needless edits, and posting the same message twice."""

from __future__ import annotations

from tests.played.conftest import RoomOf

EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"


async def test_an_unchanged_table_message_is_not_edited(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        await here.env.settle()
        edits = len(here.tap.to("PATCH", EDITS))
        here.bot.presenter.table_changed(here.table)
        await here.env.settle()
        assert len(here.tap.to("PATCH", EDITS)) == edits
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert len(here.tap.to("PATCH", EDITS)) > edits


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
