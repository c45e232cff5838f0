"""A whole match of two people against the real process, and a check of everything that the bot sent."""

from pathlib import Path

import pytest

from tests.wire.ledger import Ledger
from tests.wire.players import Party
from tests.wire.seen import refused
from tests.wire.world import wire


@pytest.mark.usefixtures("from_scratch")
async def test_two_people_play_a_whole_match(tmp_path: Path) -> None:
    async with wire(tmp_path) as w:
        party = Party(w, w.channels[0], w.people, target=5)
        await party.play()
        await w.settle()
        table = w.table(w.channels[0])
        assert table.find("rematch")
        assert w.unanswered == []
        assert party.unanswered == 0
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert ledger.finished == 1
        assert ledger.bodies > party.clicks > 30, "the check must have read each answer, and what others were shown"
        assert w.server.rates.refused == 0
        assert refused(w.requests) == []


@pytest.mark.thorough
async def test_a_match_of_two_pairs_survives_restarts(tmp_path: Path) -> None:
    async with wire(tmp_path, people=4, seed="2") as w:
        party = Party(w, w.channels[0], w.people, options={"variant": "clasica"})
        for _ in range(2):
            await party.play(until=lambda goal=party.clicks + 15: party.clicks >= goal)
            assert await w.term() == 0
            await w.start_bot()
        version = party.version
        await party.play(until=lambda: party.version > version)
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert len(ledger.games) == 1
