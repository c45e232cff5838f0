"""The simulated server: the same ids each time, the real time, each person's language, and privacy."""

import asyncio
import json
import re
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot import __version__
from bot.demo import Demo, forget, running
from bot.demo.actions import ActionError, act
from bot.demo.bot import create_demo_bot
from bot.demo.people import ROSTER
from bot.demo.world import World
from bot.platform.language.faces import Deck
from bot.players.characters import PERSONAS
from bot.process.app import EscobaBot, create_bot
from bot.settings import Settings
from tests.demo.sample import create_sample
from tests.support.patience import HANG_SECONDS
from tests.wire.launch import Seeded

pytestmark = pytest.mark.asyncio(loop_scope="module")


def ids_of(world: World) -> list[int]:
    everybody = [resident.user.id for resident in world.residents.values()]
    setting = world.setting(next(iter(world.residents.values())), set())
    places = [each.id for each in (world.guild, *world.channels.values(), *world.roles)]
    return [*places, *everybody, int(setting["bot"]["id"])]


async def press(world: World, slug: str, custom_id: str) -> dict[str, Any]:
    """Press a button of the channel's first message that has it, or of the first one."""
    channel = world.channels["mesa-1"]
    shown = list(world.messages(channel))
    message_id = next((each for each, text, _ in shown if custom_id in text), shown[0][0])
    request = {"kind": "click", "channel": str(channel.id), "message": message_id, "id": custom_id}
    return await act(world, world.residents[slug], request)


async def run(world: World, slug: str, path: str, **options: Any) -> dict[str, Any]:
    request = {"kind": "command", "channel": str(world.channels["mesa-1"].id), "path": path, "options": options}
    return await act(world, world.residents[slug], request)


def texts(world: World) -> list[dict[str, Any]]:
    return [json.loads(text) for _, text, _ in world.messages(world.channels["mesa-1"])]


async def test_a_command_of_a_persons_menu_is_run_for_that_person(sample: Demo) -> None:
    world = sample.world
    [command] = world.setting(world.residents["ana"], set())["on_people"]
    assert command == {"name": "Greet someone", "names": {"es-ES": "Saludar"}}
    place = {"kind": "on_person", "channel": str(world.channels["mesa-1"].id), "name": command["name"]}
    emma = str(world.residents["emma"].user.id)
    assert await act(world, world.residents["ana"], {**place, "person": emma}) == {"ok": True}
    assert texts(world)[-1]["content"] == "Ana greets Emma"
    for wrong in ({"person": "1"}, {"person": emma, "name": "Insult someone"}):
        with pytest.raises(ActionError):
            await act(world, world.residents["ana"], {**place, **wrong})


async def test_every_run_has_the_same_ids_however_many_people_there_are(settings: Settings) -> None:
    four = await World.create(settings, create_sample, people=ROSTER[:4])
    all_ = await World.create(settings, create_sample)
    assert ids_of(four) == [each for each in ids_of(all_) if each in ids_of(four)]
    assert len(all_.residents) == 9


async def test_the_time_is_real_and_passes(sample: Demo) -> None:
    for _ in range(3):
        moment = datetime.now(UTC)
        async with asyncio.timeout(HANG_SECONDS):
            while sample.world.now() < moment:  # noqa: ASYNC110 - nothing signals that time passes
                await asyncio.sleep(0.05)
        assert sample.world.now() <= datetime.now(UTC)


async def test_people_and_the_server_have_their_languages(sample: Demo) -> None:
    await run(sample.world, "ana", "board")
    for slug, own in (("ana", "es-ES"), ("luis", "es-419"), ("emma", "en-US")):
        await press(sample.world, slug, "t:language")
        assert texts(sample.world)[-1]["content"] == f"{own} en-US"
    guild = sample.world.bot.get_guild(sample.world.guild.id)
    assert guild is not None
    assert "COMMUNITY" not in guild.features
    await act(sample.world, sample.world.residents["ana"], {"kind": "guild_locale", "locale": "es-419"})
    await act(sample.world, sample.world.residents["ana"], {"kind": "locale", "locale": "en-GB"})
    await press(sample.world, "ana", "t:language")
    assert texts(sample.world)[-1]["content"] == "en-GB es-419"
    assert (guild.preferred_locale.value, guild.features) == ("es-419", ["COMMUNITY"])


async def test_the_server_has_its_first_visitors_language_until_another_is_chosen(sample: Demo) -> None:
    world = sample.world
    emma, ana = world.residents["emma"], world.residents["ana"]
    await world.languages.welcome(emma)
    await world.languages.welcome(ana)
    assert world.languages.guild_locale == "en-US"
    await act(world, ana, {"kind": "locale", "locale": "es-419"})
    assert world.languages.guild_locale == "en-US"
    await act(world, emma, {"kind": "locale", "locale": "es-ES"})
    assert world.languages.guild_locale == "es-ES", "the server follows its first visitor"
    await act(world, ana, {"kind": "guild_locale", "locale": "en-GB"})
    await act(world, emma, {"kind": "locale", "locale": "es-419"})
    assert world.languages.guild_locale == "en-GB"


@pytest.mark.spanish
async def test_an_open_lobby_follows_the_servers_language(demo: Demo) -> None:
    await demo.world.languages.welcome(demo.world.residents["ana"])
    await run(demo.world, "emma", "escoba play")
    assert "Unirse" in json.dumps(texts(demo.world)[0])
    await act(demo.world, demo.world.residents["emma"], {"kind": "guild_locale", "locale": "en-US"})
    assert "Join" in json.dumps(texts(demo.world)[0])


async def test_ana_owns_the_bot(demo: Demo) -> None:
    await run(demo.world, "ana", "escoba-admin")
    with pytest.raises(ActionError, match="stale"):  # others aren't even offered the command
        await run(demo.world, "emma", "escoba-admin")
    (status,) = texts(demo.world)
    assert status["ephemeral"]
    assert f"{__version__}" in json.dumps(status)


async def test_every_cards_emoji_has_a_picture(settings: Settings) -> None:
    async with running(settings, create_demo_bot) as demo:
        assert demo.world.version
        bot = demo.world.bot
        assert isinstance(bot, EscobaBot)
        emojis = bot.parts.wording.faces[Deck.FRENCH].emojis
        found = [demo.world.emoji(int(each.rstrip(">").rsplit(":")[-1])) for each in emojis.values()]
        assert len(found) == 44
        assert all(each is not None and each[0] == "image/png" and len(each[1]) > 500 for each in found)


async def test_everybody_sees_what_simcord_lets_them_see(sample: Demo) -> None:
    await run(sample.world, "ana", "board")
    for slug in ("ana", "emma", "ana"):
        await press(sample.world, slug, "t:secret")
    channel = sample.world.channels["mesa-1"]
    counts = []
    for resident in (each for each in sample.world.residents.values() if each.actor is not None):
        seen = [int(each) for each, _, owner in sample.world.messages(channel) if owner in (None, resident.user.id)]
        assert seen == [message.id for message in channel.history(viewer=resident.actor)]
        counts.append(len(seen))
    assert counts == [3, 1, 2, 1, 1, 1, 1, 1]


@pytest.mark.spanish
async def test_somebody_without_the_server_has_a_direct_message_with_the_bot_alone(demo: Demo) -> None:
    world, vera, ana = demo.world, demo.world.residents["vera"], demo.world.residents["ana"]
    [channel] = world.setting(vera, set())["channels"]
    assert channel["direct"]
    assert world.setting(ana, set())["channels"][-1]["direct"]
    assert str(vera.direct.id) not in str(world.setting(ana, set())["channels"])
    for path in ("escoba today", "escoba play"):
        await act(world, vera, {"kind": "command", "channel": channel["id"], "path": path, "options": {}})
    await act(world, ana, {"kind": "command", "channel": str(ana.direct.id), "path": "escoba stats", "options": {}})
    shown = [json.loads(text) for _, text, owner in world.messages(vera.direct) if owner == vera.user.id]
    assert len(shown) == 2
    assert "Un solo intento" in str(shown[0])
    assert "hace falta un servidor" in str(shown[1])
    assert len(list(world.messages(ana.direct))) == 1
    for request in ({"kind": "say", "text": "hi"}, {"kind": "command", "path": "escoba today", "options": {}}):
        for channel_id in (ana.direct.id, world.channels["mesa-1"].id):
            with pytest.raises(ActionError, match="invalid"):
                await act(world, vera, {**request, "channel": str(channel_id)})


async def test_nobody_can_press_a_button_of_somebody_elses_private_message(sample: Demo) -> None:
    await run(sample.world, "ana", "moderate")
    with pytest.raises(ActionError, match="stale"):
        await press(sample.world, "emma", "t:count")


async def test_only_people_who_may_use_a_command_are_offered_it(sample: Demo) -> None:
    def paths(slug: str) -> list[str]:
        return [command["path"] for command in sample.world.setting(sample.world.residents[slug], set())["commands"]]

    assert paths("ana") == ["board", "echo", "moderate", "turns"]
    assert paths("emma") == ["board", "echo", "turns"]
    with pytest.raises(ActionError, match="stale"):
        await run(sample.world, "emma", "moderate")


async def test_options_reach_the_bot_with_their_types(sample: Demo) -> None:
    emma = sample.world.residents["emma"].user
    await run(sample.world, "ana", "echo", number=3, who=str(emma.id), suit="c", loud=True)
    message = texts(sample.world)[-1]
    assert message["content"] == f"3 <@{emma.id}> c True"
    assert message["used"]["command"] == "echo"


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"kind": "click"},
        {"kind": "click", "channel": "1", "message": "1", "id": "x"},
        {"kind": "command", "channel": "x", "path": "board"},
        {"kind": "say", "channel": "²", "text": "hello"},
        {"kind": "say", "text": " "},
        {"kind": "locale", "locale": "xx"},
        {"kind": "select", "id": "c:suits", "values": "oros"},
        {"kind": "dismiss", "message": 5},
    ],
)
async def test_requests_that_the_page_would_never_send_are_refused(sample: Demo, request_: dict[str, Any]) -> None:
    with pytest.raises(ActionError, match="invalid"):
        await act(sample.world, sample.world.residents["ana"], request_)


async def test_a_wrong_option_is_refused(sample: Demo) -> None:
    with pytest.raises(ActionError, match="invalid"):
        await run(sample.world, "ana", "echo", number=99)


async def test_an_unanswered_click_is_reported(sample: Demo) -> None:
    await run(sample.world, "ana", "board")
    with pytest.raises(ActionError, match="failed"):
        await press(sample.world, "ana", "t:silent")


async def test_a_broken_handler_is_logged(sample: Demo, expected_errors: list[tuple[str, str]]) -> None:
    expected_errors.append(("discord.ui.view", "Ignoring exception"))
    await run(sample.world, "ana", "board")
    with pytest.raises(ActionError, match="failed"):
        await press(sample.world, "ana", "t:broken")


async def test_people_who_click_at_once_all_get_their_answers(sample: Demo) -> None:
    await run(sample.world, "ana", "board")
    await asyncio.gather(*(press(sample.world, slug, "t:count") for slug in ("ana", "emma", "luis")))
    assert "Count 3" in json.dumps(texts(sample.world)[0])


async def test_a_click_is_answered_while_computers_still_think(settings: Settings) -> None:
    """The simulation runs the bot's timers, so settling after a click doesn't wait for them."""
    thoughtful = settings.model_copy(update={"computer_seconds": 5.0})
    chance = Seeded("2")  # the computer begins
    async with running(thoughtful, partial(create_bot, chance=chance)) as demo:
        await run(demo.world, "ana", "escoba play")
        await press(demo.world, "ana", "e:addc:1:1")
        await press(demo.world, "ana", "e:start:1:2")
        table = json.dumps(texts(demo.world)[0], ensure_ascii=False)
        computers = "|".join(each.face for each in PERSONAS.values())
        assert re.search(rf"👉 \*\*(?:{computers}) ", table), "the computer moved during the click"


async def test_a_table_in_a_thread_goes_on_in_the_next_run(settings: Settings) -> None:
    async with running(settings, create_bot) as demo:
        await run(demo.world, "ana", "escoba play")
        await press(demo.world, "ana", "e:options:1:0")
        await press(demo.world, "ana", "e:thread:1:0")
        [(thread, _)] = [each for each in demo.world.places() if each[1]]
    async with running(settings, create_bot) as demo:
        [(again, _)] = [each for each in demo.world.places() if each[1]]
        assert again.id == thread.id
        async with demo.world.operation():
            await demo.world.env.settle()
        _, shown, _ = next(demo.world.messages(again))
        assert "e:join:1:0" in shown


async def test_forgetting_games_removes_the_files(settings: Settings) -> None:
    files = [Path(f"{settings.demo_database}{suffix}") for suffix in ("", "-wal", "-shm")]
    for file in files:
        file.touch()
    for _ in range(2):  # the second time there is nothing to forget
        forget(settings.demo_database)
        assert [file for file in files if file.exists()] == []
