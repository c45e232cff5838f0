"""Commands in a direct message, in a private chat between people, and on a server where only a person has the bot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import simcord
from simcord.builders import ChannelHandle

from bot.club.ids.leaderboard import LeaderboardRef, LeaderboardVerb, StatsPage, StatsRef, StatsVerb
from bot.platform.kit.interactions import ANYWHERE
from bot.platform.language.catalogues import words
from bot.platform.language.commands import NAMES
from bot.platform.refusals import CommonRefusal
from bot.platform.transport.permissions import invitation_url
from bot.tables.settings import TableSettings
from bot.training.ids.lesson import DayRef, DayVerb
from bot.training.live.days import DayPositions
from tests.played import brief
from tests.played.training.test_today import exercise
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.worlds import PRIVATE_CHANNEL, take_elsewhere
from tests.support.people import Person, components_of, forge, set_locale, text_of
from tests.support.phrases import refusal_text
from tests.support.store import rows

ADMIN = "escoba-admin"
COMMANDS = [name.rpartition("\4")[2] for name in NAMES]  # without the context that gettext knows them by
SUBCOMMANDS = COMMANDS[: COMMANDS.index(ADMIN)]
OPTIONS: dict[str, Callable[[Person], dict[str, Any]]] = {"challenge": lambda person: {"player": person.actor}}


class InPrivate(Person):
    """Somebody who writes to the bot itself."""

    async def slash(self, channel: ChannelHandle, name: str, /, **options: Any) -> simcord.InteractionResult:
        return await self.actor.slash(name, **options)  # type: ignore[arg-type]


@asynccontextmanager
async def dm(room_of: RoomOf, **options: Any) -> AsyncIterator[tuple[Room, Person]]:
    """Somebody without any server, in a direct message with the bot."""
    async with room_of(2, **options) as here:
        user = here.env.create_user("Eva")
        eva: Any = InPrivate(user)  # type: ignore[arg-type]
        here.channel = user.dm_channel
        yield here, eva


@asynccontextmanager
async def group(room_of: RoomOf, **options: Any) -> AsyncIterator[tuple[Room, Person]]:
    """Ana, who has installed the bot for herself, in a private chat with Bea."""
    async with room_of(2, **options) as here:
        take_elsewhere(here.env, here.channel, PRIVATE_CHANNEL)
        yield here, here.people[0]


@asynccontextmanager
async def stranger(room_of: RoomOf, **options: Any) -> AsyncIterator[tuple[Room, Person]]:
    """Ana, who has installed the bot for herself, on a server that knows nothing of it."""
    async with room_of(2, **options) as here:
        take_elsewhere(here.env, here.channel)
        here.env.backend.emit("GUILD_DELETE", {"id": str(here.world.guild.id)})
        yield here, here.people[0]


PLACES = {"dm": dm, "group": group, "stranger": stranger}
every_place = pytest.mark.parametrize("place", PLACES)
every_language = pytest.mark.parametrize("locale", ["en-US", "es-ES"])


@every_place
@every_language
async def test_every_command_works_or_says_what_it_needs(room_of: RoomOf, place: str, locale: str) -> None:
    t = words(locale)
    async with PLACES[place](room_of) as (here, person):
        set_locale(person, locale)
        commands = words(locale, here.bot.parts.wording.command_ids)
        for name in SUBCOMMANDS:
            before = len(person.messages(here.channel))
            options = OPTIONS[name](here.people[1]) if name in OPTIONS and place != "dm" else {}
            if name in OPTIONS and place == "dm":
                options = {"player": person.actor}
            await person.slash(here.channel, f"escoba {name}", **options)
            assert len(person.messages(here.channel)) == before + 1, name
            message = person.panel(here.channel)
            needs = CommonRefusal.NEEDS_SERVER.reason(commands) in text_of(message)
            assert needs is (f"escoba {name}" not in ANYWHERE), (name, text_of(message))
            assert (invitation_url(here.env.backend.application_id)[:60] in str(components_of(message))) is needs
            assert t("Something went wrong") not in text_of(message)
        assert not [each for each in here.tap.requests if each.path.startswith("/channels/")], "answers only"


async def test_where_nobody_else_is_nothing_is_shown_to_everyone(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DayPositions, "of", lambda *_: asyncio.sleep(0, exercise()))
    async with dm(room_of) as (here, person):
        await person.slash(here.channel, "escoba today")
        await person.choose(here.channel, ["0"], custom_id=":move:")
        assert [each.label for each in person.buttons(person.panel(here.channel))] == ["More"]


@pytest.mark.parametrize("place", ["group", "stranger"])
async def test_the_daily_puzzle_is_answered_and_shown_to_the_others_there(
    room_of: RoomOf, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DayPositions, "of", lambda *_: asyncio.sleep(0, exercise()))
    async with PLACES[place](room_of) as (here, person):
        await person.slash(here.channel, "escoba today")
        await person.choose(here.channel, ["0"], custom_id=":move:")
        assert [row[0] for row in rows(tmp_path / "escoba.sqlite3", "SELECT guild_id FROM day_answers")] == [None]
        await person.press(here.channel, custom_id="^d:share:")
        shown = person.latest(here.channel, ephemeral=False)
        assert person.name in text_of(shown)
        assert rows(tmp_path / "escoba.sqlite3", "SELECT count(*) FROM key_values WHERE key LIKE '%:0'")[0][0] == 0


async def test_the_group_of_commands_is_offered_everywhere_and_the_owners_command_on_servers(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        described = {each.name: each.to_dict(here.bot.tree) for each in here.bot.tree.get_commands()}
        assert (described["escoba"]["integration_types"], described["escoba"]["contexts"]) == ([0, 1], [0, 1, 2])
        assert (described[ADMIN]["integration_types"], described[ADMIN]["contexts"]) == ([0], [0])


def needs_server(here: Room) -> str:
    """The text of that refusal, with commands as this bot shows them."""
    return refusal_text(CommonRefusal.NEEDS_SERVER, here.bot.parts.wording.command_ids)


@every_place
async def test_the_month_of_a_server_is_asked_for_in_vain(room_of: RoomOf, place: str) -> None:
    async with PLACES[place](room_of) as (here, person):
        await person.slash(here.channel, "escoba today")
        await forge(person, person.panel(here.channel), DayRef(here.env.now().date()).custom_id(DayVerb.MONTH))
        assert text_of(person.panel(here.channel)) == refusal_text(
            CommonRefusal.NEEDS_SERVER, here.bot.parts.wording.command_ids
        )


@every_place
async def test_forged_presses_reach_nothing_of_a_server(room_of: RoomOf, place: str, tmp_path: Path) -> None:
    async with PLACES[place](room_of) as (here, person):
        await person.slash(here.channel, "escoba me")
        panel = person.panel(here.channel)
        for custom_id, values in (
            ("s:deck", ["french"]),
            ("s:open", None),
            ("o:open:0", None),
            (LeaderboardRef().custom_id(LeaderboardVerb.NEXT), None),
        ):
            await forge(person, panel, custom_id, values)
        assert here.bot.parts.guild_settings.cached(0, TableSettings).deck == "spanish"
        assert not rows(tmp_path / "escoba.sqlite3", "SELECT * FROM key_values WHERE key LIKE '%:0'")


async def test_ones_own_matches_of_all_servers_are_added_up(room_of: RoomOf) -> None:
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()
        await ana.slash(here.channel, "escoba stats")
        assert "**1** match played" in here.private_text(ana)
        take_elsewhere(here.env, here.channel, PRIVATE_CHANNEL)
        await ana.slash(here.channel, "escoba stats")
        text = here.private_text(ana)
        assert "On all servers together" in text
        assert "**1** match played" in text
        assert "Rating" not in text
        await ana.press(here.channel, custom_id="^c:page:.*honours")
        for ref in (StatsRef(ana.id, StatsPage.RATING), StatsRef(ana.id, StatsPage.DUEL, bea.id), StatsRef(bea.id)):
            await forge(ana, ana.panel(here.channel), ref.custom_id(StatsVerb.PAGE))
            assert needs_server(here) in ana.sees(here.channel)[-1]
        await ana.slash(here.channel, "escoba stats", player=bea.actor)
        assert here.private_text(ana) == needs_server(here)


async def test_ones_own_matches_are_listed_reviewed_and_replayed_anywhere(room_of: RoomOf) -> None:
    async with room_of(2, chance=brief.TWO) as here:
        ana = here.people[0]
        await here.begin(target=5)
        await here.finish()
        take_elsewhere(here.env, here.channel, PRIVATE_CHANNEL)
        await here.open_match(ana)
        assert {"w:export", "w:go"} <= {
            each.custom_id.rsplit(":", 2)[0] for each in ana.buttons(ana.panel(here.channel))
        }
        await ana.press(here.channel, custom_id="^w:export:")
        await ana.press(ana.latest(here.channel, lambda each: bool(ana.buttons(each))), custom_id="^v:make:")


async def test_a_person_brings_their_language_and_deck_along(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DayPositions, "of", lambda *_: asyncio.sleep(0, exercise()))
    async with dm(room_of) as (here, eva):
        await eva.slash(here.channel, "escoba me")
        for field, value in (("language", "es"), ("deck", "french")):
            await eva.choose(here.channel, [field], custom_id="^m:change$")
            await eva.choose(here.channel, [value], custom_id=f"^m:{field}$")
        await eva.slash(here.channel, "escoba today")
        text = here.private_text(eva)
        assert "Un solo intento" in text
        assert "♦" in text or "♥" in text or "♠" in text
