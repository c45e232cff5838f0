"""The location of a database: the path of a file, or the address of a PostgreSQL server, shown without its password."""

import re
import shlex
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

Location = Path | sa.URL
"""A file's path, or a server's address."""

SCHEME: Final = "postgresql+psycopg"

_RESTORE_OPTIONS: Final = ("--exit-on-error", "--single-transaction", "--no-owner")
"""Without the first two, pg_restore goes on after errors and leaves some rows in a database that wasn't empty."""
_SAFE_OPTIONS: Final = frozenset({"host", "port", "options"})


class InvalidLocation(ValueError):
    """A text is neither a path nor a PostgreSQL address. The message never repeats it: it may hold a password."""


def location_of(text: str | Location) -> Location:
    """Parse a location. Raises InvalidLocation."""
    if not isinstance(text, str):
        return text
    if "://" not in text:
        return Path(text)
    try:
        url = sa.make_url(text)
    except (ArgumentError, ValueError):
        raise InvalidLocation("a database address that can't be parsed") from None
    if url.drivername != SCHEME:
        raise InvalidLocation(f"a database address that doesn't begin with {SCHEME}://")
    if "@" in f"{url.host}{url.database}":  # with a / after it, the rest of the password is in the database's name
        raise InvalidLocation("a database address with a second @; write an @ in a password as %40")
    if not url.database:
        raise InvalidLocation(f"an address without a database; write {SCHEME}://USER:PASSWORD@HOST/DATABASE")
    settings_in(url)
    return url


def settings_in(url: sa.URL) -> dict[str, str]:
    """Parse the server settings that an address asks for with `options`. Raises InvalidLocation.

    They are written as on the server's command line: `-c NAME=VALUE`, a space within a value as `\\ `.
    """
    asked = url.query.get("options", "")
    text = asked if isinstance(asked, str) else " ".join(asked)
    words = re.sub(r"(^|(?<=\s))-c\s+", "-c", text)
    found: dict[str, str] = {}
    for word in re.findall(r"(?:\\.|[^\\\s])+", words):
        setting = re.fullmatch(r"(?:-c|--)([^=]+)=(.*)", re.sub(r"\\(.)", r"\1", word), re.DOTALL)
        if setting is None:
            raise InvalidLocation("a database address whose options aren't all of the form -c NAME=VALUE")
        found[setting[1].replace("-", "_")] = setting[2]
    return found


def without_password(location: str | Location) -> str:
    """Write a location in a form that anybody may see."""
    location = location_of(location)
    if isinstance(location, Path):
        return str(location)
    # Show only the options that say which database it is: others may hold a password.
    query = {key: value for key, value in location.query.items() if key in _SAFE_OPTIONS}
    return location.set(query=query).render_as_string(hide_password=True)


def dump_command(url: sa.URL, target: str = "FILE") -> str:
    """Write the command that backs up a PostgreSQL database; the password comes from PGPASSWORD or ~/.pgpass."""
    return " ".join(["pg_dump --format=custom", f"--file={shlex.quote(target)}", *_connection_options(url)])


def restore_command(url: sa.URL, source: str = "FILE") -> str:
    """Write the command that restores that backup into an empty PostgreSQL database: all of it, or nothing."""
    return " ".join(["pg_restore", *_RESTORE_OPTIONS, *_connection_options(url), shlex.quote(source)])


def _connection_options(url: sa.URL) -> list[str]:
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
