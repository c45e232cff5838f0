"""Commands in texts: clickable where their ids are known, otherwise as they are typed."""

import pytest

from bot.platform.language.catalogues import words
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.refusals import Refusal
from bot.tables.refusals import TableRefusal

IDS = CommandIds.of({"escoba play": 7, "escoba table": 7, "escoba-admin": 9})
NO_GAME = Refusal(TableRefusal.NO_GAME)


def test_a_command_whose_id_is_known_can_be_clicked():
    plain = NO_GAME.reason(words("en"))
    assert "`/escoba play`" in plain
    assert NO_GAME.reason(words("en", IDS)) == plain.replace("`/escoba play`", "</escoba play:7>")


@pytest.mark.spanish
def test_a_command_with_another_name_in_a_language_is_named_as_the_picker_there_lists_it():
    assert "`/escoba jugar`" in NO_GAME.reason(words("es-ES", IDS))


def test_a_command_without_subcommands_can_be_clicked_too():
    assert words("en", IDS)("Look at `/escoba-admin`.") == "Look at </escoba-admin:9>."


def test_a_command_without_a_known_id_stays_as_it_is_typed():
    assert words("en", IDS)("Try `/escoba hand`.") == "Try `/escoba hand`."
    assert words("en", CommandIds.of({"escoba play": 7}))("`/escoba table`") == "`/escoba table`"


def test_a_command_in_a_persons_name_does_not_become_clickable():
    assert words("en", IDS)("{name} joins", name="`/escoba play`") == "`/escoba play` joins"


def test_the_ids_survive_being_stored():
    assert CommandIds.load(IDS.dump()) == IDS


@pytest.mark.parametrize("text", [None, "", "{}", "[]", "7", "{", '{"escoba play": "x"}', '{"escoba play": null}'])
def test_an_invalid_text_holds_no_ids(text: str | None):
    assert CommandIds.load(text) == NO_IDS
