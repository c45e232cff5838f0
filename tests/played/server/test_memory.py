"""What the bot's memory, files and log still know of somebody who has erased their data, also in another process."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.platform.database.news import News
from bot.platform.people import Person as Named
from bot.privacy.live.erasure import Disguise
from bot.tournaments.live.codec import LOG as TOURNAMENT_LOG
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.log import CancelTournament, Enter
from bot.tournaments.rules.tournament import Setup
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.live_files import bytes_of
from tests.support.memory import remembered
from tests.support.people import Person

NAME = "Zebulona"


async def does_much(here: Room, ana: Person, bea: Person) -> None:
    """Have two people play, and look at what is told of them; one also organises a tournament that is cancelled."""
    await here.begin(target=5)
    await here.finish()
    director, one = here.bot.host.of(TournamentParts).tournaments, Named(ana.id, ana.name)
    live = await director.open(guild_id=here.world.guild.id, channel_id=7, locale="en", organiser=one, setup=Setup())
    await live.submit(Enter(one), moderates=True)
    await live.submit(CancelTournament(one), moderates=True)
    for words in ("escoba leaderboard", "escoba stats", "escoba games"):
        for person in (ana, bea):
            await person.slash(here.channel, words)
    assert remembered(here.bot, [NAME, NAME.upper(), ana.id])


@pytest.mark.parametrize("pictures", [False, True])
async def test_nothing_in_memory_files_or_the_log_names_somebody_who_has_erased_their_data(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture, pictures: bool
):
    caplog.set_level("INFO", "bot")
    async with room_of((NAME, "Bea"), chance=brief.TWO, pictures=pictures) as here:
        ana, bea = here.people
        await does_much(here, ana, bea)
        await here.begin(target=5)
        await here.open_data(ana)
        for what in ("erase", "eraseyes"):
            await ana.press(here.channel, custom_id=f"^p:{what}$")
        database = here.bot.parts.settings.database
        files = [Path(f"{database}{end}") for end in ("", "-wal") if Path(f"{database}{end}").exists()]
        traces = [NAME.encode(), str(ana.id).encode()]
        assert not [file for file in files if any(trace in bytes_of(file) for trace in traces)]
        assert not [trace for trace in (NAME, str(ana.id)) if trace in caplog.text]
        await here.wait(timedelta(hours=1).total_seconds())
        assert remembered(here.bot, [NAME, NAME.upper(), ana.id]) == []


@pytest.mark.parametrize("missed", [False, True])
async def test_nor_does_a_process_that_hears_of_it_from_another_one_or_may_have_missed_it(
    room_of: RoomOf, missed: bool
):
    async with room_of((NAME, "Bea"), chance=brief.TWO) as here:
        ana, bea = here.people
        await does_much(here, ana, bea)
        stores, now = here.bot.parts.stores, here.bot.parts.clock.now()
        await stores.personal_data.forget(ana.id, Disguise(ana.id).rewriter, now)
        await stores.tournaments.forget(ana.id, Disguise(ana.id, TOURNAMENT_LOG).rewriter)
        here.bot.parts.news.receive(News.ERASED, 0 if missed else ana.id)
        await here.wait(timedelta(hours=1).total_seconds())
        assert remembered(here.bot, [NAME, NAME.upper(), ana.id]) == []
