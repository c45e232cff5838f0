"""Keeps the latest figures in a flat file for comparison; parts that weren't measured again keep their old figures."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("results")
NAME: Final = "latest.json"


def keep(figures: Mapping[str, float], folder: Path = FOLDER) -> Path:
    """Write the figures, replacing those with the same names, and return the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / NAME
    try:
        earlier = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        earlier = {}
    kept = (earlier if isinstance(earlier, dict) else {}) | {name: round(each, 4) for name, each in figures.items()}
    file.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return file
