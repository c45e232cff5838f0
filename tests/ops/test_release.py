"""`make release` in a repository of its own: what it commits, tags and builds, and what it refuses."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import __version__
from tests.ops.files import ROOT
from tests.test_project import project_files

MAJOR = int(__version__.split(".")[0])
NEXT = f"{MAJOR}.99.1"
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A card.\n\n## [0.0.1] - 2026-01-02\n\n- The first.\n"


class Scratch:
    """A copy of this checkout whose one commit has a changelog of a few lines, and all migration steps released."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        who = ("GIT_AUTHOR", "GIT_COMMITTER")
        names = {f"{each}_{what}": "a@invalid" for each in who for what in ("NAME", "EMAIL")}
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("ARGS", "GIT_", "MAKE", "MFLAGS"))
        }
        self._environment = {**kept, **names, "GIT_CONFIG_GLOBAL": os.devnull}
        for path in project_files():
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)  # with its time: make would install a lock that is newer than the environment
        self.changelog.write_text(CHANGES, encoding="utf-8")
        self.run(sys.executable, "-m", "tests.platform.database.released_steps")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "Begin")

    @property
    def changelog(self) -> Path:
        return self.folder / "CHANGELOG.md"

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = self._environment
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def release(self, version: str, checks: str) -> subprocess.CompletedProcess[str]:
        return self.run("make", "release", f"VERSION={version}", f"CHECKS={checks}", f"VENV={sys.prefix}")

    def state(self) -> list[str]:
        return [
            self.git(*asked) for asked in (("rev-parse", "HEAD"), ("tag",), ("status", "--porcelain"), ("diff", "HEAD"))
        ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    return Scratch(tmp_path_factory.mktemp("scratch"))


@pytest.fixture
def scratch(made: Scratch) -> Scratch:
    """The copy as it was made; a test may change it."""
    made.git("reset", "--quiet", "--hard", made.git("rev-list", "--max-parents=0", "HEAD"))
    made.git("clean", "--quiet", "-d", "--force")
    for tag in made.git("tag").split():
        made.git("tag", "--delete", tag)
    return made


@pytest.mark.thorough
def test_a_release_is_a_commit_a_tag_a_dated_heading_and_a_wheel(scratch: Scratch) -> None:
    before = scratch.git("rev-parse", "HEAD")
    done = scratch.release(NEXT, "wheel")
    assert done.returncode == 0, done.stderr
    assert f"git push --atomic origin HEAD v{NEXT}" in done.stdout
    assert scratch.git("cat-file", "-t", f"v{NEXT}") == "tag"
    assert scratch.git("rev-parse", f"v{NEXT}^{{commit}}") == scratch.git("rev-parse", "HEAD")
    assert scratch.git("rev-list", f"{before}..HEAD", "--format=%s").splitlines()[1:] == [f"Release {NEXT}"]
    assert scratch.git("status", "--porcelain") == ""
    changed = ["CHANGELOG.md", "bot/__init__.py", f"tests/platform/eventlog/released/{NEXT}.jsonl"]
    assert scratch.git("diff", "--name-only", before).splitlines() == changed
    assert scratch.git("diff", "--numstat", before, "--", "bot").split() == ["1", "1", "bot/__init__.py"]

    heading = re.escape(f"## [Unreleased]\n\n## [{NEXT}] - ") + r"\d{4}-\d\d-\d\d\n\n### Fixed"
    written = scratch.changelog.read_text(encoding="utf-8")
    assert re.search(heading, written)
    assert re.sub(r"\n## \[" + re.escape(NEXT) + r"\] - \S+\n", "", written, count=1) == CHANGES

    wheel = scratch.folder / "dist" / f"escoba_discord-{NEXT}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        assert f"\nVersion: {NEXT}\n" in packed.read(f"escoba_discord-{NEXT}.dist-info/METADATA").decode()
        assert f'__version__ = "{NEXT}"' in packed.read("escoba_discord/bot/__init__.py").decode()


@pytest.mark.parametrize("version", ["", "1.0", "v99.0.1", "99.0.1rc1", "99.0.01", "99.0.1 ", "0.0.9"])
def test_a_version_that_is_malformed_or_not_newer_is_refused(scratch: Scratch, version: str) -> None:
    before = scratch.state()
    done = scratch.release(version, "")
    assert done.returncode != 0
    assert "three numbers" in done.stderr or "isn't newer" in done.stderr
    assert scratch.state() == before


def dirty(scratch: Scratch) -> None:
    (scratch.folder / "new.txt").write_text("new")


def changed(scratch: Scratch) -> None:
    with (scratch.folder / "README.md").open("a") as file:
        file.write("more")


def nothing_new(scratch: Scratch) -> None:
    scratch.changelog.write_text(CHANGES.replace("### Fixed\n\n- A card.\n\n", ""), encoding="utf-8")
    scratch.git("commit", "--all", "--quiet", "--message", "Take the text away")


def tagged(scratch: Scratch) -> None:
    scratch.git("tag", f"v{NEXT}")


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (dirty, "aren't committed"),
        (changed, "aren't committed"),
        (nothing_new, "nothing under Unreleased"),
        (tagged, f"There is a tag v{NEXT}"),
    ],
)
def test_what_cannot_be_released_is_refused_and_left_as_it_is(
    scratch: Scratch, prepare: Callable[[Scratch], None], said: str
) -> None:
    prepare(scratch)
    before = scratch.state()
    done = scratch.release(NEXT, "")
    assert done.returncode != 0
    assert said in done.stderr
    assert scratch.state() == before


def standing(scratch: Scratch, changes: str = "") -> None:
    """Commit everything of the present version but its tag: the heading, and what it stores."""
    news = CHANGES.replace("## [Unreleased]\n", f"## [Unreleased]\n{changes}\n## [{__version__}] - 2026-01-03\n")
    scratch.changelog.write_text(news, encoding="utf-8")
    stored = scratch.folder / "tests" / "platform" / "eventlog" / "released" / f"{__version__}.jsonl"
    if not stored.exists():
        stored.touch()
        scratch.git("add", ".")
    scratch.git("commit", "--all", "--quiet", "--message", f"Release {__version__}")


def test_a_version_that_stands_without_a_tag_is_checked_and_tagged(scratch: Scratch) -> None:
    standing(scratch)
    before = scratch.state()
    done = scratch.release(__version__, "help no-such-target")
    assert done.returncode != 0
    assert scratch.state() == before
    done = scratch.release(__version__, "help")
    assert done.returncode == 0, done.stderr
    assert "make COMMAND" in done.stdout
    assert scratch.state()[0] == before[0], "there is nothing left to commit"
    assert scratch.git("rev-parse", f"v{__version__}^{{commit}}") == before[0]
    assert scratch.git("status", "--porcelain") == ""
    again = scratch.release(__version__, "")
    assert f"There is a tag v{__version__}" in again.stderr


def changed_since(scratch: Scratch) -> None:
    standing(scratch, "\n### Fixed\n\n- A club.\n")


def unrecorded(scratch: Scratch) -> None:
    standing(scratch)
    scratch.git("rm", "--quiet", f"tests/platform/eventlog/released/{__version__}.jsonl")
    scratch.git("commit", "--quiet", "--message", "Forget it")


def step_unrecorded(scratch: Scratch) -> None:
    standing(scratch)
    (scratch.folder / "tests" / "platform" / "database" / "written" / "steps.sha256").write_text("")
    scratch.git("commit", "--all", "--quiet", "--message", "Forget it")


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda scratch: None, "isn't the latest one with a date"),
        (changed_since, "has changes since"),
        (unrecorded, "isn't recorded"),
        (step_unrecorded, "0001_first_tables.py isn't recorded"),
    ],
)
def test_a_version_that_does_not_stand_yet_is_not_tagged(
    scratch: Scratch, prepare: Callable[[Scratch], object], said: str
) -> None:
    prepare(scratch)
    before = scratch.state()
    done = scratch.release(__version__, "")
    assert done.returncode != 0
    assert said in done.stderr
    assert scratch.state() == before


def test_a_check_that_fails_leaves_everything_as_it_was(scratch: Scratch) -> None:
    before = scratch.state()
    done = scratch.release(NEXT, "help no-such-target")
    assert done.returncode != 0
    assert f"{NEXT} isn't released" in done.stderr
    assert scratch.state() == before


def test_without_a_name_to_commit_under_nothing_is_checked(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    before = scratch.state()
    monkeypatch.setattr(scratch, "_environment", scratch._environment | {"GIT_COMMITTER_NAME": ""})
    done = scratch.release(NEXT, "help")
    assert done.returncode != 0
    assert "GIT_COMMITTER_IDENT" in done.stderr
    assert "make COMMAND" not in done.stdout
    assert scratch.state() == before
