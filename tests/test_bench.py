"""The benchmarks run, on a tiny dose; what they find is nobody's business here."""

from __future__ import annotations

import pytest

from bench import __main__ as bench
from bench import appends, clicks, memory, rounds


def test_rounds_are_the_same_on_the_engine_and_by_trying_subsets() -> None:
    found = rounds.measure(8)
    assert found.engine > 0
    assert found.search > 0


@pytest.mark.parametrize("wire", [False, True])
async def test_a_click_is_answered_by_every_bot(wire: bool) -> None:
    found = await clicks.measure(3, wire=wire)
    assert found.requests == 3
    assert min(found.bot, found.storeless, found.bare, found.three) > 0


async def test_a_table_weighs_something() -> None:
    found = await memory.measure(2, plays=1)
    assert 0 < found.played < 1_000_000


async def test_an_append_takes_time() -> None:
    found = await appends.measure(3)
    assert min(found.elapsed, found.bare_elapsed) > 0


def test_it_prints_what_it_was_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "rounds", "--dose", "0.01"])
    monkeypatch.setattr("logging.disable", lambda level: None)
    bench.main()
    printed = capsys.readouterr().out
    assert "rounds a CPU second" in printed
    assert "Click" not in printed
