"""Every knob of the bot: read from the environment and `.env`, checked, and explained when wrong."""

from __future__ import annotations

import difflib
import hashlib
import ipaddress
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, get_args
from urllib.parse import unquote, urlsplit

from dotenv import dotenv_values
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.shards import ALL, Shards

PREFIX = "ESCOBA_"
ENV_FILE = ".env"
_SHOWN = 60  # characters of a wrong value that an error message repeats
_CONFLICT = "conflict"  # the pydantic error type of a setting that is wrong beside another

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
LogFormat = Literal["text", "json"]


class SettingsError(Exception):
    """The settings can't be used. `str()` is one line for each wrong setting, fit to be shown as it is."""


@dataclass(frozen=True, slots=True)
class Takes:
    """What values a setting takes, in words; ends the sentence "ESCOBA_X takes ..."."""

    words: str


def _turn_seconds(value: int) -> int:
    if value != 0 and not 15 <= value <= 86_400:
        raise ValueError("outside the range")
    return value


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _token(value: object) -> object:
    return _stripped(value) or None


def _level(value: object) -> object:
    level = value.strip().upper() if isinstance(value, str) else value
    return level if level in get_args(LogLevel) else value


def _format(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


_LOOPBACK = "127.0.0.1"
_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z.-]+):)?(?P<port>[0-9]{1,5})")
_HIGHEST_PORT = 65_535


def _address(value: object) -> object:
    """host:port, with the loopback address for a port that stands alone."""
    if not isinstance(value, str):
        return value
    value = value.strip()
    match = _ADDRESS.fullmatch(value)
    if match is None or not 1 <= int(match["port"]) <= _HIGHEST_PORT:
        raise ValueError("not an address")
    host = match["host"] or _LOOPBACK
    if host.startswith("["):
        ipaddress.IPv6Address(host[1:-1])
    return f"{host}:{int(match['port'])}"


_DatabasePath = Annotated[str, BeforeValidator(_stripped), Field(min_length=1), Takes("the path of a file")]

_POSTGRES = "postgresql+psycopg"


def _database(value: str) -> str:
    """A path, or the address of a PostgreSQL; of any other address a folder would be made, named after its password."""
    if "://" not in value:
        return value
    parts = urlsplit(value)
    # What an @ or a / in the password makes of it is no address any more.
    if parts.scheme != _POSTGRES or parts.netloc.count("@") > 1 or not parts.path.strip("/"):
        raise ValueError("not the address of a database")
    _ = parts.port  # raises for one that isn't a number
    return value


_Database = Annotated[
    str,
    BeforeValidator(_stripped),
    Field(min_length=1),
    AfterValidator(_database),
    Takes(f"the path of a file, or {_POSTGRES}://USER:PASSWORD@HOST/DATABASE"),
]

_LONGEST_URL = 512  # Discord takes no longer one on a button


def _url(value: object) -> object:
    """A web address."""
    if not isinstance(value, str):
        return value
    value = value.strip()
    parts = urlsplit(value)
    one = value.split() == [value] and len(value) <= _LONGEST_URL
    if not (one and parts.scheme in ("http", "https") and parts.hostname):
        raise ValueError("not a web address")
    return value


def _shards(value: object) -> object:
    """Which shards, of how many; as `str(Shards)` writes it."""
    return str(Shards.parse(value)) if isinstance(value, str) else value


_Address = Annotated[str | None, BeforeValidator(_url), Takes("a web address that begins with https:// or http://")]


class Settings(BaseSettings):
    """The settings of one bot process.

    A field `x` is the variable `ESCOBA_X`. A value in the environment beats the same one in `.env`, and an
    empty value stands for the default. Use `load_settings`, which turns mistakes into readable lines.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",  # other programs' variables; a mistyped ESCOBA_ one is caught by load_settings
        frozen=True,
        hide_input_in_errors=True,  # or a traceback could show the token
    )

    token: Annotated[SecretStr | None, BeforeValidator(_token), Takes("the token of a Discord bot")] = Field(
        default=None,
        description="The bot's token, from the Bot page of its Discord application. The demo needs none.",
    )
    database: _Database = Field(
        default="data/escoba.sqlite3",
        repr=False,
        description="Where games and results are kept: in a file, whose folder is made when it doesn't exist, or in a"
        " PostgreSQL.",
    )
    shards: Annotated[
        str | None,
        BeforeValidator(_shards),
        Takes("shards from 0 on and how many there are, as 0-3/16 or 0,2/4; fewer than all only with a PostgreSQL"),
    ] = Field(
        default=None,
        description="The shards of this process, when several share a PostgreSQL database. Unless it is set, one"
        " process has all, in as many as Discord recommends.",
    )
    turn_seconds: Annotated[int, AfterValidator(_turn_seconds), Takes("0 (no limit), or 15 to 86400 seconds")] = Field(
        default=120, description="How long a player may think before a computer plays in their place."
    )
    warn_seconds: Annotated[int, Field(ge=0), Takes("0 (no warning), or fewer seconds than ESCOBA_TURN_SECONDS")] = (
        Field(
            default=30,
            description="At least how long before that limit the player is warned; earlier if it is long: when a"
            " quarter of it is left, or an hour.",
        )
    )
    nudge_seconds: Annotated[int, Field(ge=0, le=86_400), Takes("0 (never), or 1 to 86400 seconds")] = Field(
        default=45,
        description="After how long without a click a player is told of their turn: the table comes to the bottom.",
    )
    computer_seconds: Annotated[float, Field(ge=0, le=30), Takes("0 to 30 seconds, also fractions")] = Field(
        default=1.5,
        description="How long a computer player waits before it plays, so that people can follow.",
    )
    round_seconds: Annotated[int, Field(ge=5, le=3_600), Takes("5 to 3600 seconds")] = Field(
        default=45, description="How long a round's score stands before the next round is dealt by itself."
    )
    abandon_minutes: Annotated[int, Field(ge=1, le=10_080), Takes("1 to 10080 minutes")] = Field(
        default=30, description="How long a match waits when nobody plays it any more; then it is abandoned."
    )
    lobby_minutes: Annotated[int, Field(ge=1, le=10_080), Takes("1 to 10080 minutes")] = Field(
        default=60, description="How long a lobby that nobody touches stays open."
    )
    idle_days: Annotated[int, Field(ge=0, le=365), Takes("0 (for ever), or 1 to 365 days")] = Field(
        default=14, description="How long a match without deadlines waits for a move; then it is abandoned."
    )
    rate_matches: Annotated[int, Field(ge=1, le=1_000), Takes("1 to 1000 matches")] = Field(
        default=5, description="How many matches a player needs for a place in the ranking by win rate."
    )
    lobbies_per_guild: Annotated[int, Field(ge=1, le=1_000), Takes("1 to 1000 tables")] = Field(
        default=20, description="How many tables may wait for players at once on one server."
    )
    lobbies_per_person: Annotated[int, Field(ge=1, le=1_000), Takes("1 to 1000 tables")] = Field(
        default=3, description="How many tables that one person opened may wait for players at once."
    )
    clicks_per_10_seconds: Annotated[int, Field(ge=0, le=1_000), Takes("0 (no limit), or 1 to 1000")] = Field(
        default=40, description="How many clicks and commands of one person are served within 10 seconds."
    )
    keep_games_days: Annotated[int, Field(ge=0, le=36_500), Takes("0 (for ever), or 1 to 36500 days")] = Field(
        default=365, description="How long the moves of a closed game are kept; its result stays."
    )
    requests_per_second: Annotated[float, Field(ge=0, le=10_000), Takes("0 (no limit), or up to 10000")] = Field(
        default=45,
        description="How many requests a second the bot sends, answers to clicks aside. Discord allows 50."
        " All processes together keep to it: one that has 4 of 16 shards takes a quarter.",
    )
    thinkers: Annotated[int, Field(ge=0, le=16), Takes("0 (hard computers play as the normal ones), or 1 to 16")] = (
        Field(default=1, description="How many processes think for the hard computer players, each at most a core.")
    )
    pictures: Annotated[bool, Takes("True or False")] = Field(
        default=True,
        description="Whether tables are shown as pictures; a server can choose cards as text. Text needs less CPU.",
    )
    log_level: Annotated[LogLevel, BeforeValidator(_level), Takes("DEBUG, INFO, WARNING or ERROR")] = Field(
        default="INFO", description="The least serious messages that are logged, to standard error."
    )
    log_format: Annotated[LogFormat, BeforeValidator(_format), Takes("text or json")] = Field(
        default="text", description="How they are logged: lines for people, or one JSON object a line for programs."
    )
    health_address: Annotated[
        str | None,
        BeforeValidator(_address),
        Takes("a port on this machine, as 8080, or an address with its port, as 10.0.0.5:8080"),
    ] = Field(
        default=None,
        description="Where /live, /ready and /metrics are served, to whoever reaches it. Not at all when it isn't set.",
    )
    support_url: _Address = Field(
        default=None, description="Where people get help; a link under /escoba privacy and on the owner's page."
    )
    privacy_url: _Address = Field(
        default=None, description="Where your notice on privacy is, as docs/PRIVACY.md; a link at the same places."
    )
    terms_url: _Address = Field(
        default=None, description="Where your terms of use are, as docs/TERMS.md; a link at the same places."
    )
    demo_port: Annotated[int, Field(ge=0, le=65_535), Takes("0 (any free port), or 1 to 65535")] = Field(
        default=8765, description="The port of the demo's page on this machine."
    )
    demo_database: _DatabasePath = Field(
        default="data/demo.sqlite3", description="Where the demo keeps its games between runs."
    )

    HEARTBEAT_FRESH_SECONDS: ClassVar[int] = 90
    """The age at which a heartbeat file stops meaning that the bot is connected."""

    @property
    def own_shards(self) -> Shards:
        """The shards whose servers this process serves."""
        return ALL if self.shards is None else Shards.parse(self.shards)

    @property
    def heartbeat_path(self) -> Path:
        """The file that a running bot touches every 30 s while it is connected; `health` reads its age.

        Of several processes each has its own, by its shards.
        """
        if "://" not in self.database:
            return Path(f"{self.database}.alive")
        parts = urlsplit(self.database)
        where = f"{parts.hostname}:{parts.port}{parts.path}?{parts.query} {self.shards or ''}"
        own = self.own_shards
        shards = f"-{own.numbers[0]}-{own.numbers[-1]}-of-{own.count}" if self.shards else ""
        return Path(tempfile.gettempdir()) / f"escoba-{hashlib.sha256(where.encode()).hexdigest()[:16]}{shards}.alive"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is never to be logged, in every spelling."""
        token = () if self.token is None else (self.token.get_secret_value(),)
        password = urlsplit(self.database).password if "://" in self.database else None
        return token if not password else (*token, password, unquote(password))

    @property
    def health_host_and_port(self) -> tuple[str, int] | None:
        """Where the health endpoint listens; None if there is none."""
        if self.health_address is None:
            return None
        host, _, port = self.health_address.rpartition(":")
        return host.strip("[]"), int(port)

    @model_validator(mode="after")
    def _a_file_has_one_process(self) -> Self:
        if self.shards and not self.own_shards.complete and "://" not in self.database:
            raise PydanticCustomError(_CONFLICT, "only some shards", {"field": "shards", "got": self.shards})
        return self

    @model_validator(mode="after")
    def _warning_comes_in_time(self) -> Self:
        if self.turn_seconds and self.warn_seconds >= self.turn_seconds:
            raise PydanticCustomError(
                _CONFLICT, "too early a warning", {"field": "warn_seconds", "got": self.warn_seconds}
            )
        return self


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; a keyword such as `database="x"` beats the environment and `.env`.

    Raises SettingsError with a line for each wrong setting, and for each ESCOBA_ variable that isn't one.
    """
    for name in overrides:
        if name not in Settings.model_fields:
            raise TypeError(f"there is no setting {name!r}")
    problems = _unknown_variables()
    try:
        settings = Settings(**overrides)
    except ValidationError as error:
        problems += [_explain(detail) for detail in error.errors(include_url=False)]
    else:
        if not problems:
            return settings
    raise SettingsError("\n".join(problems))


def variable(field: str) -> str:
    """The environment variable of a field: `turn_seconds` is ESCOBA_TURN_SECONDS."""
    return PREFIX + field.upper()


def takes(field: FieldInfo) -> str:
    """What a setting's value may be, in words."""
    return next(note.words for note in field.metadata if isinstance(note, Takes))


def _unknown_variables() -> list[str]:
    """A line for every ESCOBA_ name in the environment or `.env` that no setting has."""
    known = [field.upper() for field in Settings.model_fields]
    problems: list[str] = []
    for name in sorted({name.upper() for name in (*os.environ, *_names_in_env_file())}):
        bare = name.removeprefix(PREFIX)
        if bare != name and bare not in known:
            near = difflib.get_close_matches(bare, known, n=1)
            hint = f"did you mean {PREFIX}{near[0]}?" if near else "the README lists them all."
            problems.append(f"{name} is not a setting; {hint}")
    return problems


def _names_in_env_file() -> list[str]:
    path = Settings.model_config.get("env_file")
    if not isinstance(path, str | Path) or not Path(path).is_file():
        return []
    try:
        return list(dotenv_values(path, encoding="utf-8"))
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8 text.") from None
    except OSError as error:
        raise SettingsError(f"{path} can't be read: {error.strerror}.") from None


def _explain(detail: ErrorDetails) -> str:
    if detail["type"] == _CONFLICT:
        context = detail.get("ctx", {})
        name, got = str(context["field"]), context["got"]
    else:
        name, got = str(detail["loc"][0]), detail["input"]
    expected = f"{variable(name)} takes {takes(Settings.model_fields[name])}"
    if name == "token":
        return f"{expected}."
    if "://" in str(got) and name == "database":
        return f"{expected}; in a password, write %40 for @, %2F for / and %3A for a colon."
    shown = repr(got)
    return f"{expected}; it got {shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + '…'}."
