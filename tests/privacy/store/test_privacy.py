"""Privacy: people get everything stored about them, and can be forgotten without harm to anybody else."""

import asyncio
import dataclasses
import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from bot.club.store.results import MatchResult, without_stand_ins
from bot.club.store.standing import Leaderboard, Metric
from bot.engine.cards import DECK
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.event_logs import Rewrite
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import NOBODY, Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.privacy.live import erasure
from bot.privacy.live.erasure import Disguise, erase
from bot.privacy.live.personal_data import personal_data
from bot.privacy.refusals import PrivacyRefusal
from bot.process.check import check
from bot.process.stores import Stores
from bot.tables.live.result import result_of
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, Leave, Start
from bot.tables.log.codec import MATCH, decode, encode, fold
from bot.tables.log.events import Closed, Config, Joined, LogEvent, Opened, Phase
from bot.tables.log.state import TableState
from bot.tables.settings import TablePreferences, TurnNotice
from bot.tables.store.rows import GameRow
from tests.club.store.test_standings_by_hand import (
    COUNTED,
    assert_rivals_are,
    expected_leaderboard,
    expected_stats,
    leaderboard_columns,
    matches,
)
from tests.support.dose import dose
from tests.support.live_files import bytes_of
from tests.support.store import (
    CHANNEL,
    GUILD,
    MARCH,
    NOON,
    add_finished_game,
    leaderboard_of,
    match_result,
    name_of,
    new_game,
    only_stats,
    open_game_ids,
    player_result,
    rows,
    stats_with,
)
from tests.support.tables.driver import Driver
from tests.support.tables.hall import Hall, move_by, play_round, state_of
from tests.support.tables.kit import ANA, BEA, CLO, DON, FRIENDLY, PEOPLE

_numbers = itertools.count(4_000_000_000_000_000_000)


def mentions_of(log: Iterable[object], person: Person) -> list[Any]:
    """The entries that mention the person by id or by full name: a computer's name may begin with theirs."""
    names = (str(person.id), f'"{person.name}"', f"'{person.name}'")
    return [each for each in log if any(name in str(each) for name in names)]


async def stored_game(store: Stores, events: Sequence[LogEvent], state: TableState, channel_id: int) -> GameRow:
    """Store a game with this log, closed if it is over, and with its result if it has one."""
    entries = [LogEntry(version, *encode(event), NOON) for version, event in enumerate(events, 1)]
    game = await store.games.open(
        guild_id=GUILD, channel_id=channel_id, opener_id=ANA.id, locale="es-ES", at=NOON, entries=entries[:1]
    )
    result = result_of(state, guild_id=GUILD, channel_id=channel_id, ended_at=NOON)
    await store.games.append(game.id, entries[1:], joined=people_of(events), result=result, close=not state.open)
    return game


async def replayed(store: Stores, game_id: int) -> TableState:
    """The state of a table according to its stored log."""
    return fold(decode(entry.kind, entry.body) for entry in await store.games.log(game_id))


# -------------------------------------------------------------------------------- results


@pytest.mark.thorough
@hypothesis.settings(
    max_examples=dose("STANDINGS", 6), suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(st.lists(matches(), max_size=10), st.lists(st.integers(1, 6), max_size=4))
async def test_an_erasure_leaves_the_others_their_standings(
    database: str | Path, played: list[MatchResult], leaving: list[int]
) -> None:
    guild = next(_numbers)
    store = await Stores.open(database)
    try:
        played = [dataclasses.replace(each, guild_id=guild) for each in played]
        await add_finished_game(store, played, channel_id=guild)
        for user in leaving:
            await store.personal_data.forget(user, Disguise(user).rewriter, NOON)
            assert await store.personal_data.forget(user, Disguise(user).rewriter, NOON) == 0
        remaining = [
            dataclasses.replace(
                each,
                players=tuple(
                    dataclasses.replace(one, user_id=None, name=NOBODY) if one.user_id in leaving else one
                    for one in each.players
                ),
            )
            for each in played
        ]
        for metric in COUNTED:
            page = await leaderboard_of(store, metric, guild_id=guild)
            assert [leaderboard_columns(row) for row in page.rows] == expected_leaderboard(remaining, metric, None, 1)
        for user in range(1, 7):
            expected = stats_with()
            if user not in leaving:
                expected = expected_stats(user, remaining)
                before = expected_stats(user, played)
                # A place can only rise: people above may be gone.
                assert dataclasses.replace(before, rank=expected.rank) == expected
            assert only_stats(await store.leaderboards.stats(guild, user)) == expected
        await assert_rivals_are(store, guild, remaining)
        assert await store.standings.differences(guild) == []
    finally:
        await store.database.close()


async def test_an_erased_person_disappears_on_every_server(store: Stores) -> None:
    await add_finished_game(
        store, [match_result([player_result(0, 11, won=True), player_result(1, 22)]) for _ in range(3)]
    )
    await add_finished_game(
        store, [match_result([player_result(0, 11), player_result(1, 22, won=True)], guild_id=5)], channel_id=5
    )
    before = {guild: await store.leaderboards.stats(guild, 22) for guild in (GUILD, 5)}
    assert await store.personal_data.forget(11, Disguise(11).rewriter, NOON) == 5, "four results and an achievement"
    for guild in (GUILD, 5):
        assert [row.user_id for row in (await leaderboard_of(store, Metric.WINS, guild_id=guild)).rows] == [22]
        assert await store.leaderboards.own_row(guild, 11, Leaderboard(Metric.WINS)) is None
        assert (await store.leaderboards.stats(guild, 11)).last_at is None
        after = await store.leaderboards.stats(guild, 22)
        assert dataclasses.replace(after, rank=before[guild].rank) == before[guild]
    assert (await store.personal_data.of(11)).results == ()
    assert set(rows(name_of(store), "SELECT user_id, name FROM result_players")) == {(None, NOBODY), (22, "user 22")}


async def test_a_person_erased_during_a_match_is_nobody_in_its_result(store: Stores) -> None:
    stand_in = player_result(0, -77, name="anything", won=True, points=3)
    result = match_result([stand_in, player_result(1, 22), player_result(2, None)])
    assert without_stand_ins(match_result([player_result(0, 22)])) == match_result([player_result(0, 22)])
    await add_finished_game(store, [result])
    assert rows(name_of(store), "SELECT user_id, name, points FROM result_players ORDER BY seat") == [
        (None, NOBODY, 3),
        (22, "user 22", 0),
        (None, "computer", 0),
    ]


# -------------------------------------------------------------------------------- logs


@pytest.mark.thorough
@hypothesis.settings(
    max_examples=dose("STANDINGS", 4), suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(
    st.lists(st.integers(0, 2**32), min_size=1, max_size=4), st.lists(st.sampled_from(PEOPLE), max_size=5)
)
async def test_after_an_erasure_every_log_still_makes_the_same_match(
    database: str | Path, seeds: list[int], leaving: list[Person]
) -> None:
    store = await Stores.open(database)
    try:
        games: list[tuple[int, list[LogEvent], TableState]] = []
        for seed in seeds:
            rng = Random(seed)
            driver = Driver(rng, Config(), wildness=0.4)
            for _ in driver.run(rng.choice((5, 20, 60))):
                pass
            row = await stored_game(store, driver.log, driver.state, next(_numbers))
            games.append((row.id, driver.log, driver.state))
        ids = [game_id for game_id, *_ in games]
        for person in leaving:
            # In open games too: no table in memory writes to them.
            await store.personal_data.forget(person.id, Disguise(person.id).rewriter, NOON, open_games=ids)
            assert await store.personal_data.forget(person.id, Disguise(person.id).rewriter, NOON, open_games=ids) == 0
        gone = {person.id for person in leaving}
        for game_id, log, before in games:
            after = await replayed(store, game_id)
            assert (after.match, after.phase, after.version) == (before.match, before.phase, len(log))
            for old, new in zip(before.seats, after.seats, strict=True):
                if old.person_id in gone:
                    assert new.person_id is not None
                    assert new.person_id < 0
                    assert new == dataclasses.replace(old, name=NOBODY, person_id=new.person_id)
                else:
                    assert new == old
            assert len({seat.person_id for seat in after.seats if seat.person_id}) == len(
                {seat.person_id for seat in before.seats if seat.person_id}
            )
            for person in leaving:
                assert not mentions_of(await store.games.log(game_id), person)
            untouched = [
                (entry.kind, entry.body) == encode(event)
                for entry, event in zip(await store.games.log(game_id), log, strict=True)
                if not any(mentions_of([event], person) for person in leaving)
            ]
            assert all(untouched)
    finally:
        await store.database.close()


async def test_two_games_of_an_erased_person_cant_be_linked(store: Stores) -> None:
    driver = Driver(Random(1), Config())
    ids = [(await stored_game(store, driver.log, driver.state, channel)).id for channel in (1, 2)]
    await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON, open_games=ids)
    openers = [(await replayed(store, game_id)).opener_id for game_id in ids]
    assert len(set(openers)) == 2
    assert all(opener < 0 for opener in openers)
    games = [await store.games.get(game_id) for game_id in await open_game_ids(store)]
    assert [game.opener_id for game in games if game is not None] == [0, 0]


async def test_an_open_game_that_somebody_may_write_to_is_left_as_it_is(store: Stores) -> None:
    driver = Driver(Random(1), Config())
    game = await stored_game(store, driver.log, driver.state, 1)
    assert await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON) == 0
    assert (await replayed(store, game.id)).opener_id == ANA.id
    assert await store.games.get(game.id) == game


async def test_whoever_ended_a_table_is_replaced_in_its_log(store: Stores) -> None:
    log = [Opened(BEA, Config()), Joined(ANA), Closed(Phase.CANCELLED, ANA)]
    game = await stored_game(store, log, fold(log), 1)
    await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON)
    after = await replayed(store, game.id)
    assert after.ended_by is not None
    assert after.ended_by.name == NOBODY
    assert after.ended_by.id == after.seats[1].person_id


async def test_somebody_keeps_a_name_that_is_another_persons_id(store: Stores) -> None:
    joker = Person(BEA.id, f'{ANA.id}","id":{ANA.id}')
    driver = Driver(Random(1), Config())
    game = await stored_game(store, [*driver.log], driver.state, 1)
    await store.games.append(
        game.id, [LogEntry(2, *encode(joined := decode(*encode_joined(joker))), NOON)], joined=[BEA.id], close=True
    )
    await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON)
    log = [decode(entry.kind, entry.body) for entry in await store.games.log(game.id)]
    assert log[1] == joined
    assert (await personal_data(store.personal_data, store.games, BEA.id, NOON))["names"] == [joker.name]


def encode_joined(person: Person) -> tuple[str, str]:
    """The kind and body of the entry for somebody who joins."""
    return "joined", json.dumps({"person": {"id": person.id, "name": person.name}})


async def test_a_row_that_nobody_can_read_is_emptied(store: Stores) -> None:
    game = await new_game(store, log=[LogEntry(1, "opened", f"damaged {ANA.id} Ana", NOON)], joined=[ANA.id])
    await store.games.append(game.id, [], close=True)
    assert await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON) == 1
    assert [entry.body for entry in await store.games.log(game.id)] == ["{}"]


async def test_nothing_of_an_erased_person_is_left_in_the_file(path: Path) -> None:
    person = Person(1_234_567_890_123_456_789, "Zenobia Unmistakable")
    store = await Stores.open(path)
    await add_finished_game(
        store, [match_result([player_result(0, person.id, name=person.name), player_result(1, 22)])]
    )
    game = await new_game(store, 7, log=[LogEntry(1, *encode_joined(person), NOON)], joined=[person.id])
    await store.games.append(game.id, [], close=True)
    await store.database.close()
    traces = [person.name.encode(), str(person.id).encode(), person.id.to_bytes(8, "big")]
    assert all(trace in path.read_bytes() for trace in traces)
    store = await Stores.open(path)
    assert await store.personal_data.forget(person.id, Disguise(person.id).rewriter, NOON) == 2
    for _ in range(2):  # while the bot runs, and after it has ended
        for file in path.parent.iterdir():
            assert not any(trace in bytes_of(file) for trace in traces)
        await store.database.close()


async def test_erasing_is_all_or_nothing(store: Stores) -> None:
    await add_finished_game(store, [match_result([player_result(0, ANA.id), player_result(1, 22)])])
    game = await new_game(store, 7, log=[LogEntry(1, *encode_joined(ANA), NOON)], joined=[ANA.id])
    await store.games.append(game.id, [], close=True)

    def broken(game_id: int) -> Rewrite:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.personal_data.forget(ANA.id, broken, NOON)
    assert len((await store.personal_data.of(ANA.id)).results) == 1
    assert (await store.games.log(game.id))[0].body == encode_joined(ANA)[1]


# -------------------------------------------------------------------------------- the person's data


async def test_a_person_gets_their_games_moves_names_and_results(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        table = await hall.match(ANA, BEA, config=FRIENDLY)
        await play_round(table)
        await table.submit(Leave(Person(BEA.id, BEA.name)))
        await table.submit(Leave(ANA))
        renamed = Person(ANA.id, "Anita")
        running = await hall.match(renamed, BEA)
        await running.submit(move_by(running))
        await add_finished_game(
            hall.store, [match_result([player_result(0, ANA.id, name="A.", won=True), player_result(1, BEA.id)])], 99
        )
        data = await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON)
        text = json.dumps(data, ensure_ascii=False)
        assert str(BEA.id) not in text
        assert BEA.name not in text
        assert set(data) == {
            "made_at",
            "user_id",
            "names",
            "choices",
            "chosen_at",
            "private_message",
            "games",
            "ahead",
            "faces",
            "votes",
            "roles",
            "results",
            "reviews",
            "opponents",
            "gains",
            "practice",
            "lessons",
            "answers",
            "achievements",
            "rule_sets",
            "keys",
        }
        assert data["user_id"] == str(ANA.id)
        assert data["names"] == ["A.", "Ana", "Anita"]
        over, still = data["games"][:2]
        played = [event.body for event in await hall.store.games.log(table.id) if event.kind == MATCH]
        assert over["moves"] == [line for line in played if line.startswith("0 ")]
        assert len(over["moved_at"]) == len(over["moves"])
        assert (over["seat"], over["open"], over["opened_by_you"]) == (0, False, True)
        assert [each["what"] for each in over["you"]] == ["opened", "left"]
        assert over["you"][0]["name"] == "Ana"
        assert not set(still) & {"moves", "you", "seat"}
        assert (still["game"], still["open"], still["server_id"]) == (running.id, True, str(GUILD))
        [result] = data["results"]
        assert (result["name"], result["won"], result["rule_system"], result["counts"]) == ("A.", True, "escoba", True)
        assert "user_id" not in result
    finally:
        await hall.close()


@pytest.mark.parametrize(
    ("stored", "shown"),
    [('{"turn_notice": "digest", "coin": 1}', {"turn_notice": "digest", "coin": 1}), ("<never/>", "<never/>")],
)
async def test_a_persons_data_has_preferences_that_a_newer_version_stored(
    tmp_path: Path, stored: str, shown: object
) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        await hall.store.preferences.put(ANA.id, stored)
        data = await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON)
        assert data["choices"] == shown
    finally:
        await hall.close()


async def test_preferences_are_part_of_a_persons_data_and_erased(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        await hall.preferences.change(ANA.id, TablePreferences, turn_notice=TurnNotice.NEVER)
        await hall.preferences.change(BEA.id, TablePreferences, turn_notice=TurnNotice.AT_ONCE)
        assert (await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON))["choices"] == {
            "turn_notice": "never"
        }
        assert await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA) == 1
        assert await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA) == 0
        assert (await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON))["choices"] is None
        assert hall.preferences.cached(ANA.id, TablePreferences) == TablePreferences()
        assert (await personal_data(hall.store.personal_data, hall.store.games, BEA.id, NOON))["choices"] == {
            "turn_notice": "at_once"
        }
    finally:
        await hall.close()


async def test_data_of_a_running_game_reveals_no_card(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        table = await hall.match(ANA, BEA)
        await table.submit(move_by(table))
        data = await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON)
        del data["keys"]
        words = set(json.dumps(data).replace('"', " ").split())
        assert not words & {str(card) for card in DECK}
        assert len(data["games"]) == 1
    finally:
        await hall.close()


async def test_a_stranger_gets_an_empty_document(store: Stores) -> None:
    await add_finished_game(store, [match_result([player_result(0, 22)])])
    data = await personal_data(store.personal_data, store.games, 404_404_404, NOON)
    assert (data["names"], data["choices"], data["games"], data["results"]) == ([], None, [], [])


async def test_a_damaged_log_keeps_nobody_from_their_data(store: Stores) -> None:
    entries = [LogEntry(1, *encode_joined(ANA), MARCH), LogEntry(2, "closed", "{", MARCH)]
    game = await new_game(store, CHANNEL, log=entries, joined=[ANA.id])
    await store.games.append(game.id, [], close=True)
    [told] = (await personal_data(store.personal_data, store.games, ANA.id, NOON))["games"]
    assert told["unreadable"] == "CodecError"
    assert told["you"][0]["name"] == "Ana"


# -------------------------------------------------------------------------------- open tables


async def assert_stored_as_in_memory(hall: Hall, *tables: Table) -> None:
    """Check that the tables in the file equal those in memory."""
    for table in tables:
        assert await hall.stored(table) == state_of(table)


async def test_an_erased_person_first_leaves_every_table_and_the_matches_go_on(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        playing = await hall.match(ANA, BEA, CLO, channel=1)
        lobby = await hall.lobby(BEA, ANA, channel=2)
        alone = await hall.lobby(ANA, channel=3)
        left = await hall.lobby(DON, ANA, channel=4)
        await left.submit(Leave(ANA))
        await playing.submit(move_by(playing))
        version = playing.view().version
        assert await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA) > 0
        tables = (playing, lobby, alone, left)
        await assert_stored_as_in_memory(hall, *tables)
        assert alone.phase is Phase.CANCELLED
        assert [seat.name for seat in lobby.view().seats] == ["Bea"]
        assert playing.view().seats[0].name == NOBODY
        assert playing.view().version == version
        for table in tables:
            assert table.seat_of(ANA.id) is None
            assert not mentions_of(await hall.store.games.log(table.id), ANA)
            assert not mentions_of(await hall.log(table), ANA)
        assert all(row[0] != ANA.id for row in hall.rows("SELECT opener_id FROM games"))
        assert await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA) == 0
        for person in (BEA, CLO):
            assert playing.seat_of(person.id) is not None
        await lobby.submit(Join(CLO))
        await lobby.submit(Start(BEA, lobby.version))
        hall = await hall.restarted()
        restored = hall.manager.get(playing.id)
        assert restored is not None
        assert state_of(restored) == state_of(playing)
    finally:
        await hall.close()


@pytest.mark.thorough
async def test_a_match_that_ends_later_does_not_bring_them_back(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        table = await hall.match(ANA, BEA, CLO)
        assert await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA) > 0
        seated = {table.seat_of(person.id): person for person in (BEA, CLO)}
        while table.phase is Phase.PLAYING:
            now = table.view().match
            assert now is not None
            if now.turn is not None and now.turn in seated:
                await table.submit(move_by(table, seated[now.turn]))
            else:
                await hall.clock.advance(46)
        assert table.phase is Phase.FINISHED
        await assert_stored_as_in_memory(hall, table)
        players = hall.rows("SELECT user_id, name FROM result_players ORDER BY seat")
        assert players == [(None, NOBODY), (BEA.id, "Bea"), (CLO.id, "Clo")]
        assert hall.rows("SELECT ranked FROM results") == [(1,)]
        page = await leaderboard_of(hall.store, Metric.WINS)
        assert {row.user_id for row in page.rows} == {BEA.id, CLO.id}
        assert (await personal_data(hall.store.personal_data, hall.store.games, ANA.id, NOON))["games"] == []
        assert await check(hall.path, print)
    finally:
        await hall.close()


@pytest.mark.thorough
async def test_everybody_plays_on_while_several_are_erased_at_once(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        playing = [await hall.match(ANA, BEA, CLO, channel=channel) for channel in range(1, 5)]
        lobbies = [await hall.lobby(DON, ANA, BEA, channel=channel) for channel in range(11, 14)]
        everything = [
            erase(hall.store.personal_data, hall.manager, hall.preferences, ANA),
            *(table.submit(move_by(table)) for table in playing),
            erase(hall.store.personal_data, hall.manager, hall.preferences, BEA),
            *(table.submit(Leave(BEA)) for table in lobbies),
            *(table.submit(Join(CLO)) for table in lobbies),
            erase(hall.store.personal_data, hall.manager, hall.preferences, ANA),
            *(table.submit(Leave(CLO)) for table in playing),
            *(table.submit(Start(DON, table.version)) for table in lobbies),
        ]
        Random(5).shuffle(everything)
        done = await asyncio.gather(*everything, return_exceptions=True)
        assert all(isinstance(each, int | None | Refusal) for each in done)
        # It is chance which matches everybody has left by now; the manager has let go of those.
        live = [table for table in (*playing, *lobbies) if hall.manager.get(table.id) is table]
        assert live
        await assert_stored_as_in_memory(hall, *live)
        for person in (ANA, BEA):
            await erase(hall.store.personal_data, hall.manager, hall.preferences, person)
            await assert_stored_as_in_memory(hall, *live)
            for table in (*playing, *lobbies):
                assert not mentions_of(await hall.store.games.log(table.id), person)
            assert not mentions_of([state_of(table).seats for table in live], person)
    finally:
        await hall.close()


async def test_somebody_who_joins_again_during_their_erasure_keeps_that_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        again = await hall.lobby(BEA, ANA, channel=1)
        new = await hall.lobby(CLO, channel=2)
        over = await hall.lobby(ANA, channel=3)
        leave, forget = erasure._leave, hall.store.personal_data.forget

        async def leave_and_join(table: Table, person: Person) -> None:
            await leave(table, person)
            if table is again:
                await table.submit(Join(person))

        async def join_and_forget(*values: Any, **options: Any) -> int:
            await new.submit(Join(ANA))
            return await forget(*values, **options)

        monkeypatch.setattr(erasure, "_leave", leave_and_join)
        monkeypatch.setattr(hall.store.personal_data, "forget", join_and_forget)
        await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
        await assert_stored_as_in_memory(hall, again, new, over)
        assert again.seat_of(ANA.id) == 1
        assert new.seat_of(ANA.id) == 1
        assert not mentions_of(await hall.store.games.log(over.id), ANA)
    finally:
        await hall.close()


async def test_when_the_store_cant_write_the_person_is_informed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        table = await hall.lobby(BEA, ANA)

        async def full(*values: Any, **options: Any) -> int:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

        codes = {"forget": PrivacyRefusal.NOT_ERASED, "of": CommonRefusal.UNAVAILABLE}
        for broken, code in codes.items():
            with monkeypatch.context() as patch:
                patch.setattr(hall.store.personal_data, broken, full)
                with pytest.raises(Refusal) as caught:
                    await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
                assert caught.value.code is code
            await assert_stored_as_in_memory(hall, table)
        assert mentions_of(await hall.store.games.log(table.id), ANA)
        await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
        assert not mentions_of(await hall.store.games.log(table.id), ANA)
    finally:
        await hall.close()
