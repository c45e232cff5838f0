"""The podium of a season: posted once by the first match of the next one, with the roles that are its rewards."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.club.boards.podiums import LATEST, RETRY_SECONDS, Podiums
from bot.club.rules.seasons import SeasonLength
from bot.club.settings import ClubSettings, podium_key
from bot.club.store.results import MatchResult, PlayerResult
from bot.engine.moves import Move
from bot.engine.rules import Seating
from bot.engine.views import SeatView
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.place import Spot
from bot.tables.live.between_people import MatchesBetweenPeople
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of

DECEMBER = datetime(2025, 12, 20, 12, tzinfo=UTC)
"""In the season before the one in which the simulation begins."""


async def won(here: Room, winner: Person, *others: Person, at: datetime = DECEMBER) -> None:
    """Store a finished match."""
    guild_id, store = here.world.guild.id, here.bot.parts.stores
    row = await store.games.open(guild_id=guild_id, channel_id=9_000, opener_id=1, locale="en", at=at, entries=[])
    players = tuple(
        PlayerResult(seat, seat, person.id, person.name, not seat, 21 - seat, 1, place=1 + bool(seat))
        for seat, person in enumerate((winner, *others))
    )
    result = MatchResult(guild_id, 9_000, at, "escoba", 21, str(len(players)), 4, True, players)
    await store.games.append(row.id, [], result=result, close=True)


def finished(here: Room, channel_id: int | None = None, *, computer: bool = False, fixture: object = None) -> Any:
    """A table whose match has just ended."""
    seats = (Seat("Ana", 1), Seat("Lola") if computer else Seat("Bea", 2))
    guild_id, channel_id = here.world.guild.id, channel_id or here.channel.id
    match = SimpleNamespace(seating=Seating.TWO)
    view = SimpleNamespace(guild_id=guild_id, seats=seats, match=match, fixture=fixture)
    spot = Spot(channel_id, guild_id)
    return SimpleNamespace(
        phase=Phase.FINISHED, alone=False, taken_out=False, spot=spot, locale="en", view=lambda: view
    )


async def pass_days(here: Room, days: int) -> None:
    """Let days pass, without the daily tidying up of the database."""
    for work in ("keeping", "missing"):
        here.bot.parts.clock.cancel(work)
    await here.wait(timedelta(days=days).total_seconds())


class Observer:
    """The observer of tables that posts podiums, as in a bot that has just started; its work is awaited."""

    def __init__(self, here: Room) -> None:
        bot = here.bot
        self._work: list[Coroutine[Any, Any, None]] = []
        tools = replace(bot.host.tools, spawn=self._work.append)
        stores = bot.parts.stores
        clubs = (stores.values, stores.leaderboards, stores.given_roles, bot.parts.guild_settings)
        podiums = Podiums(tools, *clubs, bot, bot.parent_of)
        self._tables = MatchesBetweenPeople(podiums.match_ended)

    async def sees_end(self, table: Any) -> None:
        self._tables.table_over(table)
        while self._work:
            await self._work.pop()


async def ends(here: Room, observer: Observer, table: Any = None) -> None:
    """Let a match end, and wait until the bot has dealt with it."""
    await observer.sees_end(table or finished(here))
    await here.env.settle()


def podiums_in(here: Room, channel: Any = None) -> list[discord.Message]:
    messages = here.people[0].messages(channel or here.channel)
    return [message for message in messages if ": the podium" in text_of(message)]


def one_sided(view: SeatView) -> Move:
    """One player takes as much as possible and the other as little: the match is over after a round."""
    return (min if view.seat else max)(view.moves, key=lambda move: len(move.captured))


async def test_the_first_match_of_a_season_brings_the_podium_of_the_one_before(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await won(here, bea, ana)
        await won(here, bea, ciro, ana)
        await here.begin(2, target=5)
        await here.finish(one_sided)
        assert here.bot.parts.manager.at(here.channel.id) is None
        [message] = podiums_in(here)
        text = text_of(message)
        assert "December 2025: the podium" in text
        assert "🥇 **Bea**\n-# **6 points** · won 2 of 2\n🥈 **Ana**\n-# **2 points**" in text
        assert "🥉 **Ciro**\n-# **1 point**" in text
        await ciro.press(message, custom_id="^r:open:")
        assert "Leaderboard: Season points\n-# December 2025" in here.private_text(ciro)


async def test_it_is_posted_once_whoever_looks(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        await won(here, ana, bea)
        podiums = Observer(here)
        for table in (finished(here), finished(here, computer=True), finished(here)):
            await ends(here, podiums, table)
        assert len(podiums_in(here)) == 1
        await ends(here, Observer(here))
        assert len(podiums_in(here)) == 1
        await pass_days(here, 31)
        await won(here, bea, ana, at=datetime(2026, 1, 20, tzinfo=UTC))
        await ends(here, podiums)
        assert [text_of(message).splitlines()[0] for message in podiums_in(here)] == [
            "## 🏆 December 2025: the podium",
            "## 🏆 January 2026: the podium",
        ]


async def test_of_two_processes_that_look_at_once_one_posts_it(room_of: RoomOf):
    async with room_of() as here:
        await won(here, *here.people)
        await asyncio.gather(*(Observer(here).sees_end(finished(here)) for _ in range(2)))
        assert len(podiums_in(here)) == 1


async def test_while_the_store_cannot_be_read_the_next_match_brings_it(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async def unavailable(*_: object, **__: object) -> None:
        raise StoreUnavailable(Fault.LOCKED, "the disk is away")

    async with room_of() as here:
        await won(here, *here.people)
        observer = Observer(here)
        with monkeypatch.context() as patch:
            patch.setattr(here.bot.parts.stores.leaderboards, "page", unavailable)
            await ends(here, observer)
        await ends(here, observer)
        assert len(podiums_in(here)) == 1


async def test_if_the_store_fails_amid_the_rewards_the_next_match_brings_the_podium(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async def unavailable(*_: object, **__: object) -> None:
        raise StoreUnavailable(Fault.LOCKED, "the disk is away")

    async with room_of() as here:
        champion = here.world.guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=champion.id)
        await won(here, *here.people)
        observer = Observer(here)
        with monkeypatch.context() as patch:
            patch.setattr(here.bot.parts.stores.values, "set", unavailable)
            await ends(here, observer)
        assert podiums_in(here) == []
        await ends(here, observer)
        assert len(podiums_in(here)) == 1
        assert [roles_of(here, person) for person in here.people] == [{champion.id}, set()]


@pytest.mark.parametrize(
    ("at", "length", "days"),
    [
        (DECEMBER - timedelta(days=31), SeasonLength.MONTH, 0),  # nobody played in the last season
        (DECEMBER, SeasonLength.NONE, 0),
        (DECEMBER, SeasonLength.MONTH, LATEST.days + 1),  # it would be old news
    ],
)
async def test_there_is_no_podium_without_matches_without_seasons_or_long_after(
    room_of: RoomOf, at: datetime, length: SeasonLength, days: int
):
    async with room_of() as here:
        ana, bea = here.people
        await won(here, ana, bea, at=at)
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, season=length)
        await pass_days(here, days)
        await ends(here, Observer(here))
        assert podiums_in(here) == []
        assert await here.bot.parts.stores.values.get(podium_key(here.world.guild.id)) is None


async def test_neither_practice_nor_a_tournaments_table_brings_it(room_of: RoomOf):
    async with room_of() as here:
        await won(here, *here.people)
        podiums = Observer(here)
        await ends(here, podiums, finished(here, computer=True))
        await ends(here, podiums, finished(here, fixture=object()))
        assert podiums_in(here) == []
        await ends(here, podiums)
        assert len(podiums_in(here)) == 1


@pytest.mark.thorough
async def test_a_server_that_changes_to_quarters_gets_no_podium_for_the_same_end(room_of: RoomOf):
    async with room_of() as here:
        await won(here, *here.people)
        await ends(here, Observer(here))
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, season=SeasonLength.QUARTER)
        await ends(here, Observer(here))
        assert len(podiums_in(here)) == 1
        await pass_days(here, 90)
        await won(here, *here.people, at=datetime(2026, 2, 1, tzinfo=UTC))
        await ends(here, Observer(here))
        assert "1st quarter 2026: the podium" in text_of(podiums_in(here)[-1])


async def test_where_the_bot_may_not_write_the_next_match_elsewhere_brings_it(room_of: RoomOf):
    async with room_of() as here:
        await won(here, *here.people)
        deny = discord.Permissions(send_messages=True).value
        bot_id = here.env.backend.bot_user.id
        here.env.backend.set_overwrite(here.channel.id, Overwrite(bot_id, OverwriteType.MEMBER, 0, deny))
        podiums, other = Observer(here), here.world.guild.create_text_channel("mesa-2")
        await ends(here, podiums)
        await ends(here, podiums, finished(here, other.id))
        assert len(podiums_in(here, other)) == 1


async def test_a_match_in_a_thread_brings_it_to_the_threads_channel(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of() as here:
        await won(here, *here.people)
        other = here.world.guild.create_text_channel("mesa-2")
        monkeypatch.setattr(here.bot, "parent_of", lambda guild_id, channel_id: here.channel.id)
        await ends(here, Observer(here), finished(here, other.id))
        assert len(podiums_in(here)) == 1
        assert podiums_in(here, other) == []


# ------------------------------------------------------------------ rewards
def roles_of(here: Room, person: Person) -> set[int]:
    return set(here.env.backend.get_member(here.world.guild.id, person.id).role_ids)


async def test_the_roles_go_to_the_best_and_pass_on_to_the_next(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        guild = here.world.guild
        champion, podium = guild.create_role("Champion"), guild.create_role("Podium")
        await here.bot.parts.guild_settings.change(
            guild.id, ClubSettings, winner_role=champion.id, podium_role=podium.id
        )
        await won(here, ana, bea, ciro)
        await won(here, bea, ana, ciro, at=DECEMBER + timedelta(days=1))
        await won(here, ana, bea, at=DECEMBER + timedelta(days=2))
        podiums = Observer(here)
        await ends(here, podiums)
        assert [roles_of(here, person) for person in here.people] == [
            {champion.id, podium.id},
            {podium.id},
            {podium.id},
            set(),
        ]
        assert f"🎖️ <@&{champion.id}>: Ana\n🎖️ <@&{podium.id}>: Ana, Bea, Ciro" in text_of(podiums_in(here)[0])
        await pass_days(here, 31)
        await won(here, dora, bea, at=datetime(2026, 1, 20, tzinfo=UTC))
        await ends(here, podiums)
        assert [roles_of(here, person) for person in here.people] == [
            set(),
            {podium.id},
            set(),
            {champion.id, podium.id},
        ]


async def test_a_former_reward_role_is_taken_from_those_who_got_it(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        guild = here.world.guild
        old, new = guild.create_role("Champion"), guild.create_role("Master")
        await here.bot.parts.guild_settings.change(guild.id, ClubSettings, winner_role=old.id)
        await won(here, ana, bea)
        await ends(here, Observer(here))
        assert roles_of(here, ana) == {old.id}
        await here.bot.parts.guild_settings.change(guild.id, ClubSettings, winner_role=new.id)
        await pass_days(here, 31)
        await won(here, bea, ana, at=datetime(2026, 1, 20, tzinfo=UTC))
        await ends(here, Observer(here))
        assert [roles_of(here, person) for person in here.people] == [set(), {new.id}]


async def erase(here: Room, person: Person) -> None:
    """Erase what is kept about somebody, by their own clicks."""
    await here.open_data(person)
    for what in ("erase", "eraseyes"):
        await person.press(here.channel, custom_id=f"^p:{what}$")
    await here.env.settle()


async def test_a_champion_who_erases_their_data_loses_the_role(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        role = here.world.guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=role.id)
        await won(here, ana, bea)
        await ends(here, Observer(here))
        assert roles_of(here, ana) == {role.id}
        here.env.inject_error(
            "DELETE", f"/guilds/{here.world.guild.id}/members/{ana.id}/roles/{role.id}", status=503, times=1
        )
        await erase(here, ana)
        assert roles_of(here, ana) == {role.id}
        assert await here.bot.parts.stores.given_roles.due(), "what Discord hasn't done yet is owed"
        await here.wait(RETRY_SECONDS + 60.0)
        assert roles_of(here, ana) == set()
        assert str(ana.id) not in str(await here.bot.parts.stores.values.of("")), "nor is it noted whose it was"
        assert not await here.bot.parts.stores.given_roles.held(here.world.guild.id)


async def test_whoever_holds_the_role_passes_it_on_even_if_the_leaderboard_has_changed(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        role = here.world.guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=role.id)
        await won(here, ana, bea)
        await ends(here, Observer(here))
        for each in range(2):
            await won(here, bea, ana, at=DECEMBER + timedelta(hours=1 + each))  # as after a correction
        await pass_days(here, 31)
        await won(here, ciro, bea, at=datetime(2026, 1, 20, tzinfo=UTC))
        await ends(here, Observer(here))
        assert [roles_of(here, person) for person in here.people] == [set(), set(), {role.id}]


async def test_nobody_is_noted_any_more_as_holding_a_role_that_is_gone(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        guild, given = here.world.guild, here.bot.parts.stores.given_roles
        old, new = guild.create_role("Champion"), guild.create_role("Master")
        await here.bot.parts.guild_settings.change(guild.id, ClubSettings, winner_role=old.id)
        await won(here, ana, bea)
        await ends(here, Observer(here))
        assert await given.held(guild.id) == {old.id: {ana.id}}
        await here.bot.parts.guild_settings.change(guild.id, ClubSettings, winner_role=new.id)
        here.env.backend.delete_role(guild.id, old.id)
        await pass_days(here, 31)
        await won(here, bea, ana, at=datetime(2026, 1, 20, tzinfo=UTC))
        await ends(here, Observer(here))
        assert await given.held(guild.id) == {new.id: {bea.id}}


async def test_a_first_place_that_many_share_is_posted_and_brings_nobody_a_role(room_of: RoomOf):
    async with room_of() as here:
        role = here.world.guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=role.id)
        for number in range(11):
            pair: list[Any] = [SimpleNamespace(id=5_000 + 2 * number + seat, name=f"P{number}") for seat in (0, 1)]
            await won(here, *pair, at=DECEMBER + timedelta(minutes=number))
        await ends(here, Observer(here))
        [message] = podiums_in(here)
        assert text_of(message).count("🥇") == 10
        assert "They share the first place with others." in text_of(message)
        assert "🎖️" not in text_of(message)


async def test_kept_roles_are_not_taken_back_and_a_winner_who_left_is_no_error(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        champion = here.world.guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(
            here.world.guild.id, ClubSettings, winner_role=champion.id, passes_on=False
        )
        await won(here, ana, bea)
        await ends(here, Observer(here))
        await pass_days(here, 31)
        await won(here, bea, ana, at=datetime(2026, 1, 20, tzinfo=UTC))
        here.env.backend.remove_member(here.world.guild.id, bea.id)
        await ends(here, Observer(here))
        assert roles_of(here, ana) == {champion.id}
        assert "🎖️" not in text_of(podiums_in(here)[-1])
        assert "🥇 **Bea**" in text_of(podiums_in(here)[-1])


async def test_a_role_that_has_become_powerful_since_it_was_chosen_is_not_given(room_of: RoomOf):
    async with room_of() as here:
        ana, bea = here.people
        champion = here.world.guild.create_role("Champion", permissions=discord.Permissions(ban_members=True))
        await here.bot.parts.guild_settings.change(here.world.guild.id, ClubSettings, winner_role=champion.id)
        await won(here, ana, bea)
        await ends(here, Observer(here))
        assert roles_of(here, ana) == set()
        assert "🎖️" not in text_of(podiums_in(here)[-1])


@pytest.mark.parametrize(("status", "code"), [(429, 0), (403, 0), (403, 20026)])
async def test_a_podium_that_discord_refuses_for_now_comes_with_the_next_match(room_of: RoomOf, status: int, code: int):
    async with room_of() as here:
        await won(here, *here.people)
        podiums = Observer(here)
        here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=status, code=code, times=1)
        await ends(here, podiums)
        assert podiums_in(here) == []
        for _ in range(2):
            await ends(here, podiums)
        assert len(podiums_in(here)) == 1


@pytest.mark.parametrize("path", ["/guilds/{}/members/*/roles/*", "/guilds/{}"])
@pytest.mark.parametrize("status", [503, 403, 404])
async def test_an_answer_that_says_nothing_certain_costs_nobody_a_role(room_of: RoomOf, path: str, status: int):
    async with room_of() as here:
        ana, bea = here.people
        guild = here.world.guild
        champion = guild.create_role("Champion")
        await here.bot.parts.guild_settings.change(guild.id, ClubSettings, winner_role=champion.id)
        await won(here, ana, bea)
        podiums = Observer(here)
        method = "PUT" if "roles" in path else "GET"
        here.env.inject_error(method, path.format(guild.id), status=status, code=0, times=1)
        await ends(here, podiums)
        assert podiums_in(here) == []
        await ends(here, podiums)
        assert len(podiums_in(here)) == 1
        assert roles_of(here, ana) == {champion.id}
