"""The package as people install it: built from this checkout, and alone with what it needs in an empty environment."""

import asyncio
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from bench.resident import IMAGE
from bot import __version__
from tests.demo.conftest import Open
from tests.demo.playing import OVER, play
from tests.support.patience import HANG_SECONDS
from tests.thinking.test_processes import EARLY

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
UV = (sys.executable, "-m", "uv")
# As the image runs it, since no other test does: neither we nor any package may need an assert or a docstring.
OWN = {name: value for name, value in os.environ.items() if not re.match("ESCOBA_|PYTHON", name)} | IMAGE
THINK = """
import asyncio, pickle, sys
import escoba_discord
sys.path[:0] = escoba_discord.__path__
from bot.platform.operating.meter import Meter
from bot.players import Level
from bot.thinking.processes import ProcessThinker

class Noted(Meter):
    def thought(self, outcome, seconds):
        print(outcome.name)

async def think():
    thinker = ProcessThinker(1, Noted(), seconds=60)
    await thinker.move(pickle.load(sys.stdin.buffer), Level.HARD, "1")
    await thinker.close()

asyncio.run(think())
"""


@pytest.fixture(scope="module")
def programs() -> Iterator[Path]:
    """The folder with the programs of an environment that has only the package and its locked requirements."""

    def uv(*arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*UV, *arguments], env=OWN, capture_output=True, text=True, check=check)

    # on the same disk as uv's cache, which it links files from, and not kept until the next run
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        environment = Path(folder) / "environment"
        uv("venv", "--python", sys.executable, environment)
        lock = ROOT / "requirements" / "run.lock"
        locked = uv("pip", "install", "--python", environment, "--require-hashes", "-r", lock, check=False)
        if locked.returncode:
            pytest.skip(f"no package index has what is in {lock.name}: {locked.stderr.strip()}")
        uv("pip", "install", "--python", environment, "--offline", wheel)
        yield environment / "bin"


def run(program: Path, *arguments: str | Path, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [program, *arguments]
    return subprocess.run(command, cwd=folder, env=OWN | more, capture_output=True, text=True, check=False)


def test_its_commands_need_no_checkout(programs: Path, tmp_path: Path) -> None:
    for name in ("escoba", "escoba-discord"):
        assert run(programs / name, "--version", folder=tmp_path).stdout == f"Escoba for Discord {__version__}\n"
    listed = run(programs / "python", "-m", "escoba_discord", "--help", folder=tmp_path).stdout
    assert listed.startswith("usage: escoba ")
    example = run(programs / "escoba", "settings", folder=tmp_path).stdout
    assert example == (ROOT / ".env.example").read_text(encoding="utf-8")
    checked = run(programs / "escoba", "check", folder=tmp_path)
    looked_for = tmp_path / "data" / "escoba.sqlite3"
    assert (checked.returncode, checked.stderr) == (2, f"There is no database at {looked_for} to check.\n")
    assert list(tmp_path.iterdir()) == []
    assert (programs.parent / "lib" / "systemd" / "system" / "escoba@.service").is_file()


def test_it_takes_no_name_from_other_packages_and_none_from_it(programs: Path, tmp_path: Path) -> None:
    for name in ("bot", "cogs"):
        assert "No module named" in run(programs / "python", "-c", f"import {name}", folder=tmp_path).stderr
        (tmp_path / f"{name}.py").write_text("raise SystemExit('another package')")
    for program, *arguments in (("escoba",), ("python", "-m", "escoba_discord")):
        found = run(programs / program, *arguments, "--version", folder=tmp_path, PYTHONPATH=str(tmp_path))
        assert __version__ in found.stdout, found.stderr


@pytest.mark.parametrize("safe", ["", "1"])
def test_its_hard_robots_think_in_a_process_of_their_own(programs: Path, tmp_path: Path, safe: str) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit('another package')")
    found = subprocess.run(
        [programs / "python", "-c", THINK],
        cwd=tmp_path, env=OWN | {"PYTHONSAFEPATH": safe}, input=pickle.dumps(EARLY), capture_output=True, check=False,
    )  # fmt: skip
    assert found.stdout == b"FULL\n", found.stderr.decode()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_match_is_played_on_its_demo_and_found_sound(programs: Path, open_as: Open, tmp_path: Path) -> None:
    demo = await asyncio.create_subprocess_exec(
        programs / "escoba-discord", "demo", "--no-browser",
        cwd=tmp_path, env=OWN | {"ESCOBA_DEMO_PORT": "0"}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert demo.stdout is not None
        async with asyncio.timeout(HANG_SECONDS):
            found = None
            async for line in demo.stdout:
                if found := re.search(r"http://127\.0\.0\.1:\d+/", line.decode()):
                    break
        assert found is not None
        ana, emma = await open_as(found[0], "ana"), await open_as(found[0], "emma")
        assert await play(ana, emma) >= 36, "at least a round"
        await expect(emma.locator(OVER).first).to_be_visible()
        demo.send_signal(signal.SIGTERM)
        assert await demo.wait() == 0
    finally:
        if demo.returncode is None:
            demo.kill()
            await demo.wait()
    assert {path.name for path in tmp_path.iterdir()} == {"data"}
    checked = run(programs / "escoba", "check", "data/demo.sqlite3", folder=tmp_path)
    assert (checked.returncode, "no problems" in checked.stdout) == (0, True), checked
