"""SIGKILL at any moment loses nothing that was shown, duplicates nothing, and every table plays on."""

from pathlib import Path

import pytest

from tests.wire.dose import dose
from tests.wire.faults import EDITS
from tests.wire.killing import BACKUP_EVERY, killing
from tests.wire.table import end_question, manager_of, tables


async def test_nothing_that_was_shown_is_lost_when_the_bot_is_killed(tmp_path: Path) -> None:
    how = dose()
    figures = await killing(tmp_path, kills=how.kills, tables=how.kill_tables, seed=how.seed)
    assert figures.found == []
    assert figures.kills == how.kills
    assert figures.backups == how.kills // BACKUP_EVERY
    assert figures.moves > how.kills, "moves must be played between kills; how many depends on the machine"
    assert figures.bodies_read > 10 * how.kills


@pytest.mark.thorough
async def test_a_late_edit_from_before_the_end_is_not_mistaken_for_the_end(tmp_path: Path) -> None:
    async with tables(tmp_path, friendly=True) as (w, [table]):
        manager = manager_of(w)
        question = await end_question(w, manager, table.channel_id)
        slow = w.faults.add("PATCH", EDITS, delay=1.0, times=1)
        w.faults.add("PATCH", EDITS, 503)
        await table.move().end()
        await w.click(manager, question, question.one("cancelyes"))
        assert table.phase == "cancelled"
        await w.bot.until(lambda: slow.hits == 1 and bool(w.faults.injected > 1))
        await w.kill()
        w.faults.clear()
        await w.start_bot()
        await w.bot.until(lambda: w.latest(table.channel_id, "hand") is None)


@pytest.mark.thorough
async def test_an_end_that_was_stored_but_not_shown_is_shown_after_a_restart(tmp_path: Path) -> None:
    async with tables(tmp_path, friendly=True) as (w, [table]):
        manager = manager_of(w)
        w.faults.add("PATCH", EDITS, 503)
        question = await end_question(w, manager, table.channel_id)
        await w.click(manager, question, question.one("cancelyes"))
        await w.bot.until(lambda: table.phase == "cancelled")
        await w.kill()
        w.faults.clear()
        await w.start_bot()
        await w.bot.until(lambda: w.latest(table.channel_id, "hand") is None)
