"""One PostgreSQL server for a test process, and a database for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.postgres import Cluster, programs


@contextmanager
def a_cluster() -> Iterator[Cluster]:
    """A server for as long as it is needed; whoever needs one where its programs aren't installed is skipped."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's server isn't installed here (on Debian: apt install postgresql)")
    cluster = Cluster(found)
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server for all tests of this process."""
    with a_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres: Cluster) -> Iterator[str]:
    """Where a database is that has the present tables, and nothing in them."""
    url = postgres.new()
    yield url
    postgres.drop(url)
