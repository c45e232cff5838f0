"""A stored match becomes a file with all its moves, and the names that were shown at its table."""

from datetime import timedelta

import pytest

from bot.engine.events import Event
from bot.engine.match_file import read, write
from bot.engine.proofs import prove
from bot.engine.rules import Seating
from bot.platform.eventlog import CodecError, LogEntry
from bot.replays.live.replay import match_file_of
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import Closed, Phase
from tests.support.tables.timing import START
from tests.tables.log.test_golden import GAMES, expected_of, log_of, rows_of

WITH_A_MATCH = [name for name in GAMES if "totals" in expected_of(name)]


def entries_of(name: str) -> list[LogEntry]:
    """A recorded log as the store gives it, with ten seconds between its events."""
    return [
        LogEntry(version, kind, body, START + timedelta(seconds=10 * version))
        for version, (kind, body) in enumerate(rows_of(name), start=1)
    ]


@pytest.mark.parametrize("name", WITH_A_MATCH)
def test_the_file_of_a_log_has_the_same_match_players_and_scores(name: str):
    file, then = match_file_of(entries_of(name)), expected_of(name)
    assert read(write(file)) == file
    assert file.preset == then["preset"]
    assert file.start.seating.value == then["seating"]
    assert list(file.match.totals) == then["totals"]
    assert file.match.winner == then["winner"]
    assert list(file.events) == [event for event in log_of(name) if isinstance(event, Event)]
    for written, (shown, person_id, *_) in zip(file.names, then["seats"], strict=True):
        assert written == shown if person_id is not None else written.endswith(f" {shown}")


@pytest.mark.parametrize("name", ["clasica-3x2", "escoba-2-computers"])
def test_a_computer_is_named_after_its_face_as_at_the_table(name: str):
    names, seats = match_file_of(entries_of(name)).names, fold(log_of(name)).seats
    assert [seat.is_computer for seat in seats] == [not name[0].isalpha() for name in names]
    assert any(seat.is_computer for seat in seats)


def test_it_says_when_the_match_was_over_and_how_it_was_dealt():
    entries = entries_of("escoba-2")
    proof = prove(bytes(32), 7, Seating.TWO, 1)
    file = match_file_of(entries, proof)
    assert file.when == f"{entries[-1].at:%Y-%m-%d %H:%M} UTC"
    assert read(write(file)).proof == proof


def test_a_match_that_goes_on_or_never_began_has_no_file():
    """A file would reveal hidden cards."""
    with pytest.raises(CodecError):
        match_file_of(entries_of("escoba-2")[:-1])
    closed = LogEntry(2, *encode(Closed(Phase.CANCELLED)), START)
    with pytest.raises(CodecError):
        match_file_of([*entries_of("escoba-2")[:1], closed])
