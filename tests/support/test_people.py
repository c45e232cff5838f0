"""People on SimCord can do what users could do, see what users would see, and live in the world's time."""

from datetime import datetime

import discord
import pytest
from simcord import SetupError

from tests.support.fake_discord.refused import Refused
from tests.support.people import SimTime, alt_texts_of, forge, set_locale, text_of, world
from tests.support.standin import StandIn


async def test_a_world_unpacks_and_its_people_have_their_names():
    async with world(StandIn, people=["Ana", "Bea"]) as (env, channel, people, tap):
        assert [person.name for person in people] == ["Ana", "Bea"]
        assert channel.history() == []
        assert env.bot.guilds
        assert tap.to("PUT", "/applications/*/commands")


async def test_everyone_sees_the_table_but_only_its_owner_sees_a_hand():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), _):
        await ana.slash(channel, "escoba play")
        shown = ana.latest(channel, "a table")
        assert text_of(shown) == "a table"
        assert alt_texts_of(shown) == ["empty"]
        assert [button.label for button in ana.buttons(shown)][:2] == ["My hand", "Slowly"]
        await ana.press(channel, label="^My hand$")
        assert len(ana.sees(channel)) == 2
        assert bea.sees(channel) == ["a table"]
        assert "Person1 has 7o" in text_of(ana.panel(channel))
        with pytest.raises(AssertionError, match="sees no such message"):
            bea.panel(channel)


async def test_a_press_finds_the_newest_button_that_fits():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), _):
        await ana.slash(channel, "escoba play")
        table = ana.latest(channel)
        await ana.press(table, label="My hand")
        result = await ana.press(channel, custom_id=r"^t:play:")
        assert result.response is not None
        assert "nothing" in text_of(result.response)
        assert text_of(bea.latest(channel)) == "Person1 played 7o"
        assert text_of(table) == "a table"  # as it was when it was read
        assert text_of(ana.latest(channel, lambda message: message.id == table.id)) == "Person1 played 7o"


async def test_a_button_that_a_user_couldnt_press_cant_be_pressed():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), _):
        await ana.slash(channel, "escoba play")
        with pytest.raises(AssertionError, match="finds nothing"):
            await ana.press(channel, label="Not now")
        with pytest.raises(AssertionError, match="could be each of"):
            await ana.press(channel, label="l|y")
        await ana.press(channel, label="My hand")
        with pytest.raises(SetupError, match="not visible"):
            await bea.press(ana.panel(channel), label="Again")


async def test_menus_and_modals_are_filled_in():
    async with world(StandIn, people=1) as (_, channel, (ana,), tap):
        await ana.slash(channel, "escoba play")
        assert ana.selects(ana.latest(channel))[0].values == ["1o", "2c", "3e"]
        await ana.choose(channel, ["1o", "3e"])
        assert text_of(ana.panel(channel)) == "picked 1o 3e"
        shown = await ana.press(ana.latest(channel, "a table"), label="Note")
        await ana.submit(shown, {"words": "hola"})
        assert text_of(ana.panel(channel)) == "noted hola"
        assert not tap.unanswered


async def test_a_click_on_a_button_that_the_message_no_longer_has_is_refused():
    async with world(StandIn, people=1) as (_, channel, (ana,), tap):
        await ana.slash(channel, "escoba play")
        table = ana.latest(channel)
        hand = next(button.custom_id for button in ana.buttons(table) if button.label == "My hand")
        await ana.click(table, hand)
        heard = len(tap.requests)
        ana.stored(table).components[:] = [{"type": 10, "content": "over"}]
        with pytest.raises(Refused, match="This interaction failed"):
            await ana.click(table, hand)
        assert len(tap.requests) == heard


async def test_a_forged_click_reaches_the_bot_and_an_unknown_one_doesnt():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), tap):
        await ana.slash(channel, "escoba play")
        await forge(ana, ana.latest(channel), "t:forged:1")
        assert text_of(ana.panel(channel)) == "unknown forged"
        await forge(bea, ana.panel(channel), "p:pick", ["2c"])  # in a message she can't see
        assert text_of(bea.panel(channel)) == "picked 2c"
        await forge(bea, bea.panel(channel), "nothing of ours")
        assert len(tap.unanswered) == 1


async def test_locales_are_the_users_and_the_servers():
    async with world(StandIn, people=2, guild_locale="es-ES") as (_, channel, (ana, bea), _):
        await ana.slash(channel, "escoba play")
        await ana.press(channel, label="My hand")
        assert "en-US, es-ES" in text_of(ana.panel(channel))
        set_locale(bea, "es-419")
        await bea.press(channel, label="My hand")
        assert "es-419, es-ES" in text_of(bea.panel(channel))
        await ana.press(ana.panel(channel), label="Again")
        assert "en-US, es-ES" in text_of(ana.panel(channel))
    async with world(StandIn, people=1) as (_, channel, (ana,), _):
        await ana.slash(channel, "escoba play")
        await ana.press(channel, label="My hand")
        assert "en-US, en-US" in text_of(ana.panel(channel))


async def test_a_held_timer_follows_only_the_worlds_time_and_delays_no_click():
    async with world(StandIn, people=1) as w:
        env, channel, (ana,), _ = w
        bot = env.bot
        await ana.slash(channel, "escoba play")
        await forge(ana, ana.latest(channel), "t:timer:1")
        for _ in range(10):
            await ana.press(ana.latest(channel, "a table"), label="My hand")
        assert bot.alarms == [], "the click waited for the timer"
        before = datetime.fromisoformat(env.now().isoformat())
        await ana.press(channel, label="In 60 s")
        assert len(w.timers) == 1  # the clock's; none for each of the ephemeral answers
        await env.settle()
        assert bot.alarms == []
        await env.advance_time(59)
        assert bot.alarms == []
        await env.advance_time(1)
        assert (datetime.fromisoformat(bot.alarms[0]) - before).total_seconds() == pytest.approx(60, abs=0.1)
        assert "time is up" in ana.sees(channel)[0]
        assert discord.utils.utcnow() == env.now() == bot.time.now()


async def test_a_bot_that_replaces_another_goes_on_with_its_messages():
    async with world(StandIn, people=1) as w:
        (ana,) = w.people
        await ana.slash(w.channel, "escoba play")
        await w.restart(StandIn)
        await ana.press(w.channel, label="My hand")
        assert "has 7o" in text_of(ana.panel(w.channel))
        assert len(w.tap.to("PUT", "/applications/*/commands")) == 2
        await w.restart(StandIn, close=False)
        assert w.person("Eva").sees(w.channel) == ["a table"]


async def test_the_end_of_a_world_raises_what_the_tap_found():
    async def ping_everyone() -> None:
        async with world(StandIn, people=1) as (env, channel, (ana,), _):
            env.bot.raw_body = {"content": "hola", "allowed_mentions": {"parse": ["everyone"]}}
            await ana.slash(channel, "escoba raw")

    with pytest.raises(AssertionError, match="only named users may be pinged"):
        await ping_everyone()


async def test_an_error_in_a_callback_is_trapped(expected_errors: list[tuple[str, str]]):
    expected_errors.append(("discord.ui.view", "ZeroDivisionError"))
    async with world(StandIn, people=1) as (_, channel, (ana,), _):
        await ana.slash(channel, "escoba play")
        await forge(ana, ana.latest(channel), "t:break:1")


async def test_a_bot_that_cant_start_is_closed():
    class Broken(StandIn):
        async def setup_hook(self) -> None:
            raise OSError("no database")

    bots: list[Broken] = []

    def broken(time: SimTime) -> Broken:
        bots.append(Broken(time))
        return bots[0]

    with pytest.raises(OSError, match="no database"):
        async with world(broken):
            pass
    assert bots[0].is_closed()
