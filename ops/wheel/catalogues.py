"""Compiles the catalogues when the package is built, which then needs no sources of theirs."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """The package's catalogues."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        runpy.run_path(str(Path(self.root) / "bot/platform/language/compiled.py"), run_name="__main__")
