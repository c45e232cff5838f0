"""Clicks at the same instant have the outcome of the same clicks in some order, and everybody is answered."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.platform.transport.trouble import ACKNOWLEDGED
from bot.tables.log.actions import Join, Start
from bot.tables.refusals import TableRefusal
from tests.support.dose import thorough_but
from tests.support.phrases import refusal_text
from tests.wire.dose import dose
from tests.wire.faults import CALLBACKS
from tests.wire.ledger import Ledger
from tests.wire.players import Party
from tests.wire.racing import TWICE, Race, all_have_panels, can_move, open_game, person, racing, wait_for_answers
from tests.wire.seen import Seen
from tests.wire.world import Wire, wire


@pytest.mark.parametrize("seats", thorough_but([2, 4], 2))
async def test_all_seats_click_at_once_on_many_tables(tmp_path: Path, seats: int) -> None:
    how = dose()
    tables = how.race_tables
    figures = await racing(tmp_path, seats=seats, tables=tables, races=how.races, seed=how.seed)
    assert figures.found == []
    assert figures.clicks > 3 * tables * how.races


@asynccontextmanager
async def lobby(
    folder: Path, people: int | Sequence[str], joined: int
) -> AsyncIterator[tuple[Wire, Ledger, Party, Seen]]:
    """A lobby that the first `joined` of `people` have joined. At the end everything must have been answered."""
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


def race_of(w: Wire, ledger: Ledger, party: Party, seen: Seen, *clicks: tuple[int, str]) -> Race:
    """Have several people press the lobby's buttons, or leave by the command, at once."""
    game_id, state, length = open_game(w, ledger, party)
    race = Race(party, game_id, state, length, [])
    w.gateway.hold()
    for index, verb in clicks:
        member = w.people[index]
        race.actions.append(Start(person(member), state.version) if verb == "start" else Join(person(member)))
        command = verb == "/escoba leave"
        race.shots.append(
            w.send_slash(member, party.channel_id, verb[1:]) if command else w.send_click(member, seen, seen.one(verb))
        )
    w.gateway.release()
    return race


async def test_two_people_pressing_start_at_once_begin_one_match(tmp_path: Path) -> None:
    async with lobby(tmp_path, people=2, joined=2) as (w, ledger, party, seen):
        race = race_of(w, ledger, party, seen, (0, "start"), (1, "start"), (0, "start"))
        await wait_for_answers(w, race.shots)
        assert race.wrong(w, ledger.read()) == []
        assert ledger.moves == 2, "one match, with its first deal"


async def test_two_people_joining_at_once_do_not_share_the_last_seat(tmp_path: Path) -> None:
    async with lobby(tmp_path, people=6, joined=3) as (w, ledger, party, seen):
        race = race_of(w, ledger, party, seen, (3, "join"), (4, "join"), (5, "join"), (3, "join"))
        await wait_for_answers(w, race.shots)
        assert race.wrong(w, ledger.read()) == []
        assert len(ledger.games[race.game].state.seats) == 4
        private = [shot for shot in race.shots if shot.got is not None and shot.got.private]
        assert len(private) == 3, "clicks that give no seat are answered privately"


async def test_of_ten_people_who_press_join_at_once_discord_refuses_nobody(tmp_path: Path) -> None:
    async with lobby(tmp_path, people=[f"P{number}" for number in range(11)], joined=1) as (w, ledger, _, seen):
        first = w.send_click(w.people[1], seen, seen.one("join"))
        await first.end()  # by now the lobby has changed, but nine people press what they saw before
        others = [w.send_click(member, seen, seen.one("join")) for member in w.people[2:]]
        await wait_for_answers(w, others)
        [game] = ledger.read().games.values()
        assert len(game.state.seats) == 4
        assert sum(refusal_text(TableRefusal.LOBBY_FULL) in shot.texts for shot in others) == 7


@pytest.mark.parametrize(
    "clicks",
    thorough_but(
        [[(1, "/escoba leave"), (2, "start")], [(2, "start"), (1, "/escoba leave")]],
        [(2, "start"), (1, "/escoba leave")],
    ),
)
async def test_leaving_while_somebody_starts_has_one_of_two_outcomes(
    tmp_path: Path, clicks: list[tuple[int, str]]
) -> None:
    async with lobby(tmp_path, people=3, joined=3) as (w, ledger, party, seen):
        race = race_of(w, ledger, party, seen, *clicks)
        await wait_for_answers(w, race.shots)
        assert all(shot.done for shot in race.shots)
        game = ledger.read().games[race.game]
        made = [kind for _, kind, _ in game.entries[race.length :]]
        assert made in (["left_lobby"], ["match", "match"]), "nobody leaves a match that has begun unasked"


async def test_an_interaction_delivered_twice_makes_one_move(tmp_path: Path) -> None:
    async with wire(tmp_path, allow=[TWICE]) as w:
        party = Party(w, w.channels[0], w.people)
        await party.play(until=lambda: all_have_panels(w, party) and can_move(w, party))
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


async def test_an_answer_for_one_person_never_takes_the_place_of_one_for_everybody(tmp_path: Path) -> None:
    """A click that changed the table's message comes again when it opens a hand, and Discord fails at first."""
    async with wire(tmp_path, allow=[TWICE], launch={"WIRE_TAKES": "0.5"}) as w:
        [channel], [host, guest] = w.channels, w.people
        await w.slash(host, channel, "escoba play")
        joined = w.send_click(guest, lobby := w.table(channel), lobby.one("join"))
        await joined.end()
        await w.click(host, lobby := w.table(channel), lobby.one("start"))
        await asyncio.sleep(0.7)  # so that the bot has forgotten that it has heard of the first click
        w.faults.add("POST", CALLBACKS, 502, times=1)
        w.resend(joined)
        await w.bot.until(lambda: any(request.code == ACKNOWLEDGED for request in w.requests))
        await w.settle()
        shown = {press.verb for seen in w.history(channel) for press in seen.presses}
        assert "hand" in shown
        assert shown.isdisjoint({"card", "panel"}), "everybody sees somebody's hand"
