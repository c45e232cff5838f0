"""Every later version reads what a released version has written, and it means the same.

`released/` gets one file with each release, from 1.0 on; see `texts.py`. Files are only ever added: if a test here
fails, the code is wrong, not the file.
"""

import json
from typing import Any

import pytest

from bot.engine.events import Event
from bot.platform.eventlog import WrittenByNewer
from bot.tables.log import codec as tables
from bot.tournaments.live import codec as tournaments
from tests.platform.eventlog.texts import FOLDER, READERS, difference, lines

WRITTEN: list[dict[str, Any]] = [json.loads(json.dumps(line)) for line in lines()]
RELEASED = sorted(FOLDER.glob("*.jsonl"))


def test_what_any_released_version_has_written_still_means_the_same() -> None:
    released = [json.loads(line) for path in RELEASED for line in path.read_text(encoding="utf-8").splitlines()]
    assert [found for line in (*WRITTEN, *released) if (found := difference(line)) is not None] == []


def test_what_is_recorded_has_every_kind_of_entry() -> None:
    kinds = {form: {line["kind"] for line in WRITTEN if line["format"] == form} for form in READERS}
    assert kinds["table"] == {*tables.LOG.kinds, *tables.LOG.notations}
    assert kinds["tournament"] == {*tournaments.LOG.kinds}
    moves = {type(tables.decode(each["kind"], each["text"])) for each in WRITTEN if each["kind"] == tables.MATCH}
    assert moves == {*Event.__args__}


def test_a_default_that_changes_is_noticed() -> None:
    line = {"format": "table", "kind": "presence", "text": '{"seat":1,"presence":"away"}'}
    means = {"seat": 1, "presence": "away", "by": None}
    assert difference({**line, "means": means}) is None
    assert difference({**line, "means": means | {"by": 0}}) is not None, "as if that had been the default"
    assert difference({**line, "means": means | {"since": "noon"}}) is not None, "as if a field had been removed"
    assert difference({**line, "means": {"seat": 1, "presence": "away"}}) is None, "a field was added"


def test_a_choice_that_is_no_longer_known_is_noticed() -> None:
    line = {"format": "preferences", "kind": "", "means": {"turn_notice": "at_once"}}
    assert difference({**line, "text": '{"turn_notice": "at_once"}'}) is None
    for text in ('{"turn_notice": "digest"}', '{"notice": "at_once"}', "at_once"):
        assert difference({**line, "text": text}) is not None, text


@pytest.mark.parametrize(
    "line",
    [
        {"format": "table", "kind": "toasted", "text": "{}"},
        {"format": "tournament", "kind": "entered", "text": '{"people":[],"team":"A"}'},
        {"format": "rules", "kind": "", "text": '{"preset":"mus","rules":"target=21"}'},
    ],
)
def test_a_text_of_a_newer_version_is_read_as_such(line: dict[str, Any]) -> None:
    with pytest.raises(WrittenByNewer):
        difference({**line, "means": {}})
