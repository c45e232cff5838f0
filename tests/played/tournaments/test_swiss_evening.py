"""A Swiss evening of nine people, by presses from the announcement to the podium, with all that goes wrong in one."""

import sqlite3
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.tables.options import FIXTURE_SECONDS
from bot.tournaments.live.running import PAUSE
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.standings import standings
from bot.tournaments.rules.tournament import Gone, Outcome, Pairing
from tests.played.tournaments.evening import Evening, eventually
from tests.support.escoba import room
from tests.support.people import Person

pytestmark = pytest.mark.thorough

NAMES = ("Ana", "Bea", "Ciro", "Dora", "Elio", "Flor", "Gala", "Hugo", "Iris")


def one_sided(view: SeatView) -> Move:
    """One player takes as much as possible and the other as little, so that a match is short."""
    return (min if view.seat else max)(view.moves, key=lambda move: len(move.captured))


class Swiss(Evening):
    """An evening whose tables are in threads."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings of the latest round."""
        assert self.state.round is not None
        return self.state.round.pairings

    def person(self, number: int) -> Person:
        """The person of an entry."""
        return self.here.named(self.state.entry(number).people[0].name)

    async def go_to(self, table: int) -> list[Person]:
        """Go to the thread of a table of the latest round; returns its two people, in the order of their entries."""
        await eventually(lambda: self._is_shown(table))
        pairing = self.pairings[table - 1]
        return [self.person(pairing.first), self.person(pairing.second)]

    def _is_shown(self, table: int) -> bool:
        link = self.live.view().link(len(self.state.rounds), table)
        here = [each for each in self.channel.threads if link is not None and link.open and each.id == link.channel_id]
        if not here:
            return False
        [self.here.channel] = here
        viewer = self.here.people[-1]
        return any("e:hand:" in str(viewer.buttons(message)) for message in viewer.messages(self.here.channel))

    async def ended(self, table: int) -> None:
        """Wait until a table of the latest round has its outcome."""
        live, drawn = self.live, len(self.live.state.rounds)
        await eventually(lambda: table in live.state.rounds[drawn - 1].outcomes)

    async def play(self, table: int, moves: int = 0) -> None:
        """Let both players open their hands and play to the end, or make only this many moves."""
        for person in await self.go_to(table):
            await self.here.press(person, self.here.shown, "hand")
        left = iter(range(moves))
        if moves:
            await self.here.play_out(one_sided, until=lambda: next(left, None) is None)
            return
        await self.here.finish(one_sided)
        await self.ended(table)

    async def give_up(self, table: int) -> None:
        """Let a player leave a table, if possible one who hasn't lost that way before, so that nobody is out."""
        people, pairing, live = await self.go_to(table), self.pairings[table - 1], self.live
        drawn = live.state.rounds[-1].number
        safe = [each for each in (pairing.first, pairing.second) if not self.state.forfeits(each)]
        await self.leave_table(self.person(safe[0]) if safe else people[0])
        await eventually(lambda: table in live.state.rounds[drawn - 1].outcomes)

    async def correct(self, table: int) -> None:
        """Show the organiser a table of the latest round."""
        await self.press(self.organiser, "manage")
        await self.on_own(self.organiser, "fix")
        await self.choose(self.organiser, "fix", f"{len(self.state.rounds)}.{table}")

    def outcome(self, table: int) -> Outcome:
        assert self.state.round is not None
        return self.state.round.outcomes[table]


async def test_nine_people_play_a_swiss_evening_over_a_kill_to_the_podium(tmp_path: Path) -> None:
    async with room(tmp_path, NAMES) as here:
        ana, *_, hugo, iris = here.people
        evening = Swiss(here)
        here.tap.watchers.remove(here.watch)  # a score names cards that other tables still hide
        await evening.announce(target="7", rounds="3")
        for person in here.people[:8]:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "checkin")
        for person in here.people[:7]:
            await evening.press(person, "here")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        assert "left out, as they aren't here: Hugo" in evening.own_text(ana)
        await evening.on_own(ana, "beginyes")
        await evening.comes_to_show("has a bye")

        # Round 1: one match is played, one is left, and in one a player doesn't turn up. Two people enter late.
        await evening.play(1)
        assert not evening.outcome(1).forfeit
        await evening.give_up(2)
        absent, there = await evening.go_to(3)
        await here.press(there, here.shown, "hand")
        for late in (iris, hugo):
            await evening.press(late, "join")
            assert "You play from the next round on." in evening.own_text(late)
        await here.wait(FIXTURE_SECONDS + 1)
        await evening.ended(3)
        lost = f"{absent.name}** ran out of time, so {there.name} wins"
        await eventually(lambda: lost in "\n".join(here.public_texts()))
        await here.wait(PAUSE.total_seconds() + 1)
        await evening.comes_to_show("Round 2 of 3")

        # Round 2: the bot is killed while people play, somebody withdraws, and the organiser decides about a table.
        assert len(evening.pairings) == 4
        await evening.play(1, moves=7)
        await here.restart(killed=True)
        await evening.play(1)
        assert not evening.outcome(1).forfeit
        await evening.give_up(2)
        going, _ = await evening.go_to(3)
        await evening.press(going, "mine")
        await evening.on_own(going, "out")
        await evening.on_own(going, "outyes")
        await evening.leave_table(going)
        await evening.ended(3)
        await evening.correct(4)
        form = await ana.press(ana.panel(evening.channel), custom_id="^t:fixp:")
        await ana.submit(form, {"points0": "7", "points1": "5"})
        assert evening.outcome(4) == Outcome((7, 5), 0)
        await evening.press(ana, "manage")
        await evening.on_own(ana, "next")

        # Round 3: a table plays again, and the last result ends the tournament.
        assert len(evening.pairings) == 4
        assert {each.gone for each in evening.state.entries} == {None, Gone.WITHDREW}
        final = evening.state.round
        assert final is not None
        assert final.byes == ()
        await evening.correct(1)
        await evening.on_own(ana, "fixo", 3, 1, 2)
        assert evening.outcome(1) == Outcome((0, 0), None, forfeit=True)
        await evening.on_own(ana, "again", 3, 1)
        assert "The table plays again." in evening.own_text(ana)
        for table in (1, 2, 3):
            await evening.give_up(table)
        live = evening.live
        await evening.give_up(4)

        await evening.comes_to_show("wins the tournament!")
        state, podium = live.state, evening.text
        assert here.bot.host.of(TournamentParts).tournaments.within() == []
        won, met, byes = Counter[int](), Counter[frozenset[int]](), Counter[int]()
        for drawn in state.rounds:
            byes.update(drawn.byes)
            for each in drawn.pairings:
                winner = drawn.outcomes[each.table].winner
                assert winner is not None
                won[(each.first, each.second)[winner]] += 1
                met[frozenset((each.first, each.second))] += 1
        ranked = standings(state)
        assert {each.entry: each.score for each in ranked} == {n: won[n] + byes[n] for n in range(1, 10)}
        assert all(one.score >= other.score for one, other in combinations(ranked, 2))
        assert max(met.values()) == max(byes.values()) == 1, "nobody met twice, nobody rested twice"
        assert podium.startswith(f"## 🏆 {state.entry(ranked[0].entry).people[0].name} wins the tournament!")
        with closing(sqlite3.connect(tmp_path / "escoba.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM results").fetchall() == [(2,)], (
                "one for each match in which everybody had played a card"
            )
