"""One PostgreSQL server for a test process, and a database for each test that asks for one."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
import sqlalchemy as sa
from psycopg import sql

from bench.postgres import TEMPLATE, Cluster, programs

_END_OTHERS = """
SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_OUTLINE = """
SELECT
    (SELECT string_agg((attrelid, attname, atttypid, attnotnull, atthasdef)::text, ',' ORDER BY attrelid, attnum)
        FROM pg_attribute WHERE attrelid >= 16384 AND attnum > 0),
    (SELECT string_agg((oid, relname, relnamespace, relkind)::text, ',' ORDER BY oid) FROM pg_class WHERE oid >= 16384),
    (SELECT string_agg((oid, conname)::text, ',' ORDER BY oid) FROM pg_constraint WHERE oid >= 16384),
    (SELECT string_agg((oid, tgname, tgenabled)::text, ',' ORDER BY oid) FROM pg_trigger WHERE oid >= 16384),
    (SELECT string_agg((oid, proname)::text, ',' ORDER BY oid) FROM pg_proc WHERE oid >= 16384),
    (SELECT string_agg((oid, nspname)::text, ',' ORDER BY oid) FROM pg_namespace WHERE oid >= 16384),
    (SELECT count(*) FROM pg_rewrite WHERE oid >= 16384),
    (SELECT count(*) FROM pg_statistic WHERE starelid >= 16384),
    (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = pg_database.oid),
    (datallowconn, datconnlimit)::text,
    (SELECT string_agg(escoba_version::text, ',') FROM escoba_version)
FROM pg_database WHERE datname = current_database()"""
"""Everything that a test may have changed besides rows; a new database has even the same object ids as the template."""
_WRITTEN = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'escoba_version'
    AND pg_relation_size(oid) > 0"""
_RESTART = """
SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence
WHERE pg_sequence_last_value(seqrelid) IS NOT NULL"""


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


@pytest.fixture(scope="session")
def spare_databases() -> list[str]:
    """The URLs of databases in which tests have changed nothing but rows, which are deleted."""
    return []


@pytest.fixture
def postgres_url(postgres: Cluster, spare_databases: list[str]) -> Iterator[str]:
    """The URL of a database with the current tables and no rows."""
    url = spare_databases.pop() if spare_databases else postgres.new()
    yield url
    if _emptied(postgres, url):
        spare_databases.append(url)
    else:
        postgres.drop(url)


def _emptied(cluster: Cluster, url: str) -> bool:
    """End all connections to a database and delete its rows; False if it can't be made as good as new.

    This takes a third of the time that the server needs for a new one.
    """
    with cluster.connect(sa.make_url(url).database or "") as connection:
        connection.execute(_END_OTHERS)
        if connection.execute(_OUTLINE).fetchone() != _new_outline(cluster):
            return False
        written = [name for (name,) in connection.execute(_WRITTEN)]
        if written:
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(map(sql.Identifier, written))))
        connection.execute(_RESTART)
    return True


@cache
def _new_outline(cluster: Cluster) -> tuple[str, ...] | None:
    with cluster.connect(TEMPLATE) as connection:
        return connection.execute(_OUTLINE).fetchone()
