"""A server that removes the bot and invites it again, or whose channel is called unknown once, loses nothing."""

from pathlib import Path

from tests.wire.dose import dose
from tests.wire.expelling import expelling
from tests.wire.faults import EDITS, SENDS
from tests.wire.table import tables


async def test_matches_go_on_after_a_server_has_removed_the_bot_and_invited_it_again(tmp_path: Path) -> None:
    how = dose()
    figures = await expelling(tmp_path, removals=how.removals, tables=2, seed=how.seed)
    assert figures.found == []
    assert figures.removals == how.removals
    assert figures.moves > 2 * how.removals


async def test_a_match_survives_wrong_answers_that_its_channel_is_unknown(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        party = table.party
        for path in (EDITS, SENDS):
            w.faults.add("*", path, 404, code=10003, times=2)
        goal = party.clicks + 20
        await party.play(until=lambda: party.clicks >= goal)
        assert w.rows("SELECT count(*) FROM games WHERE closed_at IS NULL") == [(1,)]
