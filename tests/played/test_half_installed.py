"""On a server with only the bot's commands, and in chats where it may not write, the bot says what is missing."""

import re
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.refusals import CommonRefusal
from bot.platform.transport.permissions import INVITED, invitation_url
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.realm import INVITED as INVITED_TO_THE_REALM
from tests.support.fake_discord.worlds import leave_commands_behind
from tests.support.people import components_of
from tests.support.phrases import refusal_text

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("permissions", [discord.Permissions.none(), discord.Permissions.all()])
async def test_where_the_bot_is_not_a_member_its_commands_answer_with_the_invitation(
    room_of: RoomOf, permissions: discord.Permissions
) -> None:
    async with room_of(1) as here:
        ana = here.people[0]
        leave_commands_behind(here.env, here.world.guild.id, permissions)
        for command in ("play", "hand", "leaderboard"):
            await ana.slash(here.channel, f"escoba {command}")
            message = ana.panel(here.channel)
            assert "I'm not in it" in here.private_text(ana), command
            assert invitation_url(here.env.backend.application_id, here.world.guild.id) in str(components_of(message))
            assert here.bot.parts.manager.at(here.channel.id) is None
        await here.open_data(ana)
        assert "Your data" in here.private_text(ana), "that is everybody's right, wherever they are"


async def test_a_server_that_discord_has_not_listed_is_served(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        ana, guild_id = here.people[0], here.world.guild.id
        state: Any = here.bot._connection
        state._remove_guild(here.bot.get_guild(guild_id))
        await ana.slash(here.channel, "escoba play")
        assert here.bot.parts.manager.at(here.channel.id) is not None
        asked = [each for each in here.tap.to("GET", "/guilds/*") if each.path.count("/") == 2]
        await here.press(ana, here.shown, "join")
        await ana.slash(here.channel, "escoba rules")
        assert [each for each in here.tap.to("GET", "/guilds/*") if each.path.count("/") == 2] == asked, "asked once"
        assert here.bot.get_guild(guild_id) is not None


async def test_a_server_with_the_commands_alone_is_not_asked_about_at_each_of_them(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        ana, guild_id = here.people[0], here.world.guild.id
        leave_commands_behind(here.env, guild_id, discord.Permissions.all())
        for command in ("play", "hand", "leaderboard"):
            await ana.slash(here.channel, f"escoba {command}")
        assert len(here.tap.to("GET", f"/guilds/{guild_id}")) == 1


def test_the_readme_invites_the_bot_with_what_it_needs() -> None:
    links = re.findall(r"https://discord\.com/oauth2/\S+?(?=`)", README.read_text())
    own = discord.utils.oauth_url("APPLICATION_ID", scopes=["applications.commands"]) + "&integration_type=1"
    assert links == [invitation_url("APPLICATION_ID"), own]
    assert discord.Permissions(**dict.fromkeys(INVITED_TO_THE_REALM, True)) == INVITED


def may_connect(here: Room, channel_id: int, allowed: bool) -> None:
    """Let the bot connect to a voice channel, or forbid it."""
    allow, deny = discord.PermissionOverwrite(connect=allowed).pair()
    bot_id = here.env.backend.bot_user.id
    here.env.backend.set_overwrite(channel_id, Overwrite(bot_id, OverwriteType.MEMBER, allow.value, deny.value))


@pytest.mark.parametrize("stage", [False, True])
async def test_in_the_chat_of_a_voice_channel_the_bot_asks_to_be_allowed_to_connect(
    room_of: RoomOf, stage: bool
) -> None:
    async with room_of(1) as here:
        ana, guild = here.people[0], here.world.guild
        chat = guild.create_stage_channel("tribuna") if stage else guild.create_voice_channel("charla")
        may_connect(here, chat.id, False)
        await ana.slash(chat, "escoba play")
        assert ana.sees(chat)[-1] == refusal_text(CommonRefusal.MUTED_IN_VOICE)
        assert here.bot.parts.manager.at(chat.id) is None
        may_connect(here, chat.id, True)
        await ana.slash(chat, "escoba play")
        assert here.bot.parts.manager.at(chat.id) is not None


async def test_a_match_in_a_voice_channel_goes_on_while_the_bot_may_not_connect(room_of: RoomOf) -> None:
    async with room_of(2, turn_seconds=0) as here:
        ana = here.people[0]
        chat = here.channel = here.world.guild.create_voice_channel("charla")
        await here.begin()
        may_connect(here, chat.id, False)
        await here.play_out(until=lambda: bool(here.tap.refused))
        await ana.slash(chat, "escoba table")
        assert here.private_text(ana) == refusal_text(CommonRefusal.MUTED_IN_VOICE)
        await ana.slash(chat, "escoba hand")
        assert "I can't write in" in here.private_text(ana)
        may_connect(here, chat.id, True)
        version = here.table.version
        await here.wait(10)
        refused = len(here.tap.refused)
        await ana.slash(chat, "escoba hand")
        await here.play_out(until=lambda: here.table.version > version)
        assert len(here.tap.refused) == refused
