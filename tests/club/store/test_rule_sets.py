"""Servers' own rules: ten at most, with names that nobody could confuse, and standings of their own."""

import asyncio
from pathlib import Path

from bot.club.rules.seasons import MAX_RULE_SETS, key_of
from bot.club.store.results import MatchResult
from bot.club.store.rule_sets import RuleSetRefusal, RuleSetRow
from bot.club.store.standing import Leaderboard, Metric
from bot.process.stores import Stores
from tests.support.store import GUILD, NOON, add_finished_game, entries, match_result, new_game, player_result

ANA, BEA = 1, 2


async def save(store: Stores, name: str, guild_id: int = GUILD) -> int:
    number = await store.rule_sets.add(guild_id, name, "{}", ANA, NOON)
    assert isinstance(number, int)
    return number


async def names(store: Stores, guild_id: int = GUILD) -> list[str]:
    return [row.name for row in await store.rule_sets.of(guild_id)]


def by_set(number: int | None, **changes: object) -> list[MatchResult]:
    players = (player_result(0, ANA, won=True, points=21, place=1), player_result(1, BEA, points=9, place=2))
    return [match_result(players, rule_set=number, **changes)]


async def test_each_server_has_its_own_in_the_order_in_which_they_were_saved(store: Stores) -> None:
    first, second = await save(store, "La peña de los jueves"), await save(store, "Aurora")
    await save(store, "Aurora", GUILD + 1)
    assert await store.rule_sets.of(GUILD) == [
        RuleSetRow(first, GUILD, "La peña de los jueves", "{}", ANA, NOON),
        RuleSetRow(second, GUILD, "Aurora", "{}", ANA, NOON),
    ]


async def test_a_name_is_taken_whatever_its_case_and_accents_until_it_is_free_again(store: Stores) -> None:
    thursday, other = await save(store, "La peña de los jueves"), await save(store, "Other")
    for name in ("LA PENA DE LOS JUEVES", "la peña  de los Jueves"):
        assert await store.rule_sets.add(GUILD, name, "{}", BEA, NOON) is RuleSetRefusal.NAME_TAKEN
        assert await store.rule_sets.rename(GUILD, other, name) is RuleSetRefusal.NAME_TAKEN
    assert await store.rule_sets.rename(GUILD, thursday, "LA PEÑA de los jueves") is None  # its own name
    assert await store.rule_sets.rename(GUILD, thursday, "Friday") is None
    assert await store.rule_sets.rename(GUILD, other, "La peña de los jueves") is None
    assert await names(store) == ["Friday", "La peña de los jueves"]


async def test_there_are_at_most_ten_and_only_one_of_two_people_saves_the_tenth(
    store: Stores, database: str | Path
) -> None:
    kept = [await save(store, f"Rules {number}") for number in range(MAX_RULE_SETS - 1)]
    other = await Stores.open(database)
    saved = await asyncio.gather(
        store.rule_sets.add(GUILD, "Tenth", "{}", ANA, NOON), other.rule_sets.add(GUILD, "Last", "{}", BEA, NOON)
    )
    assert sorted(isinstance(each, int) for each in saved) == [False, True]
    assert RuleSetRefusal.TOO_MANY in saved
    assert len(await other.rule_sets.of(GUILD)) == MAX_RULE_SETS
    assert await other.rule_sets.remove(GUILD, kept[0])
    assert isinstance(await store.rule_sets.add(GUILD, "Eleventh", "{}", ANA, NOON), int)
    await other.database.close()


async def test_of_two_who_save_one_name_at_once_one_is_told_that_it_is_taken(
    store: Stores, database: str | Path
) -> None:
    other = await Stores.open(database)
    saved = await asyncio.gather(
        store.rule_sets.add(GUILD, "Peña", "{}", ANA, NOON), other.rule_sets.add(GUILD, "pena", "{}", BEA, NOON)
    )
    assert RuleSetRefusal.NAME_TAKEN in saved
    assert len(await store.rule_sets.of(GUILD)) == 1
    await other.database.close()


async def test_they_can_be_replaced_unless_they_are_deleted_or_another_servers(
    store: Stores,
) -> None:
    number = await save(store, "Peña")
    assert await store.rule_sets.change(GUILD + 1, number, "[]", BEA, NOON) is RuleSetRefusal.GONE
    assert await store.rule_sets.change(GUILD, number, "[]", BEA, NOON) is None
    assert await store.rule_sets.of(GUILD) == [RuleSetRow(number, GUILD, "Peña", "[]", BEA, NOON)]
    assert not await store.rule_sets.remove(GUILD + 1, number)
    assert await store.rule_sets.remove(GUILD, number)
    assert await store.rule_sets.change(GUILD, number, "{}", BEA, NOON) is RuleSetRefusal.GONE
    assert await store.rule_sets.rename(GUILD, number, "Other") is RuleSetRefusal.GONE
    assert await store.rule_sets.names(GUILD, [number]) == {}, "nothing refers to it"


async def test_matches_count_for_their_set_and_rule_system_and_changed_rules_for_the_system_alone(
    store: Stores,
) -> None:
    number = await save(store, "Peña")
    await add_finished_game(store, [*by_set(number), *by_set(None), *by_set(number, ranked=False)])
    for preset, matches in ((key_of(number), 1), ("escoba", 2), ("", 2), (key_of(number + 1), 0)):
        page = await store.leaderboards.page(GUILD, Leaderboard(Metric.WINS, preset=preset), limit=9, offset=0)
        assert [(row.user_id, row.matches) for row in page.rows] == [(ANA, matches), (BEA, matches)][: 2 * matches]
    assert await store.standings.differences(GUILD) == []
    career = await store.careers.of(GUILD, ANA)
    assert [(row.preset, row.matches) for row in career.presets] == [("escoba", 2), (key_of(number), 1)]
    assert career.set_names == {number: "Peña"}


async def test_deleted_ones_keep_their_name_for_existing_results(store: Stores) -> None:
    number = await save(store, "Peña")
    await add_finished_game(store, by_set(number))
    assert await store.rule_sets.remove(GUILD, number)
    assert await names(store) == []
    assert await store.rule_sets.names(GUILD, [number]) == {number: "Peña"}
    assert await store.rule_sets.names(GUILD + 1, [number]) == {}, "no other server learns the name"
    ids, _ = await store.results.latest(GUILD, 9)
    assert [row.rule_set for row in await store.results.of(ids)] == ["Peña", "Peña"]
    assert await save(store, "Peña") != number
    assert await store.standings.differences(GUILD) == []


async def test_the_server_keeps_those_that_an_erased_person_saved(store: Stores) -> None:
    number = await save(store, "Peña")
    assert [row.name for row in (await store.personal_data.of(ANA)).rule_sets] == ["Peña"]
    await store.personal_data.forget(ANA, lambda game_id: lambda kind, body: None, NOON)
    assert await store.rule_sets.of(GUILD) == [RuleSetRow(number, GUILD, "Peña", "{}", None, NOON)]
    assert (await store.personal_data.of(ANA)).rule_sets == ()


async def test_they_go_with_their_server(store: Stores) -> None:
    number = await save(store, "Peña")
    await save(store, "Other", GUILD + 1)
    assert await store.kept.guilds() == [GUILD, GUILD + 1]
    assert await store.kept.drop_rest(GUILD, [])
    assert (await names(store), await names(store, GUILD + 1)) == ([], ["Other"])
    assert await store.rule_sets.names(GUILD, [number]) == {}


async def test_a_result_by_rules_that_nobody_kept_says_so(store: Stores) -> None:
    number = await save(store, "Peña")
    await store.rule_sets.remove(GUILD, number)
    await add_finished_game(store, by_set(number))
    ids, _ = await store.results.latest(GUILD, 9)
    assert {row.rule_set for row in await store.results.of(ids)} == {""}


async def test_those_deleted_during_their_first_match_keep_their_name_for_it(store: Stores) -> None:
    number = await save(store, "Peña")
    game = await new_game(store)
    assert await store.rule_sets.remove(GUILD, number)
    assert await names(store) == []
    [result] = by_set(number)
    await store.games.append(game.id, entries(1, 1), result=result, close=True)
    ids, _ = await store.results.latest(GUILD, 9)
    assert {row.rule_set for row in await store.results.of(ids)} == {"Peña"}
