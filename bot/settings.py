"""Every setting of the bot: read from the environment and `.env`, checked, and explained if a value is wrong."""

import difflib
import hashlib
import ipaddress
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, get_args
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.platform.secrets import hiding, may_hold_secret, passwords_in, token_of
from bot.platform.shards import ALL, Shards

PREFIX = "ESCOBA_"
ENV_FILE = ".env"
_POSTGRES = "postgresql+psycopg"
_MAX_URL = 512  # Discord's limit for a button's link
_MAX_SHOWN = 60  # characters of a wrong value that an error message repeats
_CONFLICT = "conflict"  # the pydantic error type of a value that conflicts with another setting

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
LogFormat = Literal["text", "json"]


class SettingsError(Exception):
    """The settings can't be used. `str()` has one line for each wrong setting, ready to be shown to the operator."""


@dataclass(frozen=True, slots=True)
class Takes:
    """The values that a setting accepts, in words. Completes the sentence "ESCOBA_X takes ..."."""

    words: str


def _turn_seconds(value: int) -> int:
    if value != 0 and not 15 <= value <= 86_400:
        raise ValueError("outside the range")
    return value


def _in_any_case(*choices: str) -> BeforeValidator:
    """Accepts one of these words in upper or lower case."""
    spellings = {choice.casefold(): choice for choice in choices}
    return BeforeValidator(lambda value: spellings.get(str(value).strip().casefold(), value))


_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z.-]+):)?(?P<port>[0-9]{1,5})")
_MAX_PORT = 65_535


def _address(value: object) -> object:
    """host:port; a port without a host is on the loopback address."""
    if not isinstance(value, str):
        return value
    match = _ADDRESS.fullmatch(value.strip())
    if match is None or not 1 <= int(match["port"]) <= _MAX_PORT:
        raise ValueError("not an address")
    host = match["host"] or "127.0.0.1"
    if host.startswith("["):
        ipaddress.IPv6Address(host[1:-1])
    return f"{host}:{int(match['port'])}"


def _database(value: str) -> str:
    """A path, or the address of a PostgreSQL database.

    Any other address is refused: taken as a path, it would create a folder whose name contains its password.
    """
    if "://" not in value:
        return value
    parts = urlsplit(value)
    # an unescaped @ or / in the password moves the rest of it into the host or the path
    if parts.scheme != _POSTGRES or (parts.netloc + parts.path).count("@") > 1 or not parts.path.strip("/"):
        raise ValueError("not the address of a database")
    _ = parts.port  # raises ValueError if it isn't a number
    return value


def _url(value: object) -> object:
    if not isinstance(value, str):
        return value
    value = value.strip()
    parts = urlsplit(value)
    if value.split() != [value] or len(value) > _MAX_URL or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not a web address")
    return value


def _shards(value: object) -> object:
    """Shards and their count, as `str(Shards)` writes them."""
    return str(Shards.parse(value)) if isinstance(value, str) else value


_Url = Annotated[str | None, BeforeValidator(_url), Takes("a web address that starts with https:// or http://")]
_Lobbies = Annotated[int, Field(ge=1, le=1_000), Takes("1 to 1000 tables")]
_Minutes = Annotated[int, Field(ge=1, le=10_080), Takes("1 to 10080 minutes")]


class Settings(BaseSettings):
    """The settings of one bot process.

    A field `x` is the variable `ESCOBA_X`, and its docstring is the text in `.env.example`. A value in
    the environment beats one in `.env`, and an empty value means the default. Use `load_settings`, which turns mistakes
    into readable lines.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",  # other programs' variables; load_settings reports mistyped ESCOBA_ names
        frozen=True,
        hide_input_in_errors=True,  # otherwise a traceback could show the token
        str_strip_whitespace=True,
        use_attribute_docstrings=True,  # they become the fields' descriptions
    )

    # Basics
    token: Annotated[
        SecretStr | None,
        BeforeValidator(token_of),
        Takes("a bot's token: three parts with dots between them, no quotes"),
    ] = None
    """The bot's token, from the Bot page of its application in Discord's developer portal. The demo needs none."""
    database: Annotated[
        str,
        Field(min_length=1, repr=False),
        AfterValidator(_database),
        Takes(f"the path of a file, or {_POSTGRES}://USER:PASSWORD@HOST/DATABASE"),
    ] = "data/escoba.sqlite3"
    """The place where games and results are kept: a file, whose folder is created if needed, or a PostgreSQL
    database."""
    backups: Annotated[bool, Takes("True or False")] = True
    """Whether the bot backs up its database every day, if it is a file, into a folder beside it named *.backups."""
    marks_key: Annotated[SecretStr | None, Field(min_length=32), Takes("at least 32 characters, best at random")] = None
    """The key of marks (docs/PRIVACY.md): one for all processes, and in no backup. By default the bot makes a file."""
    shards: Annotated[
        str | None,
        BeforeValidator(_shards),
        Takes("shards and how many there are, such as 0-3/16 or 0,2/4; fewer than all only with PostgreSQL"),
    ] = None
    """The shards of this process, when several share a PostgreSQL database.
    By default one process has all of them, as many as Discord recommends."""
    home_server: Annotated[
        int | None, Field(ge=10**16, lt=2**63), Takes("the id of a server, such as 614807913302851594")
    ] = None
    """The one server that has /escoba-admin, so that the managers of other servers never see it. The bot must be in it.
    By default every server has the command, and it is listed for the people who manage the server."""

    # At the table
    turn_seconds: Annotated[int, AfterValidator(_turn_seconds), Takes("0 (no limit), or 15 to 86400 seconds")] = 120
    """The time that a player may think before a robot plays for them."""
    warn_seconds: Annotated[int, Field(ge=0), Takes("0 (no warning), or fewer seconds than ESCOBA_TURN_SECONDS")] = 30
    """The time before that limit at which the player is warned, at least.
    If the limit is long, the warning comes when a quarter of it is left, or an hour if that is less."""
    nudge_seconds: Annotated[int, Field(ge=0, le=86_400), Takes("0 (never), or 1 to 86400 seconds")] = 45
    """The time into their turn at which a player who hasn't clicked is notified.
    A short message then mentions them, with a link to the table. It is deleted once they have clicked."""
    computer_seconds: Annotated[float, Field(ge=0, le=30), Takes("0 to 30 seconds; fractions are allowed")] = 1.5
    """The time that a robot waits before it plays, so that people can follow."""
    round_seconds: Annotated[int, Field(ge=5, le=3_600), Takes("5 to 3600 seconds")] = 45
    """The time that a round's score is shown before the next round is dealt automatically."""
    abandon_minutes: _Minutes = 30
    """The time that a match waits when no human plays in it, before it is abandoned."""
    lobby_minutes: _Minutes = 60
    """The time that a lobby stays open when nobody touches it."""
    idle_days: Annotated[int, Field(ge=0, le=365), Takes("0 (forever), or 1 to 365 days")] = 14
    """The time a match without deadlines waits for a move. A rated one can then be claimed, and waits twice that."""

    # Results
    rate_matches: Annotated[int, Field(ge=1, le=1_000), Takes("1 to 1000 matches")] = 5
    """The number of matches that a player needs for a place in the ranking by win rate."""
    keep_games_days: Annotated[int, Field(ge=0, le=36_500), Takes("0 (forever), or 1 to 36500 days")] = 365
    """The time that the moves of a closed game are kept. Its result stays."""
    keep_people_days: Annotated[int, Field(ge=0, le=36_500), Takes("0 (forever), or 1 to 36500 days")] = 730
    """The time after which everything about a person is erased who does nothing any more."""

    # Limits
    lobbies_per_guild: _Lobbies = 50
    """The number of tables on one server that may be waiting for players at the same time."""
    lobbies_per_person: _Lobbies = 3
    """The number of tables opened by one person that may be waiting for players at the same time."""
    clicks_per_10_seconds: Annotated[int, Field(ge=0, le=1_000), Takes("0 (no limit), or 1 to 1000")] = 40
    """The number of clicks and commands of one person that are handled within 10 seconds."""
    requests_per_second: Annotated[float, Field(ge=0, le=10_000), Takes("0 (no limit), or up to 10000")] = 45
    """The number of requests that the bot sends to Discord a second, not counting replies to clicks. Discord allows 50.
    Several processes share them by shards: one that has 4 of 16 gets a quarter."""

    # Processor time
    thinkers: Annotated[int, Field(ge=0, le=16), Takes("0 (hard robots play like normal ones), or 1 to 16")] = 1
    """The number of processes that think for the hard robots. Each uses at most one core."""
    pictures: Annotated[bool, Takes("True or False")] = True
    """Whether tables are shown as pictures, unless a server chooses text. Text takes less processor time."""

    # Logs and health
    log_level: Annotated[LogLevel, _in_any_case(*get_args(LogLevel)), Takes("DEBUG, INFO, WARNING or ERROR")] = "INFO"
    """The least serious level of messages that are logged. The log goes to standard error."""
    log_format: Annotated[LogFormat, _in_any_case(*get_args(LogFormat)), Takes("text or json")] = "text"
    """The form in which messages are logged: as lines for people, or as one JSON object per line."""
    health_address: Annotated[
        str | None,
        BeforeValidator(_address),
        Takes("a port on this machine, such as 8080, or an address with a port, such as 10.0.0.5:8080"),
    ] = None
    """The address at which /live, /ready and /metrics are served, to everyone who can reach that address.
    By default they aren't served."""

    # Links
    support_url: _Url = None
    """The page where people get help. Linked under Your data in /escoba me, and /escoba-admin."""
    privacy_url: _Url = None
    """The page with your privacy notice, such as docs/PRIVACY.md on the web. Linked in the same places."""
    terms_url: _Url = None
    """The page with your terms of use, such as docs/TERMS.md on the web. Linked in the same places."""

    # The demo
    demo_host: Annotated[Literal["127.0.0.1", "0.0.0.0"], Takes("127.0.0.1 or 0.0.0.0")] = "127.0.0.1"  # noqa: S104
    """The address that the demo's page listens on: 0.0.0.0 in a container, where that is what its engine reaches.
    Anywhere else leave it as it is, because whoever reaches the page can play as anyone."""
    demo_port: Annotated[int, Field(ge=0, le=_MAX_PORT), Takes("0 (any free port), or 1 to 65535")] = 8765
    """The port of the demo's page on this machine. If it is in use, the demo takes another."""
    demo_database: Annotated[str, Field(min_length=1), Takes("the path of a file")] = "data/demo.sqlite3"
    """The file in which the demo keeps its games between runs."""

    HEARTBEAT_FRESH_SECONDS: ClassVar[int] = 90
    """The greatest age of a heartbeat file at which the bot still counts as connected."""

    @property
    def own_shards(self) -> Shards:
        """The shards whose servers this process serves."""
        return ALL if self.shards is None else Shards.parse(self.shards)

    @property
    def heartbeat_path(self) -> Path:
        """The file that a running bot touches every 30 s while it is connected; `health` checks its age.

        Each of several processes has its own, named after its shards.
        """
        if "://" not in self.database:
            return Path(f"{self.database}.alive")
        where = f"{hiding(passwords_in(self.database))(self.database)} {self.shards or ''}"
        own = self.own_shards
        shards = f"-{own.numbers[0]}-{own.numbers[-1]}-of-{own.count}" if self.shards else ""
        return Path(tempfile.gettempdir()) / f"escoba-{hashlib.sha256(where.encode()).hexdigest()[:16]}{shards}.alive"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never be shown, including that of PostgreSQL's own variable."""
        own = (each.get_secret_value() for each in (self.token, self.marks_key) if each is not None)
        return tuple(filter(None, (*own, *passwords_in(self.database), os.environ.get("PGPASSWORD"))))

    @property
    def health_host_and_port(self) -> tuple[str, int] | None:
        """The address that the health endpoint listens on; None if it isn't served."""
        if self.health_address is None:
            return None
        host, _, port = self.health_address.rpartition(":")
        return host.strip("[]"), int(port)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.shards and not self.own_shards.complete and "://" not in self.database:
            raise self._conflict("shards")
        if self.turn_seconds and self.warn_seconds >= self.turn_seconds:
            raise self._conflict("warn_seconds")
        return self

    def _conflict(self, field: str) -> PydanticCustomError:
        return PydanticCustomError(_CONFLICT, "conflict", {"field": field, "got": getattr(self, field)})


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; a keyword such as `database="x"` beats the environment and `.env`.

    Raises:
        SettingsError: with a line for each wrong setting and for each ESCOBA_ variable that isn't a setting.
        TypeError: if a keyword isn't a setting.
    """
    if unknown := [name for name in overrides if name not in Settings.model_fields]:
        raise TypeError(f"there is no setting {unknown[0]!r}")
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
    """The values that a setting accepts, in words."""
    return next(note.words for note in field.metadata if isinstance(note, Takes))


def _unknown_variables() -> list[str]:
    """A line for every ESCOBA_ name in the environment or `.env` that isn't a setting."""
    known = [field.upper() for field in Settings.model_fields]
    problems: list[str] = []
    for name in sorted({name.upper() for name in (*os.environ, *_names_in_env_file())}):
        bare, *more = re.split(r"\W", name.removeprefix(PREFIX), maxsplit=1)  # after a colon, say, may be the token
        if name.startswith(PREFIX) and (more or bare not in known):
            near = difflib.get_close_matches(bare, known, n=1)
            sign = "=" if more else ""
            hint = f"did you mean {PREFIX}{near[0]}{sign}?" if near else "the command `settings` lists them all."
            problems.append(f"{PREFIX}{bare} is not a setting; {hint}")
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
    if "://" in str(got) and name == "database":
        return f"{expected}; in a password, write %40 for @, %2F for / and %3A for a colon."
    if name == "token" or may_hold_secret(str(got)):
        return f"{expected}."
    return f"{expected}; it got {repr(got) if len(repr(got)) <= _MAX_SHOWN else repr(got)[: _MAX_SHOWN - 1] + '…'}."
