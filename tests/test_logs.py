"""The log: text or JSON lines, each with the number of its report, and never a secret or a hidden card."""

import ast
import io
import json
import logging
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.engine.cards import CardSet
from bot.platform.operating.logs import reporting, set_up_logging
from bot.tables.live.table import Table
from tests.support.errors import Expected
from tests.support.escoba import Decks, bot_maker, room, settings_for
from tests.support.people import text_of, world
from tests.support.secrecy import default_finder
from tests.support.truth import hidden_from, match_of

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
LIBRARIES = ("discord", "simcord", "aiohttp", "aiosqlite", "sqlalchemy", "alembic", "asyncio", "PIL")
log = logging.getLogger("bot.somewhere")


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Restores pytest's logging set-up after the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}
    root.handlers.clear()  # set aside, or they would be closed
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def logging_to(form: str = "text", level: str = "DEBUG") -> io.StringIO:
    stream = io.StringIO()
    set_up_logging(level, form, secrets=[TOKEN], stream=stream)
    return stream


def objects(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    raise RuntimeError("it broke")


class TestLevels:
    def test_libraries_log_only_what_matters(self) -> None:
        set_up_logging("INFO")
        assert logging.getLogger("bot.tables.live").isEnabledFor(logging.INFO)
        assert not logging.getLogger("discord.gateway").isEnabledFor(logging.INFO)
        assert logging.getLogger("discord.gateway").isEnabledFor(logging.WARNING)

    def test_debug_shows_no_message_bodies(self) -> None:
        set_up_logging("DEBUG")
        assert logging.getLogger("bot.tables.live").isEnabledFor(logging.DEBUG)
        assert logging.getLogger("discord.gateway").isEnabledFor(logging.INFO)
        for name in ("discord.http", "aiosqlite", "sqlalchemy.engine.Engine"):
            assert not logging.getLogger(name).isEnabledFor(logging.DEBUG)

    def test_error_silences_warnings_everywhere(self) -> None:
        set_up_logging("ERROR")
        assert not logging.getLogger("discord.gateway").isEnabledFor(logging.WARNING)


class TestText:
    def test_a_line_has_time_level_logger_and_message(self) -> None:
        stream = logging_to()
        log.info("Table %s is %s", 5, "open")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO    bot\.somewhere: Table 5 is open\n", stream.getvalue()
        )

    def test_it_includes_the_report_number_and_the_traceback(self) -> None:
        stream = logging_to()
        with reporting(12345):
            try:
                fail()
            except RuntimeError:
                log.warning("Oh", exc_info=True, extra={"table": 7})
        first, *rest = stream.getvalue().splitlines()
        assert first.endswith(" WARNING bot.somewhere (report 12345): Oh")
        assert rest[0] == "  table: 7"
        assert rest[-1] == "RuntimeError: it broke"


class TestJson:
    def test_each_record_is_one_object_on_one_line(self) -> None:
        stream = logging_to("json")
        log.info("two\nlines of %s", "ñandú", extra={"table": 7, "what": {1, 2}.__class__, "message_id": 3})
        log.warning("no more")
        first, second = objects(stream)
        assert first.items() >= {"message": "two\nlines of ñandú", "level": "INFO", "logger": "bot.somewhere"}.items()
        assert first["table"] == 7
        assert first["what"] == "<class 'set'>"
        assert set(second) == {"time", "level", "logger", "message"}
        assert datetime.fromisoformat(str(second["time"])).utcoffset() == timedelta(0)

    def test_a_report_number_is_a_string_so_that_no_reader_rounds_it(self) -> None:
        stream = logging_to("json")
        with reporting(1_300_000_000_000_000_001):
            log.info("inside")
            with reporting(2):
                log.info("further inside")
        log.info("outside")
        assert [line.get("report") for line in objects(stream)] == ["1300000000000000001", "2", None]

    def test_a_traceback_is_a_field(self) -> None:
        stream = logging_to("json")
        try:
            fail()
        except RuntimeError:
            log.warning("Oh", exc_info=True)
        (line,) = objects(stream)
        assert str(line["exception"]).startswith("Traceback")
        assert str(line["exception"]).endswith("RuntimeError: it broke")

    def test_an_extra_field_cannot_replace_a_standard_one(self) -> None:
        stream = logging_to("json")
        log.info("true", extra={"level": "false", "time": "never", "report": "forged", "logger": "another"})
        (line,) = objects(stream)
        assert (line["level"], line["logger"]) == ("INFO", "bot.somewhere")
        assert line["time"] != "never"
        assert "report" not in line


@pytest.mark.parametrize("form", ["text", "json"])
class TestSecrets:
    def test_the_token_is_removed_wherever_it_appears(self, form: str) -> None:
        stream = logging_to(form)
        log.info("Bot %s", TOKEN)
        log.info("headers: %r", {"Authorization": f"Bot {TOKEN}"}, extra={"sent": TOKEN})
        try:
            raise ValueError(TOKEN)
        except ValueError:
            log.warning("Oh", exc_info=True)
        assert stream.getvalue().count("[secret]") >= 4
        assert TOKEN not in stream.getvalue()

    def test_a_secret_that_json_escapes_is_removed_too(self, form: str) -> None:
        stream = io.StringIO()
        set_up_logging("INFO", form, secrets=['a"b\\c', ""], stream=stream)
        log.info('it is a"b\\c')
        assert "[secret]" in stream.getvalue()
        assert "b\\" not in stream.getvalue()

    def test_a_password_is_removed_however_it_is_quoted(self, form: str) -> None:
        stream = io.StringIO()
        password = 'señor/"x"\\y'
        set_up_logging("INFO", form, secrets=[password], stream=stream)
        log.info("%s %r %s %s", password, password, quote(password, safe=""), json.dumps(password))
        assert stream.getvalue().count("[secret]") >= 4
        for part in ("or/", "or%2F", "x"):
            assert part not in stream.getvalue().partition("bot.somewhere")[2]

    def test_an_address_is_reduced_to_its_route(self, form: str) -> None:
        stream = logging_to(form)
        url = (
            "https://discord.com/api/v10/guilds/1100000000000000201/members/1300000000000000100/roles/1200000000000000"
        )
        library = logging.getLogger("discord.http")
        library.warning(
            "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds.", "PUT", url, 1.5
        )
        library.warning("GET %r", "/guilds/1100000000000000201/members?after=1300000000000000100&limit=1000")
        assert "0000000000" not in stream.getvalue()
        assert "/guilds/{id}/members/{id}/roles/{id} responded with 429" in stream.getvalue()
        assert "members?after={id}&limit=1000" in stream.getvalue()

    def test_an_interactions_token_is_removed_from_urls(self, form: str) -> None:
        stream = logging_to(form)
        log.info("PATCH %r failed", "/webhooks/123/aW50ZXJhY3Rpb24/messages/@original")
        log.info('POST "/interactions/123/aW50ZXJhY3Rpb24/callback"')
        log.info('{"url": "/webhooks/123/aW50ZXJhY3Rpb24"}')
        assert "aW50" not in stream.getvalue()
        assert "/messages/@original" in stream.getvalue()
        assert len(stream.getvalue().splitlines()) == 3
        if form == "json":
            assert len(objects(stream)) == 3

    def test_a_record_that_cannot_be_formatted_is_not_logged_raw(
        self, form: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        stream = logging_to(form)
        log.info("%d", TOKEN)
        log.info("%s %d", TOKEN, TOKEN)
        assert stream.getvalue().count("a record could not be written: TypeError") == 2
        captured = capsys.readouterr()
        assert TOKEN not in stream.getvalue() + captured.out + captured.err


# ------------------------------------------------------------------------------------------ a running bot


async def test_the_reply_to_a_failure_shows_the_report_number_that_is_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
) -> None:
    expected_errors.append(("bot.platform.kit.interactions", "it broke"))
    stream = logging_to("json")
    async with world(bot_maker(settings_for(tmp_path)), ("Ana",)) as made:
        ana = made.people[0]
        monkeypatch.setattr("cogs.tables.guide_layout", lambda *_: fail())
        await ana.slash(made.channel, "escoba rules")
        number = re.search(r"report (\d+)", text_of(ana.panel(made.channel)))
        assert number
        lines = [line for line in objects(stream) if line.get("report") == number[1]]
        assert [line["level"] for line in lines] == ["ERROR"]
        assert "RuntimeError: it broke" in str(lines[0]["exception"])
        await ana.slash(made.channel, "escoba stats")
    assert {line.get("report") for line in objects(stream)} <= {None, number[1]}


def test_a_failure_of_the_store_is_always_logged_with_its_reason() -> None:
    """The error's message holds no values, so there is no reason to log only the name of its class."""
    root = Path(__file__).parents[1]
    found: list[str] = []
    handlers = 0
    for path in (*root.glob("bot/**/*.py"), *root.glob("cogs/**/*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(r"except \w*Store", text) else ():
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and "Store" in node.type.id:
                handlers += 1
                found += [f"{path.relative_to(root)}:{node.lineno}"] if "__name__" in ast.unparse(node) else []
    assert handlers > 20, "the search finds them"
    assert found == []


class Listener(logging.Handler):
    """Checks every line, in each form, for hidden cards at the moment it is logged."""

    def __init__(self, table: Table, forms: list[logging.Handler]) -> None:
        super().__init__()
        self.forms = forms
        self.table = table
        self.lines = 0
        self.leaks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        match = match_of(self.table)
        hidden = CardSet() if match is None else hidden_from(match, None)
        cards = {str(card) for card in hidden}
        self.lines += 1
        for line in (form.format(record) for form in self.forms):
            self.leaks += [f"{card}: {line}" for card in default_finder().cards(line) & cards]


async def test_no_hidden_card_and_no_token_is_logged_in_any_form_during_a_match(tmp_path: Path) -> None:
    root = logging.getLogger()
    text = logging_to("text")
    in_text = root.handlers[0]
    json_lines = logging_to("json")
    root.addHandler(in_text)  # the second set-up had removed it
    async with room(tmp_path, 2, chance=Decks(3), token=TOKEN, turn_seconds=60) as here:
        await here.begin(target=5)
        listener = Listener(here.table, root.handlers[:])
        root.addHandler(listener)
        token = here.bot.parts.settings.token
        log.debug("Somebody logs %s", token and token.get_secret_value())
        await here.wait(45)  # a warning
        await here.wait(20)  # a computer plays
        await here.play_out()
    assert listener.lines
    assert listener.leaks == []
    for stream in (text, json_lines):
        assert TOKEN not in stream.getvalue()
        assert "[secret]" in stream.getvalue()
