"""Processes beside the test's own: forked from one that has already imported the store, by far the slowest step."""

import multiprocessing
from typing import Final

FORKING: Final = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.platform.database.test_crash", "tests.platform.database.test_opening"])
