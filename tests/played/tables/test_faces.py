"""Faces on the public table: one press by a player or an onlooker, answered by itself, until the next deal."""

import asyncio
import json
from typing import Any

import discord
import pytest
import sqlalchemy as sa
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.refusals import CommonRefusal, Refusal
from bot.schema.tables import faces
from bot.tables.boards import table_message
from bot.tables.boards.board import Board
from bot.tables.boards.table_message import TableMessage
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.showing import press_in_crowd
from bot.tables.log.topics import Face
from bot.tables.parts import TableParts
from bot.tables.screens.faces import EMOJIS
from tests.played.tables.test_rules_editor import manager
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord import worlds
from tests.support.people import Person, forge
from tests.support.phrases import refusal_text

UPDATE = 7


def counts(here: Room) -> list[int]:
    """The counts on the faces of the public table, in order; empty if it has none."""
    buttons = [each for each in here.people[0].buttons(here.shown) if each.custom_id.startswith("e:react:")]
    assert not buttons or len(buttons) == len(Face)
    return [int(each.label) if each.label.isdecimal() else 0 for each in buttons]


def ids(here: Room) -> list[str]:
    return [each.custom_id for each in here.people[0].buttons(here.shown) if each.custom_id.startswith("e:react:")]


async def press(here: Room, person: Person, face: str) -> None:
    await here.press(person, here.shown, "react", face)


def board_of(here: Room) -> Board:
    return here.bot.host.of(TableParts).presenter.board_of(here.table)


async def kept(here: Room) -> list[tuple[int, str]]:
    """Who is stored with which face."""

    async def read(connection: AsyncConnection) -> list[tuple[int, str]]:
        return [(row[0], row[1]) for row in await connection.execute(sa.select(faces.c.user_id, faces.c.face))]

    return sorted(await here.bot.parts.stores.database.read(read))


async def until_dealt(here: Room) -> None:
    """Play until cards are dealt again."""
    deal = here.table.view().match.deal  # type: ignore[union-attr]
    await here.play_out(until=lambda: here.table.view().match.deal != deal)  # type: ignore[union-attr]


async def test_players_and_onlookers_show_one_face_each_by_one_press_until_the_next_deal(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, onlooker = here.people
        await here.begin(2)
        assert counts(here) == [0, 0, 0]
        before = ids(here)
        await press(here, ana, "clap")
        await press(here, onlooker, "clap")
        assert counts(here) == [2, 0, 0]
        await press(here, onlooker, "gasp")
        assert counts(here) == [1, 1, 0], "another face takes the place of the former"
        await press(here, ana, "clap")
        assert counts(here) == [0, 1, 0], "pressed again, it is taken back"
        await press(here, bea, "laugh")
        deal = here.table.view().match.deal  # type: ignore[union-attr]
        await here.step(here.table, lambda view: view.moves[0])
        assert here.table.view().match.deal == deal  # type: ignore[union-attr]
        assert counts(here) == [0, 1, 1], "they stay when somebody plays"
        assert ids(here) == before, "and the buttons are the same"
        assert await kept(here) == sorted([(bea.id, "laugh"), (onlooker.id, "gasp")])
        await until_dealt(here)
        assert (counts(here), ids(here)) == ([0, 0, 0], before)
        assert await kept(here) == []


async def test_they_stay_on_the_score_of_a_round_and_are_gone_with_the_result(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        before = ids(here)
        await here.play_out(until=lambda: here.table.view().match.turn is None)  # type: ignore[union-attr]
        assert (counts(here), ids(here)) == ([0, 0, 0], before)
        await press(here, ana, "gasp")
        assert counts(here) == [0, 1, 0]
        await here.next_round()
        assert (counts(here), ids(here)) == ([0, 0, 0], before)
        await press(here, ana, "gasp")
        await here.finish()
        assert ids(here) == []
        assert await kept(here) == []


@pytest.mark.parametrize("pictures", [False, True])
async def test_a_face_costs_its_own_answer_and_nothing_else(room_of: RoomOf, pictures: bool):
    async with room_of(3, pictures=pictures) as here:
        _, bea, onlooker = here.people
        await here.begin(2)
        await here.step(here.table, lambda view: view.moves[0])
        await here.env.settle()
        sent = len(here.tap.requests)
        for person in (bea, onlooker):
            await press(here, person, "clap")
        await here.wait(30)
        requests = here.tap.requests[sent:]
        assert [request.path.rpartition("/")[2] for request in requests] == ["callback"] * 2
        for request in requests:
            assert request.body["type"] == UPDATE
        kept_files = [request.body["data"].get("attachments", []) for request in requests]
        assert kept_files[0] == kept_files[1]
        assert [int(each["id"]) > len(requests) for each in kept_files[0]] == [True] * pictures, "it stays as it is"
        assert counts(here) == [2, 0, 0]


async def test_of_answers_at_once_each_waits_for_the_one_before_so_that_no_edit_has_to_sort_them_out(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        await here.begin()
        message, go_on = board_of(here).message, asyncio.Event()
        told: list[str] = []

        async def slowly(_: TableMessage, reply: str, clicked_id: int | None) -> None:
            told.append(f"{reply} begins")
            await go_on.wait()
            told.append(f"{reply} ends")

        monkeypatch.setattr(TableMessage, "_answer", slowly)
        answers = [asyncio.create_task(message.answer(each, None)) for each in ("Ana", "Bea")]  # type: ignore[arg-type]
        for _ in range(5):
            await asyncio.sleep(0)
        assert told == ["Ana begins"]
        go_on.set()
        await asyncio.gather(*answers)
        assert told == ["Ana begins", "Ana ends", "Bea begins", "Bea ends"]


async def test_an_answer_that_takes_long_does_not_keep_the_next_from_coming_in_time(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        await here.begin()
        monkeypatch.setattr(table_message, "IN_TURN_SECONDS", 0.01)
        message = board_of(here).message
        assert await message._in_turn()
        assert not await message._in_turn()


async def test_an_edit_that_was_on_its_way_never_takes_a_face_back(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(3) as here:
        *_, onlooker = here.people
        await here.begin(2)
        await here.env.settle()
        under_way, go_on = asyncio.Event(), asyncio.Event()
        edit = TableMessage._edit

        async def slowly(*args: Any) -> None:
            under_way.set()
            await here.env.external_wait(go_on.wait(), reason="the way to Discord")
            await edit(*args)

        monkeypatch.setattr(TableMessage, "_edit", slowly)
        mover = here.people[here.table.view().match.turn or 0]  # type: ignore[union-attr]
        card = next(each.custom_id for each in mover.buttons(here.panel(mover)) if each.custom_id.startswith("e:card:"))
        await mover.press(here.panel(mover), custom_id=card)
        assert under_way.is_set()
        await press(here, onlooker, "laugh")
        assert counts(here) == [0, 0, 1]
        go_on.set()
        await here.wait(5)
        assert counts(here) == [0, 0, 1]
        assert here.table.view().match.version > 2  # type: ignore[union-attr]


@pytest.mark.parametrize("killed", [False, True])
async def test_they_outlive_the_process(room_of: RoomOf, killed: bool):
    async with room_of(3) as here:
        ana, _, onlooker = here.people
        await here.begin(2)
        await press(here, ana, "clap")
        await press(here, onlooker, "clap")
        await here.restart(killed=killed)
        assert counts(here) == [2, 0, 0]
        await press(here, onlooker, "clap")
        assert counts(here) == [1, 0, 0]
        assert await kept(here) == [(ana.id, "clap")]


async def test_a_face_that_is_not_stored_is_not_shown(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin()

        async def full(*args: object) -> None:
            assert counts(here) == [0, 0, 0]
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(type(here.bot.parts.stores.games), "press_face", full)
            await press(here, ana, "clap")
        assert counts(here) == [0, 0, 0]
        assert here.table.view().faces == (0, 0, 0)
        await press(here, bea, "clap")
        assert counts(here) == [1, 0, 0]


async def test_nobody_is_told_and_the_match_goes_on_as_it_was(room_of: RoomOf):
    async with room_of(3, turn_seconds=100) as here:
        ana, bea, onlooker = here.people
        await here.begin(2)
        before, panels = here.table.view(), [ana.buttons(here.panel(ana)), bea.buttons(here.panel(bea))]
        log = await here.bot.parts.stores.games.log(here.table.id)
        await here.wait(10)
        for person in here.people:
            await press(here, person, "gasp")
        after = here.table.view()
        assert (after.version, after.deadline) == (before.version, before.deadline)
        assert [ana.buttons(here.panel(ana)), bea.buttons(here.panel(bea))] == panels
        assert await here.bot.parts.stores.games.log(here.table.id) == log, "no log has it, nor any match file"
        assert str(onlooker.id) not in json.dumps([entry.body for entry in log])


async def test_a_server_can_turn_them_off(room_of: RoomOf):
    async with room_of(2) as here:
        boss, _ = manager(here)
        await here.setting(boss, "reactions", "off")
        await here.begin()
        assert ids(here) == []
        ana = here.people[0]
        await forge(ana, here.shown, Ref(here.table.id, args=("clap",)).custom_id(Verb.REACT))
        assert await kept(here) == []


async def test_an_onlooker_who_may_not_write_there_shows_none(room_of: RoomOf):
    async with room_of(3) as here:
        *_, onlooker = here.people
        await here.begin(2)
        deny = discord.Permissions(send_messages=True).value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(onlooker.id, OverwriteType.MEMBER, 0, deny))
        await press(here, onlooker, "clap")
        assert here.private_text(onlooker) == refusal_text(CommonRefusal.MAY_NOT_WRITE)
        assert counts(here) == [0, 0, 0]


async def test_a_player_who_was_away_is_back_with_it(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin()
        mover = here.people[here.table.view().match.turn or 0]  # type: ignore[union-attr]
        seat = here.seat_of(mover)
        await here.wait(101)
        assert not here.table.view().seats[seat].human_here
        await press(here, mover, "laugh")
        assert here.table.view().seats[seat].human_here
        assert counts(here) == [0, 0, 1]


async def test_a_menu_of_reactions_on_a_panel_of_1_0_brings_a_fresh_panel(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        sent = len(here.tap.requests)
        await forge(ana, here.panel(ana), Ref(here.table.id).custom_id(Verb.REACT), ["clap"])
        [answer] = here.tap.requests[sent:]
        assert (answer.viewer, answer.body["type"]) == (ana.id, UPDATE)
        assert await kept(here) == []


async def test_a_stranger_to_the_faces_and_one_in_a_lobby_leave_no_trace(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        await forge(bea, here.shown, Ref(here.table.id, args=("clap",)).custom_id(Verb.REACT))
        await here.press(bea, here.shown, "join")
        await here.press(ana, here.shown, "start")
        await forge(bea, here.shown, Ref(here.table.id, args=("shout",)).custom_id(Verb.REACT))
        assert await kept(here) == []


async def test_an_onlookers_face_is_in_their_data_and_goes_with_them(room_of: RoomOf):
    async with room_of(3) as here:
        ana, _, onlooker = here.people
        await here.begin(2)
        for person in (ana, onlooker):
            await press(here, person, "clap")
        stores, game = here.bot.parts.stores, here.table.id
        assert (await stores.personal_data.of(onlooker.id)).faces == ((game, "clap"),)
        await here.open_data(onlooker)
        await onlooker.press(here.channel, custom_id="^p:erase$")
        await onlooker.press(here.channel, custom_id="^p:eraseyes$")
        await here.env.settle()
        assert (await stores.personal_data.of(onlooker.id)).faces == ()
        assert await kept(here) == [(ana.id, "clap")]
        assert counts(here) == [1, 0, 0]


async def test_nobody_shows_a_face_while_the_bot_stops(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        here.table.close()
        with worlds.as_bot(here.env), pytest.raises(Refusal, match="closing"):
            await press_in_crowd(here.bot.parts.manager, here.table, lambda table: table.faces.press(1, Face.CLAP))
        assert await kept(here) == []


def test_every_face_has_an_emoji_of_its_own():
    assert len(set(EMOJIS.values())) == len(EMOJIS) == len(Face)
