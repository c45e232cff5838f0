"""A bot killed with SIGKILL between any two steps of a match, or during a request, ends with the same result.

By default it is killed at a few places, chosen by SIGKILL_SEED. SIGKILL_STEPS=all (`make soak`) tries every place.
"""

import asyncio
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.match import replay
from bot.engine.notation import parse_event
from tests.support.dose import dose
from tests.support.killed import outcome, play_until_killed
from tests.support.newcomers import nobody_is_new

ALL = os.environ.get("SIGKILL_STEPS") == "all"
SEED = int(os.environ.get("SIGKILL_SEED", "1"))
FEW = 2
KILLS = dose("SIGKILLS", FEW)
"""How many kills of each kind. No more than FEW of each fit in one match."""
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no SIGKILL and fork")


def played(folder: Path, kills: list[str]) -> dict[str, Any]:
    """The database's content after a match in which the bot was killed at these points."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed", str(folder), *kills],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def notation(stored: dict[str, Any]) -> str:
    """A log's match in the engine's notation."""
    return "".join(f"{body}\n" for _, kind, body in stored["log"] if kind == "match")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The database's content after the same match without kills."""
    folder = tmp_path_factory.mktemp("sigkill")
    with pytest.MonkeyPatch.context() as patch:
        nobody_is_new(patch)
        steps = asyncio.run(play_until_killed(folder, "", []))
    stored = {"steps": steps, **json.loads(json.dumps(asyncio.run(outcome(folder))))}
    events = [parse_event(body) for _, kind, body in stored["log"] if kind == "match"]
    assert replay(events).winner is not None
    assert " ?\n" in notation(stored), "the match has no card shown before its capture is chosen"
    assert stored["rounds"][0] > 1
    return stored


def assert_same(stored: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    """Assert that the match ended with the same log and result."""
    assert notation(stored) == notation(undisturbed)
    for what in ("log", "leaderboard", "rounds", "open"):
        assert stored[what] == undisturbed[what]
    assert stored["open"] == 0


def at_steps(steps: int) -> list[str]:
    """Kills between some of the `steps` steps of a match."""
    places = range(1, steps)
    chosen = list(places) if ALL else sorted(Random(SEED).sample(places, KILLS))
    return [f"s{place - last}" for last, place in pairwise([0, *chosen])]


def at_requests() -> list[str]:
    """Kills during requests: each never arrives, but its content is in the database. The first is the command sync."""
    return [f"r{number}" for number in (range(2, 40) if ALL else sorted(Random(SEED).sample(range(4, 16), KILLS)))]


@pytest.mark.thorough
@pytest.mark.parametrize("during", ["steps", "requests"] if ALL or KILLS > FEW else ["both"])
def test_killing_the_bot_between_steps_or_during_requests_does_not_change_the_result(
    undisturbed: dict[str, Any], tmp_path: Path, during: str
):
    if during == "both":  # each kill during a request comes within eight steps
        kills = at_requests() + at_steps(undisturbed["steps"] - 8 * KILLS)
    else:
        kills = at_steps(undisturbed["steps"]) if during == "steps" else at_requests()
    stored = played(tmp_path / "killed", kills)
    assert stored["killed"] >= (min(len(kills), 12) if during == "requests" else len(kills))
    assert_same(stored, undisturbed)
