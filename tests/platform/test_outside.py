"""JSON from outside: whatever stands in it, a reader gets a value that it can handle, or says that there is none."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.club.boards.podiums import _read_places  # pyright: ignore[reportPrivateUsage]
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.outside import DEEPEST, read_json
from bot.platform.transport.refusals import told_to_wait
from bot.privacy.live.personal_data import _read  # pyright: ignore[reportPrivateUsage]
from bot.process.wording import Kept
from bot.tables.boards.next_ping import Ping, noted, read_noted
from bot.tables.settings import TablePreferences, TableSettings
from bot.training.live.finding import Exercise, ExerciseError
from tests.support.store import NOON

DEEP: Final = "[" * 100_000 + "]" * 100_000
UNREADABLE: Final = (
    *("", "x", "[", "NaN", "-Infinity", "1e999", "[1e999]", "9" * 5_000, "9" * 30, "-1" + "0" * 19, '"\\ud800"', DEEP),
    *('{"\\udfff":1}', '{"a":' * 100_000 + "1" + "}" * 100_000, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)),
)
STRANGE: Final = (
    *("null", "true", "0", "-1", "1.5", '""', '"a"', "[]", "{}", "[[]]", "[{}]", "[null]", '{"a":null}', '{"1":[]}'),
    *('{"cards":[[1,2,3,4,5]]}', '{"cards":null}', '{"retry_after":"1"}', '{"retry_after":-1}', '{"retry_after":null}'),
    *('[{"message":null}]', '{"position":1}', '{"position":"a","ratings":[]}', "[" * DEEPEST + "]" * DEEPEST),
)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_handled_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_everything_else_is_read_as_it_is(text: str) -> None:
    assert read_json(text) == read_json(text.encode()) == json.loads(text)


def test_bytes_that_are_no_text_are_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(b'"\xff"')


class Response:
    """A response of Discord's, with a body."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def read(self) -> bytes:
        return self._text.encode()

    async def text(self, encoding: str) -> str:
        return self._text


def exercise(text: str) -> Exercise | None:
    try:
        return Exercise.load(text)
    except ExerciseError:
        return None


@pytest.mark.parametrize("text", [*UNREADABLE, *STRANGE], ids=range(len(UNREADABLE) + len(STRANGE)))
@pytest.mark.parametrize(
    ("read", "nothing"),
    [
        (Kept.load, Kept()),
        (read_noted, []),
        (exercise, None),
    ],
    ids=["emojis", "pings", "exercises"],
)
def test_a_damaged_note_says_nothing(read: Callable[[str], object], nothing: object, text: str) -> None:
    assert read(text) == nothing


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_damaged_choices_are_the_defaults_and_damaged_ids_of_commands_are_none(text: str) -> None:
    assert CommandIds.load(text) == NO_IDS
    for choices in (TableSettings, TablePreferences):
        if text:
            assert not choices.load(text).model_fields_set - choices.CAUTIOUS.keys()


@pytest.mark.parametrize("text", [*UNREADABLE, *STRANGE], ids=range(len(UNREADABLE) + len(STRANGE)))
async def test_discord_says_how_long_to_wait_or_it_does_not(text: str) -> None:
    response: Any = Response(text)
    assert await told_to_wait(response) is None


async def test_discords_own_answer_is_understood() -> None:
    response: Any = Response('{"message":"slow down","retry_after":1.5,"global":false}')
    assert await told_to_wait(response) == 1.5


@pytest.mark.parametrize("text", [*UNREADABLE, "[]", "null", '{"a":null}', '{"x":1}'])
def test_damaged_roles_of_a_podium_are_none(text: str) -> None:
    assert _read_places(text) == {}


def test_what_was_noted_is_read_again() -> None:
    pings = [Ping(1, 0, 7, NOON, warns_of=NOON)]
    assert read_noted(noted(pings) or "") == pings
    assert _read_places('{"7":1}') == {7: 1}


def test_a_damaged_text_of_a_person_is_given_to_them_as_it_is() -> None:
    assert (_read(DEEP), _read("NaN"), _read('{"a":1}')) == (DEEP, "NaN", {"a": 1})
