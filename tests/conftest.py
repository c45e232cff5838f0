"""What holds for every test: logged errors fail it, the developer's own settings don't reach it."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TypeVar

import hypothesis
import pytest

from bot.settings import PREFIX, Settings

pytest_plugins = ["tests.support.errors", "tests.support.postgres"]

# In CI the same examples each time, and all that is needed to repeat a failure; elsewhere new ones each time.
# No deadlines: how long an example takes says more about the machine than about the code.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("here", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
NO_SKIPS = bool(os.environ.get("NO_SKIPS"))


def pytest_configure() -> None:
    """Take the settings out of the environment, also for the processes that tests start."""
    for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
        del os.environ[name]
    Settings.model_config["env_file"] = None


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
