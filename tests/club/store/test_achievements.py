"""Achievements: written with the result that first earned them, each once per person and server."""

from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.club.rules.achievements import Achievement
from bot.club.store.results import PlayerResult
from bot.engine.rules import PRESETS
from bot.process.stores import Stores
from tests.club.store.test_standing_rows import outside_transaction
from tests.support.store import CHANNEL, GUILD, NOON, entry, match_result, new_game, player_result

ANA, BEA = 1, 2
SEVENS, GOLD = Achievement.SEVENS, Achievement.OROS
HOURS = count()


def seat(number: int, user: int | None, *, won: bool = False, **changes: Any) -> PlayerResult:
    return player_result(number, user, won=won, place=1 if won else 2, points=21 if won else 9, **changes)


async def finish(store: Stores, *players: PlayerResult, **changes: Any) -> int:
    """Finish a match an hour after the one before; returns its game."""
    at = NOON + timedelta(hours=next(HOURS))
    game = await new_game(store, CHANNEL)
    await store.games.append(game.id, [entry(1)], result=match_result(players, ended_at=at, **changes), close=True)
    return game.id


async def beats(store: Stores, winner: int, loser: int, **changes: Any) -> int:
    return await finish(store, seat(0, winner, won=True), seat(1, loser), **changes)


async def earned(store: Stores, user: int) -> list[Achievement]:
    return [each.achievement for each in (await store.careers.of(GUILD, user)).achievements]


async def test_a_deed_is_written_once_with_the_match_that_did_it_first(store: Stores) -> None:
    deeds = frozenset({SEVENS, GOLD})
    first = await finish(store, seat(0, ANA, won=True, deeds=deeds), seat(1, BEA, deeds=frozenset({SEVENS})))
    again = await finish(store, seat(0, ANA, deeds=deeds), seat(1, BEA, won=True))
    after = await store.careers.aftermath(GUILD, first, [ANA, BEA])
    assert [(each.user_id, each.achievement) for each in after.achievements] == [
        (ANA, Achievement.FIRST_WIN),
        (ANA, SEVENS),
        (BEA, SEVENS),
        (ANA, GOLD),
    ]
    [only] = (await store.careers.aftermath(GUILD, again, [ANA, BEA])).achievements
    assert (only.user_id, only.achievement) == (BEA, Achievement.FIRST_WIN)
    assert await earned(store, BEA) == [Achievement.FIRST_WIN, SEVENS]


async def test_only_matches_that_count_bring_any_and_computers_have_none(store: Stores) -> None:
    deeds = frozenset({SEVENS})
    await finish(store, seat(0, ANA, won=True, deeds=deeds), seat(1, None), ranked=False)
    await finish(store, seat(0, ANA, won=True, deeds=deeds), seat(1, BEA), ranked=False, friendly=True)
    game = await finish(store, seat(0, ANA), seat(1, BEA), seat(2, None, won=True, deeds=deeds))
    assert (await store.careers.aftermath(GUILD, game, [ANA, BEA])).achievements == ()
    assert await earned(store, ANA) == []


async def test_runs_rivals_and_rule_systems_are_counted_with_the_match(store: Stores) -> None:
    presets = [*PRESETS]
    for number, preset in enumerate(presets):  # lost matches don't count
        await beats(store, 200 + number, ANA, preset=preset)
    for number in range(10):
        so_far = {*await earned(store, ANA)}
        assert {Achievement.TEN_RIVALS, Achievement.LONG_RUN} & so_far == set()
        assert (Achievement.RUN in so_far) == (number >= 5)
        assert (Achievement.ALL_ROUNDER in so_far) == (number >= len(presets))
        await beats(store, ANA, 100 + number, preset=presets[number % len(presets)])
    assert set(await earned(store, ANA)) == {
        *(Achievement.FIRST_WIN, Achievement.RUN, Achievement.LONG_RUN),
        *(Achievement.TEN_RIVALS, Achievement.ALL_ROUNDER),
    }
    assert await earned(store, 100) == []


@pytest.mark.parametrize(
    ("mu", "sigma", "enough"), [(28.0, 2.5, True), (28.0, 3.1, False), (26.5, 2.5, True), (26.2, 2.5, False)]
)
async def test_only_beating_a_far_higher_and_certain_rating_counts(
    store: Stores, database: str | Path, mu: float, sigma: float, enough: bool
) -> None:
    await beats(store, BEA, 3)
    with outside_transaction(database) as connection:
        values = {"mu": mu, "sigma": sigma}
        connection.execute(sa.text("UPDATE standings SET mu = :mu, sigma = :sigma WHERE user_id = 2"), values)
    await beats(store, ANA, BEA)
    assert (Achievement.GIANT_KILLER in await earned(store, ANA)) is enough
    await beats(store, BEA, 4)
    assert Achievement.GIANT_KILLER not in await earned(store, BEA), "her rating was the higher one"


async def test_an_erased_person_has_none_left_and_the_others_keep_theirs(store: Stores, database: str | Path) -> None:
    both = frozenset({SEVENS})
    await finish(store, seat(0, ANA, won=True, deeds=both), seat(1, BEA, deeds=both))
    rows = (await store.personal_data.of(ANA)).achievements
    assert {(guild, achievement) for guild, achievement, _ in rows} == {(GUILD, "first_win"), (GUILD, "sevens")}
    await store.personal_data.forget(ANA, lambda _: lambda kind, body: None, NOON)
    assert (await store.personal_data.of(ANA)).achievements == ()
    assert await earned(store, BEA) == [SEVENS]
    with outside_transaction(database) as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM achievements")) == 1
    assert await store.standings.differences(GUILD) == []


async def test_an_achievement_that_no_match_accounts_for_is_found(store: Stores, database: str | Path) -> None:
    await finish(store, seat(0, ANA, won=True, deeds=frozenset({SEVENS})), seat(1, BEA))
    assert await store.standings.differences(GUILD) == []
    with outside_transaction(database) as connection:
        connection.execute(sa.text("UPDATE achievements SET user_id = 7 WHERE achievement = 'sevens'"))
    assert await store.standings.differences(GUILD) == ["achievements: user 7's 'sevens' has no match that counts"]


async def test_achievements_of_a_newer_version_are_left_out(store: Stores, database: str | Path) -> None:
    game = await beats(store, ANA, BEA)
    with outside_transaction(database) as connection:
        connection.execute(sa.text("UPDATE achievements SET achievement = 'moonwalk'"))
    assert await earned(store, ANA) == []
    assert (await store.careers.aftermath(GUILD, game, [ANA])).achievements == ()


async def test_a_duel_shows_who_won_the_latest_meetings(store: Stores) -> None:
    winners = [ANA, BEA, BEA, ANA]
    for winner in winners:
        await beats(store, winner, ANA + BEA - winner)
    await finish(store, seat(0, ANA), seat(1, BEA), seat(2, 3, won=True))
    await finish(store, seat(0, ANA, won=True), seat(1, 3))
    await finish(store, seat(0, ANA, won=True), seat(1, BEA), ranked=False)
    await finish(store, seat(0, ANA, won=True, side=0), seat(1, BEA, won=True, side=0), seat(2, 4, side=1))
    duel = await store.careers.duel(GUILD, ANA, BEA)
    assert duel is not None
    assert (duel.met.wins, duel.met.losses, duel.met.matches) == (2, 2, 5)
    assert duel.form == (0, 1, 1, 0, None)
    assert (duel.rival.name, duel.rival.wins) == ("user 2", 3)
    back = await store.careers.duel(GUILD, BEA, ANA)
    assert back is not None
    assert back.form == (1, 0, 0, 1, None)
    assert await store.careers.duel(GUILD, ANA, 99) is None
