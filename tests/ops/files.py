"""The files that operators use, parsed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
OPS = ROOT / "ops"
COMMON = ROOT / "compose.yaml"
COMPOSE = OPS / "compose.yaml"
UNIT = OPS / "systemd" / "escoba@.service"
WORKFLOW = ROOT / ".github" / "workflows" / "check.yml"


def loaded(path: Path) -> Any:
    """The content of a YAML file, with its anchors resolved; a duplicate key is an error."""
    return YAML(typ="safe", pure=True).load(path)


def complaints(path: Path, schema: str) -> str:
    """What is wrong with a file according to a schema that check-jsonschema ships; empty if nothing is."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else found.stdout + found.stderr
