"""Where games are played: in threads of all kinds and servers of any language; and games that nobody continues."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.platform.kit.channel_access import PROBE_SECONDS
from bot.platform.language.catalogues import words
from bot.platform.refusals import CommonRefusal, RefusalCode
from bot.process.outages import ALIVE
from bot.tables.refusals import TableRefusal
from tests.support.fake_discord.person import Person
from tests.wire.players import Party
from tests.wire.seen import WORKING, Answer, Seen
from tests.wire.table import Table, end_question, manager_of, tables
from tests.wire.world import Wire, wire

EN = words("en")
CANNOT_WRITE = "I can't write in"
MESSAGES = "/channels/*/messages"
DAY = 24 * 3600
IDLE = EN("Nobody moved for so long that I ended the match. It doesn't count.")


def refusal_text(code: RefusalCode) -> str:
    """The text for people who are refused for this reason."""
    return EN(code.value)


async def start_match(
    w: Wire, channel_id: int, *people: Person, computer: bool = False, friendly: bool = False
) -> Table:
    """Start a match in a channel or thread, and open everybody's panel."""
    await w.slash(people[0], channel_id, "escoba play")
    for person in people[1:]:
        await w.click(person, w.table(channel_id), w.table(channel_id).one("join"))
    if computer:
        await w.click(people[0], w.table(channel_id), w.table(channel_id).one("addc"))
    if friendly:
        await w.click(people[0], w.table(channel_id), w.table(channel_id).one("options"))
        options = w.latest(channel_id, "rated", viewer=people[0])
        assert options is not None
        await w.click(people[0], options, options.one("rated"))
        await w.settle()
    await w.click(people[0], w.table(channel_id), w.table(channel_id).one("start"))
    await w.bot.until(lambda: bool(w.table(channel_id).find("hand")))
    await w.settle()
    for person in people:
        await w.click(person, w.table(channel_id), w.table(channel_id).one("hand"))
    await w.settle()
    return Table(w, Party(w, channel_id, people))


def public(w: Wire, channel_id: int) -> list[Seen]:
    """The bot's public messages, oldest first."""
    return [seen for seen in w.history(channel_id) if int(seen.payload["author"]["id"]) == w.realm.bot_id]


async def refresh(table: Table, person: Person) -> Answer:
    """Press Refresh on somebody's panel."""
    panel = table.panel(person)
    return await table.wire.click(person, panel, panel.one("panel" if panel.find("panel") else "hint"))


async def restart_after(w: Wire, seconds: int) -> None:
    """Kill the bot, backdate all in its database by `seconds`, as if it had run ever since, and start it again."""
    await w.kill()
    with closing(sqlite3.connect(w.database)) as connection, connection:
        for table, column in (("events", "at"), ("games", "message_at"), ("games", "opened_at")):
            earlier = f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-{seconds} seconds') || '000'"
            connection.execute(f"UPDATE {table} SET {column} = {earlier} WHERE {column} IS NOT NULL")  # noqa: S608
        alive = json.dumps({"alive": time.time(), "outages": [], "offset": 0})
        connection.execute("INSERT OR REPLACE INTO key_values (key, value) VALUES (?, ?)", (ALIVE, alive))
    await w.start_bot()
    await w.settle()


# ------------------------------------------------------------------ languages


@pytest.mark.thorough
async def test_the_language_is_the_openers_unless_the_server_is_a_community(tmp_path: Path) -> None:
    async with wire(tmp_path, 0, 0, started=False) as w:
        openers: list[tuple[Person, int, str, str | None]] = []
        for community, spoken in ((None, "es"), ("en-US", "en"), ("es-ES", "es"), ("vi", "en")):
            guild = w.realm.add_guild(f"Plaza {community}", community)
            ana, channel = w.realm.add_person("Ana", guild), w.realm.add_channel("mesa", guild)
            w.realm.locales[ana.id] = "es-ES"
            openers.append((ana, channel, spoken, community))
        await w.start_bot()
        for ana, channel, spoken, community in openers:
            await w.slash(ana, channel, "escoba play")
            assert words(spoken).context("button", "Join") in [press.label for press in w.table(channel).presses], (
                community
            )


# ------------------------------------------------------------------ threads


@pytest.mark.thorough
async def test_no_game_opens_in_a_private_thread_before_the_bot_is_added_to_it(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        ana, bea = w.people
        thread = w.threads.add(w.channels[0], private=True, people=w.people)
        answer = await w.slash(ana, thread, "escoba play")
        assert (answer.private, answer.text) == (True, refusal_text(CommonRefusal.OUTSIDE_THREAD))
        assert w.rows("SELECT count(*) FROM games") == [(0,)]
        assert not [request for request in w.requests if request.status == 403]
        w.say(ana, thread, f"<@{w.realm.bot_id}> ven")
        table = await start_match(w, thread, ana, bea)
        await table.moves(2)
        await table.catches_up()
        w.gateway.starts.seconds = 0  # so that the next process doesn't wait before it identifies
        await w.restart()
        for person in (ana, bea):
            await w.click(person, table.shown, table.shown.one("hand"))
        await table.moves(1)
        await table.catches_up()
        assert [request.path for request in w.requests if request.status == 403] == []


@pytest.mark.thorough
async def test_a_match_goes_on_in_its_panels_when_the_bot_is_removed_from_its_private_thread(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana"], as_discord=True) as w:
        [ana] = w.people
        thread = w.threads.add(w.channels[0], private=True, people=w.people)
        w.say(ana, thread, f"<@{w.realm.bot_id}>")
        table = await start_match(w, thread, ana, computer=True)
        await w.bot.until(lambda: bool(table.panel(ana).find("card")))
        w.threads.remove_bot(thread)
        since, began, version = w.requests[-1].number, time.monotonic(), table.version
        await table.moves(2)
        await w.bot.until(lambda: table.unseen)
        await w.bot.until(lambda: CANNOT_WRITE in table.panel(ana).text)
        answers = [await refresh(table, ana) for _ in range(4)]
        assert all(each.private or each.kind == WORKING for each in answers)  # WORKING: of the panel, which is private
        await w.settle()
        refused = [request for request in table.requests(since) if request.status == 403]
        longest = 2 + (time.monotonic() - began) / PROBE_SECONDS
        assert 1 <= len(refused) <= longest, [str(request) for request in refused]
        assert table.version > version
        w.say(ana, thread, f"<@{w.realm.bot_id}>")
        await table.catches_up()
        await w.bot.until(lambda: not table.unseen)


@pytest.mark.thorough
async def test_a_match_in_a_thread_goes_on_when_the_threads_channel_is_deleted(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True, channels=2) as w:
        threads = [w.threads.add(channel) for channel in w.channels]
        played, slept = [await start_match(w, thread, *w.people) for thread in threads]
        w.realm.remove_channel(w.channels[0])
        await w.bot.until(lambda: played.unseen)
        assert not slept.unseen
        w.gateway.starts.seconds = 0  # so that the next process doesn't wait before it identifies
        await w.restart()
        await w.settle()
        since = w.requests[-1].number
        w.realm.remove_channel(w.channels[1])
        await w.bot.until(lambda: slept.unseen)
        assert [table.phase for table in (played, slept)] == ["playing"] * 2
        assert [request for request in w.requests if request.number > since and request.status == 404] == []


@pytest.mark.thorough
async def test_a_move_unarchives_a_thread_and_shows_on_the_message_that_is_there(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        table = await start_match(w, thread, *w.people)
        shown = table.shown.id
        w.threads.archive(thread)
        await table.move().end()
        await table.catches_up()
        await w.settle()
        assert not w.realm.channel_payload(thread)["thread_metadata"]["archived"]
        await table.moves(2)
        await table.catches_up()
        assert table.shown.id == shown


@pytest.mark.thorough
async def test_a_cancelled_game_leaves_its_thread_archived(tmp_path: Path) -> None:
    async with wire(tmp_path, as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        await start_match(w, thread, *w.people, friendly=True)
        manager = manager_of(w)
        question = await end_question(w, manager, thread)
        w.threads.archive(thread)
        since = w.requests[-1].number
        await w.click(manager, question, question.one("cancelyes"))
        await w.settle()
        assert w.sent("POST", MESSAGES, since=since) == []
        assert w.realm.channel_payload(thread)["thread_metadata"]["archived"]
        unshown = "SELECT count(*) FROM games WHERE closed_at IS NULL OR message_id IS NOT NULL"
        await w.bot.until(lambda: w.rows(unshown) == [(0,)])  # the edit waits until the channel may have another
        assert w.sent("POST", MESSAGES, since=since) == []


@pytest.mark.thorough
async def test_matches_in_locked_threads_go_on_in_their_panels_until_these_are_unlocked(tmp_path: Path) -> None:
    """One of the two threads is also archived."""
    async with wire(tmp_path, as_discord=True, channels=2) as w:
        ana, bea = w.people
        threads = [w.threads.add(channel) for channel in w.channels]
        games = [await start_match(w, thread, ana, bea) for thread in threads]
        for thread in threads:
            w.threads.lock(thread)
        w.threads.archive(threads[1])
        since, began = w.requests[-1].number, time.monotonic()
        versions = [table.version for table in games]
        for table in games:
            await table.moves(1)
        await w.bot.until(lambda: all(table.unseen for table in games))
        for table in games:
            for person in (ana, bea, ana):
                answer = await refresh(table, person)
                assert answer.private
                assert CANNOT_WRITE in answer.text
            await table.moves(1)
        await w.settle()
        for table, version in zip(games, versions, strict=True):
            refused = [request for request in table.requests(since) if request.status == 403]
            assert len(refused) <= 2 + (time.monotonic() - began) / PROBE_SECONDS
            assert table.version > version
        for thread in threads:
            w.threads.archive(thread, archived=False)
            w.threads.lock(thread, locked=False)
        for table in games:
            await table.catches_up()
            await table.moves(1)
            await table.catches_up()


async def test_no_game_opens_in_a_locked_thread(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana"], as_discord=True) as w:
        thread = w.threads.add(w.channels[0])
        w.threads.lock(thread)
        answer = await w.slash(w.people[0], thread, "escoba play")
        assert (answer.private, answer.text) == (True, refusal_text(CommonRefusal.LOCKED))


# ------------------------------------------------------------------ games that nobody continues


@pytest.mark.thorough
async def test_a_match_without_a_move_for_four_weeks_ends_at_the_next_start(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        shown = table.shown.id
        since = w.requests[-1].number
        await restart_after(w, 29 * DAY)
        await w.bot.until(lambda: table.phase == "idle")
        await w.settle()
        [message] = [seen for seen in public(w, table.channel_id) if seen.id == shown]
        assert message.text.startswith(IDLE)
        assert "Everyone left" not in message.text
        assert w.sent("POST", MESSAGES, since=since) == []
        assert w.rows("SELECT count(*) FROM results") == [(0,)]


@pytest.mark.thorough
async def test_after_a_restart_an_old_match_is_posted_afresh_only_by_the_first_move(
    tmp_path: Path,
) -> None:
    async with tables(tmp_path) as (w, [table]):
        shown, since = table.shown.id, w.requests[-1].number
        w.realm.make_old(table.channel_id, shown)
        for _ in range(2):
            await restart_after(w, 2 * 3600)
        assert w.sent("POST", MESSAGES, since=since) == []
        for person in w.people:
            await refresh(table, person)
        await table.move().end()
        await w.bot.until(lambda: table.shown.id > shown)
        assert len(w.sent("POST", MESSAGES, since=since)) == 1


@pytest.mark.thorough
async def test_an_old_table_message_is_edited_and_not_posted_again_when_its_match_is_taken_out(tmp_path: Path) -> None:
    """One of the two messages has been deleted."""
    async with tables(tmp_path, 2) as (w, [there, deleted]):
        shown = {table.channel_id: table.shown.id for table in (there, deleted)}
        await restart_after(w, 2 * 3600)
        for channel_id, message_id in shown.items():
            w.realm.make_old(channel_id, message_id)
        w.realm.delete_message(deleted.channel_id, shown[deleted.channel_id])
        since = w.requests[-1].number
        manager = manager_of(w)
        for table in (there, deleted):
            await w.slash(manager, table.channel_id, "escoba play")
            busy = w.latest(table.channel_id, "takeout", viewer=manager)
            assert busy is not None
            await w.click(manager, busy, busy.one("takeout"))
        await w.settle()
        await w.restart()
        await w.settle()
        assert w.sent("POST", MESSAGES, since=since) == []
        for table, taken_out in ((there, [True]), (deleted, [])):
            left = [seen for seen in public(w, table.channel_id) if seen.id == shown[table.channel_id]]
            assert ["A moderator took this table out" in seen.text for seen in left] == taken_out


@pytest.mark.thorough
async def test_a_forgotten_match_makes_room_for_anybody_who_asks(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana", "Bea", "Ciro"]) as w:
        ana, bea, ciro = w.people
        table = await start_match(w, w.channels[0], ana, bea, friendly=True)
        answer = await w.slash(ciro, table.channel_id, "escoba play")
        assert [press.verb for press in answer.presses] == ["aside"]
        await restart_after(w, 11 * 60)
        before = table.shown
        asked = await w.slash(ciro, table.channel_id, "escoba play", variant="juegon")
        assert asked.private
        assert "**Ana**, **Bea**" in asked.text
        question = w.latest(table.channel_id, "clearyes", viewer=ciro)
        assert question is not None
        shot = w.send_click(ciro, question, question.one("clearyes"))
        assert (await shot.end()).private
        await w.settle()
        left = next(seen for seen in public(w, table.channel_id) if seen.id == before.id)
        assert left.text.startswith("**Ciro** closed the table")
        lobby = w.table(table.channel_id, "join")
        assert lobby.id > before.id
        assert "**Ciro** opened a table" in lobby.text
        assert w.latest(table.channel_id, "clearyes", viewer=ciro) is None
        assert w.notified.by_bot() == []
        await w.click(ana, lobby, lobby.one("join"))
        assert "2. **Ana**" in w.table(table.channel_id, "join").text


async def test_a_move_and_a_confirmation_to_clear_the_table_at_once_leave_one_game(tmp_path: Path) -> None:
    async with wire(tmp_path, ["Ana", "Bea", "Ciro"]) as w:
        ana, bea, ciro = w.people
        table = await start_match(w, w.channels[0], ana, bea, friendly=True)
        await restart_after(w, 11 * 60)
        for person in (ana, bea):
            await refresh(table, person)
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
            assert yes.texts.startswith(refusal_text(TableRefusal.NOT_FORGOTTEN))
