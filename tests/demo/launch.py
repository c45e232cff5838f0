"""Runs `python -m bot demo` in copies of a process that has imported it; DEMO_OPTIONS has its options."""

import os
import sys

import bot.demo.bot  # noqa: F401 - what the demo imports later
from bot.__main__ import main
from tests.wire.forking import serve_copies


def run() -> int:
    """Run the demo with the options from the environment."""
    return main(["demo", "--no-browser", *os.environ["DEMO_OPTIONS"].split()])


if __name__ == "__main__":
    sys.exit(serve_copies(run))
