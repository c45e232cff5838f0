"""Processes beside the test's own: forked from one that has imported the store, which takes the longest by far."""

from __future__ import annotations

import multiprocessing
from typing import Final

FORKING: Final = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.store.test_crash", "tests.store.test_opening"])
