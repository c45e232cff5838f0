"""A duplicate evening: all tables of a round have the same boards, and open when the last one has finished."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.moves import Stage
from bot.platform.kit.codec import base36
from bot.platform.observers import Observers
from bot.platform.people import Person as Player
from bot.tables.live.table import Table
from bot.tables.log.actions import PlayMove
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tournaments.boards.duplicate import DuplicateRounds
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.log import Begin, BeginCheckIn, CheckIn, Enter
from bot.tournaments.rules.matchpoints import percents
from bot.tournaments.rules.tournament import Format, Setup
from bot.tournaments.rules.tournament import TournamentStage as TournamentStage
from tests.played.tournaments.evening import eventually
from tests.support.escoba import Room, room
from tests.support.people import Person, forge, text_of
from tests.support.phrases import refusal_text
from tests.support.tables.kit import next_round

SETUP = Setup(Format.DUPLICATE, rounds=2)
NAMES = ("Ana", "Bea", "Ciro", "Dora", "Elio", "Flor", "Gala", "Hugo", "Iris")


def player(person: Person) -> Player:
    return Player(person.id, person.name)


@dataclass
class DuplicateEvening:
    """People in a duplicate tournament of two rounds, and one more, the last, who only watches."""

    here: Room
    live: LiveTournament
    rng: Random

    def tables(self) -> list[Table]:
        """The tables of the tournament that are open, by number."""
        found = {
            each.view().fixture.table: each  # pyright: ignore[reportOptionalMemberAccess] - they have one
            for each in self.here.bot.parts.manager.within()
            if each.view().fixture is not None
        }
        return [found[number] for number in sorted(found)]

    async def play(self, table: Table, boards: int = 1) -> None:
        """Play boards to their end, with any legal moves; only the last move of each board is shown."""
        for _ in range(boards):
            view = table.view()
            assert view.match is not None
            if view.match.stage is Stage.TO_DEAL:
                await next_round(table)
            observer, table._observer = table._observer, Observers()
            while (match := table.view().match) is not None and match.turn is not None:
                if match.deal == match.deals and sum(match.hand_counts) == 1:
                    table._observer = observer
                seat, seen = table.view().seats[match.turn], table.seat_view(match.turn)
                assert seen is not None
                move = self.rng.choice(seen.moves)
                await table.submit(PlayMove(Player(seat.person_id or 0, seat.name), match.version, move))
            assert table._observer is observer
        await self.here.env.settle()

    def over(self, number: int) -> bool:
        return self.live.state.rounds[number - 1].over

    def at(self, table: Table) -> Any:
        """The channel of a table."""
        return next(each for each in self.here.channel.threads if each.id == table.channel_id)

    def shown(self, table: Table) -> str:
        """What everybody sees of a table."""
        return text_of(self.here.people[-1].latest(self.at(table), "table|Total", ephemeral=False))

    async def boards(self, person: Person, table: Table) -> str:
        """What a person sees after pressing *Boards* at a table that is over."""
        shown = person.latest(self.at(table), "table|Total", ephemeral=False)
        await person.press(shown, custom_id="^b:open:")
        return text_of(person.panel(self.at(table)))


@asynccontextmanager
async def evening(folder: Path, count: int = 4) -> AsyncIterator[DuplicateEvening]:
    async with room(folder, NAMES[: count + 1]) as here:
        people = here.people[:count]
        await here.never(people[-1])
        live = await here.bot.host.of(TournamentParts).tournaments.open(
            guild_id=here.world.guild.id,
            channel_id=here.channel.id,
            locale="en",
            organiser=player(people[0]),
            setup=SETUP,
        )
        for person in people:
            await live.submit(Enter(player(person)))
        await live.submit(BeginCheckIn(player(people[0])))
        for person in people:
            await live.submit(CheckIn(player(person)))
        await live.submit(Begin(player(people[0])))
        of = DuplicateEvening(here, live, Random(1))
        await eventually(lambda: len(of.tables()) == count // 2)
        await here.env.settle()
        yield of


@pytest.mark.thorough
async def test_a_board_opens_to_those_who_have_played_it_and_to_all_when_the_round_is_over(tmp_path: Path) -> None:
    async with evening(tmp_path) as of:
        here, (first, second) = of.here, of.tables()
        late = next(person for person in here.people if second.seat_of(person.id) == 0)
        early = next(person for person in here.people if first.seat_of(person.id) == 1)
        looker = here.people[-1]
        await of.play(first, 2)
        await of.play(second)
        assert "All 2 boards were played." in of.shown(first)
        assert "Board 1 of 2 has been played." in of.shown(second)

        assert "🔒" not in await of.boards(early, first)
        half = await of.boards(late, first)
        assert "**Board 1 of 2**" in half
        assert "🔒 Board 2 of 2" in half
        assert (await of.boards(looker, first)).count("🔒") == 2
        for button in ("show", "showdeal"):
            sheet = early.panel(of.at(first))
            await forge(early, sheet, f"b:{button}:1:1:1:0")
            assert refusal_text(TableRefusal.BOARD_CLOSED) in text_of(early.panel(of.at(first)))

        await early.slash(here.channel, "escoba games")
        await early.choose(here.channel, [str(first.id)], custom_id="^w:choose:")
        assert refusal_text(TableRefusal.BOARD_CLOSED) in here.private_text(early)
        offered = [button.custom_id for button in early.buttons(early.panel(here.channel))]
        assert offered == ["w:list:0:0"], "a replay would open all hands"
        await forge(early, early.panel(here.channel), f"w:go:{base36(first.id)}:0")
        assert refusal_text(TableRefusal.BOARD_CLOSED) in here.private_text(early)

        await of.play(second)
        await eventually(lambda: all("**Total** (2 boards)" in of.shown(table) for table in (first, second)))
        await early.slash(here.channel, "escoba games")
        await early.choose(here.channel, [str(first.id)], custom_id="^w:choose:")
        await early.press(here.channel, custom_id="^w:go:")
        assert "step 1 of" in here.private_text(early)
        assert "2 tables" in await of.boards(looker, second)
        await looker.choose(looker.panel(of.at(second)), ["2"], custom_id="^b:choose:")
        assert "### Round 1, board 2" in text_of(looker.panel(of.at(second)))
        assert "%" in text_of(looker.panel(of.at(second)))
        await looker.press(looker.panel(of.at(second)), custom_id="^b:deal:")
        await looker.press(looker.panel(of.at(second)), custom_id="^b:showdeal:")
        assert "Shown by Elio" in text_of(early.latest(of.at(second), ephemeral=False))


@pytest.mark.thorough
async def test_an_evening_of_eight_is_played_to_its_end_on_four_boards(tmp_path: Path) -> None:
    async with evening(tmp_path, 8) as of:
        decks: list[tuple[object, ...]] = []
        for number in (1, 2):
            await eventually(lambda: len(of.tables()) == 4)
            for table in of.tables():
                fixture = table.view().fixture
                assert fixture is not None
                assert (fixture.round, fixture.boards) == (number, (2 * number - 1, 2 * number))
                await of.play(table, 2)
                assert table.phase is Phase.FINISHED
            await eventually(lambda number=number: of.over(number))
            sheet = await of.here.bot.host.of(TournamentParts).duplicate.sheet(
                of.live.id, of.live.guild_id, number, None
            )
            decks += [(board.number, board.deal) for board in sheet.boards if board is not None]
            assert [len(board.lines) for board in sheet.boards if board is not None] == [4, 4]
            await of.here.wait(130)
        await eventually(lambda: of.live.state.stage is TournamentStage.FINISHED)
        assert len(set(decks)) == 4
        found = percents(of.live.state)
        assert len(found) == 8
        assert sum(found.values()) == 400, "whatever one has above 50 %, others have below"


@pytest.mark.thorough
async def test_a_table_stays_closed_over_a_restart_and_opens_with_the_last_one(tmp_path: Path) -> None:
    async with evening(tmp_path) as of:
        here, (first, second) = of.here, of.tables()
        await of.play(first, 2)
        await of.play(second)
        await here.restart(killed=True)
        await eventually(lambda: len(of.tables()) == 1)
        assert "All 2 boards were played." in of.shown(first)
        [second] = of.tables()
        await of.play(second)
        await eventually(lambda: all("**Total** (2 boards)" in of.shown(table) for table in (first, second)))


@pytest.mark.thorough
async def test_a_bot_that_stopped_before_it_opened_a_round_opens_it_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(tmp_path) as of:
        here, tables = of.here, of.tables()
        with monkeypatch.context() as stopped:
            stopped.setattr(DuplicateRounds, "tournament_changed", lambda *_: None)
            for table in tables:
                await of.play(table, 2)
            tournament = of.live
            await eventually(lambda: tournament.state.rounds[0].over)
            await here.env.settle()
            assert all("All 2 boards were played." in of.shown(table) for table in tables)
            await here.restart(killed=True)
        await eventually(lambda: all("**Total** (2 boards)" in of.shown(table) for table in tables))
