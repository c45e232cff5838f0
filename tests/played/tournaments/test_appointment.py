"""A tournament with a title and a time: typed into a form, shown to everybody by their own clock, and kept."""

from __future__ import annotations

from datetime import timedelta

from bot.club.tournaments.tournament import TournamentStage
from bot.tournaments.live import CHECK_IN
from tests.played.tournaments.evening import Evening, eventually, let
from tests.support.escoba import RoomOf


async def announce(evening: Evening, title: str, when: str) -> str:
    """Announce a tournament with the form, and return what its organiser is told."""
    ana = evening.organiser
    let(evening.here, ana, manage_events=True)
    await ana.slash(evening.channel, "escoba tournament")
    form = await ana.press(ana.panel(evening.channel), custom_id="^t:dated:")
    await ana.submit(form, {"title": title, "when": when})
    return evening.own_text(ana)


async def test_a_time_is_typed_in_the_servers_zone_and_check_in_begins_before_it(room_of: RoomOf):
    async with room_of(4) as here:
        ana = here.people[0]
        evening = Evening(here)
        await here.bot.parts.guild_settings.change(here.world.guild.id, zone="Europe/Madrid")
        local = here.bot.parts.clock.now() + timedelta(days=2)
        assert "I don't understand “el viernes”." in await announce(evening, "Copa", "el viernes")
        panel = ana.panel(here.channel)
        form = await ana.press(panel, custom_id="^t:dated:")
        await ana.submit(form, {"title": "Copa *de* otoño", "when": f"{local:%Y-%m-%d} 21:30"})
        assert "The tournament is announced." in evening.own_text(ana)
        start = evening.state.setup.start
        assert start is not None
        assert "## 🏆 Copa \\*de\\* otoño\n-# Swiss" in evening.text
        assert f"It begins <t:{start.at}:F>" in evening.text
        assert f"{start.moment:%H:%M}" in ("20:30", "19:30"), "Madrid is one or two hours ahead"
        for person in here.people:
            await evening.press(person, "join")

        await evening.press(ana, "manage")
        form = await ana.press(ana.panel(here.channel), custom_id="^t:when:")
        await ana.submit(form, {"title": "Copa", "when": "2020-01-01 21:30"})
        assert "“2020-01-01 21\\:30” is over already." in evening.own_text(ana)
        form = await ana.press(ana.panel(here.channel), custom_id="^t:when:")
        await ana.submit(form, {"title": "Copa", "when": f"{local:%Y-%m-%d} 22:00"})
        assert "It is saved." in evening.own_text(ana)
        moved = evening.state.setup.start
        assert moved is not None
        assert moved.at == start.at + 1800
        told = f"📅 **Ana** has changed when the tournament begins. It begins <t:{moved.at}:F>, <t:{moved.at}:R>."
        assert here.public_texts().count(told) == 1

        wait = moved.moment - here.bot.parts.clock.now() - CHECK_IN
        await here.wait(wait.total_seconds() + 1)
        await eventually(lambda: evening.state.stage is TournamentStage.CHECK_IN)
        await here.env.settle()
        called = [text for text in here.public_texts() if "The tournament is about to begin" in text]
        assert len(called) == 1
        assert all(f"<@{person.id}>" in called[0] for person in here.people)


async def test_the_time_can_be_taken_away_and_what_is_played_changes_without_it(room_of: RoomOf):
    async with room_of(4) as here:
        ana = here.people[0]
        evening = Evening(here)
        await announce(evening, "", "mañana 21:30")
        start = evening.state.setup.start
        assert start is not None
        await evening.press(ana, "manage")
        await evening.on_own(ana, "change")
        await evening.choose(ana, "target", "11")
        await ana.press(ana.panel(here.channel), custom_id="^t:save:")
        assert (evening.state.setup.target, evening.state.setup.start) == (11, start)
        await evening.press(ana, "manage")
        form = await ana.press(ana.panel(here.channel), custom_id="^t:when:")
        await ana.submit(form, {"title": "", "when": ""})
        assert (evening.state.setup.title, evening.state.setup.start) == ("", None)
        await evening.wait()
        assert "It begins" not in evening.text
