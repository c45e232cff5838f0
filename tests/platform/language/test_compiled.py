"""Compiled catalogues: used while they are those of their sources, never parsed while the bot serves."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot import demo
from bot.platform.language import catalogues
from bot.platform.language.catalogues import catalogues_digest, languages, parse_catalogues, words
from bot.platform.language.compiled import compile_all
from bot.process import serve
from tests.support.languages import CACHES

ROOT = Path(__file__).parents[3]
PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*"
"""

pytestmark = pytest.mark.usefixtures("regional")


def written(language: str) -> Path:
    return catalogues.LOCALE_DIR / language / "LC_MESSAGES" / "bot.po"


def compiled(language: str) -> Path:
    return written(language).with_suffix(".mo")


def forget() -> None:
    for each in CACHES:
        each.cache_clear()


def said() -> list[str]:
    """Two texts of Argentina's, the second of which comes from Latin America's, and one of Spain's."""
    argentine, spanish = words("es-AR"), words("es-ES")
    return [argentine("My hand"), argentine("A month"), spanish("A month")]


SAID = ["Mis cartas, che", "Un mes de acá", "Un mes"]


@pytest.fixture
def _no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("babel.messages.pofile.read_po", None)


@pytest.fixture
def _all_compiled(regional: None) -> None:
    compile_all(catalogues.LOCALE_DIR)


@pytest.fixture
def _none_compiled(regional: None) -> None:
    for language in languages()[1:]:
        compiled(language).unlink(missing_ok=True)


@pytest.mark.usefixtures("_none_compiled")
def test_without_compiled_catalogues_all_is_said() -> None:
    assert said() == SAID


@pytest.mark.usefixtures("_all_compiled", "_no_parser")
def test_compiled_catalogues_say_the_same_and_none_is_parsed() -> None:
    parse_catalogues()
    assert said() == SAID


@pytest.mark.usefixtures("_all_compiled")
def test_a_changed_text_is_seen_although_the_compiled_catalogue_is_newer() -> None:
    path = written("es_AR")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Mis cartas, che", "Mis cartas, pibe"), encoding="utf-8")
    compiled("es_AR").touch()
    assert said() == ["Mis cartas, pibe", *SAID[1:]]


@pytest.mark.usefixtures("_all_compiled", "_no_parser")
def test_the_package_needs_no_sources() -> None:
    before, digest = languages(), catalogues_digest()
    for language in before[1:]:
        written(language).unlink()
    forget()
    assert languages() == before
    assert said() == SAID
    packaged = catalogues_digest()
    compiled("pt_BR").unlink()
    forget()
    assert len({digest, packaged, catalogues_digest()}) == 3


@pytest.mark.usefixtures("_all_compiled")
def test_a_language_that_was_removed_leaves_no_compiled_catalogue() -> None:
    written("pt_BR").unlink()
    compile_all(catalogues.LOCALE_DIR)
    assert not compiled("pt_BR").exists()
    assert {path.name for path in compiled("es").parent.iterdir()} == {"bot.po", "bot.mo"}


def test_they_are_the_same_whenever_they_are_compiled() -> None:
    """The made-up catalogues don't say when they were written."""
    compile_all(catalogues.LOCALE_DIR)
    assert b"POT-Creation-Date: 1970-01-01" in compiled("pt_BR").read_bytes()


@pytest.mark.usefixtures("_none_compiled")
def test_what_is_not_compiled_is_parsed_before_the_bot_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serving(*_: object, **__: object) -> int:
        with monkeypatch.context() as without:
            without.setattr("babel.messages.pofile.read_po", None)
            return 7 if said() == SAID else 8

    monkeypatch.setattr(serve, "_serve", serving)
    monkeypatch.setattr(serve, "end_within", lambda *_, **__: None)  # it ends the whole process
    monkeypatch.setattr(demo, "_run", serving)
    settings: Any = None
    assert serve.run(settings) == 7
    forget()
    assert demo.main(settings, browser=False, fresh=False) == 7


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with catalogues and an environment whose programs only say what they are called for."""
    folder = tmp_path / "checkout"
    shutil.copytree(catalogues.LOCALE_DIR, folder / "bot" / "platform" / "language" / "locale")
    shutil.copy(ROOT / "bot/platform/language/compiled.py", folder / "bot/platform/language")
    (folder / "requirements").mkdir()
    (folder / "requirements/run.lock").touch()
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("python", "uv", "pip"):
        program = folder / "venv" / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(PROGRAM)
        program.chmod(0o755)

    return folder


def make(folder: Path) -> list[str]:
    """Make the environment; returns the beginnings of what was printed."""
    command = ["make", "-s", "VENV=venv", "venv/.run"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return [" ".join(line.split()[:3]) for line in made.stdout.splitlines()]


def change(folder: Path, name: str) -> None:
    """Change a file a minute after everything else."""
    for path in folder.rglob("*"):
        earlier = path.stat().st_mtime_ns - 60 * 10**9
        os.utime(path, ns=(earlier, earlier))
    (folder / name).touch()


def test_make_compiles_them_with_the_environment_and_again_when_one_has_changed(checkout: Path) -> None:
    compiling = "python -m bot.platform.language.compiled"
    installing = ["Installing requirements/run.lock into", "python -m pip", "uv pip install"]
    assert make(checkout) == [*installing, compiling]
    assert make(checkout) == []
    change(checkout, "bot/platform/language/locale/es/LC_MESSAGES/bot.po")
    assert make(checkout) == [compiling]
    change(checkout, "requirements/run.lock")
    assert make(checkout) == [*installing, compiling]
