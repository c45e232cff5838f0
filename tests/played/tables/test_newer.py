"""A channel whose game a newer version of the bot has written: it answers, and nothing happens to the game."""

import sqlite3
from contextlib import closing

import pytest

from bot.engine.rules import PRESETS
from bot.platform.refusals import CommonRefusal
from tests.played import brief
from tests.support.escoba import RoomOf
from tests.support.phrases import refusal_text


async def test_clicks_and_commands_are_told_that_the_game_waits_for_an_update(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        ana, bea = here.people
        version, shown = here.table.version, here.shown
        await here.bot.close()
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as connection, connection:
            connection.execute("UPDATE events SET body = replace(body, '\"escoba\"', '\"mus\"') WHERE kind = 'opened'")
        await here.restart(killed=True)
        told = refusal_text(CommonRefusal.NEWER)
        await here.press(ana, shown, "hand")
        assert told in here.private_text(ana)
        for command in ("escoba hand", "escoba table", "escoba play", "escoba leave"):
            await bea.slash(here.channel, command)
            assert told in here.private_text(bea), command
        await ana.slash(here.channel, "escoba rules")
        assert told not in here.private_text(ana), "what needs no game works"
        with monkeypatch.context() as patch:
            patch.setitem(PRESETS, "mus", PRESETS["escoba"])  # type: ignore[arg-type]
            await here.restart()
            assert here.table.version == version
            await here.press(ana, shown, "hand")
            assert told not in here.private_text(ana)
            assert here.table.view().config.preset == "mus"
