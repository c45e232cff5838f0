"""/escoba leaderboard and /escoba stats: orders, seasons, pages and the user's own row, shown in private."""

import re
from datetime import UTC, datetime, timedelta

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.club.rules.seasons import SeasonLength
from bot.club.settings import ClubSettings
from bot.club.store.results import MatchResult, PlayerResult
from bot.platform.eventlog import LogEntry
from bot.platform.kit.codec import base36
from bot.platform.kit.throttle import BETWEEN_SHOWS
from bot.platform.people import Person as Player
from bot.platform.refusals import CommonRefusal, RefusalCode
from bot.platform.settings.language import LanguageSettings
from bot.tables.log.codec import encode
from bot.tables.log.events import Config, Opened
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, set_locale
from tests.support.phrases import refusal_text

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""On the first day of a season, twelve hours after the simulation begins."""


async def played(
    here: Room,
    winner: tuple[int, str],
    *losers: tuple[int, str],
    at: datetime,
    points: int = 21,
    escobas: int = 3,
    preset: str = "escoba",
) -> None:
    """Store a finished match."""
    store, guild = here.bot.parts.stores, here.world.guild.id
    channel = 10_000 + len(here.seeded)  # type: ignore[attr-defined]
    here.seeded.append(channel)  # type: ignore[attr-defined]
    entry = LogEntry(1, *encode(Opened(Player(winner[0], winner[1]), Config())), at)
    row = await store.games.open(
        guild_id=guild, channel_id=channel, opener_id=winner[0], locale="en", at=at, entries=[entry]
    )
    people = [winner, *losers]
    players = tuple(
        PlayerResult(
            n, n, person or None, name, n == 0, points if n == 0 else 5, escobas if n == 0 else 1, min(n, 1) + 1
        )
        for n, (person, name) in enumerate(people)
    )
    ranked = sum(bool(person) for person, _ in people) > 1
    result = MatchResult(guild, channel, at, preset, 21, str(len(people)), 4, ranked, players)
    await store.games.append(row.id, [], result=result, close=True)


def rows(here: Room, person: Person) -> list[str]:
    """The rows of the leaderboard that a person sees, without their own row at the end: name and figures."""
    return re.findall(r"^[🥇🥈🥉*].+\n-# .+ · .+$", here.private_text(person), re.MULTILINE)


async def choose(here: Room, person: Person, menu: str, value: str) -> None:
    """Choose in a menu of the leaderboard, which another menu opens."""
    await person.choose(person.panel(here.channel), [menu], custom_id="^r:change:")
    await person.choose(person.panel(here.channel), [value], custom_id=f"^r:{menu}:")


@pytest.fixture
def seeded(room_of: RoomOf):
    """A room whose leaderboard can be filled with `played`."""
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def opened(**settings: int):
        async with room_of(2, **settings) as here:
            here.seeded = []  # type: ignore[attr-defined]
            await here.wait((NOON - here.env.now()).total_seconds())
            yield here

    return opened


async def test_an_empty_leaderboard_says_how_to_enter_it(seeded):
    async with seeded() as here:
        ana = here.people[0]
        result = await ana.slash(here.channel, "escoba leaderboard")
        assert result.ephemeral
        assert "/escoba play" in here.private_text(ana)
        assert rows(here, ana) == []


async def test_each_order_ranks_players_differently(seeded):
    async with seeded(rate_matches=3) as here:
        ana, bea = here.people
        a, b, c = (ana.id, "Ana"), (bea.id, "Bea"), (77, "Ciro")
        for _ in range(2):
            await played(here, a, c, at=NOON, points=11, escobas=0)
        await played(here, b, c, at=NOON, points=51, escobas=2)
        await played(here, c, b, at=NOON, points=12, escobas=9)
        await ana.slash(here.channel, "escoba leaderboard", order="wins")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Ana", "Bea", "Ciro"]
        await choose(here, ana, "metric", "points")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Bea", "Ciro", "Ana"]
        await choose(here, ana, "metric", "escobas")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Ciro", "Bea", "Ana"]
        await choose(here, ana, "metric", "rate")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Ciro"]  # the only player with three matches
        assert "__**Ana**__" not in here.private_text(ana)
        assert "3 matches" in here.private_text(ana)  # the win rate counts from this many matches
        await bea.slash(here.channel, "escoba leaderboard", order="escobas", season="all")
        assert rows(here, bea)[0].startswith("🥇 **Ciro**")


async def test_it_opens_with_the_present_season_and_shows_past_ones_and_all_time(seeded):
    async with seeded() as here:
        ana, bea = here.people
        a, b = (ana.id, "Ana"), (bea.id, "Bea")
        await played(here, a, b, at=NOON - timedelta(days=20))
        await played(here, a, b, at=NOON - timedelta(days=16))
        await played(here, b, a, at=NOON.replace(day=1, hour=0))
        await ana.slash(here.channel, "escoba leaderboard")
        assert "Season points" in here.private_text(ana)
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Bea", "Ana"]
        assert "**3 points** · won 1 of 1" in rows(here, ana)[0]
        await choose(here, ana, "period", "2025-12")
        assert "**6 points** · won 2 of 2" in rows(here, ana)[0]
        await choose(here, ana, "period", "all")
        assert "**7 points** · won 2 of 3" in rows(here, ana)[0]
        await ana.slash(here.channel, "escoba leaderboard", season="all")
        assert "Rating" in here.private_text(ana)
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Ana", "Bea"]
        assert "? · 3 matches" in rows(here, ana)[0]


async def test_the_seasons_are_those_that_the_server_has_chosen(seeded):
    async with seeded() as here:
        ana, bea = here.people
        a, b = (ana.id, "Ana"), (bea.id, "Bea")
        await played(here, a, b, at=NOON - timedelta(days=20))
        await here.bot.parts.guild_settings.change(here.channel.guild.id, ClubSettings, season=SeasonLength.QUARTER)
        await ana.slash(here.channel, "escoba leaderboard")
        assert "1st quarter 2026" in here.private_text(ana)
        await choose(here, ana, "period", "2025-Q4")
        assert rows(here, ana)[0].startswith("🥇 __**Ana**__")
        await here.bot.parts.guild_settings.change(here.channel.guild.id, ClubSettings, season=SeasonLength.NONE)
        await ana.slash(here.channel, "escoba leaderboard")
        assert "Leaderboard: Rating\n-# All time" in here.private_text(ana)
        [menu] = ana.selects(ana.panel(here.channel))
        assert menu.values == ["metric"], "neither seasons nor variants to choose from"


async def test_a_leaderboard_counts_one_rule_system_or_all(seeded):
    async with seeded() as here:
        ana, bea = here.people
        a, b = (ana.id, "Ana"), (bea.id, "Bea")
        for winner, loser, preset in ((a, b, "escoba"), (a, b, "escoba"), (b, a, "quince")):
            await played(here, winner, loser, at=NOON, preset=preset)
        await ana.slash(here.channel, "escoba leaderboard")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Ana", "Bea"]
        await choose(here, ana, "rules", "quince")
        assert [line.split("**")[1] for line in rows(here, ana)] == ["Bea", "Ana"]
        await choose(here, ana, "metric", "wins")
        assert "1 win · 1 match" in rows(here, ana)[0]
        await choose(here, ana, "rules", "all")
        assert "2 wins · 3 matches" in rows(here, ana)[0]


@pytest.mark.thorough
async def test_every_page_of_a_long_leaderboard_shows_the_users_own_row(seeded):
    async with seeded() as here:
        ana, bea = here.people
        for number in range(1, 24, 2):
            for _ in range(1 + number % 3 // 2):
                await played(here, (number, f"P{number}"), (number + 1, f"P{number + 1}"), at=NOON)
        await played(here, (1, "P1"), (ana.id, "Ana"), at=NOON)
        await ana.slash(here.channel, "escoba leaderboard")
        seen: list[str] = []
        for page in range(4):
            own = [line for line in here.private_text(ana).splitlines() if "__**Ana**__" in line]
            assert own, f"page {page}"
            seen += [line for line in rows(here, ana) if "__" not in line or "You" not in line]
            panel = ana.panel(here.channel)
            buttons = {b.custom_id.split(":")[1]: b.disabled for b in ana.buttons(panel)}
            assert buttons == {"prev": page == 0, "next": page == 3, "show": False}
            if page < 3:
                await ana.press(panel, custom_id="^r:next:")
        assert len(seen) == 25
        assert len({line.split("**")[1] if line[0] in "🥇🥈🥉" else line.split("**")[3] for line in seen}) == 25
        await ana.press(ana.panel(here.channel), custom_id="^r:prev:")
        await forge(ana, ana.panel(here.channel), "r:next:season_points:2026-01:zzzz")  # there are only four pages
        assert rows(here, ana) == seen[21:]
        await bea.slash(here.channel, "escoba leaderboard")
        assert "Bea" not in here.private_text(bea)  # somebody who hasn't played has no row


async def test_a_page_of_the_leaderboard_can_be_shown_to_everybody(seeded):
    async with seeded() as here:
        ana, bea = here.people
        await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON)
        await ana.slash(here.channel, "escoba leaderboard")
        assert bea.sees(here.channel) == []
        await ana.press(ana.panel(here.channel), custom_id="^r:show:")
        (shown,) = bea.sees(here.channel)
        assert all(part in shown for part in ("Ana", "Bea", "Shown by Ana"))
        assert "__" not in shown  # without anybody's own row
        assert not bea.buttons(bea.messages(here.channel)[-1])


@pytest.mark.spanish
async def test_shared_pages_use_the_servers_language_or_else_that_of_the_person_sharing(
    seeded,
):
    async with seeded() as here:
        ana, bea = here.people
        await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON)
        set_locale(ana, "es-ES")  # Discord says that the server speaks American English, as it says of most
        await ana.slash(here.channel, "escoba leaderboard")
        await ana.press(ana.panel(here.channel), custom_id="^r:show:")
        assert "La muestra Ana" in here.public_texts()[-1]
        await here.bot.parts.guild_settings.change(here.channel.guild.id, LanguageSettings, language="en")
        await here.wait(BETWEEN_SHOWS.total_seconds() + 1)
        await ana.press(ana.panel(here.channel), custom_id="^r:show:")
        assert "Shown by Ana" in here.public_texts()[-1]


async def test_people_cannot_fill_a_channel_with_leaderboards_and_stats(seeded):
    async with seeded() as here:
        ana, bea = here.people
        await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON)
        other = here.world.guild.create_text_channel("mesa-2")
        for channel in (here.channel, other):  # a channel doesn't wait for another
            await ana.slash(channel, "escoba leaderboard")
            await ana.press(ana.panel(channel), custom_id="^r:show:")
        await bea.slash(here.channel, "escoba stats")
        stats = bea.panel(here.channel)
        for person, panel in ((ana, ana.panel(here.channel)), (bea, stats)):
            await person.press(panel, custom_id=":show:")
            assert refusal_text(CommonRefusal.SHOWN_JUST_NOW) in here.private_text(person)
        assert len(here.public_texts()) == 1
        await here.wait(BETWEEN_SHOWS.total_seconds() + 1)
        await bea.press(stats, custom_id="^c:show:")
        assert len(here.public_texts()) == 2


@pytest.mark.parametrize(
    ("whose", "code"),
    [("ana", CommonRefusal.MAY_NOT_WRITE), pytest.param("bot", CommonRefusal.MUTED, marks=pytest.mark.thorough)],
)
async def test_nothing_is_shown_to_everybody_where_its_person_or_the_bot_may_not_write(
    seeded, whose: str, code: RefusalCode
):
    async with seeded() as here:
        ana, bea = here.people
        await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON)
        silenced = ana.id if whose == "ana" else here.env.backend.bot_user.id
        deny = discord.Permissions(send_messages=True).value
        for command in ("escoba leaderboard", "escoba stats"):
            await ana.slash(here.channel, command)
            here.env.backend.set_overwrite(here.channel.id, Overwrite(silenced, OverwriteType.MEMBER, 0, deny))
            await ana.press(ana.panel(here.channel), custom_id=":show:")
            assert refusal_text(code) in here.private_text(ana)
        assert here.public_texts() == []


async def test_an_empty_leaderboard_cannot_be_shown_to_everybody(seeded):
    async with seeded() as here:
        ana = here.people[0]
        await ana.slash(here.channel, "escoba leaderboard")
        assert not [b for b in ana.buttons(ana.panel(here.channel)) if b.custom_id.startswith("r:show:")]


async def test_only_the_user_who_asked_sees_a_players_stats(seeded):
    async with seeded() as here:
        ana, bea = here.people
        await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON, points=22, escobas=4)
        await played(here, (ana.id, "Ana"), (0, "Lola"), at=NOON)
        result = await ana.slash(here.channel, "escoba stats")
        assert result.ephemeral
        text = here.private_text(ana)
        assert all(part in text for part in ("Ana", "**1**", "100%", "**22**", "**4**"))
        assert "Winning streak: **1** · best: **1**" in text
        await ana.slash(here.channel, "escoba stats", player=bea.actor)
        assert all(part in here.private_text(ana) for part in ("Bea", "0%", "**5**"))
        stranger = here.world.person("Eva")
        await ana.slash(here.channel, "escoba stats", player=stranger.actor)
        assert "Eva" in here.private_text(ana)
        assert bea.sees(here.channel) == []


async def test_stats_are_shown_to_everybody_when_somebody_presses_for_it(seeded):
    async with seeded() as here:
        ana, bea = here.people
        for _ in range(2):
            await played(here, (ana.id, "Ana"), (bea.id, "Bea"), at=NOON)
        await ana.slash(here.channel, "escoba stats", player=bea.actor)
        await ana.press(ana.panel(here.channel), custom_id=f"^c:show:{base36(bea.id)}$")
        shown = here.public_texts()[-1]
        assert all(part in shown for part in ("## 📊 Bea", "**0 – 2** Ana", "Shown by Ana"))
        assert not bea.buttons(bea.messages(here.channel)[-1])


async def test_the_pages_of_stats_are_turned_on_one_message_and_shown_as_they_are(seeded):
    async with seeded() as here:
        ana, bea = here.people
        for winner, loser in ((ana, bea), (bea, ana), (ana, bea)):
            await played(here, (winner.id, winner.name), (loser.id, loser.name), at=NOON)
        await ana.slash(here.channel, "escoba stats")
        panel = ana.panel(here.channel)
        for page, title in (("rating", "📈 Ana · Rating"), ("points", "🎯 Ana · Points"), ("honours", "🏅 Ana · Ach")):
            await ana.press(panel, custom_id=f"^c:page:{base36(ana.id)}:{page}$")
            assert f"## {title}" in here.private_text(ana)
        assert "🏅 **First win**" in here.private_text(ana)
        await ana.choose(panel, ["first_win"], custom_id="^c:how:")
        assert "🏅 **First win**: a match won against other people · <t:" in here.private_text(ana)
        await forge(ana, panel, f"c:how:{base36(ana.id)}:honours", ["chess"])
        assert "a match won against" not in here.private_text(ana)
        await ana.choose(panel, [bea.actor], custom_id="^c:against:")
        assert "Ana **2 – 1** Bea · 3 matches" in here.private_text(ana)
        assert "🟡 🔵 🟡 (🟡 Ana · 🔵 Bea)" in here.private_text(ana)
        assert ana.panel(here.channel).id == panel.id
        await ana.press(panel, custom_id=f"^c:show:{base36(ana.id)}:duel:{base36(bea.id)}$")
        assert all(part in here.public_texts()[-1] for part in ("⚔️ Ana · Head to head", "**2 – 1**", "Shown by Ana"))
        await ana.press(panel, custom_id=f"^c:page:{base36(ana.id)}$")
        assert "## 📊 Ana" in here.private_text(ana)


@pytest.mark.thorough
async def test_each_server_has_its_own_leaderboard(seeded):
    async with seeded() as here:
        ana, bea = here.people
        store = here.bot.parts.stores
        players = (
            PlayerResult(0, 0, bea.id, "Bea", True, 21, 1),
            PlayerResult(1, 1, ana.id, "Ana", False, 3, 0),
        )
        entry = LogEntry(1, *encode(Opened(Player(bea.id, "Bea"), Config())), NOON)
        row = await store.games.open(guild_id=5, channel_id=6, opener_id=1, locale="en", at=NOON, entries=[entry])
        result = MatchResult(5, 6, NOON, "escoba", 21, "2", 4, True, players)
        await store.games.append(row.id, [], result=result, close=True)
        await ana.slash(here.channel, "escoba leaderboard")
        assert rows(here, ana) == []
