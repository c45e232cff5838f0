"""Whatever Discord does to files, each click is answered in time: in words until pictures get through."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.wire.seen import UPDATE
from tests.wire.table import Table, tables
from tests.wire.uploading import BAD_DAYS, begin_bad_day, is_upload
from tests.wire.world import Wire

IN_TIME = 1.5
"""Seconds after which a click must have been answered."""


async def play(table: Table, moves: int) -> list[float]:
    """Play some moves, each shown on the next player's panel; returns the seconds after which each was answered."""
    seconds: list[float] = []
    for _ in range(moves):
        shot = table.move()
        answer = await shot.answer()
        assert answer.kind == UPDATE
        seconds.append(answer.seconds)
        await shot.end()
        await table.wire.bot.until(lambda: any(table.panel(each).find("card", "take") for each in table.party.people))
    return seconds


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(
            fault, id=name, marks=() if name in ("cut connections", "slow to confirm") else pytest.mark.thorough
        )
        for name, fault in BAD_DAYS.items()
        if "path" not in fault
    ],
)
async def test_each_click_is_answered_while_files_have_a_bad_day(tmp_path: Path, fault: dict[str, Any]) -> None:
    async with tables(tmp_path, pictures=True, allow=["code 40060"]) as (w, [table]):
        begin_bad_day(w, fault)
        seconds = await play(table, 12)  # each route that a picture can take has to fail a few times
        assert max(seconds) < IN_TIME, seconds
        assert w.unanswered == []
        assert w.log_has("tables are shown in words for a while")
        await w.settle()  # one may still be under way
        uploads = sum(map(is_upload, w.requests))
        await play(table, 2)
        assert sum(map(is_upload, w.requests)) == uploads, "pictures rest"


def uploads_by_route(w: Wire) -> Counter[str]:
    """How many files were taken on each route."""
    taken = [each for each in w.requests if is_upload(each) and each.status < 400]
    return Counter(each.path.split("/")[1] for each in taken)


@pytest.mark.parametrize(
    "route", ["webhooks", pytest.param("first answers", marks=pytest.mark.thorough), "edits in channels"]
)
async def test_a_route_that_takes_no_files_delays_no_player_and_leaves_the_others_their_pictures(
    tmp_path: Path, route: str
) -> None:
    async with tables(tmp_path, pictures=True) as (w, [table]):
        begin_bad_day(w, BAD_DAYS[f"{route} unavailable"])
        waits: list[float] = []
        for _ in range(12):
            began = time.monotonic()
            await play(table, 1)
            waits.append(time.monotonic() - began)
        assert max(waits) < IN_TIME, waits
        before = uploads_by_route(w)
        await play(table, 6)
        await w.settle()
        taken = uploads_by_route(w) - before
        if route != "first answers":
            assert taken["interactions"] >= 5, "each click is answered with a picture"
        if route == "first answers":
            assert taken["webhooks"] >= 5, "the next player's panel shows one"
