"""Retention: logs of old games and data of servers left long ago are deleted. Also records of who sat in which game."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.club.store.standing import Metric
from bot.platform.database.errors import VersionConflict
from bot.platform.shards import Shards
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from bot.schema.tables import games
from bot.tables.log.evenings import Part
from bot.tables.store.deals import Seal
from bot.tournaments.live.codec import LOG
from bot.training.store.rows import DayAnswer, LessonRow, PracticeRow
from tests.support.store import (
    CHANNEL,
    GUILD,
    NOON,
    OPENER,
    add_finished_game,
    entry,
    leaderboard_of,
    match_result,
    miss,
    new_game,
    player_result,
    rows,
    write_transaction,
)

ELSEWHERE = 5
LATER = NOON + timedelta(days=1)
ANA, BEA = 11, 22


def count(database: str | Path, table: str) -> int:
    [(found,)] = rows(database, f"SELECT count(*) FROM {table}")  # noqa: S608 - tables of this module
    return found


# ------------------------------------------------------------------------------ who sat in which game
async def test_people_who_open_join_or_play_are_recorded_with_the_entry(store: Stores, database: str | Path) -> None:
    game = await new_game(store)
    await store.games.append(game.id, [entry(1)], joined=[ANA, -7])
    await store.games.append(game.id, [entry(2)], joined=[ANA])
    await store.games.append(
        game.id, [entry(3)], result=match_result([player_result(0, BEA), player_result(1, None)]), close=True
    )
    assert rows(database, "SELECT user_id FROM participants ORDER BY user_id") == [(ANA,), (BEA,), (OPENER,)]
    for person in (ANA, BEA, OPENER):
        assert [row.id for row in (await store.personal_data.of(person)).games] == [game.id]


async def test_a_refused_append_records_nobody(store: Stores, database: str | Path) -> None:
    game = await new_game(store)
    with pytest.raises(VersionConflict):
        await store.games.append(game.id, [entry(7)], joined=[ANA])
    assert rows(database, "SELECT user_id FROM participants") == [(OPENER,)]


async def test_an_erased_person_is_recorded_only_in_games_that_stay(store: Stores, database: str | Path) -> None:
    over, still = await new_game(store, 1, joined=[ANA]), await new_game(store, 2, joined=[ANA])
    await store.games.append(over.id, [entry(1)], close=True)
    await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON)
    assert rows(database, "SELECT game_id FROM participants WHERE user_id = 11") == [(still.id,)]


async def test_a_persons_games_are_found_without_reading_other_logs(file_store: Stores, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(
            "EXPLAIN QUERY PLAN SELECT body FROM events JOIN games ON games.id = events.game_id"
            " WHERE game_id IN (SELECT game_id FROM participants WHERE user_id = 1) AND body LIKE '%1%'"
        ).fetchall()
    assert not [step for *_, step in plan if step.startswith("SCAN")], plan


# ------------------------------------------------------------------------------ logs
async def test_logs_of_games_closed_long_ago_go_and_their_results_stay(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [match_result([player_result(0, ANA, won=True), player_result(1, BEA)])])
    still = await new_game(store, 2, log=[entry(1)])
    before = (await leaderboard_of(store, Metric.WINS)).rows, await store.leaderboards.stats(GUILD, ANA)
    assert await store.kept.drop_logs(NOON) == [], "the game was closed later"
    assert await store.kept.drop_logs(LATER) == [1]
    assert await store.kept.drop_logs(LATER) == [], "the second time there is nothing to drop"
    assert await store.games.log(1) == []
    assert len(await store.games.log(still.id)) == 1
    game = await store.games.get(1)
    assert game is not None
    assert (game.opener_id, game.message_id) == (0, None)
    assert rows(database, "SELECT game_id FROM participants") == [(still.id,)]
    assert ((await leaderboard_of(store, Metric.WINS)).rows, await store.leaderboards.stats(GUILD, ANA)) == before
    own = await store.personal_data.of(ANA)
    assert len(own.results) == 1, "personal data include the result that is kept"
    assert await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON) == 2, (
        "the result and the achievement are erased"
    )


async def test_what_a_games_decks_were_drawn_with_goes_with_its_log(store: Stores, database: str | Path) -> None:
    over = await new_game(store, 1, seal=Seal("seed", "commitment"))
    still = await new_game(store, 2, seal=Seal("another", "commitment"))
    await store.games.append(over.id, [entry(1)], close=True)
    assert await store.kept.drop_logs(LATER) == [over.id]
    assert rows(database, "SELECT game_id FROM deals") == [(still.id,)]


async def test_other_writes_happen_between_the_deletions_of_many_logs(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.privacy.store.retention.GAMES_AT_ONCE", 12)
    for number in range(17):
        game = await new_game(store, number, log=[entry(1)])
        await store.games.append(game.id, [], close=True)
    first = await store.kept.drop_logs(LATER)
    assert len(first) == 12
    assert len(await store.kept.drop_logs(LATER, after_id=first[-1])) == 5


async def test_votes_and_faces_that_an_older_version_left_behind_go(store: Stores, database: str | Path) -> None:
    over, still, told = [await new_game(store, number, log=[entry(1)]) for number in (1, 2, 3)]
    result = match_result([player_result(0, ANA, won=True), player_result(1, BEA)])
    await store.games.append(told.id, [entry(2)], result=result, close=True, part=Part(best_of_three=False))
    async with write_transaction(store) as connection:  # as 1.0, which knows neither
        await connection.execute(sa.update(games).where(games.c.id == over.id).values(closed_at=NOON))
    for game in (over, still, told):
        await store.games.vote(game.id, 1, ANA, 0)
        await store.games.press_face(game.id, ANA, "1.1", "clap")
    assert await store.kept.drop_crowds() == 2
    for table in ("votes", "faces"):
        assert rows(database, f"SELECT game_id FROM {table} ORDER BY 1") == [(still.id,), (told.id,)]  # noqa: S608
    assert await store.kept.drop_crowds() == 0


# ------------------------------------------------------------------------------ servers
async def test_all_of_a_servers_data_is_deleted_and_nothing_of_anothers(store: Stores, database: str | Path) -> None:
    for guild in (GUILD, ELSEWHERE):
        game = await store.games.open(
            guild_id=guild, channel_id=guild, opener_id=ANA, locale="es", at=NOON, entries=[entry(1)]
        )
        played = match_result([player_result(0, ANA), player_result(1, BEA)], guild_id=guild)
        await store.games.append(game.id, [entry(2)], result=played, close=True)
        await store.values.set(f"guild_settings:{guild}", "{}")
    await store.kept.depart([GUILD], NOON)
    tables = {"games": 1, "events": 2, "participants": 2, "results": 1, "result_players": 2, "key_values": 1}
    assert await store.kept.drop_games(GUILD) == 1
    assert await store.kept.drop_games(GUILD) == 0
    assert await store.kept.drop_rest(GUILD, [f"guild_settings:{GUILD}"])
    assert {table: count(database, table) for table in tables} == tables
    assert await store.kept.guilds() == [ELSEWHERE]
    assert await store.kept.departed() == {}
    assert (await leaderboard_of(store, Metric.WINS, guild_id=GUILD)).total == 0
    assert (await leaderboard_of(store, Metric.WINS, guild_id=ELSEWHERE)).total == 2
    new = await new_game(store)
    assert new.id == 3, "no id is given out twice"


async def test_erasures_that_are_due_in_a_servers_games_and_tournaments_are_forgotten_with_them(
    store: Stores, database: str | Path
) -> None:
    nowhere = Shards((next(number for number in range(4) if number not in (GUILD >> 22 & 3, ELSEWHERE >> 22 & 3)),), 4)
    for guild in (GUILD, ELSEWHERE):
        place: Any = {"guild_id": guild, "channel_id": guild, "locale": "es", "at": NOON, "entries": [entry(1)]}
        game = await store.games.open(**place, opener_id=ANA)
        evening = await store.tournaments.open(**place, organiser_id=ANA)
    await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON, shards=nowhere)
    await store.tournaments.forget(ANA, Disguise(ANA, LOG).rewriter, shards=nowhere)
    due = {(f"erase-tournament:{evening.id}:{ANA}",), (f"erase:{game.id}:{ANA}",)}
    assert count(database, "key_values") == 2 * len(due)
    for [number] in rows(database, f"SELECT id FROM games WHERE guild_id = {GUILD}"):  # noqa: S608 - a constant
        await store.games.give_up(number, NOON)
    assert await store.kept.drop_games(GUILD) == 1
    assert await store.kept.drop_rest(GUILD, [])
    assert set(rows(database, "SELECT key FROM key_values")) == due


async def test_somebody_is_inactive_once_the_latest_of_all_that_they_did_is_long_ago(store: Stores) -> None:
    async def inactive(days: int) -> list[int]:
        return [each for each in await store.kept.inactive(NOON + timedelta(days=days)) if each != OPENER]

    at = iter(NOON + timedelta(days=day) for day in range(99))
    await add_finished_game(store, [match_result([player_result(0, 1), player_result(1, 2)], ended_at=next(at))])
    assert await inactive(0) == []
    assert await inactive(1) == [1, 2]
    await store.answers.give(DayAnswer(NOON.date(), 1, GUILD, "Ana", "7o", 0, True, next(at)))
    assert await inactive(1) == [2]
    await store.lessons.put(1, LessonRow("escoba", 1, None, next(at)))
    assert await store.rule_sets.add(GUILD, "Peña", "{}", 2, next(at))
    assert await inactive(90) == [], "the daily run has yet to note when they chose something, if they did"
    await store.kept.note_chosen(NOON)
    assert (await inactive(2), await inactive(3), await inactive(4)) == ([], [1], [1, 2])
    for person in (1, 3):
        await store.preferences.put(person, '{"nudge": "never"}')
    assert await inactive(90) == [2], "they have just chosen"
    await store.kept.note_chosen(next(at))
    assert (await inactive(4), await inactive(5)) == ([2], [1, 2, 3])
    await store.preferences.put(3, None)
    assert await inactive(90) == [1, 2]
    game = await new_game(store, joined=[1, 2])
    assert await inactive(90) == [], "nobody is erased from an open game"
    await store.games.give_up(game.id, next(at))
    assert (await inactive(5), await inactive(6)) == ([], [1, 2])
    await store.practice.add(2, [PracticeRow("3:1", "", "sevens", 3, next(at))])
    assert (await inactive(6), await inactive(7)) == ([1], [1, 2])


async def test_a_server_with_an_open_game_isnt_deleted_completely(store: Stores) -> None:
    await new_game(store, CHANNEL)
    await store.kept.depart([GUILD], NOON)
    assert await store.kept.drop_games(GUILD) == 0
    assert not await store.kept.drop_rest(GUILD, [])
    assert await store.kept.departed() == {GUILD: NOON}


async def test_the_first_record_of_a_departure_stays_until_it_is_withdrawn(store: Stores) -> None:
    await store.kept.depart([GUILD, ELSEWHERE], NOON)
    await store.kept.depart([GUILD], LATER)
    assert await store.kept.departed() == {GUILD: NOON, ELSEWHERE: NOON}
    await store.kept.rejoin([GUILD, 77])
    await store.kept.depart([GUILD], LATER)
    assert await store.kept.departed() == {GUILD: LATER, ELSEWHERE: NOON}


async def test_a_server_that_an_older_version_missed_was_left_then(store: Stores) -> None:
    await miss(store, GUILD, NOON)
    await miss(store, ELSEWHERE, NOON)
    await store.kept.depart([GUILD], LATER)
    assert await store.kept.departed() == {GUILD: NOON, ELSEWHERE: NOON}
    await store.kept.rejoin([GUILD])
    assert await store.kept.departed() == {ELSEWHERE: NOON}
