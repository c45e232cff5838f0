"""Makes a release out of a clean checkout: `make release VERSION=1.0.1`. CONTRIBUTING.md has the steps around it.

Writes the version and the changelog's heading, records what this version stores, runs targets of make (by default the
checks and the wheel), commits and tags. If anything fails, the files are as before. It never pushes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
VERSION: Final = ROOT / "bot" / "__init__.py"
CHANGELOG: Final = ROOT / "CHANGELOG.md"
UNRELEASED: Final = "## [Unreleased]\n"


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
    if numbers(version) <= numbers(present):
        sys.exit(f"{version} isn't newer than {present}, the present version.")
    if git("status", "--porcelain"):
        sys.exit("There are changes that aren't committed: git status")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version}.")
    before, _, unreleased = changes.partition(UNRELEASED)
    if not unreleased.split("\n## [")[0].strip():
        sys.exit("CHANGELOG.md has nothing under Unreleased.")

    stored = ROOT / "tests" / "eventlog" / "released" / f"{version}.jsonl"
    try:
        git("var", "GIT_COMMITTER_IDENT")  # better now than after the checks: without a name nothing can be committed
        VERSION.write_text(code.replace(f'"{present}"', f'"{version}"'), encoding="utf-8")
        heading = f"{UNRELEASED}\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}\n"
        CHANGELOG.write_text(before + heading + unreleased, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "tests.eventlog.texts", version], cwd=ROOT, check=True)
        for target in targets:
            subprocess.run(["make", target], cwd=ROOT, check=True)
        released = [str(path.relative_to(ROOT)) for path in (VERSION, CHANGELOG, stored)]
        git("add", "--", *released)
        git("commit", "--quiet", "--message", f"Release {version}", "--", *released)
    except BaseException as error:
        git("reset", "--quiet")
        VERSION.write_text(code, encoding="utf-8")
        CHANGELOG.write_text(changes, encoding="utf-8")
        stored.unlink(missing_ok=True)
        if isinstance(error, subprocess.CalledProcessError):
            sys.exit(f"{version} isn't released, and the files are as before: {error}\n{error.stderr or ''}")
        raise
    git("tag", "--annotate", f"v{version}", "--message", f"Escoba for Discord {version}")
    print(f"Version {version} is committed and tagged. To publish it: git push --atomic origin HEAD v{version}")


if __name__ == "__main__":
    main()
