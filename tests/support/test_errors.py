"""The trap for logged errors, and the refusal of skips in CI, each tried in a separate run of pytest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SAMPLE = """
import asyncio, gc, logging
import pytest

def test_quiet():
    logging.getLogger("x").warning("only a warning")

def test_logs_an_error():
    logging.getLogger("discord.ui.view").error("callback failed")

def test_logs_where_nothing_propagates():
    logger = logging.getLogger("aside")
    logger.propagate = False
    logger.error("hidden")

async def test_loses_a_task():
    async def fail():
        raise ValueError("nobody looks")
    asyncio.get_running_loop().create_task(fail())
    await asyncio.sleep(0)

@pytest.fixture
def sour():
    yield
    logging.getLogger("late").critical("at tear-down")

def test_errs_at_tear_down(sour):
    pass

def test_expects_the_error(expected_errors):
    expected_errors.append(("x", "disk .* full"))
    logging.getLogger("x").error("the disk %s is full", 1)

def test_expects_the_exception(expected_errors):
    expected_errors.append(("x", "ZeroDivisionError"))
    try:
        1 / 0
    except ZeroDivisionError:
        logging.getLogger("x").exception("no")

def test_expects_another_logger(expected_errors):
    expected_errors.append(("x.y", "full"))
    logging.getLogger("x").error("full")

def test_expects_in_vain(expected_errors):
    expected_errors.append(("x", "full"))

def test_is_skipped():
    pytest.skip("no browser")

@pytest.mark.xfail(reason="known")
def test_is_known_to_fail():
    assert False
"""


def outcomes(folder: Path, **environment: str) -> dict[str, str]:
    """Run SAMPLE under the project's conftest; returns the worst outcome of each test by its name."""
    (folder / "test_sample.py").write_text(SAMPLE)
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_SKIPS", "THOROUGH")}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.conftest",
            "-p",
            "no:cacheprovider",
            "-rA",
            "--tb=short",
        ],
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    found: dict[str, str] = {}
    for line in run.stdout.partition("short test summary info")[2].splitlines():
        outcome, _, rest = line.partition(" ")
        if "::" in rest and found.get(name := rest.partition("::")[2].split()[0]) not in ("ERROR", "FAILED"):
            found[name] = outcome
        elif outcome == "SKIPPED":
            found["test_is_skipped"] = outcome
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outcomes(tmp_path_factory.mktemp("plain"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("test_quiet", "PASSED"),
        ("test_logs_an_error", "ERROR"),
        ("test_logs_where_nothing_propagates", "ERROR"),
        ("test_loses_a_task", "ERROR"),
        ("test_errs_at_tear_down", "ERROR"),
        ("test_expects_the_error", "PASSED"),
        ("test_expects_the_exception", "PASSED"),
        ("test_expects_another_logger", "ERROR"),
        ("test_expects_in_vain", "ERROR"),
        ("test_is_skipped", "SKIPPED"),
        ("test_is_known_to_fail", "XFAIL"),
    ],
)
def test_a_logged_error_fails_the_test_unless_it_was_expected(plain: dict[str, str], name: str, outcome: str) -> None:
    assert plain[name] == outcome


@pytest.mark.thorough
def test_in_ci_a_skipped_test_fails(tmp_path: Path) -> None:
    found = outcomes(tmp_path, NO_SKIPS="1")
    assert found["test_is_skipped"] == "FAILED"
    assert found["test_is_known_to_fail"] == "XFAIL"
    assert found["test_quiet"] == "PASSED"
