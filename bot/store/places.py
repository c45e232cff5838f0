"""Where a database is: the path of a file, or the address of a PostgreSQL, which is shown without its password."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

Place = Path | sa.URL
"""A file's path, or a server's address."""

SCHEME: Final = "postgresql+psycopg"


_PLAIN: Final = frozenset({"host", "port", "options"})


class NotAPlace(ValueError):
    """A text is neither a path nor an address of a PostgreSQL. The message never repeats it: it may hold a password."""


def place_of(text: str | Place) -> Place:
    """The place that a text means. Raises NotAPlace."""
    if not isinstance(text, str):
        return text
    if "://" not in text:
        return Path(text)
    try:
        url = sa.make_url(text)
    except (ArgumentError, ValueError):
        raise NotAPlace("an address of a database that can't be read") from None
    if url.drivername != SCHEME:
        raise NotAPlace(f"an address of a database that doesn't begin with {SCHEME}://")
    if "@" in (url.host or ""):
        raise NotAPlace("an address of a database with a second @; one in a password is written %40")
    if not url.database:
        raise NotAPlace(f"an address that names no database, as {SCHEME}://USER:PASSWORD@HOST/DATABASE does")
    return url


def shown(place: str | Place) -> str:
    """A place as it may be shown to anybody."""
    place = place_of(place)
    if isinstance(place, Path):
        return str(place)
    # Of the options only those that say which database it is: a password can be among them, too.
    query = {key: value for key, value in place.query.items() if key in _PLAIN}
    return place.set(query=query).render_as_string(hide_password=True)


def dump_command(url: sa.URL, target: str = "FILE") -> str:
    """The command that backs a PostgreSQL up, without the password: that comes from PGPASSWORD or ~/.pgpass."""
    return " ".join(["pg_dump --format=custom", f"--file={shlex.quote(target)}", *_dump_options(url)])


def _dump_options(url: sa.URL) -> list[str]:
    host = url.host or _first(url.query.get("host"))
    options = {
        "--host": host,
        "--port": None if url.port is None else str(url.port),
        "--username": url.username,
        "--dbname": url.database,
    }
    return [f"{name}={shlex.quote(value)}" for name, value in options.items() if value is not None]


def _first(value: str | tuple[str, ...] | None) -> str | None:
    return value[0] if isinstance(value, tuple) else value
