"""Rules for every test: logged errors fail it, and the developer's own settings don't reach it."""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest

from bot.settings import PREFIX, Settings
from tests.support.dose import LEFT_OUT, chosen
from tests.support.finished import is_finished

_PLUGINS = ("compiled", "errors", "languages", "live_files", "newcomers", "postgres", "sqlite")
pytest_plugins = [f"tests.support.{each}" for each in _PLUGINS]

# CI runs the same examples each time, and prints all that is needed to repeat a failure; elsewhere they are new.
# No deadlines: how long an example takes says more about the machine than about the code.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("here", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")

FIRST = """
wire/test_budget platform/database/test_moving wire/test_thinking test_bench wire/test_processes test_recipes
secrecy/test_twins wire/test_refusals demo/test_page wire/test_starting platform/database/test_server_faults
wire/test_where players/test_levels
demo/test_command played/test_blind wire/test_stop demo/test_screenshots wire/test_late played/training/test_coach
wire/test_pictures engine/test_random_play wire/test_kill played/test_sigkill wire/test_updates played/test_presets
wire/test_slow platform/database/test_crash demo/test_match demo/test_window
""".split()
"""The slowest modules, in the order in which they start: those that wait alternate with those that compute."""
WAITING, COMPUTING = ("demo", "ops", "thinking", "wire"), ("played", "platform")
"""The folders whose tests mostly wait, for processes and browsers; those whose tests compute a lot in the meantime."""

MEMORY, ROOM = Path("/dev/shm"), 4 * 1024**3  # noqa: S108 - everything put there is in a folder of its own
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
NO_SKIPS = bool(os.environ.get("NO_SKIPS"))


def pytest_configure(config: pytest.Config) -> None:
    """Take the settings out of the environment, also for the processes that tests start."""
    for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
        del os.environ[name]
    Settings.model_config["env_file"] = None
    _keep_files_in_memory()
    if not hasattr(config, "workerinput") and config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        os.environ.setdefault("THOROUGH", "1")  # naming a file asks for all of its tests


def _keep_files_in_memory() -> None:
    """Put temporary files where a commit doesn't wait for a disk, if there is enough room: no test cuts the power."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # so that it is looked up again


def pytest_report_header() -> str | None:
    """Say what a run of the whole suite leaves out."""
    unfinished = "" if is_finished("es") else "without the tests that read Spanish: its catalogue isn't finished"
    return "; ".join(filter(None, (LEFT_OUT.get(os.environ.get("THOROUGH", "")), unfinished))) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that THOROUGH leaves out and those of an unfinished catalogue, and put the others in order."""
    thorough = {item.nodeid: item.get_closest_marker("thorough") is not None for item in items}
    wanted = chosen(thorough, os.environ.get("THOROUGH", ""))
    if not is_finished("es"):
        wanted -= {item.nodeid for item in items if item.get_closest_marker("spanish") is not None}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
    items[:] = [item for item in items if item.nodeid in wanted]
    _order(items)


def _order(items: list[pytest.Item]) -> None:
    """Begin with the slowest modules; then alternate modules that wait with others, as long as there are both.

    This keeps the cores busy while tests wait, and the run doesn't end with one long module running alone.
    """
    tests = Path(__file__).parent
    places = {tests / f"{name}.py": place for place, name in enumerate(FIRST)}
    others = {path: _room_of(path) for path in dict.fromkeys(item.path for item in items) if path not in places}
    next_place = {True: len(FIRST), False: len(FIRST)}
    for path, folder in sorted(others.items(), key=lambda other: other[1] not in COMPUTING):
        waits = folder in WAITING
        places[path] = next_place[waits]
        next_place[waits] += 1
    items.sort(key=lambda item: (places[item.path], item.path))


def _room_of(path: Path) -> str:
    """The folder of `tests/` that a module is in, itself or in a subject's folder; ".." for one elsewhere."""
    return Path(os.path.relpath(path, Path(__file__).parent)).parts[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With NO_SKIPS set (CI), a skipped test is a failed one: the machine lacks something."""
    report = yield
    return _unskipped(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a module that skips itself as a whole."""
    report = yield
    return _unskipped(report)


def _unskipped(report: Report) -> Report:
    if NO_SKIPS and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"NO_SKIPS is set, but: {reason}"
    return report
