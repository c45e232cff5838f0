"""Whatever Discord does to files, each click is answered in time: in words until pictures get through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.wire.seen import UPDATE
from tests.wire.table import Table, tables
from tests.wire.uploading import BAD_DAYS, is_upload

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
    ],
)
async def test_each_click_is_answered_while_files_have_a_bad_day(tmp_path: Path, fault: dict[str, Any]) -> None:
    async with tables(tmp_path, pictures=True, allow=["code 40060"]) as (w, [table]):
        w.faults.add("*", "*", where=is_upload, **fault)
        seconds = await play(table, 6)
        assert max(seconds) < IN_TIME, seconds
        assert w.unanswered == []
        assert w.log_has("tables are shown in words for a while")
        uploads = sum(map(is_upload, w.requests))
        await play(table, 2)
        assert sum(map(is_upload, w.requests)) == uploads, "pictures rest"
