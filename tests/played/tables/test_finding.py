"""Finding opponents: challenges, and the role that a lobby mentions."""

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.kit.throttle import BETWEEN_SEARCHES, CHALLENGES, CHALLENGES_WINDOW
from bot.platform.refusals import CommonRefusal, RefusalCode
from bot.tables.live.challenges import SILENCE
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import Person, text_of
from tests.support.phrases import refusal_text

BY_RIGHT_CLICK = "Challenge to Escoba"


async def challenge(here: Room, person: Person, player: Person, **options: object) -> None:
    await person.slash(here.channel, "escoba challenge", player=player.actor, **options)


def pinged(here: Room) -> list[int]:
    """Whom the latest public challenge pings."""
    challenges = [each for each in here.tap.public() if "challenges <@" in str(each.body)]
    return challenges[-1].message["allowed_mentions"].get("users", [])


async def refused(person: Person, channel: simcord.ChannelHandle, player: Person) -> str:
    """The answer to a challenge in a channel, which only the challenger sees."""
    result = await person.slash(channel, "escoba challenge", player=player.actor)
    assert result.ephemeral
    assert result.response is not None
    return text_of(result.response)


async def unanswered(here: Room) -> None:
    """Let the open challenge pass without an answer."""
    await here.wait(here.bot.parts.settings.lobby_minutes * 60 + 1)
    assert here.bot.parts.manager.at(here.channel.id) is None


# ------------------------------------------------------------------ challenges
async def test_a_challenge_pings_one_person_and_begins_when_they_accept(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, stranger = here.people
        await challenge(here, ana, bea, variant="quince", target=11)
        assert f"**Ana** challenges {bea.mention} to a match." in here.public_text
        assert "Escoba de quince · to 11 points" in here.public_text
        assert pinged(here) == [bea.id]
        for verb in ("join", "decline"):
            await here.press(stranger, here.shown, verb)
            assert here.private_text(stranger) == refusal_text(TableRefusal.NOT_CHALLENGED)
        await here.restart(killed=True)
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert [seat.name for seat in here.table.view().seats] == ["Ana", "Bea"]
        await here.press(bea, here.shown, "hand")


async def test_a_right_click_on_a_person_challenges_them_with_the_same_checks(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await ana.right_click(here.channel, ana, BY_RIGHT_CLICK)
        assert here.private_text(ana) == said(here, TableRefusal.CHALLENGES_SELF)
        robot = Person(here.world.guild.add_member(here.env.create_user("Robot", bot=True)))
        await ana.right_click(here.channel, robot, BY_RIGHT_CLICK)
        assert here.private_text(ana) == said(here, TableRefusal.CHALLENGES_BOT)
        assert here.bot.parts.manager.at(here.channel.id) is None
        await ana.right_click(here.channel, bea, BY_RIGHT_CLICK)
        assert f"**Ana** challenges {bea.mention} to a match." in here.public_text
        assert pinged(here) == [bea.id]
        await here.press(bea, here.shown, "decline")
        await ana.right_click(here.channel, bea, BY_RIGHT_CLICK)
        assert here.private_text(ana) == refusal_text(TableRefusal.NOT_ACCEPTED)
        denied = discord.PermissionOverwrite(view_channel=False).pair()[1].value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(ciro.id, OverwriteType.MEMBER, 0, denied))
        await ana.right_click(here.channel, ciro, BY_RIGHT_CLICK)
        assert here.private_text(ana) == refusal_text(TableRefusal.NOT_THERE)


async def test_nobody_is_challenged_where_they_cannot_see_it(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        for sees in (False, True):
            allow, deny = discord.PermissionOverwrite(view_channel=sees).pair()
            overwrite = Overwrite(bea.id, OverwriteType.MEMBER, allow.value, deny.value)
            here.env.backend.set_overwrite(here.channel.id, overwrite)
            await challenge(here, ana, bea)
            assert (here.bot.parts.manager.at(here.channel.id) is not None) is sees
            if not sees:
                assert here.private_text(ana) == refusal_text(TableRefusal.NOT_THERE)
                assert not any(str(bea.id) in str(each.body) for each in here.tap.public()), "she isn't mentioned"


async def test_nobody_is_challenged_who_is_not_on_the_server(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        stranger = here.env.create_user("Fulano")
        await ana.slash(here.channel, "escoba challenge", player=stranger)
        assert here.private_text(ana) == refusal_text(TableRefusal.NOT_THERE)
        assert here.bot.parts.manager.at(here.channel.id) is None


async def test_the_challenged_player_may_make_it_friendly_first_or_decline(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await challenge(here, ana, bea)
        await here.press(bea, here.shown, "rated", "f")
        assert "**Friendly**" in here.public_text
        message = here.shown
        await here.press(bea, message, "decline")
        assert "**Bea** declined the challenge." in here.public_texts()[-1]
        assert here.bot.parts.manager.at(here.channel.id) is None
        await challenge(here, bea, ana)
        await unanswered(here)
        assert "The challenge was not answered in time." in here.public_texts()[-1]


async def test_only_people_who_could_accept_can_be_challenged(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await challenge(here, ana, ana)
        assert here.private_text(ana) == said(here, TableRefusal.CHALLENGES_SELF)
        robot = Person(here.world.guild.add_member(here.env.create_user("Robot", bot=True)))
        await challenge(here, ana, robot)
        assert here.private_text(ana) == said(here, TableRefusal.CHALLENGES_BOT)
        assert here.bot.parts.manager.at(here.channel.id) is None
        await challenge(here, ana, bea)
        game = here.table.id
        await challenge(here, ciro, ana)
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(ciro)
        assert here.table.id == game


async def test_nobody_is_pinged_again_and_again_by_challenges(room_of: RoomOf):
    async with room_of(3, clicks_per_10_seconds=200) as here:
        ana, bea, ciro = here.people
        await here.never(ciro)
        await challenge(here, ana, ciro)
        assert pinged(here) == []
        await here.press(ciro, here.shown, "decline")
        assert CHALLENGES == 2
        for _ in range(2):
            await challenge(here, ana, bea)
            assert pinged(here) == [bea.id]
            await here.press(bea, here.shown, "rated", "f")
            await here.press(bea, here.shown, "join")
            await here.end(ana)
        await challenge(here, ana, bea)
        assert here.private_text(ana) == refusal_text(TableRefusal.CHALLENGED_JUST_NOW)
        await challenge(here, ciro, bea)
        assert pinged(here) == [bea.id], "nobody takes the challenges that others may make"


@pytest.mark.parametrize("declines", [True, False])
async def test_a_challenge_that_is_not_accepted_silences_its_challenger_for_a_day(room_of: RoomOf, declines: bool):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        other = here.world.guild.create_text_channel("otra")
        await challenge(here, ana, bea)
        await (here.press(bea, here.shown, "decline") if declines else unanswered(here))
        await here.wait(SILENCE.total_seconds() - 60)
        await here.restart(killed=True)
        for channel in (here.channel, other):
            assert await refused(ana, channel, bea) == refusal_text(TableRefusal.NOT_ACCEPTED)
        await challenge(here, bea, ana)
        await here.press(ana, here.shown, "decline")
        await challenge(here, ana, ciro)
        await here.end(ana)
        await here.wait(60)
        await challenge(here, ana, bea)
        assert f"**Ana** challenges {bea.mention} to a match." in here.public_text


async def test_a_challenge_may_be_corrected_once_but_not_taken_back_and_made_again(room_of: RoomOf):
    async with room_of(2, clicks_per_10_seconds=200) as here:
        ana, bea = here.people
        other = here.world.guild.create_text_channel("otra")
        await challenge(here, ana, bea)
        await here.end(ana)
        await challenge(here, ana, bea, variant="quince")
        assert await refused(ana, other, bea) == refusal_text(TableRefusal.NOT_ACCEPTED)
        await here.end(ana)
        await here.wait(CHALLENGES_WINDOW.total_seconds() + 1)
        await challenge(here, ana, bea)
        assert here.private_text(ana) == refusal_text(TableRefusal.NOT_ACCEPTED)


# ------------------------------------------------------------------ looking for players
async def role_chosen(here: Room, *, mentionable: bool = False) -> tuple[Person, simcord.RoleHandle]:
    """Choose a role for players as a manager; the menu then shows why it can't be mentioned, if it can't."""
    boss = here.people[0]
    own(here, boss)
    role = here.world.guild.create_role("escoba", mentionable=mentionable)
    await here.setting(boss, "players_role", role)
    return boss, role


def forbid_mentions(here: Room) -> None:
    """Take the right to mention every role from the bot."""
    deny = discord.PermissionOverwrite(mention_everyone=False).pair()[1]
    bot_id = here.env.backend.bot_user.id
    here.env.backend.set_overwrite(here.channel.id, Overwrite(bot_id, OverwriteType.MEMBER, 0, deny.value))


def said(here: Room, code: RefusalCode) -> str:
    """The text of a refusal, with commands as this bot shows them."""
    return refusal_text(code, here.bot.parts.wording.command_ids)


def sought(here: Room) -> list[discord.Message]:
    messages = here.people[0].messages(here.channel)
    return [each for each in messages if "is looking for players" in each.content]


async def test_a_lobby_mentions_the_role_for_players_once_in_ten_minutes(room_of: RoomOf):
    async with room_of(3) as here:
        _, role = await role_chosen(here, mentionable=True)
        ana, bea, stranger = here.people[:3]
        await here.lobby()
        lobby = here.shown
        await here.press(stranger, lobby, "seek")
        assert refusal_text(TableRefusal.NOT_SEATED) in here.private_text(stranger)
        await here.press(ana, lobby, "seek")
        [found] = sought(here)
        assert found.content.startswith(f"<@&{role.id}> **Ana** is looking for players: Escoba, to ")
        assert f"/{lobby.id})" in found.content
        request = here.tap.requests[-1]
        assert request.message["allowed_mentions"] == {"parse": [], "roles": [role.id]}
        await here.restart()
        await here.press(ana, here.shown, "seek")
        assert here.private_text(ana) == refusal_text(TableRefusal.SOUGHT_JUST_NOW)
        await here.press(bea, here.shown, "join")
        await here.wait(BETWEEN_SEARCHES.total_seconds() + 1)
        await here.press(bea, here.shown, "seek")
        assert len(sought(here)) == 2


async def test_players_are_looked_for_beside_start_while_seats_are_free(room_of: RoomOf):
    async with room_of(2) as here:
        await role_chosen(here, mentionable=True)
        ana = await here.lobby()
        assert labels(ana, here) == [
            "How to play",
            "Join",
            "Add a robot",
            "Start",
            "Find players",
            "Express",
            "Options",
        ]
        assert "Find players" not in [each.label for each in ana.buttons(await here.options(ana))]
        while here.table.view().config.capacity > len(here.table.view().seats):
            await here.press(ana, here.shown, "addc")
        assert labels(ana, here) == ["How to play", "Join", "Add a robot", "Start", "Express", "Options"]


def labels(person: Person, here: Room) -> list[str | None]:
    return [each.label for each in person.buttons(here.shown)]


async def test_a_role_that_cannot_be_mentioned_is_explained(room_of: RoomOf):
    async with room_of(2) as here:
        forbid_mentions(here)
        boss, role = await role_chosen(here)
        closed = refusal_text(CommonRefusal.ROLE_CLOSED)
        assert closed in here.private_text(boss)
        assert str(role.id) in str(boss.stored(here.private(boss)).components), "it is still chosen"
        await here.lobby()
        await here.press(here.people[0], here.shown, "seek")
        assert here.private_text(here.people[0]) == closed
        assert sought(here) == []
        await here.setting(boss, "players_role")
        await boss.choose(here.channel, [], custom_id="s:players_role")
        await here.press(here.people[1], here.shown, "join")
        assert not any(":seek:" in each.custom_id for each in boss.buttons(here.shown))


@pytest.mark.parametrize("everybody", [True, False])
async def test_the_role_of_everybody_or_a_deleted_one_cannot_be_chosen(room_of: RoomOf, everybody: bool):
    async with room_of(1) as here:
        boss, role = await role_chosen(here, mentionable=True)
        if everybody:
            await here.setting(boss, "players_role", here.world.guild.default_role)
            assert refusal_text(CommonRefusal.ROLE_OF_ALL) in here.private_text(boss)
        else:
            here.env.backend.delete_role(here.world.guild.id, role.id)
            await here.setting(boss, "players_role")
            assert said(here, CommonRefusal.ROLE_GONE) in here.private_text(boss)
            assert str(role.id) not in str(boss.stored(here.private(boss)).components), "no role is chosen"
