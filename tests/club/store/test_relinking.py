"""Somebody who has the whole database tries to find out which results are the same erased person's.

They go by what is stored of them. By solving the rating's formula for it, from how others' ratings changed in matches
of two, some can still be put together: these changes are the others', and stay. The page on privacy says so.
"""

from datetime import timedelta
from pathlib import Path
from random import Random

from bot.club.rules.rating import Rated, Rating, rate
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.dose import dose
from tests.support.store import NOON, add_finished_game, match_result, player_result, rows

PEOPLE, ERASED, MATCHES = range(1, 25), range(1, 13), dose("RELINKING", 250)


def successions(path: Path) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Which seat of which result is followed by which, as that person's next one."""
    found: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    latest: dict[int, tuple[int, int]] = {}
    for result_id, seat, user_id in rows(path, "SELECT result_id, seat, user_id FROM result_players ORDER BY 1, 2"):
        if user_id in ERASED:
            if user_id in latest:
                found.add((latest[user_id], (result_id, seat)))
            latest[user_id] = (result_id, seat)
    return found


def relinked(path: Path) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """What an attacker finds, who works out each rating after a match and looks for who enters the next one with it."""
    seats: dict[int, list[tuple[int, int | None, int, int, float, float]]] = {}
    for result_id, *seat in rows(
        path, "SELECT result_id, seat, user_id, side, place, mu, sigma FROM result_players ORDER BY result_id, seat"
    ):
        seats.setdefault(result_id, []).append(tuple(seat))  # type: ignore[arg-type]
    found: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    entered = [(number, seat[0], seat[4]) for number, all_ in seats.items() for seat in all_ if seat[1] is None]
    for number, there in seats.items():
        if any(mu is None for *_, mu, _ in there):
            continue
        after = rate([Rated(side, place, Rating(mu, sigma)) for _, _, side, place, mu, sigma in there])
        for (seat, user_id, *_), new in zip(there, after, strict=True):
            if user_id is None:
                later = [
                    (at, other)
                    for at, other, mu in entered
                    if at > number and mu is not None and abs(mu - new.mu) < 1e-6
                ]
                found |= {((number, seat), each) for each in later[:1]}
    return found


async def test_nobody_can_put_the_matches_of_an_erased_person_together_by_their_ratings(tmp_path: Path) -> None:
    random, path = Random(65), with_tables(tmp_path / "escoba.sqlite3")
    store = await Stores.open(path)
    for number in range(MATCHES):
        there = random.sample(PEOPLE, random.choice((2, 2, 3)))
        seats = [player_result(seat, each, won=not seat, place=seat + 1) for seat, each in enumerate(there)]
        await add_finished_game(store, [match_result(seats, ended_at=NOON + timedelta(hours=7 * number))])
    true = successions(path)
    for each in ERASED:
        await store.personal_data.forget(each, Disguise(each).rewriter, NOON)
    right = relinked(path) & true
    assert len(true) > MATCHES / 2
    assert len(right) <= len(true) * 0.05, f"{len(right)} of {len(true)} were found"
    assert not await store.standings.differences(match_result(seats).server)
    await store.database.close()
