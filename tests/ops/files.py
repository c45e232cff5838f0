"""The files that operators are given, read as what they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
OPS = ROOT / "ops"
COMPOSE = ROOT / "compose.yaml"
WORKFLOW = ROOT / ".github" / "workflows" / "check.yml"


def loaded(path: Path) -> Any:
    """What a YAML file says; its anchors are followed, and no key may be there twice."""
    return YAML(typ="safe", pure=True).load(path)


def complaints(path: Path, schema: str) -> str:
    """What a schema that check-jsonschema brings finds wrong with a file."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else found.stdout + found.stderr
