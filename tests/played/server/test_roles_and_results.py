"""/escoba settings: the season, roles as rewards, and the results as a file."""

import csv
import io
from datetime import timedelta

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import RoleHandle
from simcord.enums import OverwriteType

from bot.club.refusals import ClubRefusal
from bot.club.rules.seasons import SeasonLength
from bot.club.settings import ClubSettings
from bot.club.store.results import MatchResult, PlayerResult
from bot.platform.kit.throttle import EXPORTS_WINDOW
from bot.platform.language.catalogues import words
from bot.platform.refusals import CommonRefusal
from bot.platform.settings.role_screen import unfit_text
from bot.platform.transport.permissions import INVITED
from bot.platform.transport.reward_roles import RoleFlaw, UnfitRole
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import Person, forge
from tests.support.phrases import refusal_text

EN = words("en")


async def opened(here: Room, field: str = "results") -> Person:
    """Somebody who may manage the server, with the screen of a setting open."""
    ana = here.people[0]
    own(here, ana)
    await here.setting(ana, field)
    return ana


async def settings_of(here: Room) -> ClubSettings:
    return await here.bot.parts.guild_settings.of(here.world.guild.id, ClubSettings)


def promote(here: Room, person: Person) -> None:
    """Let somebody give all roles below a high one."""
    role = here.world.guild.create_role("roles", permissions=discord.Permissions(manage_roles=True), position=70)
    here.env.backend.add_member_role(here.world.guild.id, person.id, role.id)


def permit(here: Room, permissions: discord.Permissions) -> None:
    """Make the bot's own role allow these permissions and no others."""
    guild, bot = here.world.guild.id, here.env.backend.bot_user.id
    [role_id] = here.env.backend.get_member(guild, bot).role_ids
    here.env.backend.edit_role(guild, role_id, {"permissions": permissions.value})


def refused(here: Room, person: Person, flaw: RoleFlaw, *powers: str) -> bool:
    return unfit_text(UnfitRole(flaw, powers), EN) in here.private_text(person)


async def test_server_managers_choose_how_long_a_season_is(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await opened(here, "season")
        await ana.press(here.channel, custom_id="^s:open$")
        assert "**Season** · A month" in here.private_text(ana)
        await here.setting(ana, "season", "quarter")
        assert (await settings_of(here)).season is SeasonLength.QUARTER
        assert "✅ **Season** · A quarter" in here.private_text(ana)
        assert "Winner's role" in here.private_text(ana)
        await here.setting(ana, "season", "none")
        assert "Winner's role" not in here.private_text(ana)


async def test_only_server_managers_change_it_and_get_the_results(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await opened(here)
        panel, eva = ana.panel(here.channel), here.world.person("Eva")
        for custom_id, values in (
            ("s:change", ["season"]),
            ("s:season", ["none"]),
            ("s:winner_role", []),
            ("s:podium_role", []),
            ("s:passes_on", ["off"]),
            ("s:export", None),
        ):
            await forge(eva, panel, custom_id, values)
            assert eva.sees(here.channel).pop() == refusal_text(CommonRefusal.NOT_MANAGER), custom_id
        assert await settings_of(here) == ClubSettings()


async def test_a_harmless_role_below_the_bots_can_be_a_reward_until_none_is_chosen(room_of: RoomOf) -> None:
    async with room_of() as here:
        champion = here.world.guild.create_role("Champion", permissions=discord.Permissions(view_channel=True))
        ana = await opened(here)
        promote(here, ana)
        await here.setting(ana, "winner_role", champion)
        await here.setting(ana, "passes_on", "off")
        assert await settings_of(here) == ClubSettings(winner_role=champion.id, passes_on=False)
        await here.setting(ana, "winner_role")
        await ana.choose(here.channel, [], custom_id="s:winner_role")
        assert not (await settings_of(here)).reward_roles


async def test_a_role_that_the_bot_cannot_give_or_that_matters_is_refused_with_the_reason(room_of: RoomOf) -> None:
    async with room_of() as here:
        guild = here.world.guild
        plain = guild.create_role("plain")
        permit(here, INVITED)
        ana = await opened(here)
        promote(here, ana)

        async def choose(role: RoleHandle) -> None:
            await here.setting(ana, "podium_role", role)

        await choose(plain)
        assert refused(here, ana, RoleFlaw.NOT_ALLOWED)
        permit(here, INVITED | discord.Permissions(manage_roles=True))
        await choose(guild.create_role("moderator", permissions=discord.Permissions(kick_members=True)))
        assert refused(here, ana, RoleFlaw.POWERFUL, "kick_members")
        await choose(guild.create_role("high", position=60))
        assert refused(here, ana, RoleFlaw.TOO_HIGH)
        allow = discord.Permissions(manage_messages=True).value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(plain.id, OverwriteType.ROLE, allow, 0))
        await choose(plain)
        assert refused(here, ana, RoleFlaw.POWERFUL, "manage_messages")
        assert not (await settings_of(here)).reward_roles


async def test_whoever_chooses_a_role_could_give_it_themselves(room_of: RoomOf) -> None:
    async with room_of() as here:
        guild = here.world.guild
        plain, high = guild.create_role("plain"), guild.create_role("high", position=80)
        ana = await opened(here)
        await here.setting(ana, "winner_role", plain)
        assert refused(here, ana, RoleFlaw.NOT_YOURS)
        # In a channel this permission is about that channel alone.
        allow = discord.Permissions(manage_roles=True).value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(ana.id, OverwriteType.MEMBER, allow, 0))
        await here.setting(ana, "winner_role", plain)
        assert refused(here, ana, RoleFlaw.NOT_YOURS)
        promote(here, ana)
        await here.setting(ana, "winner_role", high)
        assert refused(here, ana, RoleFlaw.NOT_YOURS)
        await here.setting(ana, "winner_role", plain)
        assert (await settings_of(here)).winner_role == plain.id


async def test_a_role_that_opens_a_hidden_channel_is_refused_with_the_reason(room_of: RoomOf) -> None:
    async with room_of() as here:
        guild, view = here.world.guild, discord.Permissions(view_channel=True).value
        plain, hidden = guild.create_role("plain"), guild.create_text_channel("moderators")
        backend = here.env.backend
        backend.set_overwrite(hidden.id, Overwrite(guild.id, OverwriteType.ROLE, 0, view))
        ana = await opened(here)
        promote(here, ana)
        await here.setting(ana, "winner_role", plain)
        assert (await settings_of(here)).winner_role == plain.id
        backend.set_overwrite(hidden.id, Overwrite(plain.id, OverwriteType.ROLE, view, 0))
        await here.setting(ana, "podium_role", plain)
        text = unfit_text(UnfitRole(RoleFlaw.OPENING, channels=(hidden.id,)), EN)
        assert f"<#{hidden.id}>" in text
        assert text in here.private_text(ana)
        assert (await settings_of(here)).podium_role is None
        backend.set_overwrite(here.channel.id, Overwrite(plain.id, OverwriteType.ROLE, view, 0))
        backend.set_overwrite(hidden.id, Overwrite(plain.id, OverwriteType.ROLE, 0, 0))
        await here.setting(ana, "podium_role", plain)
        assert (await settings_of(here)).podium_role == plain.id, "that channel is everybody's"


async def test_the_page_says_when_a_chosen_role_can_no_longer_be_given(room_of: RoomOf) -> None:
    async with room_of() as here:
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=4711)
        ana = await opened(here, "winner_role")
        assert refused(here, ana, RoleFlaw.GONE)


async def play(here: Room, *people: tuple[int | None, str]) -> None:
    store, guild_id = here.bot.parts.stores, here.world.guild.id
    row = await store.games.open(
        guild_id=guild_id, channel_id=9_000, opener_id=1, locale="en", at=here.env.now(), entries=[]
    )
    players = tuple(
        PlayerResult(seat, seat, user_id, name, not seat, 21 - seat, 1) for seat, (user_id, name) in enumerate(people)
    )
    result = MatchResult(guild_id, 9_000, here.env.now(), "quince", 21, "2", 3, True, players)
    await store.games.append(row.id, [], result=result, close=True)


async def exported(here: Room, person: Person) -> list[dict[str, str]]:
    """The lines of the newest file that somebody was sent."""
    [attachment] = person.stored(person.panel(here.channel)).attachments
    content = here.env.backend.cdn.get(attachment["url"])
    assert content is not None
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


async def test_server_managers_get_the_results_as_a_file(room_of: RoomOf) -> None:
    async with room_of() as here:
        await play(here, (1, "Ana"), (2, "=cmd"))
        await play(here, (2, "Bea"), (1, "Ana"))
        ana = await opened(here)
        await ana.press(here.channel, custom_id="^s:export$")
        assert "All 2 matches of this server." in here.private_text(ana)
        lines = await exported(here, ana)
        assert [(line["match"], line["name"], line["won"]) for line in lines] == [
            ("2", "Bea", "yes"),
            ("2", "Ana", "no"),
            ("1", "Ana", "yes"),
            ("1", "'=cmd", "no"),
        ]


async def test_the_file_is_made_once_in_ten_minutes(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await opened(here)
        await ana.press(here.channel, custom_id="^s:export$")
        assert "No match finished here yet." in here.private_text(ana)
        await ana.press(here.channel, custom_id="^s:export$")
        assert refusal_text(ClubRefusal.EXPORTED_JUST_NOW) in here.private_text(ana)
        bea = here.people[1]
        await here.setting(bea, "results")
        await bea.press(here.channel, custom_id="^s:export$")
        assert refusal_text(ClubRefusal.EXPORTED_JUST_NOW) in here.private_text(bea), "the server has had it"
        await here.wait((EXPORTS_WINDOW + timedelta(seconds=1)).total_seconds())
        await here.setting(ana, "results")
        await ana.press(here.channel, custom_id="^s:export$")
        assert "No match finished here yet." in here.private_text(ana)


async def test_results_that_do_not_fit_are_left_out_the_oldest_first(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.server.clicks.results.MOST_BYTES", 400)
    async with room_of() as here:
        for number in range(9):
            await play(here, (1, f"Ana {number}"), (2, "Bea"))
        ana = await opened(here)
        await ana.press(here.channel, custom_id="^s:export$")
        lines = await exported(here, ana)
        shown = len(lines) // 2
        assert 0 < shown < 9
        assert f"The latest {shown} matches of 9" in here.private_text(ana)
        assert lines[0]["name"] == "Ana 8"
