"""The unit for systemd: what systemd itself says about it, and that it fits the papers."""

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from bot.__main__ import CANNOT_START
from tests.ops.files import ROOT, UNIT

TEXT = UNIT.read_text(encoding="utf-8")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """An instance of the unit, with a program that exists on this machine."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze isn't installed")
    instance = tmp_path / UNIT.name.replace("@", "@a")
    instance.write_text(re.sub("^ExecStart=.*$", "ExecStart=/bin/true", TEXT, flags=re.MULTILINE), encoding="utf-8")
    return instance


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def test_systemd_understands_every_line(unit: Path) -> None:
    done = analyzed("verify", "--man=no", unit)
    assert (done.returncode, done.stdout) == (0, "")
    unit.write_text(unit.read_text().replace("PrivateTmp", "PrivateTemp"))
    assert "PrivateTemp" in analyzed("verify", "--man=no", unit).stdout


def test_systemd_calls_it_well_protected(unit: Path) -> None:
    done = analyzed("security", "--offline=true", "--threshold=15", unit)
    assert done.returncode == 0, done.stdout
    unit.write_text(re.sub("^(System|Protect).*\n", "", unit.read_text(), flags=re.MULTILINE))
    assert analyzed("security", "--offline=true", "--threshold=15", unit).returncode == 1


def test_it_starts_the_installed_package_and_not_again_what_would_fail_again() -> None:
    parser = configparser.ConfigParser(strict=False, delimiters=["="], interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(TEXT)
    service = parser["Service"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    program, command = service["ExecStart"].rsplit("/", 1)[1].split()
    assert program in project["project"]["scripts"]
    assert command == "run"
    assert service["RestartPreventExitStatus"] == str(CANNOT_START)
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {UNIT.relative_to(ROOT).as_posix(): f"lib/systemd/system/{UNIT.name}"}
