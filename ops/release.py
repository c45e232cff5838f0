"""Makes a release out of a clean checkout: `make release VERSION=1.0.1`. CONTRIBUTING.md has the steps around it.

Writes the version and the changelog's heading, records what this version stores and its migration steps, runs targets
of make (by default the checks and the wheel), commits and tags. A version for which all of that is committed already is
only checked and tagged. If anything fails, the files are as before. It never pushes.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
VERSION: Final = ROOT / "bot" / "__init__.py"
CHANGELOG: Final = ROOT / "CHANGELOG.md"
STEPS: Final = ROOT / "tests" / "platform" / "database" / "written" / "steps.sha256"
UNRELEASED: Final = "## [Unreleased]\n"
RECORDERS: Final = ("tests.platform.eventlog.texts", "tests.platform.database.released_steps")


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare it; a SystemExit unless there are three."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version, re.ASCII):
        sys.exit(f"A version has three numbers, as in 1.0.1, not {version!r}: make release VERSION=1.0.1")
    return tuple(map(int, version.split(".")))


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Release the version that is the first argument; the others are make's targets that have to succeed before."""
    version, *targets = sys.argv[1:]
    code, changes = (path.read_text(encoding="utf-8") for path in (VERSION, CHANGELOG))
    present = code.split('__version__ = "')[1].split('"')[0]
    stands = numbers(version) == numbers(present)
    if numbers(version) < numbers(present):
        sys.exit(f"{version} isn't newer than {present}, the present version.")
    if git("status", "--porcelain"):
        sys.exit("There are changes that aren't committed: git status")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version}.")
    before, _, unreleased = changes.partition(UNRELEASED)
    news, _, rest = unreleased.partition("\n## [")
    stored = ROOT / "tests" / "platform" / "eventlog" / "released" / f"{version}.jsonl"
    if stands:
        check_that_it_stands(version, news, rest, stored)
    elif not news.strip():
        sys.exit("CHANGELOG.md has nothing under Unreleased.")

    steps = STEPS.read_text(encoding="utf-8")
    try:
        git("var", "GIT_COMMITTER_IDENT")  # better now than after the checks: without a name nothing can be committed
        if not stands:
            VERSION.write_text(code.replace(f'"{present}"', f'"{version}"'), encoding="utf-8")
            heading = f"{UNRELEASED}\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}\n"
            CHANGELOG.write_text(before + heading + unreleased, encoding="utf-8")
            for recorder in RECORDERS:
                subprocess.run([sys.executable, "-m", recorder, version], cwd=ROOT, check=True)
        for target in targets:
            subprocess.run(["make", target], cwd=ROOT, check=True)
        if not stands:
            released = [str(path.relative_to(ROOT)) for path in (VERSION, CHANGELOG, stored, STEPS)]
            git("add", "--", *released)
            git("commit", "--quiet", "--message", f"Release {version}", "--", *released)
    except BaseException as error:
        git("reset", "--quiet")
        if not stands:
            VERSION.write_text(code, encoding="utf-8")
            CHANGELOG.write_text(changes, encoding="utf-8")
            STEPS.write_text(steps, encoding="utf-8")
            stored.unlink(missing_ok=True)
        if isinstance(error, subprocess.CalledProcessError):
            sys.exit(f"{version} isn't released, and the files are as before: {error}\n{error.stderr or ''}")
        raise
    git("tag", "--annotate", f"v{version}", "--message", f"Escoba for Discord {version}")
    print(f"Version {version} is committed and tagged. To publish it: git push --atomic origin HEAD v{version}")


def check_that_it_stands(version: str, news: str, rest: str, stored: Path) -> None:
    """Check that everything of the present version is committed but its tag; a SystemExit if not."""
    if not re.match(re.escape(version) + r"\] - \d{4}-\d\d-\d\d\n", rest):
        sys.exit(f"{version} is the present version, but isn't the latest one with a date in CHANGELOG.md.")
    if news.strip():
        sys.exit(f"{version} is the present version, and CHANGELOG.md has changes since: release them as a newer one.")
    if not stored.exists():
        sys.exit(f"What {version} stores isn't recorded: {sys.executable} -m {RECORDERS[0]} {version}")
    names = STEPS.read_text(encoding="utf-8")
    for step in sorted((ROOT / "bot" / "schema" / "migrations" / "versions").glob("*.py")):
        if step.name not in names:
            sys.exit(f"The migration step {step.name} isn't recorded: {sys.executable} -m {RECORDERS[1]}")


if __name__ == "__main__":
    main()
