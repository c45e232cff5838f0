"""Records the migration steps of this version for `make release`: `python -m tests.platform.database.released_steps`.

A step that is recorded is released: databases have gone through it, so it is never edited; the next step mends it.
"""

import hashlib
import sys
from pathlib import Path
from typing import Final

from bot.schema import SCHEMA

FILE: Final = Path(__file__).parent / "written" / "steps.sha256"
"""A line for each released step: the SHA-256 of its file, and its name, as the program `sha256sum` writes them."""


def folder() -> Path:
    return SCHEMA.migrations / "versions"


def digest(step: Path) -> str:
    return hashlib.sha256(step.read_text(encoding="utf-8").encode()).hexdigest()


def recorded() -> dict[str, str]:
    """Each released step's file name and the hash of what it held when it was released."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else ()
    return {name: found for found, name in (line.split("  ") for line in lines)}


def edited() -> list[str]:
    """The names of the released steps that are gone, or hold something else now."""
    steps = {step.name: digest(step) for step in folder().glob("*.py")}
    return [name for name, found in recorded().items() if steps.get(name) != found]


def main() -> None:
    """Add the steps that aren't recorded yet."""
    if found := edited():
        sys.exit(f"A released step is never edited: {', '.join(found)}. Put it back, and add a new one")
    known = recorded()
    steps = known | {step.name: digest(step) for step in folder().glob("*.py")}
    FILE.write_text("".join(f"{steps[name]}  {name}\n" for name in sorted(steps)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
