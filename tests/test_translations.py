"""The papers in other languages: each names its original, has its parts, and says from which day it is.

One that is older than its original is only reported, as a warning: a change of the English needs no translator.
"""

import hashlib
import re
import warnings
from datetime import date
from pathlib import Path

import pytest
from discord import Locale

from bot.platform.language.catalogues import language_of, words
from cogs.escoba import Escoba
from tests.test_project import read

ROOT = Path(__file__).parents[1]
COMMANDS = [command.name for command in Escoba.__cog_app_commands__]
PAPERS = sorted(ROOT.glob("docs/*/*.md"))
SAYS = re.compile(
    r"# [^\n]+\n+<!-- translates (\S+) of (\d{4}-\d\d-\d\d), sha256 ([0-9a-f]{12}) -->\n+[^\n]*\]\((\S+?)\)"
)


def name_of(paper: Path) -> str:
    return paper.relative_to(ROOT).as_posix()


def said(text: str) -> tuple[str, date, str]:
    """Read the beginning of a translation: the path of its original, the day, and the original's digits that day."""
    found = SAYS.match(text)
    assert found, "a translation begins with a heading, the comment that says what it translates, and a link to that"
    original, day, digits, link = found.groups()
    assert link == original
    return original, date.fromisoformat(day), digits


def report(name: str, original: Path, day: date, digits: str) -> None:
    """Warn if the original is no longer what was translated."""
    today = hashlib.sha256(original.read_bytes()).hexdigest()[:12]
    if digits != today:
        warnings.warn(f"{name} is {original.name} of {day}; today's is sha256 {today}", stacklevel=2)


@pytest.mark.parametrize("paper", PAPERS, ids=name_of)
def test_a_translation_has_all_parts_and_pictures_of_its_original(paper: Path) -> None:
    text = paper.read_text(encoding="utf-8")
    path, day, digits = said(text)
    original = (paper.parent / path).resolve()
    assert original.name == paper.name
    assert original.is_file()
    english = original.read_text(encoding="utf-8")
    assert len(parts(text)) == len(parts(english))
    assert pictures(paper, text) == pictures(original, english)
    report(name_of(paper), original, day, digits)


def parts(text: str) -> list[str]:
    return re.findall(r"^## .+$", text, re.MULTILINE)


def pictures(paper: Path, text: str) -> set[Path]:
    found = re.findall(r'<img src="([^"]+)"|!\[[^\]]*\]\(([^)]+)\)', text)
    return {(paper.parent / (one or other)).resolve() for one, other in found}


@pytest.mark.parametrize("paper", PAPERS, ids=name_of)
def test_its_commands_are_those_that_discord_offers_in_its_language(paper: Path) -> None:
    offered = {language for locale in Locale if (language := language_of(locale.value))}
    language = language_of(paper.parent.name)
    assert language
    # whoever has chosen a language that Discord lacks sees the commands in any other
    there = [words(each).context("command", name) for each in ({language} & offered or offered) for name in COMMANDS]
    assert set(re.findall(r"`/escoba\s(\w+)", paper.read_text(encoding="utf-8"))) <= set(there)


def test_one_that_lags_is_reported_with_its_day_and_todays_is_not(tmp_path: Path) -> None:
    original = tmp_path / "PLAYING.md"
    original.write_text("# Playing\n", encoding="utf-8")
    digits = hashlib.sha256(original.read_bytes()).hexdigest()[:12]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report("docs/es/PLAYING.md", original, date(2026, 11, 26), digits)
    original.write_text("# How to play\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"docs/es/PLAYING\.md is PLAYING\.md of 2026-11-26"):
        report("docs/es/PLAYING.md", original, date(2026, 11, 26), digits)


def test_the_readme_leads_to_each_of_its_translations() -> None:
    head = read("README.md").split("\n## ")[0]
    there = {name_of(paper) for paper in PAPERS if paper.name == "README.md"}
    assert there
    assert there <= set(re.findall(r"\]\((docs/[\w-]+/README\.md)\)", head))
