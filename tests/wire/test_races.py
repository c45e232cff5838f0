"""Clicks at the same instant: the outcome is that of some order of single clicks, and everybody is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.tables.actions import Join, Start
from tests.wire.dose import dose
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.racing import Race, dealt_in, ended, fire_moves, person
from tests.wire.seen import Seen
from tests.wire.world import Wire, wire

TWICE = "answered 400, code 40060"
"""What Discord says to the second answer of an interaction that it delivered twice."""


@pytest.mark.parametrize("seats", [2, 4])
async def test_all_seats_click_at_once_on_many_tables(tmp_path: Path, seats: int) -> None:
    how = dose()
    tables = max(1, how.race_tables * 2 // seats // 2)
    people = [f"P{n}" for n in range(seats * tables)]
    async with wire(tmp_path, people, channels=tables, seed=str(how.seed), allow=[TWICE]) as w:
        groups = parties(w, seats)
        await asyncio.gather(*(party.play(until=lambda party=party: _all_look(w, party)) for party in groups))
        await w.settle()
        ledger = Ledger(w.database)
        stale: dict[int, Seen] = {}
        for _ in range(how.races):
            ledger.read()
            w.gateway.hold()
            races = [fire_moves(w, ledger, party, stale) for party in groups]
            w.gateway.release()
            await ended(shot for race in races for shot in race.shots)
            await w.settle()
            ledger.read()
            assert [line for race in races for line in race.wrong(w, ledger)] == []
            assert [line for race in races for line in race.behind(w, ledger)] == []
            await asyncio.gather(*(party.play(until=lambda p=party: _can_move(w, p)) for party in groups))
            await w.settle()
        ledger.judge(w.requests)
        assert ledger.findings == []


def _all_look(w: Wire, party: Party) -> bool:
    """Everybody at a table has their panel open."""
    return party.version > 1 and all(
        w.latest(party.channel_id, "panel", viewer=member) is not None for member in party.people
    )


def _can_move(w: Wire, party: Party) -> bool:
    """Somebody at the table sees a card to play on the newest panel."""
    return any(w.panel(party.channel_id, member).find("card", "take") for member in party.people)


@asynccontextmanager
async def lobby(folder: Path, people: int, joined: int) -> AsyncIterator[tuple[Wire, Ledger, Party, Seen]]:
    """A lobby of so many people, and who else is there; at the end all was answered."""
    async with wire(folder, people) as w:
        party = Party(w, w.channels[0], w.people)
        await w.slash(w.people[0], party.channel_id, "escoba play", target=11)
        for member in w.people[1:joined]:
            table = w.table(party.channel_id)
            await w.click(member, table, table.one("join"))
        await w.settle()
        yield w, Ledger(w.database).read(), party, w.table(party.channel_id)
        await w.settle()
        assert w.unanswered == []


def _race(w: Wire, ledger: Ledger, party: Party, seen: Seen, *clicks: tuple[int, str]) -> Race:
    """Several people press buttons of the lobby at once."""
    game_id, state, length = dealt_in(w, ledger, party)
    race = Race(party, game_id, state, length, [])
    w.gateway.hold()
    for index, verb in clicks:
        member = w.people[index]
        race.actions.append(Start(person(member), state.version) if verb == "start" else Join(person(member)))
        race.shots.append(w.send_click(member, seen, seen.one(verb)))
    w.gateway.release()
    return race


async def test_start_is_pressed_by_two(tmp_path: Path) -> None:
    async with lobby(tmp_path, people=2, joined=2) as (w, ledger, party, seen):
        race = _race(w, ledger, party, seen, (0, "start"), (1, "start"), (0, "start"))
        await ended(race.shots)
        assert race.wrong(w, ledger.read()) == []
        assert ledger.moves == 2, "one match, and its first deal"


async def test_the_last_seat_is_taken_by_two(tmp_path: Path) -> None:
    async with lobby(tmp_path, people=6, joined=3) as (w, ledger, party, seen):
        race = _race(w, ledger, party, seen, (3, "join"), (4, "join"), (5, "join"), (3, "join"))
        await ended(race.shots)
        assert race.wrong(w, ledger.read()) == []
        assert len(ledger.games[race.game].state.seats) == 4
        private = [shot for shot in race.shots if shot.got is not None and shot.got.private]
        assert len(private) == 3, "who got no seat, or had one, is told privately"


@pytest.mark.parametrize("clicks", [[(0, "leave"), (2, "start")], [(2, "start"), (1, "leave")]])
async def test_leave_against_start(tmp_path: Path, clicks: list[tuple[int, str]]) -> None:
    async with lobby(tmp_path, people=3, joined=3) as (w, ledger, party, seen):
        race = _race(w, ledger, party, seen, *clicks)
        await ended(race.shots)
        assert all(shot.done for shot in race.shots)
        game = ledger.read().games[race.game]
        made = [kind for _, kind, _ in game.entries[race.length :]]
        assert made in (["left_lobby"], ["match", "match"]), "a button of the lobby leaves no match that has begun"


async def test_an_interaction_that_is_delivered_twice_makes_one_move(tmp_path: Path) -> None:
    async with wire(tmp_path, allow=[TWICE]) as w:
        party = Party(w, w.channels[0], w.people)
        await party.play(until=lambda: _all_look(w, party) and _can_move(w, party))
        ledger = Ledger(w.database).read()
        before = ledger.moves
        member = next(member for member in w.people if w.panel(party.channel_id, member).find("card", "take"))
        panel = w.panel(party.channel_id, member)
        shot = w.send_click(member, panel, panel.find("card", "take")[0].custom_id)
        for _ in range(3):
            w.resend(shot)
        await shot.end()
        await w.settle()
        assert ledger.read().moves == before + 1
