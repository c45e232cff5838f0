"""A table whose boards others play, too, shows its cards only to its players until the round is over."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from bot.engine.moves import Stage
from bot.platform.eventlog import LogEntry
from bot.platform.people import Person as Player
from bot.tables.live.table import Table
from bot.tables.log.actions import PlayMove
from bot.tables.parts import TableParts
from bot.tournaments.live.codec import encode
from bot.tournaments.live.outcome import config_of, fixture_of
from bot.tournaments.rules.log import Announced
from bot.tournaments.rules.tournament import Format, Setup
from tests.support.escoba import Decks, Room, room
from tests.support.people import text_of
from tests.support.tables.kit import next_round
from tests.support.wiretap import Request

SETUP = Setup(Format.DUPLICATE)


@dataclass
class Closed:
    """A room in which Ana and Bea play two boards, and Ciro looks on."""

    here: Room
    table: Table
    rng: Random

    async def play(self, moves: int) -> None:
        """Let the players make this many moves, any legal ones."""
        for _ in range(moves):
            match = self.table.view().match
            assert match is not None
            assert match.turn is not None
            seat, view = self.table.view().seats[match.turn], self.table.seat_view(match.turn)
            assert view is not None
            move = self.rng.choice(view.moves)
            await self.table.submit(PlayMove(Player(seat.person_id or 0, seat.name), match.version, move))
            await self.here.env.settle()

    @property
    def stage(self) -> Stage:
        match = self.table.view().match
        assert match is not None
        return match.stage


@asynccontextmanager
async def closed(folder: Path, seed: int) -> AsyncIterator[Closed]:
    async with room(folder, 3, chance=Decks(seed)) as here:
        bot, (ana, bea, _) = here.bot, here.people
        now = bot.parts.clock.now()
        row = await bot.parts.stores.tournaments.open(
            guild_id=here.world.guild.id,
            channel_id=here.channel.id,
            organiser_id=ana.id,
            locale="en",
            at=now,
            entries=[LogEntry(1, *encode(Announced(Player(ana.id, ana.name), SETUP)), now)],
        )
        table = await bot.parts.manager.open_fixture(
            fixture_of(SETUP, 0, row.id, 1, 1, 1),
            [Player(person.id, person.name) for person in (ana, bea)],
            config_of(SETUP),
            guild_id=here.world.guild.id,
            channel_id=here.channel.id,
            locale="en",
        )
        await here.env.settle()
        yield Closed(here, table, Random(seed))


async def seen(folder: Path, seed: int) -> list[str]:
    """What everybody, and privately a spectator, is sent while two boards are played."""
    async with closed(folder, seed) as of:
        here, (ana, bea, ciro) = of.here, of.here.people
        for person in (ana, bea):
            await here.press(person, here.shown, "hand")
        await of.play(7)
        await here.wait(250)  # the current player is nudged and warned
        await ciro.slash(here.channel, "escoba table")
        await of.play(29)
        assert of.stage is Stage.TO_DEAL
        await ciro.slash(here.channel, "escoba table")
        assert "Board 1 of 2: the score" in here.private_text(ana)
        for person in (ana, bea):
            await here.press(person, here.panel(person), "next")
        await of.play(36)
        assert of.stage is Stage.OVER
        assert "What counts is how others have done with the same cards." in here.private_text(bea)
        sent = [told(each) for each in here.tap.requests if each.viewer not in (ana.id, bea.id)]
        assert len(sent) > 75
        assert "All 2 boards were played." in text_of(ciro.latest(here.channel, ephemeral=False))
        return sent


def told(request: Request) -> str:
    """What a request says, without times."""
    body = json.dumps(request.body, sort_keys=True)
    return re.sub(r"<t:\d+", "<t:", f"{request.viewer} {request.method} {request.path} {body} {request.file_names}")


@pytest.mark.thorough
async def test_others_are_sent_the_same_whatever_the_cards(tmp_path: Path) -> None:
    assert await seen(tmp_path / "one", 1) == await seen(tmp_path / "other", 2)


async def test_when_its_round_is_over_the_same_message_shows_the_result(tmp_path: Path) -> None:
    async with closed(tmp_path, 3) as of:
        here, fixture = of.here, of.table.view().fixture
        assert fixture is not None
        await of.play(36)
        await next_round(of.table)
        await of.play(36)
        before = here.people[2].latest(here.channel, ephemeral=False)
        assert "All 2 boards were played." in text_of(before)
        assert here.bot.host.of(TableParts).presenter.sealed_ends() == {(fixture.tournament, 1)}
        here.bot.host.of(TableParts).presenter.boards_opened(fixture.tournament, 2)
        await here.env.settle()
        assert here.bot.host.of(TableParts).presenter.sealed_ends(), "that was another round"
        here.bot.host.of(TableParts).presenter.boards_opened(fixture.tournament, 1)
        await here.env.settle()
        after = here.people[2].latest(here.channel, ephemeral=False)
        assert after.id == before.id
        assert "**Total** (2 boards)" in text_of(after)
        assert here.bot.host.of(TableParts).presenter.sealed_ends() == set()
