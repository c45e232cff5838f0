"""docs/DISCOVERY.md: its texts fit into the fields of Discord's directory and of lists of bots."""

import re

import pytest

from bot.platform.transport.permissions import INVITED
from tests.test_project import read

MOST = {"One line": 140, "Summary": 200, "Description": 400}
LONGEST_TAG = 20
SHORTEST_PAGE = 300
TEXTS = [*MOST, "Tags", "Expanded description"]
BLOCK = re.compile(r"^### ([^\n]+)\n\n```\w+\n(.+?)\n```$", re.MULTILINE | re.DOTALL)


def languages() -> dict[str, dict[str, str]]:
    """The texts of each language, by their headings."""
    _, *parts = re.split(r"^## (.+)$", read("docs/DISCOVERY.md"), flags=re.MULTILINE)
    found = {title: dict(BLOCK.findall(part)) for title, part in zip(parts[::2], parts[1::2], strict=True)}
    return {title: texts for title, texts in found.items() if texts}


LANGUAGES = languages()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_and_none_is_too_long(language: str) -> None:
    texts = LANGUAGES[language]
    assert list(texts) == TEXTS
    assert {name: length for name, most in MOST.items() if (length := len(texts[name])) > most} == {}
    assert all("\n" not in texts[name] for name in MOST)
    tags = texts["Tags"].splitlines()
    assert len(set(tags)) == 5
    assert [tag for tag in tags if len(tag) > LONGEST_TAG] == []
    assert len(texts["Expanded description"]) >= SHORTEST_PAGE


def test_the_permissions_are_those_that_the_bot_needs() -> None:
    assert {"English", "Español"} <= LANGUAGES.keys()
    assert f"the permissions {INVITED.value}," in read("docs/DISCOVERY.md")
