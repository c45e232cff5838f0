"""Votes of onlookers about who wins a round: one press, one vote, and the names of those who saw it coming."""

import re
from collections import Counter
from random import Random

import discord
import pytest
import sqlalchemy as sa
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.moves import Stage
from bot.engine.scoring import RoundScore
from bot.engine.views import PublicView
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.refusals import CommonRefusal
from bot.schema.tables import votes
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.table import Table
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.played.tables.test_evenings import CARD, HALF_AN_HOUR, begin, cards
from tests.played.tables.test_rules_editor import manager
from tests.played.tables.test_substitutes import friendly_without_ana
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import refusal_text

QUESTION = "Onlookers, who wins this round?"
SEEN = "🔮 Saw it coming: "
UPDATE = 7


def sides(here: Room) -> list[str | None]:
    """The labels of the buttons of votes on the public table."""
    return [each.label for each in here.people[0].buttons(here.shown) if each.custom_id.startswith("e:wins:")]


def match_of(here: Room) -> PublicView:
    match = here.table.view().match
    assert match is not None
    return match


async def vote(here: Room, person: Person, side: int) -> None:
    await here.press(person, here.shown, "wins", str(match_of(here).round_number), str(side))


async def kept(here: Room, *games: int) -> list[tuple[int, int, int]]:
    """The stored votes, of these games if any are given: round, user, side."""

    async def read(connection: AsyncConnection) -> list[tuple[int, int, int]]:
        rows = sa.select(votes.c.round, votes.c.user_id, votes.c.side)
        found = await connection.execute(rows.where(votes.c.game_id.in_(games)) if games else rows)
        return sorted((row[0], row[1], row[2]) for row in found)

    return await here.bot.parts.stores.database.read(read)


def seers(text: str) -> set[int]:
    """The people whom a message names as those who saw it coming."""
    return {int(each) for line in text.splitlines() if SEEN in line for each in re.findall(r"<@(\d+)>", line)}


async def until_closed(here: Room) -> None:
    await here.play_out(until=lambda: match_of(here).deal == 2)


async def until_scored(here: Room) -> None:
    await here.play_out(until=lambda: match_of(here).stage is not Stage.TO_PLAY)


def winner(points: tuple[int, ...]) -> int | None:
    """The side that has won a round."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


async def test_onlookers_vote_once_and_may_change_it_until_the_second_deal(room_of: RoomOf):
    async with room_of(5) as here:
        *_, ciro, dora, elio = here.people
        await here.begin(2)
        assert sides(here) == ["Ana", "Bea"]
        assert QUESTION in here.public_text
        await vote(here, ciro, 0)
        await vote(here, dora, 0)
        assert sides(here) == ["Ana · 2", "Bea"]
        await vote(here, dora, 1)
        await vote(here, dora, 1)
        await vote(here, elio, 1)
        assert sides(here) == ["Ana · 1", "Bea · 2"]
        assert await kept(here) == sorted([(1, ciro.id, 0), (1, dora.id, 1), (1, elio.id, 1)])
        old = [each.custom_id for each in ciro.buttons(here.shown) if each.custom_id.startswith("e:wins:")]
        await here.step(here.table, lambda view: view.moves[0])
        assert [each.custom_id for each in ciro.buttons(here.shown) if each.custom_id.startswith("e:wins:")] == old
        await until_closed(here)
        assert sides(here) == []
        assert QUESTION not in here.public_text
        assert "🔮 Ana **1** · Bea **2**" in here.public_text
        await forge(ciro, here.shown, old[1])
        assert len(await kept(here)) == 3
        assert (1, ciro.id, 0) in await kept(here), "it is too late"
        await until_scored(here)
        best = winner(match_of(here).scores[-1].points)
        right = {user for _, user, side in await kept(here) if side == best}
        assert seers(here.public_text) == right
        await here.next_round()
        assert sides(here) == ["Ana", "Bea"], "the next round is open"
        await forge(ciro, here.shown, old[1])
        assert all(number == 1 for number, *_ in await kept(here)), "a vote about the first round counts for no other"
        assert SEEN not in here.public_text


@pytest.mark.parametrize("pictures", [False, True])
async def test_a_vote_costs_its_own_answer_and_nothing_else(room_of: RoomOf, pictures: bool):
    async with room_of(4, pictures=pictures) as here:
        *_, ciro, dora = here.people
        await here.begin(2)
        await here.step(here.table, lambda view: view.moves[0])
        await here.env.settle()
        sent = len(here.tap.requests)
        await vote(here, ciro, 0)
        await vote(here, dora, 1)
        await here.wait(30)
        requests = here.tap.requests[sent:]
        assert [request.path.rpartition("/")[2] for request in requests] == ["callback"] * 2
        assert [request.body["type"] for request in requests] == [UPDATE] * 2
        assert sides(here) == ["Ana · 1", "Bea · 1"]


async def test_those_who_play_have_no_vote(room_of: RoomOf):
    async with room_of(3) as here:
        ana, *_ = here.people
        await here.begin(2)
        await vote(here, ana, 0)
        assert here.private_text(ana) == refusal_text(TableRefusal.ALREADY_SEATED)
        assert await kept(here) == []
        assert sides(here) == ["Ana", "Bea"]


async def test_whoever_takes_a_seat_loses_their_vote_and_whoever_has_left_one_gets_none(room_of: RoomOf):
    async with room_of(5) as here:
        ana, bea, ciro, dora, elio = here.people
        await friendly_without_ana(here)
        await vote(here, dora, 0)
        await vote(here, elio, 0)
        await vote(here, ana, 1)
        assert here.private_text(ana) == refusal_text(TableRefusal.ALREADY_SEATED), "they have seen cards"
        assert sides(here) == ["Ana · 2", "Bea", "Ciro"]
        await here.press(dora, here.shown, "takeseat")
        assert len(await kept(here)) == 2
        for person in (bea, ciro):
            await here.press(person, here.shown, "agree")
        assert sides(here) == ["Dora · 1", "Bea", "Ciro"]
        assert await kept(here) == [(1, elio.id, 0)]
        for _ in range(2):
            await vote(here, ana, 1)
            assert here.private_text(ana) == refusal_text(TableRefusal.ALREADY_SEATED)
            await here.restart()
        assert await kept(here) == [(1, elio.id, 0)]


@pytest.mark.parametrize("killed", [False, True])
async def test_they_outlive_the_process(room_of: RoomOf, killed: bool):
    async with room_of(4) as here:
        *_, ciro, dora = here.people
        await here.begin(2)
        await vote(here, ciro, 0)
        await here.restart(killed=killed)
        assert sides(here) == ["Ana · 1", "Bea"]
        await vote(here, dora, 1)
        await vote(here, ciro, 1)
        assert sides(here) == ["Ana", "Bea · 2"]
        for person in here.people[:2]:
            await here.press(person, here.shown, "hand")
        await until_scored(here)
        named = seers(here.public_text)
        assert named == ({ciro.id, dora.id} if winner(match_of(here).scores[-1].points) == 1 else set())
        await here.restart(killed=killed)
        assert seers(here.public_text) == named


async def test_a_vote_that_is_not_stored_is_not_shown(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(3) as here:
        *_, ciro = here.people
        await here.begin(2)

        async def full(*args: object) -> None:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(type(here.bot.parts.stores.games), "vote", full)
            await vote(here, ciro, 0)
        assert sides(here) == ["Ana", "Bea"]
        await vote(here, ciro, 0)
        assert sides(here) == ["Ana · 1", "Bea"]


async def test_no_log_has_them_and_the_match_goes_on_as_it_was(room_of: RoomOf):
    async with room_of(3, turn_seconds=100) as here:
        ana, bea, ciro = here.people
        await here.begin(2)
        before, panels = here.table.view(), [ana.buttons(here.panel(ana)), bea.buttons(here.panel(bea))]
        log = await here.bot.parts.stores.games.log(here.table.id)
        await here.wait(10)
        await vote(here, ciro, 1)
        after = here.table.view()
        assert (after.version, after.deadline) == (before.version, before.deadline)
        assert [ana.buttons(here.panel(ana)), bea.buttons(here.panel(bea))] == panels
        assert await here.bot.parts.stores.games.log(here.table.id) == log
        assert str(ciro.id) not in "".join(entry.body for entry in log)


async def test_a_server_can_turn_them_off_and_who_may_not_write_has_none(room_of: RoomOf):
    async with room_of(3) as here:
        *_, ciro = here.people
        boss, _ = manager(here)
        await here.begin(2, friendly=True)
        deny = discord.Permissions(send_messages=True).value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(ciro.id, OverwriteType.MEMBER, 0, deny))
        await vote(here, ciro, 0)
        assert here.private_text(ciro) == refusal_text(CommonRefusal.MAY_NOT_WRITE)
        assert await kept(here) == []
        await here.end(here.people[0])
        await here.setting(boss, "reactions", "off")
        await here.begin(2)
        assert sides(here) == []
        assert QUESTION not in here.public_text
        await forge(boss, here.shown, Ref(here.table.id, args=("1", "0")).custom_id(Verb.WINS))
        assert await kept(here) == []


async def test_a_match_that_ends_early_leaves_none(room_of: RoomOf):
    async with room_of(3) as here:
        ana, _, ciro = here.people
        await here.begin(2, friendly=True)
        await vote(here, ciro, 0)
        await here.end(ana)
        assert await kept(here) == []


async def test_a_vote_is_in_their_data_and_goes_with_them(room_of: RoomOf):
    async with room_of(4) as here:
        *_, ciro, dora = here.people
        await here.begin(2)
        await vote(here, ciro, 0)
        await vote(here, dora, 0)
        stores, game = here.bot.parts.stores, here.table.id
        assert (await stores.personal_data.of(dora.id)).votes == ((game, 1, 0),)
        await here.open_data(dora)
        await dora.press(here.channel, custom_id="^p:erase$")
        await dora.press(here.channel, custom_id="^p:eraseyes$")
        await here.env.settle()
        assert (await stores.personal_data.of(dora.id)).votes == ()
        assert await kept(here) == [(1, ciro.id, 0)]
        assert sides(here) == ["Ana · 1", "Bea"]


async def test_a_copy_of_the_table_asks_nobody(room_of: RoomOf):
    async with room_of(3) as here:
        *_, ciro = here.people
        await here.begin(2)
        await ciro.slash(here.channel, "escoba table")
        assert "[Go to the table]" in here.private_text(ciro)
        assert QUESTION not in here.private_text(ciro)


async def vote_at_random(here: Room, rng: Random) -> dict[int, int]:
    """Onlookers vote while the round begins, some of them again, with restarts in between; returns what must count."""
    ledger: dict[int, int] = {}
    for _ in range(6):
        person, side = rng.choice(here.people[2:]), rng.randrange(2)
        await vote(here, person, side)
        ledger[person.id] = side
        assert sides(here) == [
            f"{name} · {count}" if (count := Counter(ledger.values())[side]) else name
            for side, name in enumerate(("Ana", "Bea") if here.seat_of(here.people[0]) == 0 else ("Bea", "Ana"))
        ]
        if rng.random() < 0.3:
            await here.restart(killed=rng.random() < 0.5)
            for player in here.people[:2]:
                await here.press(player, here.shown, "hand")
        if rng.random() < 0.3 and sum(match_of(here).hand_counts) > 2:
            await here.step(here.table, lambda view: rng.choice(view.moves))
    return ledger


async def test_an_evening_of_four_onlookers_names_exactly_those_who_were_right(room_of: RoomOf):
    """The ledger is what was pressed in time, and nothing else."""
    rng, right = Random(58), Counter[int]()
    async with room_of(6, chance=brief.TWO) as here:
        await here.begin(2, target=5)
        for played in range(3):
            if played:
                await begin(here)
            table, scored = here.table, 0
            while table.phase.open:
                game, ledger = here.table.id, await vote_at_random(here, rng)
                await until_closed(here)
                for person in here.people[2:]:
                    late = Ref(game, args=(str(scored + 1), str(rng.randrange(2)))).custom_id(Verb.WINS)
                    await forge(person, here.shown, late)
                assert {user: side for number, user, side in await kept(here, game) if number == scored + 1} == ledger
                table, scored = here.table, scored + 1
                await here.play_out(until=lambda table=table, scored=scored: len(scores_of(table)) == scored)
                best = winner(scores_of(table)[-1].points)
                seen = {user for user, side in ledger.items() if side == best}
                right.update(seen)
                assert seers(here.public_text) == seen
                if table.phase.open:
                    await here.next_round()
        await here.restart()
        await here.wait(HALF_AN_HOUR + 1)
        [card] = cards(here)
        named = [int(each) for each in re.findall(r"<@(\d+)>", text_of(card).partition(SEEN)[2])]
        assert sorted(named) == sorted(right)
        assert [right[user] for user in named] == sorted(right.values(), reverse=True)
        posted = next(each for each in here.tap.requests if CARD in str(each.body))
        assert posted.message["allowed_mentions"] == {"parse": []}
        assert await kept(here) == [], "the card is written"


def scores_of(table: Table) -> tuple[RoundScore, ...]:
    match = table.view().match
    assert match is not None
    return match.scores
