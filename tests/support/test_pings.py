"""A message that may notify somebody without a reason is found, wherever it comes from."""

import re
from pathlib import Path
from typing import Any

import discord

from bot.platform.transport.channels import everybody_of
from bot.tables.settings import TablePreferences, TurnNotice
from tests.support.escoba import Room, room
from tests.support.people import Person

NEVER = "it may notify , who chose never to be"
"""The last of three people in a room has."""


async def found(here: Room, person: Person, **message: Any) -> list[str]:
    """What is wrong with a message that may notify somebody."""
    here.tap.clear()
    channel = here.bot.get_partial_messageable(here.channel.id)
    await channel.send(**message, allowed_mentions=everybody_of([person.id]))
    wrong = [re.sub(r"^.*\): |\{\d+\}", "", each) for each in here.tap.errors]
    here.tap.clear()
    return wrong


async def test_anybody_notified_without_a_reason_is_found(tmp_path: Path) -> None:
    async with room(tmp_path, 3) as here:
        await here.begin(2)
        match = here.table.view().match
        assert match is not None
        assert match.turn is not None
        at_turn, other, stranger = here.people[match.turn], here.people[1 - match.turn], here.people[2]
        assert await found(here, at_turn, content=at_turn.mention) == []
        assert await found(here, other, content=other.mention) == ["it may notify "]
        assert await found(here, stranger, content=stranger.mention) == ["it may notify ", NEVER]
        wordless = discord.ui.LayoutView().add_item(discord.ui.TextDisplay(at_turn.mention))
        assert await found(here, at_turn, view=wordless) == ["it may notify "]
        await here.bot.parts.preferences.change(at_turn.id, TablePreferences, turn_notice=TurnNotice.NEVER)
        assert await found(here, at_turn, content=at_turn.mention) == [NEVER]
