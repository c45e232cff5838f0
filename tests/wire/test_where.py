"""Where games are, on the wire: threads of all kinds, servers without a language, games that nobody goes on with."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.tables.errors import Refusal, RefusalCode
from bot.ui.boards.channel_access import PROBE_SECONDS
from bot.ui.words.refusals import refusal
from bot.ui.words.texts import words
from tests.support.fake_discord.person import Person
from tests.wire.players import Party
from tests.wire.seen import Answer, Seen
from tests.wire.table import Table, tables
from tests.wire.world import Wire, wire

EN = words("en")
MESSAGES = "/channels/*/messages"
DAY = 24 * 3600
IDLE = EN("Nobody has moved for so long that I have ended the game. It counts for nobody.")


def no(code: RefusalCode) -> str:
    """What somebody is told who is refused for this reason."""
    return refusal(Refusal(code), EN)


async def begun(w: Wire, channel_id: int, *people: Person, computer: bool = False) -> Table:
    """A match in a channel or thread, with everybody's panel open."""
    await w.slash(people[0], channel_id, "escoba play")
    for person in people[1:]:
        await w.click(person, w.table(channel_id), w.table(channel_id).one("join"))
    if computer:
        await w.click(people[0], w.table(channel_id), w.table(channel_id).one("addc"))
    await w.click(people[0], w.table(channel_id), w.table(channel_id).one("start"))
    for person in people:
        await w.click(person, w.table(channel_id), w.table(channel_id).one("hand"))
    await w.settle()
    return Table(w, Party(w, channel_id, people))


def public(w: Wire, channel_id: int) -> list[Seen]:
    """The public messages of the bot, oldest first."""
    return [seen for seen in w.history(channel_id) if int(seen.payload["author"]["id"]) == w.realm.bot_id]


async def refreshed(table: Table, person: Person) -> Answer:
    """Somebody presses Refresh on their panel."""
    panel = table.panel(person)
    return await table.wire.click(person, panel, panel.one("panel"))


async def turned_back(w: Wire, seconds: int) -> None:
    """Stop the bot, let everything in its database have happened so much earlier, and start it again."""
    await w.kill()
    with closing(sqlite3.connect(w.database)) as connection, connection:
        for table, column in (("events", "at"), ("games", "message_at"), ("games", "opened_at")):
            earlier = f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-{seconds} seconds') || '000'"
            connection.execute(f"UPDATE {table} SET {column} = {earlier} WHERE {column} IS NOT NULL")  # noqa: S608
    await w.start_bot()
    await w.settle()


# ------------------------------------------------------------------ languages


@pytest.mark.parametrize(("community", "spoken"), [(None, "es"), ("en-US", "en"), ("es-ES", "es"), ("fr", "en")])
async def test_an_ordinary_server_is_spoken_to_as_the_opener_a_community_as_it_chose(
    tmp_path: Path, community: str | None, spoken: str
) -> None:
    async with wire(tmp_path, ["Ana"], community=community) as w:
        w.realm.locales[w.people[0].id] = "es-ES"
        await w.slash(w.people[0], w.channels[0], "escoba play")
        assert words(spoken)("Join") in [press.label for press in w.table(w.channels[0]).presses]


# ------------------------------------------------------------------ threads


async def test_in_a_private_thread_no_game_opens_before_the_bot_is_in_it(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        ana, bea = w.people
        thread = w.threads.add(w.channels[0], private=True, people=w.people)
        told = await w.slash(ana, thread, "escoba play")
        assert (told.private, told.text) == (True, no(RefusalCode.OUTSIDE_THREAD))
        assert w.rows("SELECT count(*) FROM games") == [(0,)]
        assert not [request for request in w.requests if request.status == 403]
        w.say(ana, thread, f"<@{w.realm.bot_id}> ven")
        table = await begun(w, thread, ana, bea)
        await table.moves(2)
        await table.catches_up()
        await w.restart()
        for person in (ana, bea):
            await w.click(person, table.shown, table.shown.one("hand"))
        await table.moves(1)
        await table.catches_up()
        assert [request.path for request in w.requests if request.status == 403] == []


async def test_a_bot_that_is_thrown_out_of_a_private_thread_says_so_and_waits(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana"], as_discord=True) as w:
        [ana] = w.people
        thread = w.threads.add(w.channels[0], private=True, people=w.people)
        w.say(ana, thread, f"<@{w.realm.bot_id}>")
        table = await begun(w, thread, ana, computer=True)
        await w.bot.until(lambda: bool(table.panel(ana).find("card")))
        w.threads.remove_bot(thread)
        since = w.requests[-1].number
        for _ in range(6):
            if table.panel(ana).find("card"):
                await table.move().end()
                await w.settle()
        version = table.version
        told = [await refreshed(table, ana) for _ in range(4)]
        assert [(each.private, each.text) for each in told] == [(True, no(RefusalCode.OUTSIDE_THREAD))] * 4
        await w.settle()
        refused = [request for request in table.requests(since) if request.status == 403]
        assert 1 <= len(refused) <= 3, [str(request) for request in refused]
        assert table.version == version, "nobody's clicks let the computer begin, nor hold it up"
        w.say(ana, thread, f"<@{w.realm.bot_id}>")
        await asyncio.sleep(PROBE_SECONDS)
        assert "hand" in [press.verb for press in table.shown.presses]
        await w.click(ana, table.panel(ana), table.panel(ana).one("panel"))
        await w.bot.until(lambda: bool(table.panel(ana).find("card", "take")))
        await table.catches_up()


async def test_a_table_opens_its_archived_thread_again_by_a_new_message(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        table = await begun(w, thread, *w.people)
        before = table.shown
        w.threads.archive(thread)
        await table.move().end()
        await w.bot.until(lambda: table.shown.id > before.id)
        await table.catches_up()
        await w.settle()
        assert not w.realm.channel_payload(thread)["thread_metadata"]["archived"]

        def left() -> Seen:
            return next(seen for seen in w.history(thread) if seen.id == before.id)

        await w.bot.until(lambda: not left().presses)  # its edit waits for its turn in the channel
        assert f"/{table.shown.id}" in left().text
        shown = table.shown.id
        await table.moves(2)
        await table.catches_up()
        assert table.shown.id == shown


async def test_a_closed_game_leaves_its_archived_thread_asleep(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        await begun(w, thread, *w.people)
        await w.slash(w.people[0], thread, "escoba cancel")
        question = w.latest(thread, "cancelyes", viewer=w.people[0])
        assert question is not None
        w.threads.archive(thread)
        since = w.requests[-1].number
        await w.click(w.people[0], question, question.one("cancelyes"))
        await w.settle()
        assert w.sent("POST", MESSAGES, since=since) == []
        assert w.realm.channel_payload(thread)["thread_metadata"]["archived"]
        assert w.rows("SELECT count(*) FROM games WHERE closed_at IS NULL OR message_id IS NOT NULL") == [(0,)]


@pytest.mark.parametrize("archived", [False, True], ids=["open", "archived"])
async def test_in_a_locked_thread_a_game_waits_until_it_is_unlocked(tmp_path: Path, archived: bool) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        ana, bea = w.people
        thread = w.threads.add(w.channels[0])
        table = await begun(w, thread, ana, bea)
        w.threads.lock(thread)
        if archived:
            w.threads.archive(thread)
        since = w.requests[-1].number
        await table.move().end()
        await w.settle()
        version = table.version
        for person in (ana, bea, ana):
            told = await refreshed(table, person)
            assert told.private
            assert told.text in (no(RefusalCode.LOCKED), no(RefusalCode.MUTED))
        await w.settle()
        assert len([request for request in table.requests(since) if request.status == 403]) <= 2
        w.threads.archive(thread, archived=False)
        w.threads.lock(thread, locked=False)
        await asyncio.sleep(PROBE_SECONDS)
        for person in (ana, bea):
            await refreshed(table, person)
        assert table.version == version
        await table.moves(1)
        await table.catches_up()


async def test_no_game_opens_in_a_locked_thread(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana"], as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        w.threads.lock(thread)
        told = await w.slash(w.people[0], thread, "escoba play")
        assert (told.private, told.text) == (True, no(RefusalCode.LOCKED))


# ------------------------------------------------------------------ what nobody goes on with


async def test_a_match_in_which_nobody_has_moved_for_two_weeks_is_over_at_the_next_start(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        shown = table.shown.id
        since = w.requests[-1].number
        await turned_back(w, 15 * DAY)
        await w.bot.until(lambda: table.phase == "idle")
        await w.settle()
        [told] = [seen for seen in public(w, table.channel_id) if seen.id == shown]
        assert told.text.startswith(IDLE)
        assert "Nobody was left" not in told.text
        assert w.sent("POST", MESSAGES, since=since) == []
        assert w.rows("SELECT count(*) FROM results") == [(0,)]


async def test_an_old_match_is_posted_afresh_by_the_first_move_after_a_start_and_not_by_the_start(
    tmp_path: Path,
) -> None:
    async with tables(tmp_path) as (w, [table]):
        shown, since = table.shown.id, w.requests[-1].number
        w.realm.make_old(table.channel_id, shown)
        for _ in range(2):
            await turned_back(w, 2 * 3600)
        assert w.sent("POST", MESSAGES, since=since) == []
        for person in w.people:
            await refreshed(table, person)
        await table.move().end()
        await w.bot.until(lambda: table.shown.id > shown)
        assert len(w.sent("POST", MESSAGES, since=since)) == 1


@pytest.mark.parametrize("deleted", [False, True], ids=["there", "deleted"])
async def test_an_old_table_that_is_over_is_edited_and_never_posted_again(tmp_path: Path, deleted: bool) -> None:
    async with tables(tmp_path) as (w, [table]):
        shown, ana = table.shown.id, w.people[0]
        await turned_back(w, 2 * 3600)
        w.realm.make_old(table.channel_id, shown)
        if deleted:
            w.realm.delete_message(table.channel_id, table.shown.id)
        since = w.requests[-1].number
        await w.slash(ana, table.channel_id, "escoba cancel")
        question = w.latest(table.channel_id, "cancelyes", viewer=ana)
        assert question is not None
        await w.click(ana, question, question.one("cancelyes"))
        await w.bot.until(lambda: table.phase == "cancelled")
        await w.settle()
        await w.restart()
        await w.settle()
        assert w.sent("POST", MESSAGES, since=since) == []
        left = [seen for seen in public(w, table.channel_id) if seen.id == shown]
        assert ["cancelled" in seen.text for seen in left] == ([] if deleted else [True])


async def test_a_forgotten_match_makes_room_for_whoever_asks(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana", "Bea", "Ciro"]) as w:
        ana, bea, ciro = w.people
        table = await begun(w, w.channels[0], ana, bea)
        told = await w.slash(ciro, table.channel_id, "escoba play")
        assert told.presses == []
        await turned_back(w, 11 * 60)
        before = table.shown
        asked = await w.slash(ciro, table.channel_id, "escoba play", preset="juegon")
        assert asked.private
        assert "**Ana**, **Bea**" in asked.text
        question = w.latest(table.channel_id, "clearyes", viewer=ciro)
        assert question is not None
        shot = w.send_click(ciro, question, question.one("clearyes"))
        assert (await shot.end()).private
        await w.settle()
        left = next(seen for seen in public(w, table.channel_id) if seen.id == before.id)
        assert left.text.startswith("**Ciro** has ended the game")
        lobby = w.table(table.channel_id, "join")
        assert lobby.id > before.id
        assert "**Ciro** opens a table" in lobby.text
        assert w.latest(table.channel_id, "clearyes", viewer=ciro) is None
        assert w.notified.by_bot() == []
        await w.click(ana, lobby, lobby.one("join"))
        assert "2. **Ana**" in w.table(table.channel_id, "join").text


async def test_a_move_and_a_yes_at_the_same_instant_leave_one_game(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana", "Bea", "Ciro"]) as w:
        ana, bea, ciro = w.people
        table = await begun(w, w.channels[0], ana, bea)
        await turned_back(w, 11 * 60)
        for person in (ana, bea):
            await refreshed(table, person)
        await w.slash(ciro, table.channel_id, "escoba play")
        question = w.latest(table.channel_id, "clearyes", viewer=ciro)
        assert question is not None
        move, yes = table.move(), w.send_click(ciro, question, question.one("clearyes"))
        await move.end()
        await yes.end()
        await w.settle()
        open_games = w.rows("SELECT id FROM games WHERE closed_at IS NULL")
        assert len(open_games) == 1
        if open_games == [(1,)]:
            assert yes.texts.startswith(no(RefusalCode.NOT_FORGOTTEN))
