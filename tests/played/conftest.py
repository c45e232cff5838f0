"""Fixtures of the tests that play by clicks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import discord
import pytest

from tests.support.escoba import Room, room
from tests.support.people import Person

RoomOf = Callable[..., AbstractAsyncContextManager[Room]]


@pytest.fixture
def room_of(tmp_path: Path) -> RoomOf:
    """Opens a server with members and the bot, with its database in the test's own folder."""
    return partial(room, tmp_path)


def own(here: Room, *people: Person) -> None:
    """Make one person, or a team, the application's owner, and let everybody use the server managers' commands."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    for person in here.people:
        here.env.backend.add_member_role(here.world.guild.id, person.id, role.id)
    here.bot.owner_id = people[0].id if len(people) == 1 else None
    here.bot.owner_ids = {person.id for person in people} if len(people) > 1 else set()
