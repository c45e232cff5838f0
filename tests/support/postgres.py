"""One PostgreSQL server for a test process, and a database for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.postgres import Cluster, programs


@contextmanager
def temporary_cluster() -> Iterator[Cluster]:
    """A server for the duration of the block; skips the test if PostgreSQL isn't installed."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's server isn't installed here (on Debian: apt install postgresql)")
    cluster = Cluster(found)
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server for all tests of this process."""
    with temporary_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres: Cluster) -> Iterator[str]:
    """The URL of a database with the current tables and no rows."""
    url = postgres.new()
    yield url
    postgres.drop(url)
