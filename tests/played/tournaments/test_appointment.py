"""A tournament with a title and a time: typed into a form, shown to everybody by their own clock, and kept."""

from datetime import timedelta

import pytest

from bot.platform.language.catalogues import words
from bot.platform.people import Person
from bot.platform.settings.language import LanguageSettings
from bot.tables.settings import TablePreferences, TurnNotice
from bot.tournaments.boards import places
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.running import CHECK_IN
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Correct, DrawRound
from bot.tournaments.rules.tournament import Outcome, TournamentStage
from tests.played.tournaments.evening import Evening, eventually, let, mentioned
from tests.support.escoba import Room, RoomOf
from tests.support.people import forge, set_locale, text_of
from tests.support.phrases import refusal_text


async def announce(evening: Evening, title: str, when: str) -> str:
    """Announce a tournament with the form, and return what its organiser is told."""
    ana = evening.organiser
    let(evening.here, ana, manage_events=True)
    await ana.slash(evening.channel, "escoba tournament")
    form = await ana.press(ana.panel(evening.channel), custom_id="^t:dated:")
    await ana.submit(form, {"title": title, "when": when})
    return evening.own_text(ana)


def open_ones(here: Room) -> list[int]:
    """The numbers of the open tournaments."""
    return [live.id for live in here.bot.host.of(TournamentParts).tournaments.within()]


async def test_a_time_is_typed_in_the_servers_zone_and_check_in_begins_before_it(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(places, "MENTIONED", 2)  # as if they were many
    async with room_of(4) as here:
        ana = here.people[0]
        evening = Evening(here)
        await here.bot.parts.guild_settings.change(here.world.guild.id, LanguageSettings, zone="Europe/Madrid")
        local = here.bot.parts.clock.now() + timedelta(days=2)
        assert "I don't understand “el viernes”." in await announce(evening, "Copa", "el viernes")
        panel = ana.panel(here.channel)
        form = await ana.press(panel, custom_id="^t:dated:")
        await ana.submit(form, {"title": "Copa *de* otoño", "when": f"{local:%Y-%m-%d} 21:30"})
        assert "The tournament is announced." in evening.own_text(ana)
        start = evening.state.setup.start
        assert start is not None
        assert "## 🏆 Copa \\*de\\* otoño\n-# Swiss" in evening.text
        assert f"It starts <t:{start.at}:F>" in evening.text
        assert f"{start.moment:%H:%M}" in ("20:30", "19:30"), "Madrid is one or two hours ahead"
        for person in here.people:
            await evening.press(person, "join")
        await here.bot.parts.preferences.change(here.people[-1].id, TablePreferences, turn_notice=TurnNotice.NEVER)

        await evening.press(ana, "manage")
        form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
        await ana.submit(form, {"title": "Copa", "when": "2020-01-01 21:30"})
        assert "“2020-01-01 21\\:30” is over already." in evening.own_text(ana)
        form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
        set_locale(ana, "es-ES")
        await ana.submit(form, {"title": "Copa", "when": f"{local:%Y-%m-%d} 22:00"})
        assert words("es").context("notice", "Saved.") in evening.own_text(ana), "the others read their own language"
        moved = evening.state.setup.start
        assert moved is not None
        assert moved.at == start.at + 1800
        told = f"📅 **Ana** changed when the tournament starts. It starts <t:{moved.at}:F>, <t:{moved.at}:R>."
        assert here.public_texts().count(told) == 1

        wait = moved.moment - here.bot.parts.clock.now() - CHECK_IN
        await here.wait(wait.total_seconds() + 1)
        await eventually(lambda: evening.state.stage is TournamentStage.CHECK_IN)
        await here.env.settle()
        assert mentioned(here) == [person.id for person in here.people[:-1]], "the last one chose never"


async def test_the_time_can_be_taken_away_and_what_is_played_changes_without_it(room_of: RoomOf):
    async with room_of(4) as here:
        ana = here.people[0]
        evening = Evening(here)
        await announce(evening, "", "mañana 21:30")
        start = evening.state.setup.start
        assert start is not None
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "change")
        await evening.edit(ana, "target", "11")
        await ana.press(ana.panel(here.channel), custom_id="^t:save:")
        assert (evening.state.setup.target, evening.state.setup.start) == (11, start)
        await evening.press(ana, "manage")
        form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
        await ana.submit(form, {"title": "", "when": ""})
        assert (evening.state.setup.title, evening.state.setup.start) == ("", None)
        await evening.wait()
        assert "It starts" not in evening.text


async def test_it_is_held_every_week_until_one_press_stops_that(room_of: RoomOf):
    async with room_of(4) as here:
        ana = here.people[0]
        evening = Evening(here)
        await announce(evening, "Copa", "mañana 21:30")
        start = evening.state.setup.start
        assert start is not None
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "weekly.1")
        assert "It's held every week at this time." in evening.own_text(ana)
        await evening.comes_to_show("🔁 Every week at this time")
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
        await ana.submit(form, {"title": "Copa", "when": "mañana 22:00"})
        await evening.on_own(ana, "begin")
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        first = evening.live
        while first.open:
            drawn = first.state.round
            assert drawn is not None
            for pairing in drawn.pairings:
                decided = Correct(Person(1, "Olga"), drawn.number, pairing.table, Outcome((15, 3), 0))
                await first.submit(decided, manages=True)
            if first.open:
                await first.submit(DrawRound(first.state.organiser))
        await eventually(lambda: open_ones(here) == [first.id + 1])
        await evening.comes_to_show("Last time: 🥇 ")
        later = evening.state.setup.start
        assert later is not None
        assert later.at == start.at + 1800 + 7 * 24 * 3600
        assert "Press **Join** to play." in evening.text
        await evening.press(here.people[1], "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "cancel")
        assert "Its sign-up opens again for next week" in evening.own_text(ana)
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "weekly.0")
        assert "It's no longer repeated." in evening.own_text(ana)
        await evening.on_own(ana, "cancel")
        assert "Its sign-up opens again" not in evening.own_text(ana)
        await evening.on_own(ana, "cancelyes")
        await here.env.settle()
        assert open_ones(here) == []


async def test_only_what_has_a_time_is_repeated_and_only_by_its_organiser(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        evening = Evening(here)
        await evening.announce()
        custom_id = TournamentRef(evening.live.id).custom_id(TournamentVerb.WEEKLY, 1)
        for person, why in ((ana, TournamentRefusal.NO_TIME), (bea, TournamentRefusal.NOT_ORGANISER)):
            result = await forge(person, evening.shown, custom_id)
            assert result.response is not None
            assert text_of(result.response) == refusal_text(why)
