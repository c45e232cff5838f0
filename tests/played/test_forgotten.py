"""Games that nobody goes on with: anybody may end one after a while, by a question; others end by themselves."""

from __future__ import annotations

import discord
import pytest

from bot.tables.errors import RefusalCode
from bot.tables.log.codec import decode
from bot.tables.log.events import Closed, Phase
from bot.tables.table import Table
from tests.played.conftest import RoomOf
from tests.support.escoba import Decks, Room
from tests.support.people import Person, set_locale, text_of
from tests.support.phrases import ABANDONED, EN, EXPIRED, OPENS, no

MINUTES = 60
DAY = 24 * 3600
IDLE = EN("Nobody has moved for so long that I have ended the game. It counts for nobody.")
ASKED = EN("Do you want to end it for everybody and open a new table? It will count for nobody.")
BUSY = no(RefusalCode.CHANNEL_BUSY)


def question(person: Person, here: Room) -> discord.Message:
    """What they were asked."""
    asked = person.panel(here.channel)
    assert ASKED in text_of(asked)
    return asked


def ended_by(name: str) -> str:
    """What everybody reads of a game that somebody has ended."""
    return EN(
        "**{name}** has ended the game, because nobody had moved for a while. It counts for nobody.",
        name=name,
    )


def posted(here: Room) -> list[int]:
    """The public messages of the channel."""
    return [message.id for message in here.people[0].messages(here.channel) if not message.flags.ephemeral]


async def closing_of(here: Room, table: Table) -> Closed:
    """How a table ended by its log."""
    *_, last = await here.bot.store.log(table.id)
    event = decode(last.kind, last.body)
    assert isinstance(event, Closed)
    return event


# ------------------------------------------------------------------ who wants the channel


async def test_a_forgotten_match_is_ended_by_whoever_wants_to_play_after_a_question(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2)
        table, shown = here.table, here.shown.id
        await here.wait(10 * MINUTES - 1)
        await ciro.slash(here.channel, "escoba play")
        assert BUSY in here.told(ciro)
        assert not ciro.buttons(ciro.panel(here.channel)), "it isn't forgotten yet"
        await here.wait(1)
        await ciro.slash(here.channel, "escoba play", preset="quince", target=11)
        asked = text_of(question(ciro, here))
        assert "**Ana**, **Bea**" in asked
        assert f"<t:{int(table.acted_at.timestamp())}:R>" in asked
        assert "further" not in asked
        assert table.phase is Phase.PLAYING, "nothing happens before the answer"
        await here.press(ciro, question(ciro, here), "clearyes")
        assert (table.phase, (await closing_of(here, table)).by.name) == (Phase.IDLE, "Ciro")  # type: ignore[union-attr]
        [before] = [m for m in ciro.messages(here.channel) if m.id == shown]
        assert text_of(before).startswith(ended_by("Ciro"))
        assert here.table is not table
        assert "Escoba de quince" in here.public_text or "11 points" in here.public_text
        assert OPENS.format("Ciro") in here.public_text
        assert "e:clearyes" not in str(ciro.buttons(ciro.panel(here.channel))), "it can't be answered twice"
        assert (await here.bot.store.stats(here.world.guild.id, here.people[0].id)).matches == 0


async def test_a_forgotten_lobby_too_and_its_own_opener_may(room_of: RoomOf):
    async with room_of(1, lobbies_per_person=1) as here:
        ana = here.people[0]
        await here.lobby()
        table = here.table
        await here.wait(10 * MINUTES)
        await ana.slash(here.channel, "escoba play")
        await here.press(ana, question(ana, here), "clearyes")
        assert table.phase is Phase.IDLE
        assert OPENS.format("Ana") in here.public_text
        assert ended_by("Ana") in here.public_texts()[0]


async def test_who_has_second_thoughts_ends_nothing(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2)
        table = here.table
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        await here.press(ciro, question(ciro, here), "keep")
        assert here.table is table
        assert not ciro.buttons(ciro.panel(here.channel))


async def test_who_moves_between_the_question_and_the_answer_keeps_the_game(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2)
        table, version = here.table, here.table.view().version
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await here.play_out(until=lambda: table.view().version > version)
        await here.press(ciro, asked, "clearyes")
        assert here.told(ciro) == no(RefusalCode.NOT_FORGOTTEN)
        assert here.table is table
        assert ended_by("Ciro") not in "".join(here.public_texts())


async def test_a_day_a_turn_is_nobody_s_to_take_before_two_have_passed(room_of: RoomOf):
    async with room_of(4, turn_seconds=DAY) as here:
        *_, dora = here.people
        await here.begin(3)
        await here.wait(2 * DAY - 60)
        await dora.slash(here.channel, "escoba play")
        assert BUSY in here.told(dora)
        assert not dora.buttons(dora.panel(here.channel))
        await here.wait(60)
        await dora.slash(here.channel, "escoba play")
        await here.press(dora, question(dora, here), "clearyes")
        assert OPENS.format("Dora") in here.public_text


async def test_the_old_question_ends_no_later_game(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        ana, _, ciro = here.people
        await here.begin(2)
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await ana.slash(here.channel, "escoba cancel")
        await here.press(ana, ana.panel(here.channel), "cancelyes")
        await here.lobby()
        later = here.table
        await here.wait(10 * MINUTES)
        await here.press(ciro, asked, "clearyes")
        assert here.told(ciro) == BUSY
        assert here.table is later


async def test_when_the_old_game_is_over_meanwhile_yes_opens_a_table_all_the_same(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        ana, _, ciro = here.people
        await here.begin(2)
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await ana.slash(here.channel, "escoba cancel")
        await here.press(ana, ana.panel(here.channel), "cancelyes")
        await here.press(ciro, asked, "clearyes")
        assert OPENS.format("Ciro") in here.public_text


async def test_who_ended_it_is_told_in_spanish_too_after_the_bot_ended_in_between(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        set_locale(here.people[0], "es-ES")
        *_, ciro = here.people
        await here.begin(2)
        await here.wait(10 * MINUTES)
        await here.restart(killed=True)
        await ciro.slash(here.channel, "escoba play")
        await here.press(ciro, question(ciro, here), "clearyes")
        assert "**Ciro** terminó la partida" in here.public_texts()[0]


# ------------------------------------------------------------------ whom nobody waits for


@pytest.mark.parametrize("days", [14, 3])
async def test_a_match_without_deadlines_is_over_when_nobody_has_moved_for_so_many_days(room_of: RoomOf, days: int):
    async with room_of(2, turn_seconds=0, nudge_seconds=0, idle_days=days) as here:
        await here.begin()
        table, shown = here.table, here.shown.id
        await here.wait(DAY)
        await here.restart()
        await here.wait((days - 1) * DAY - 60)
        assert here.table.phase is Phase.PLAYING
        public = posted(here)
        await here.wait(60)
        assert here.bot.manager.at(here.channel.id) is None
        [told] = [m for m in here.people[0].messages(here.channel) if m.id == shown]
        assert text_of(told).startswith(IDLE)
        assert ABANDONED not in text_of(told)
        assert posted(here) == public, "no message is posted for it"
        assert await closing_of(here, table) == Closed(Phase.IDLE)
        assert (await here.bot.store.stats(here.world.guild.id, here.people[0].id)).matches == 0


async def test_a_match_without_deadlines_may_wait_for_ever(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, idle_days=0) as here:
        await here.begin()
        await here.wait(100 * DAY)
        assert here.table.phase is Phase.PLAYING


# ------------------------------------------------------------------ where the end is said


async def test_an_idle_lobby_is_not_posted_afresh_to_say_that_it_is_closed(room_of: RoomOf):
    async with room_of(1, lobby_minutes=600) as here:
        await here.lobby()
        shown = posted(here)
        await here.wait(600 * MINUTES + 1)
        assert posted(here) == shown
        assert EXPIRED in here.public_texts()[0]


async def test_an_old_match_that_is_cancelled_says_so_where_it_is(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        ana, shown = here.people[0], posted(here)
        await here.wait(2 * 3600)
        await ana.slash(here.channel, "escoba cancel")
        await here.press(ana, ana.panel(here.channel), "cancelyes")
        assert posted(here) == shown
        assert "cancelled" in here.public_texts()[0]


async def is_forgotten(here: Room, table: Table) -> bool:
    """Whether a restart would not try to show its end again."""
    row = await here.bot.store.game(table.id)
    return row is not None and row.message_id is None


async def test_a_deleted_table_is_not_posted_again_when_it_is_cancelled(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        ana = here.people[0]
        await here.begin()
        table = here.table
        here.env.backend.delete_message(here.channel.id, here.shown.id)
        await ana.slash(here.channel, "escoba cancel")
        await here.press(ana, ana.panel(here.channel), "cancelyes")
        assert table.phase is Phase.CANCELLED
        assert posted(here) == []
        assert await is_forgotten(here, table)


async def test_a_deleted_table_is_not_posted_again_when_it_is_won(room_of: RoomOf):
    async with room_of(2, chance=Decks(2), turn_seconds=0) as here:
        await here.begin(target=5)
        table = here.table
        while table.phase.open:
            await here.play_out(until=lambda: is_last_click(table))
            here.env.backend.delete_message(here.channel.id, here.shown.id)
            left = posted(here)
            await here.step(table, lambda view: view.moves[0])
            if table.phase.open:
                assert len(posted(here)) == len(left) + 1, "it is, as long as the game goes on"
                await here.step(table, lambda view: view.moves[0])
        assert table.phase is Phase.FINISHED
        assert posted(here) == left
        assert await is_forgotten(here, table)


def is_last_click(table: Table) -> bool:
    """Whether the round ends with the next click: its last card takes one thing, or nothing."""
    match = table.view().match
    assert match is not None
    if match.turn is None or match.deal < match.deals or sum(match.hand_counts) > 1:
        return False
    view = table.seat_view(match.turn)
    return view is not None and len(view.moves) == 1


async def test_after_a_restart_an_old_table_stays_where_it_is_until_somebody_moves(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        shown = posted(here)
        await here.wait(2 * 3600)
        for killed in (True, False):
            await here.restart(killed=killed)
            await here.wait(1)
            assert posted(here) == shown
        version = here.table.view().version
        for person in here.people:
            await here.press(person, here.panel(person), "panel")
        await here.play_out(until=lambda: here.table.view().version > version)
        assert len(posted(here)) == 2
        assert here.shown.id > shown[0]
