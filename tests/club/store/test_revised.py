"""A tournament's organiser changes how its matches count: all that is counted is as if they had ended like that."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.club.rules.achievements import Achievement
from bot.club.store.results import MatchResult
from bot.club.store.revised import Verdict, ruled
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.dose import dose, thorough_but
from tests.support.store import (
    GUILD,
    NOON,
    OPENER,
    add_finished_game,
    entry,
    match_result,
    on_both,
    player_result,
    rows,
)

TOURNAMENT = 7
ANA, BEA, CLO, DAN = 1, 2, 3, 4
COUNTED = {
    "results": "SELECT id, ranked, friendly, nth, weight FROM results ORDER BY id",
    "seats": "SELECT result_id, seat, won, points, place, stayed, mu, sigma, new_mu, "
    "new_sigma, weight, known, nth FROM result_players ORDER BY result_id, seat",
    "standings": "SELECT period, user_id, preset, matches, wins, points, streak, best_streak, season_points, rated, "
    "top_points, mu, sigma, rated_at FROM standings ORDER BY period, user_id, preset",
    "gains": "SELECT user_id, source_id, day, amount FROM rating_gains ORDER BY user_id, source_id, day",
    "rivals": "SELECT user_id, rival_id, matches, wins, losses FROM rivals ORDER BY user_id, rival_id",
}


def won(winner: int, loser: int, number: int = 0, *, left: bool = False, **deeds: Any) -> MatchResult:
    """A match that the first seat's player won; `number` says when."""
    players = (
        player_result(0, winner, won=True, place=1, points=15, sources="{}", **deeds),
        player_result(1, loser, place=2, points=0 if left else 9, stayed=not left, sources=None if left else "{}"),
    )
    return match_result(players, ended_at=NOON + timedelta(minutes=number), target=15)


async def play(store: Stores, fixture: str, result: MatchResult) -> None:
    """Store a tournament's match."""
    game = await store.games.open(
        guild_id=GUILD,
        channel_id=int(fixture.replace(".", "")) + 1000,
        opener_id=OPENER,
        locale="es-ES",
        at=NOON,
        entries=[],
        fixture=(TOURNAMENT, fixture),
    )
    await store.games.append(game.id, [entry(1)], result=result, close=True)


def counted(database: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: [_rounded(row) for row in rows(database, query)] for name, query in COUNTED.items()}


def _rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(round(value, 9) if isinstance(value, float) else value for value in row)


@on_both
async def test_a_void_match_counts_nowhere_and_later_ratings_follow(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [won(CLO, BEA)])
    before = counted(database)["standings"]
    await play(store, "1.1", won(ANA, BEA, 1))
    assert await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=False)])
    ana, bea = await store.leaderboards.stats(GUILD, ANA), await store.leaderboards.stats(GUILD, BEA)
    assert (ana.matches, ana.wins, ana.season_points, ana.mu) == (0, 0, 0, None)
    assert [row[3:-1] for row in counted(database)["standings"] if row[1] == BEA] == [
        row[3:-1] for row in before if row[1] == BEA
    ]
    assert bea.matches == 1
    assert await store.standings.differences(GUILD) == []
    assert not await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=False)]), "it is void already"
    assert not await store.tournaments.revise(TOURNAMENT, [Verdict("9.9", ranked=False)]), "it was never played"


@on_both
async def test_results_that_change_count_as_if_they_had_ended_like_that(store: Stores, database: str | Path) -> None:
    await play(store, "1.1", won(ANA, BEA))
    await play(store, "1.2", won(CLO, DAN, 1, left=True))
    await add_finished_game(store, [won(BEA, CLO, 2), won(ANA, BEA, 3)])
    verdicts = [Verdict("1.1", ranked=True, winner=1, points=(3, 15)), Verdict("1.2", ranked=True, winner=1)]
    assert await store.tournaments.revise(TOURNAMENT, verdicts)
    seats = counted(database)["seats"]
    assert [row[:6] for row in seats[:4]] == [
        (1, 0, 0, 3, 2, 1),
        (1, 1, 1, 15, 1, 1),
        (2, 0, 0, 0, 2, 1),
        (2, 1, 1, 0, 1, 1),
    ]
    assert (await store.leaderboards.stats(GUILD, DAN)).wins == 1
    assert await store.standings.differences(GUILD) == []
    back = [Verdict("1.1", ranked=True, winner=0, points=(15, 9)), Verdict("1.2", ranked=True, winner=0)]
    assert await store.tournaments.revise(TOURNAMENT, back)
    assert not counted(database)["seats"][3][5], "who left left again"


@pytest.mark.parametrize("seed", thorough_but(range(dose("REVISED", 6)), 0, 1))
async def test_it_is_as_if_nothing_else_had_ever_been_written(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    people = (ANA, BEA, CLO, DAN, 5)
    evening: list[tuple[str | None, MatchResult]] = []
    for number in range(14):
        two = random.sample(people, 2)
        fixture = f"{number}.1" if random.random() < 0.6 else None
        match = won(two[0], two[1], number * random.choice((1, 60, 900)), left=random.random() < 0.2)
        if seed % 2:  # else 1.0 began it
            match = replace(match, players=tuple(replace(each, played=True, gains=True) for each in match.players))
        evening.append((fixture, match))
    fixtures = [fixture for fixture, _ in evening if fixture is not None]
    verdicts = [
        Verdict(fixture, ranked=random.random() < 0.6, winner=random.randrange(2), points=(random.randrange(20), 4))
        for fixture in random.sample(fixtures, len(fixtures) // 2)
    ]
    found: list[dict[str, list[tuple[Any, ...]]]] = []
    for name, late in (("late", True), ("early", False)):
        path = with_tables(tmp_path / f"{name}.sqlite3")
        store = await Stores.open(path)
        for fixture, result in evening:
            verdict = next((each for each in verdicts if each.fixture == fixture), None)
            as_decided = result if verdict is None or late else ruled(result, verdict)
            if fixture is None:
                await add_finished_game(store, [as_decided])
            else:
                await play(store, fixture, as_decided)
        if late:
            for verdict in random.sample(verdicts, len(verdicts)):
                await store.tournaments.revise(TOURNAMENT, [verdict])
        assert await store.standings.differences(GUILD) == []
        await store.database.close()
        found.append(counted(path))
    assert found[0] == found[1]


async def test_achievements_follow(store: Stores) -> None:
    sevens = frozenset({Achievement.SEVENS})
    await play(store, "1.1", won(ANA, BEA, deeds=sevens))

    async def earned(user_id: int) -> set[Achievement]:
        return {each.achievement for each in (await store.careers.of(GUILD, user_id)).achievements}

    assert await earned(ANA) == {Achievement.FIRST_WIN, Achievement.SEVENS}
    await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=True, winner=1, points=(0, 15))])
    assert await earned(ANA) == {Achievement.SEVENS}, "the sevens were theirs, the win wasn't"
    assert await earned(BEA) == {Achievement.FIRST_WIN}
    await add_finished_game(store, [won(ANA, BEA, 1)])
    await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=False)])
    assert await earned(ANA) == {Achievement.FIRST_WIN}, "the later win is the first one"
    assert await earned(BEA) == set()
    assert await store.standings.differences(GUILD) == []


async def test_a_deed_of_the_winners_goes_with_the_win(store: Stores) -> None:
    await play(store, "1.1", won(ANA, BEA, deeds=frozenset({Achievement.ROUT})))
    await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=True, winner=1)])
    assert (await store.careers.of(GUILD, ANA)).achievements == ()


async def test_somebody_erased_since_stays_so_and_the_others_ratings_are_right(store: Stores) -> None:
    await play(store, "1.1", won(ANA, BEA))
    await add_finished_game(store, [won(CLO, BEA, 1), won(ANA, CLO, 2)])
    await store.personal_data.forget(CLO, Disguise(CLO).rewriter, NOON)
    await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=False)])
    assert await store.standings.differences(GUILD) == []
    assert (await store.leaderboards.stats(GUILD, BEA)).matches == 1
