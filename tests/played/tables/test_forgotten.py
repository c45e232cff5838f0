"""Forgotten games: after a while anybody may end one, once they confirm; others end by themselves."""

import discord
import pytest

from bot.tables.live.table import Table
from bot.tables.log.codec import decode
from bot.tables.log.events import Closed, Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, set_locale, text_of
from tests.support.phrases import ABANDONED, EN, EXPIRED, OPENS, refusal_text

MINUTES = 60
DAY = 24 * 3600
IDLE = EN("Nobody moved for so long that I ended the match. It doesn't count.")
ASKED = EN("Close it for everyone and open a new table? It won't count.")
BUSY = refusal_text(TableRefusal.CHANNEL_BUSY)


def question(person: Person, here: Room) -> discord.Message:
    """The message asking them whether to end the forgotten game."""
    asked = person.panel(here.channel)
    assert ASKED in text_of(asked)
    return asked


def ended_by(name: str) -> str:
    """The public text about a game that somebody has ended."""
    return EN(
        "**{name}** closed the table because nobody had moved for a while. Nothing counts.",
        name=name,
    )


def posted(here: Room) -> list[int]:
    """The ids of the channel's public messages."""
    return [message.id for message in here.people[0].messages(here.channel) if not message.flags.ephemeral]


async def closing_of(here: Room, table: Table) -> Closed:
    """How a table ended, according to its log."""
    *_, last = await here.bot.parts.stores.games.log(table.id)
    event = decode(last.kind, last.body)
    assert isinstance(event, Closed)
    return event


# ------------------------------------------------------------------ somebody wants the channel


async def test_anybody_may_end_a_forgotten_match_after_confirming(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2, friendly=True)
        table, shown = here.table, here.shown.id
        await here.wait(10 * MINUTES - 1)
        await ciro.slash(here.channel, "escoba play")
        assert BUSY in here.private_text(ciro)
        assert "e:clearyes" not in str(ciro.buttons(ciro.panel(here.channel))), "it isn't forgotten yet"
        await here.wait(1)
        await ciro.slash(here.channel, "escoba play", variant="quince", target=11)
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
        assert (await here.bot.parts.stores.leaderboards.stats(here.world.guild.id, here.people[0].id)).matches == 0


async def test_anybody_may_end_a_forgotten_lobby_and_so_may_its_opener(room_of: RoomOf):
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


async def test_the_new_table_is_shown_even_if_discord_does_not_take_the_answer(
    room_of: RoomOf,
):
    async with room_of(1, lobbies_per_person=1) as here:
        ana = here.people[0]
        await here.lobby()
        await here.wait(10 * MINUTES)
        await ana.slash(here.channel, "escoba play")
        here.env.inject_error("POST", "/interactions/*/*/callback", status=404, times=1)
        await here.press(ana, question(ana, here), "clearyes")
        await here.env.settle()
        assert OPENS.format("Ana") in here.public_text
        assert here.bot.host.of(TableParts).presenter.link(here.table) is not None


async def test_a_forgotten_game_stays_when_the_answer_is_no(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2, friendly=True)
        table = here.table
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        await here.press(ciro, question(ciro, here), "keep")
        assert here.table is table
        assert not ciro.buttons(ciro.panel(here.channel))


async def test_a_move_between_the_question_and_the_answer_keeps_the_game(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        *_, ciro = here.people
        await here.begin(2, friendly=True)
        table, version = here.table, here.table.view().version
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await here.play_out(until=lambda: table.view().version > version)
        await here.press(ciro, asked, "clearyes")
        assert here.private_text(ciro) == refusal_text(TableRefusal.NOT_FORGOTTEN)
        assert here.table is table
        assert ended_by("Ciro") not in "".join(here.public_texts())


async def test_a_game_with_a_day_per_turn_cannot_be_ended_by_others_for_two_days(room_of: RoomOf):
    async with room_of(4, turn_seconds=DAY) as here:
        *_, dora = here.people
        await here.begin(3, friendly=True)
        await here.wait(2 * DAY - 60)
        await dora.slash(here.channel, "escoba play")
        assert BUSY in here.private_text(dora)
        assert "e:clearyes" not in str(dora.buttons(dora.panel(here.channel)))
        await here.wait(60)
        await dora.slash(here.channel, "escoba play")
        await here.press(dora, question(dora, here), "clearyes")
        assert OPENS.format("Dora") in here.public_text


async def test_an_old_question_cannot_end_a_later_game(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        ana, _, ciro = here.people
        await here.begin(2, friendly=True)
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await here.end(ana)
        await here.lobby()
        later = here.table
        await here.wait(10 * MINUTES)
        await here.press(ciro, asked, "clearyes")
        assert here.private_text(ciro) == BUSY
        assert here.table is later


async def test_answering_yes_opens_a_table_even_if_the_old_game_has_ended_meanwhile(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        ana, _, ciro = here.people
        await here.begin(2, friendly=True)
        await here.wait(10 * MINUTES)
        await ciro.slash(here.channel, "escoba play")
        asked = question(ciro, here)
        await here.end(ana)
        await here.press(ciro, asked, "clearyes")
        assert OPENS.format("Ciro") in here.public_text


@pytest.mark.spanish
@pytest.mark.thorough
async def test_a_spanish_table_says_who_ended_the_game_even_after_a_restart(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        set_locale(here.people[0], "es-ES")
        *_, ciro = here.people
        await here.begin(2, friendly=True)
        await here.wait(10 * MINUTES)
        await here.restart(killed=True)
        await ciro.slash(here.channel, "escoba play")
        await here.press(ciro, question(ciro, here), "clearyes")
        assert "**Ciro** cierra la mesa" in here.public_texts()[0]


# ------------------------------------------------------------------ games that end by themselves


@pytest.mark.parametrize("days", thorough_but([14, 3], 3))
async def test_a_match_without_deadlines_ends_after_the_idle_days_in_the_settings(room_of: RoomOf, days: int):
    async with room_of(2, turn_seconds=0, nudge_seconds=0, idle_days=days) as here:
        await here.begin(friendly=True)
        table, shown = here.table, here.shown.id
        await here.wait(DAY)
        await here.restart()
        await here.wait((days - 1) * DAY - 60)
        assert here.table.phase is Phase.PLAYING
        public = posted(here)
        await here.wait(60)
        assert here.bot.parts.manager.at(here.channel.id) is None
        [ending] = [m for m in here.people[0].messages(here.channel) if m.id == shown]
        assert text_of(ending).startswith(IDLE)
        assert ABANDONED not in text_of(ending)
        assert posted(here) == public, "no new message is posted"
        assert await closing_of(here, table) == Closed(Phase.IDLE)
        assert (await here.bot.parts.stores.leaderboards.stats(here.world.guild.id, here.people[0].id)).matches == 0


@pytest.mark.thorough
async def test_a_match_without_deadlines_may_wait_forever(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, idle_days=0) as here:
        await here.begin()
        await here.wait(30 * DAY)
        assert here.table.phase is Phase.PLAYING


# ------------------------------------------------------------------ where the end is shown


async def test_an_idle_lobby_is_closed_by_editing_its_message(room_of: RoomOf):
    async with room_of(1, lobby_minutes=600) as here:
        await here.lobby()
        shown = posted(here)
        await here.wait(600 * MINUTES + 1)
        assert posted(here) == shown
        assert EXPIRED in here.public_texts()[0]


async def test_an_old_match_is_cancelled_by_editing_its_message(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin(friendly=True)
        ana, shown = here.people[0], posted(here)
        await here.wait(2 * 3600)
        await here.end(ana)
        assert posted(here) == shown
        assert "closed the table" in here.public_texts()[0]


async def has_no_message(here: Room, table: Table) -> bool:
    """Whether the store has no message for a table, so that a restart won't try to show its end."""
    row = await here.bot.parts.stores.games.get(table.id)
    return row is not None and row.message_id is None


async def test_a_deleted_table_is_not_posted_again_when_it_is_cancelled(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        ana = here.people[0]
        await here.begin(friendly=True)
        table = here.table
        here.env.backend.delete_message(here.channel.id, here.shown.id)
        await here.end(ana)
        assert table.phase is Phase.CANCELLED
        assert posted(here) == []
        assert await has_no_message(here, table)


async def test_a_result_is_posted_once_although_the_table_was_deleted(room_of: RoomOf):
    async with room_of(2, chance=Decks(2), turn_seconds=0) as here:
        await here.begin(target=5)
        table = here.table
        while table.phase.open:
            await here.skip(lambda view: view.moves[0], until=lambda _: is_last_click(table))
            await here.play_out(until=lambda: is_last_click(table))
            here.env.backend.delete_message(here.channel.id, here.shown.id)
            left = posted(here)
            await here.step(table, lambda view: view.moves[0])
            if table.phase.open:
                assert len(posted(here)) == len(left) + 1, "it is posted again while the game goes on"
                await here.step(table, lambda view: view.moves[0])
        assert table.phase is Phase.FINISHED
        assert posted(here)[:-1] == left
        assert "🏆" in here.public_texts()[-1]
        assert await has_no_message(here, table)


def is_last_click(table: Table) -> bool:
    """Whether the next click ends the round: the last card has one move."""
    match = table.view().match
    assert match is not None
    if match.turn is None or match.deal < match.deals or sum(match.hand_counts) > 1:
        return False
    view = table.seat_view(match.turn)
    return view is not None and len(view.moves) == 1


@pytest.mark.thorough
async def test_after_a_restart_an_old_table_is_posted_again_only_when_somebody_moves(room_of: RoomOf):
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
