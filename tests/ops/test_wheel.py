"""The package's files and its page on an index: built as `make wheel` does, and out of the source archive."""

import json
import os
import re
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from babel import Locale

from bot import __version__
from bot.platform.language.catalogues import languages
from tests.ops.files import ROOT
from tests.test_project import project_files

HATCH = [sys.executable, "-m", "hatchling"]
HOME = "https://code.example.org/ana/escoba"
AT = re.compile(rf"{HOME}/(?:blob|raw|tree)/v{re.escape(__version__)}")


def build(kind: str, folder: Path, out: Path, home: str) -> Path:
    subprocess.run([*HATCH, "build", "-t", kind, "-d", out], cwd=folder, env={**os.environ, "SOURCE": home}, check=True)
    (built,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        name = f"escoba_discord-{__version__}.dist-info/METADATA"
        return Parser().parsestr(archive.read(name).decode())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"), HOME)


def targets(readme: str) -> list[str]:
    """Find where the links and pictures of a README lead."""
    return re.findall(r'(?:\]\(|(?:src|href)=")([^)"]*)', readme)


def test_its_page_shows_every_picture_and_leads_to_files_of_this_version(wheel: Path) -> None:
    found = metadata(wheel)
    assert found["Description-Content-Type"] == "text/markdown"
    leads = [target for target in targets(str(found.get_payload())) if not target.startswith("#")]
    assert len(leads) >= 15
    urls = dict(value.split(", ") for value in found.get_all("Project-URL", []))
    assert list(urls) == ["Homepage", "Documentation", "Source", "Changelog", "Issues"]
    assert (urls.pop("Homepage"), urls.pop("Issues")) == (HOME, f"{HOME}/issues")
    for address in (*leads, *urls.values()):
        path, count = AT.subn("", address.partition("#")[0])
        assert count == 1, address
        assert (ROOT / path.lstrip("/")).exists(), address
        assert ("/raw/" in address) == path.endswith((".gif", ".webp")), address


def test_without_a_known_home_its_page_has_the_words_alone(tmp_path: Path) -> None:
    found = metadata(build("wheel", ROOT, tmp_path, home=str(tmp_path)))
    assert "Project-URL" not in found
    assert "Dynamic" not in found
    readme = str(found.get_payload())
    assert {target[:1] for target in targets(readme)} <= {"#"}
    assert "\nEspañol · Português · " in readme
    assert "\nA round in a channel: " in readme
    assert "<img" not in readme


@pytest.mark.parametrize(
    ("remote", "home"),
    [
        ("https://code.example.org/ana/escoba.git", HOME),
        ("https://ana:secret@code.example.org/ana/escoba", HOME),
        ("https://code.example.org:8443/ana/escoba/", "https://code.example.org:8443/ana/escoba"),
        ("git@code.example.org:ana/escoba.git", HOME),
        ("ssh://git@code.example.org:2222/ana/escoba.git", HOME),
        ("git@alias:ana/escoba.git", None),
        ("http://127.0.0.1/ana/escoba", None),
        ("../escoba.git", None),
        (None, None),
    ],
)
def test_its_home_is_where_git_says_the_code_comes_from(tmp_path: Path, remote: str | None, home: str | None) -> None:
    for name in ("pyproject.toml", "README.md", "bot/__init__.py", "ops/wheel/metadata.py"):
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((ROOT / name).read_bytes())
    # a repository around it is somebody else's
    for folder, origin in ((tmp_path, "https://code.example.org/emma/other"), (tmp_path / "here", remote)):
        if origin is not None:
            subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
            subprocess.run(["git", "remote", "add", "origin", origin], cwd=folder, check=True)
    env = {name: value for name, value in os.environ.items() if name != "SOURCE" and not name.startswith("GIT_")}
    asked = subprocess.run([*HATCH, "metadata"], cwd=tmp_path / "here", env=env, capture_output=True, check=True)
    assert json.loads(asked.stdout).get("urls", {}).get("Homepage") == home


def test_built_from_the_source_archive_it_is_the_same_to_the_byte(wheel: Path, tmp_path: Path) -> None:
    subprocess.run(["tar", "xzf", build("sdist", ROOT, tmp_path, HOME)], cwd=tmp_path, check=True)
    unpacked = tmp_path / f"escoba_discord-{__version__}"
    assert build("wheel", unpacked, tmp_path, home="").read_bytes() == wheel.read_bytes()


def test_it_has_the_bots_own_files_alone(wheel: Path) -> None:
    ours = {path.relative_to(ROOT).as_posix() for path in project_files()}
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    info = f"escoba_discord-{__version__}.dist-info"
    assert {name for name in names if name.startswith(f"{info}/")} == {
        f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    inside = {name.removeprefix("escoba_discord/") for name in names if name.startswith("escoba_discord/")}
    assert not [path for path in ours if path.endswith(".mo")]
    expected = {re.sub(r"/bot\.po$", "/bot.mo", path) for path in ours if path.startswith(("bot/", "cogs/"))}
    assert inside - {"__main__.py", ".env.example"} == expected
    assert wheel.stat().st_size < 2_500_000


def test_it_names_the_languages_that_the_bot_speaks(wheel: Path) -> None:
    named = re.findall(r"Natural Language :: (\w+)", str(metadata(wheel)))
    assert set(named) == {Locale.parse(language).get_language_name("en") for language in languages()}
