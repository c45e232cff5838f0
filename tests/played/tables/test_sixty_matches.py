"""Sixty slow matches on twelve servers, all played from one private message: the most urgent always first."""

import sys
import time
from typing import Any

import pytest

from bot.platform.kit.codec import base36
from bot.platform.people import Person as PersonAt
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.settings import SlowNotice, TablePreferences
from tests.played.tables.test_nudges import notified
from tests.played.tables.test_slow_notices import in_private_with, told_in_private_channel
from tests.support.dose import dose
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person

pytestmark = pytest.mark.usefixtures("never_quiet")
MATCHES = dose("SLOW_MATCHES", 60)
SERVERS = 12
TEMPOS = (Tempo.WEEK, Tempo.DAY, Tempo.THREE_DAYS)


async def begun(here: Room, player: Person, other: Person) -> list[Table]:
    """Begin all matches; in each it is the player's turn."""
    guilds = [here.world.guild, *(here.env.create_guild(f"Club {number}") for number in range(1, SERVERS))]
    for guild in guilds[1:]:
        for person in (player, other):
            here.env.backend.add_member(guild.id, person.id)
    host, guest = (PersonAt(each.id, each.name) for each in (player, other))
    tables: list[Table] = []
    for number in range(MATCHES):
        guild = guilds[number % SERVERS]
        place: Any = {"guild_id": guild.id, "channel_id": guild.create_text_channel(f"m{number}").id}
        config = Config(tempo=TEMPOS[number % len(TEMPOS)], forced=False)
        table = await here.bot.parts.manager.open(**place, opener=host, config=config, locale="en")
        await table.submit(Join(guest))
        await table.submit(Start(host, table.version))
        while table.awaited != player.id:
            view = table.seat_view(1)
            assert view is not None
            await table.submit(PlayMove(guest, table.view().version, view.moves[0]))
        tables.append(table)
        await here.wait(60)
    return tables


async def test_all_are_reached_from_the_notice_in_two_presses_a_match_and_one_message(room_of: RoomOf):
    async with room_of(2, turn_seconds=24 * 3600) as here:
        player, other = here.people
        await here.bot.parts.preferences.change(player.id, TablePreferences, slow_notice=SlowNotice.NEVER)
        tables = await begun(here, player, other)
        chosen = {"slow_notice": SlowNotice.DAILY, "digest_hour": (here.env.now().hour + 1) % 24}
        await here.bot.parts.preferences.change(player.id, TablePreferences, **chosen)
        await here.wait(2 * 3600)
        me = in_private_with(player)
        private = me.actor.dm_channel  # type: ignore[attr-defined]
        [text] = told_in_private_channel(private)
        assert f"It's your turn in {MATCHES} matches." in text
        await me.press(me.latest(private, "your turn in"), label="Play")
        panel, presses, captures, cpu = me.panel(private).id, 1, 0, time.process_time()
        by_id = {base36(table.id): table for table in tables}
        for number in range(MATCHES):
            waiting = [each for each in tables if each.awaited == player.id]
            buttons = me.buttons(me.panel(private))
            card = next((each for each in buttons if each.custom_id.startswith("e:card:")), None)
            assert card is not None, (number, [each.custom_id for each in buttons])
            shown = by_id[card.custom_id.split(":")[2]]
            assert shown is min(waiting, key=lambda each: each.view().deadline or here.env.now()), number
            await me.press(me.panel(private), custom_id=card.custom_id)
            presses += 1
            if shown.awaited == player.id:  # which of several captures
                take = next(each for each in me.buttons(me.panel(private)) if each.custom_id.startswith("e:take:"))
                await me.press(me.panel(private), custom_id=take.custom_id)
                captures += 1
            assert shown.awaited == other.id
            if number < MATCHES - 1:
                await me.press(private, custom_id="^e:nextgame:")
                presses += 1
            assert me.panel(private).id == panel, "all in the same answer"
        assert not [each for each in tables if each.awaited == player.id], "every match was reached"
        assert presses == 2 * MATCHES
        assert len(told_in_private_channel(private)) == 1
        assert player.id not in notified(here)
        cpu = time.process_time() - cpu
        sys.stdout.write(
            f"{presses} presses, {captures} more for captures, {1000 * cpu / presses:.0f} ms of CPU a press\n"
        )
