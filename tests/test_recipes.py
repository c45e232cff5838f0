"""docs/RECIPES.md, followed word for word on a copy of the project."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po, write_po

from tests.test_project import ROOT, project_files

SECTION = re.compile(r"^## (?P<title>.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```(?P<kind>diff|console)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^--- (?:a/(?P<changed>\S+)|/dev/null)\n\+\+\+ b/(?P<name>\S+)$", re.MULTILINE)
CATALOGUE = "/LC_MESSAGES/"
DUTCH = Path("bot/platform/language/locale/nl/LC_MESSAGES/bot.po")
LONGEST = 300
"""How many seconds a command of a recipe may take on a busy machine."""
LISTED = """
from bot.demo.people import choices
from bot.platform.settings.languages import LANGUAGE
from bot.platform.language.catalogues import words

assert words("nl-BE")("two pairs") == "twee paren"
assert words("nl").context("option", "variant") == "spelregels"
assert LANGUAGE.options["nl"] == choices()["nl"] == "Nederlands"
"""
"""What holds once the recipe for a language has been followed."""


class Block(NamedTuple):
    """A diff to apply, or commands to run."""

    kind: str
    text: str

    @property
    def commands(self) -> list[list[str]]:
        return [shlex.split(line.removeprefix("$ ")) for line in self.text.splitlines()]

    @property
    def files(self) -> dict[str, bool]:
        """The files that a diff touches, and whether each is there before."""
        return {found["name"]: found["changed"] is not None for found in FILE.finditer(self.text)}


def recipes() -> dict[str, list[Block]]:
    _, *parts = SECTION.split((ROOT / "docs/RECIPES.md").read_text(encoding="utf-8"))
    titles, texts = parts[::2], parts[1::2]
    return {
        title: [Block(each["kind"], each["text"]) for each in BLOCK.finditer(text)]
        for title, text in zip(titles, texts, strict=True)
    }


RECIPES = recipes()
ITEM, COMMAND, LANGUAGE = RECIPES
every_recipe = pytest.mark.parametrize("title", RECIPES)


def run(folder: Path, command: Sequence[str], text: str | None = None) -> None:
    """Run a command as somebody would who has just opened a terminal there."""
    kept = {name: value for name, value in os.environ.items() if not re.match("ARGS$|MAKE|NO_SKIPS|PYTEST", name)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=kept | {"THOROUGH": ""},
        input=text,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(command)}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


def apply(folder: Path, diff: Block) -> None:
    run(folder, ["git", "apply", "-"], diff.text)


@pytest.mark.parametrize(("title", "files"), [(ITEM, 5), (COMMAND, 9), (LANGUAGE, 2)])
def test_few_files_of_the_bot_are_touched(title: str, files: int) -> None:
    touched = {name for block in RECIPES[title] for name in block.files if name.startswith(("bot/", "cogs/"))}
    assert len(touched) == files


@every_recipe
def test_it_ends_with_commands_that_try_it_out(title: str) -> None:
    last = RECIPES[title][-1]
    assert any("pytest" in command for command in last.commands)


@every_recipe
def test_every_diff_applies(title: str, tmp_path: Path) -> None:
    """Those of catalogues need `make texts` first; the thorough tests apply them, too."""
    diffs = [each for each in RECIPES[title] if each.kind == "diff" and CATALOGUE not in each.text]
    touched = {name: there for each in diffs for name, there in each.files.items()}
    assert {name for name, there in touched.items() if there != (ROOT / name).is_file()} == set()
    for name in (name for name, there in touched.items() if there):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for each in diffs:
        apply(tmp_path, each)
    assert all((tmp_path / name).is_file() for name in touched)


@every_recipe
def test_every_file_that_its_commands_name_is_there_or_made_by_it(title: str) -> None:
    made = {name for block in RECIPES[title] for name in block.files}
    named = {
        word
        for block in RECIPES[title]
        if block.kind == "console"
        for command in block.commands
        for word in command[1:]
        if word.startswith("tests/")
    }
    assert named
    assert [name for name in named if not (ROOT / name).exists() and name not in made] == []


def copied(folder: Path) -> Path:
    """A copy of the project with the environment of this one."""
    for path in project_files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)  # with its time, so that `make` finds the environment newer than the locks
    (folder / ".venv").symlink_to(sys.prefix)
    run(folder, ["git", "init", "--quiet"])
    return folder


def translate(path: Path) -> None:
    """Translate what is left as a translator would, but into English."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale="nl")
    for message in catalogue:
        if message.id and not any(message.string or ()):
            message.string = message.id
    with path.open("wb") as file:
        write_po(file, catalogue, width=0)


@pytest.mark.thorough
@every_recipe
def test_whoever_follows_it_has_added_the_thing(title: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for block in RECIPES[title]:
        if block.kind == "diff":
            apply(folder, block)
            if str(DUTCH) in block.text:
                translate(folder / DUTCH)
        else:
            for command in block.commands:
                run(folder, command)
    if title == LANGUAGE:
        run(folder, [sys.executable, "-c", LISTED])
