"""What the page is sent about messages and commands."""

import doctest

import pytest

from bot.demo import people
from bot.demo.people import choices, page_texts
from bot.demo.snapshot import commands_json, local_urls, message_json

MESSAGE = {
    "id": "9007199254740993",
    "author": {"id": "12", "username": "Escoba"},
    "timestamp": "2026-05-01T10:00:00+00:00",
    "edited_timestamp": None,
    "flags": 64 | 128 | 1 << 15,
    "components": [{"type": 11, "media": {"url": "https://cdn.simcord.invalid/attachments/1/2/a.png"}}],
    "mentions": [{"id": "7"}],
    "interaction_metadata": {"id": "5", "name": "escoba", "user": {"id": "7"}},
}


def test_ids_are_texts_because_javascript_would_lose_their_last_digits() -> None:
    message = message_json(MESSAGE)
    assert (message["id"], message["author"], message["mentions"]) == ("9007199254740993", "12", ["7"])


def test_a_messages_flags_and_times_are_read() -> None:
    message = message_json(MESSAGE)
    assert (message["ephemeral"], message["loading"], message["v2"]) == (True, True, True)
    assert (message["at"], message["edited"]) == (1777629600000, None)


def test_the_examples_of_languages_are_true() -> None:
    tried = doctest.testmod(people)
    assert tried.attempted
    assert not tried.failed


@pytest.mark.usefixtures("regional")
def test_all_languages_are_offered_by_the_locales_that_discord_has_of_them() -> None:
    assert [*choices()] == ["en-US", "en-GB", "es-ES", "es-419", "es-AR", "pt-BR"]
    assert choices()["es-AR"] == "Español (Argentina)"


@pytest.mark.spanish
@pytest.mark.usefixtures("regional")
def test_the_page_has_its_texts_in_each_language_or_the_next_one() -> None:
    said = [page_texts(each)["Be {name}"] for each in ("es-AR", "es-ES", "pt-BR")]
    assert said == ["Ser {name}", "Ser {name}", "Be {name}"]


def test_the_full_name_of_a_command_is_shown_where_it_is_known() -> None:
    assert message_json(MESSAGE)["used"] == {"user": "7", "command": "escoba"}
    assert message_json(MESSAGE, command="escoba play")["used"] == {"user": "7", "command": "escoba play"}


def test_an_answer_to_a_component_refers_to_its_message() -> None:
    assert message_json(MESSAGE, source=4)["reply"] == "4"
    assert message_json(MESSAGE)["reply"] is None


def test_pictures_are_served_by_the_demo() -> None:
    assert message_json(MESSAGE)["components"][0]["media"]["url"] == "/cdn/attachments/1/2/a.png"
    assert local_urls("https://elsewhere.example/a.png") == "https://elsewhere.example/a.png"


def test_each_subcommand_is_a_command_with_its_translations() -> None:
    option = {"name": "target", "type": 4, "description": "To", "min_value": 5, "name_localizations": {"es-ES": "meta"}}
    group = {
        "name": "escoba",
        "options": [
            {
                "type": 1,
                "name": "play",
                "description": "Play",
                "description_localizations": {"es-ES": "Juega"},
                "options": [option],
            },
            {"type": 1, "name": "hand", "description": "Hand"},
        ],
    }
    (play,) = commands_json([group], ["escoba play"])
    assert play["path"] == "escoba play"
    assert play["descriptions"] == {"es-ES": "Juega"}
    assert (play["options"][0]["names"], play["options"][0]["min_value"]) == ({"es-ES": "meta"}, 5)
