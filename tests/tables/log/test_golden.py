"""Logs as the bot stores them: those of a released version replay in every later one.

Games outlive releases: a match that started last month goes on under the rules it started with, whatever has
changed since. The files in `golden/` are such logs: rows of the events table, and on the last line what they fold to.
Until 1.0 is tagged they are recorded again when what is stored changes. From then on NEVER regenerate, edit or delete
one: when a test here fails, the code is wrong, not the file. Only add: `python -m tests.tables.recorder` writes what
`recorder.WANTED` names and the folder lacks, and touches nothing else.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.engine.events import MatchStarted
from bot.engine.notation import format_rules
from bot.engine.rules import PRESETS
from bot.tables.log.codec import decode, encode, fold
from bot.tables.log.decide import decide
from bot.tables.log.events import LogEvent, Phase
from bot.tables.log.state import TableState
from tests.support.tables.kit import move_of
from tests.tables.recorder import FOLDER, WANTED, expected, kinds_of, write

GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
every_game = pytest.mark.parametrize("name", GAMES)

# The files that must be there, so that a missing one is noticed. Only add.
SETTLED = {
    "chorizo-2",
    "chorizo-2x2",
    "cientifica-2x2",
    "clasica-2",
    "clasica-3x2",
    "escoba-2",
    "escoba-2-computers",
    "escoba-2x2",
    "escoba-3",
    "escoba-5",
    "escoba-cancelled",
    "escoba-house-rules",
    "escoba-lobby-closed",
    "juegon-2",
    "juegon-2x3",
    "juegon-4",
    "quince-2x2",
    "quince-3x2",
    "quince-abandoned",
}


def rows_of(name: str) -> list[tuple[str, str]]:
    """The rows of a log."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [(row["kind"], row["body"]) for row in map(json.loads, lines[:-1])]


def expected_of(name: str) -> dict[str, Any]:
    """The state, as plain values, to which the log folded when it was recorded."""
    return json.loads((FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[-1])["expected"]


def log_of(name: str) -> list[LogEvent]:
    """The events of a log."""
    return [decode(kind, body) for kind, body in rows_of(name)]


def test_no_log_is_missing():
    assert set(GAMES) >= SETTLED
    assert set(GAMES) == {wanted.name for wanted in WANTED}


@every_game
def test_a_log_folds_to_what_it_did_when_it_was_recorded(name: str):
    then, now = expected_of(name), expected(fold(log_of(name)))
    assert {key: now[key] for key in then} == then


@every_game
def test_a_log_keeps_the_rules_it_was_started_with(name: str):
    started = [(event, body) for event, (_, body) in zip(log_of(name), rows_of(name), strict=True)]
    for event, body in started:
        if isinstance(event, MatchStarted):
            words = body.split()[1:]
            then = [word for word in words if not word.startswith(("seating=", "dealer="))]
            assert set(then) <= set(format_rules(event.rules).split())


@every_game
def test_a_log_written_again_reads_the_same(name: str):
    for event in log_of(name):
        assert decode(*encode(event)) == event


@every_game
def test_after_every_event_of_a_log_the_game_can_go_on(name: str):
    events = log_of(name)
    state = fold(events[:1])
    for event in events[1:]:
        assert state.open
        if state.match is not None and state.match.turn is not None:
            check_that_it_goes_on(state)
        state = state.apply(event)
    assert not state.open


def check_that_it_goes_on(state: TableState) -> None:
    """Check that the current player can play, if that is a person who is here."""
    assert state.match is not None
    assert state.match.turn is not None
    assert state.match.legal_moves()
    if state.seats[state.match.turn].human_here and state.seats[state.match.turn].name != "Nadie":
        assert decide(state, move_of(state), 1).events


def test_the_logs_cover_everything_that_a_log_can_hold():
    kinds = {kind for name in GAMES for kind in kinds_of(log_of(name))}
    assert kinds >= {
        *("Opened", "Joined", "LeftLobby", "ComputerAdded", "ComputerRemoved", "Configured", "Closed"),
        *("away", "here", "left"),
        *("MatchStarted", "RoundDealt", "Laid", "Played", "Claimed", "Sang"),
    }
    finished = {expected_of(name)["preset"] for name in GAMES if expected_of(name)["phase"] == Phase.FINISHED}
    assert finished == set(PRESETS)


def test_the_recorder_never_overwrites_a_log(tmp_path: Path):
    path = tmp_path / "old.jsonl"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(FileExistsError):
        write(path, log_of(GAMES[0]))
    assert path.read_text(encoding="utf-8") == "old"
