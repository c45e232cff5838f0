"""The code host's other files beside the workflow of CI: forms for issues, and how updates are proposed."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.ops.files import ROOT, WORKFLOW, complaints, loaded

HOST = ROOT / ".github"
UPDATE = HOST / "workflows" / "update.yml"
JOBS = loaded(UPDATE)["jobs"]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@invalid"]
GH = '#!/bin/sh\necho "gh $*" >>"$CALLS"\n[ "$2" != list ] || echo "$OPEN"\n'


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        (HOST / "dependabot.yml", "dependabot"),
        (HOST / "ISSUE_TEMPLATE" / "config.yml", "github-issue-config"),
        *((HOST / "ISSUE_TEMPLATE" / f"{name}.yml", "github-issue-forms") for name in ("bug", "words", "idea")),
        (UPDATE, "github-workflows"),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_it_meets_the_code_hosts_schema(path: Path, schema: str) -> None:
    assert complaints(path, schema) == ""


def test_updates_are_proposed_weekly_and_grouped_for_whatever_is_pinned_and_a_week_old() -> None:
    updates = loaded(HOST / "dependabot.yml")["updates"]
    assert {each["package-ecosystem"] for each in updates} == {"github-actions", "docker", "docker-compose"}
    for each in updates:
        assert each["schedule"]["interval"] == "weekly"
        assert each["cooldown"] == {"default-days": 7}
        folders = each.get("directories", [each.get("directory")])
        assert all((ROOT / folder.strip("/")).is_dir() for folder in folders)
        assert [group["patterns"] for group in each["groups"].values()] == [["*"]]
    assert re.fullmatch(r"\d+ \d+ \* \* \d", loaded(UPDATE)["on"]["schedule"][0]["cron"])
    locks = subprocess.run(["make", "-n", "lock"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert locks.count("uv pip compile") == locks.count('--exclude-newer "1 week"') == 3


def test_newer_packages_run_only_where_nothing_can_be_written() -> None:
    assert loaded(UPDATE)["permissions"] == {}
    assert JOBS["packages"]["permissions"] == {"contents": "read"}
    runs = [step["run"] for step in JOBS["packages"]["steps"] if "run" in step]
    assert runs[:2] == ["make lock ARGS=--upgrade", ".ci/run"]
    assert JOBS["propose"]["needs"] == "packages"
    [push] = [step["run"] for step in JOBS["propose"]["steps"] if "run" in step]
    assert "make" not in push
    assert "${{" not in push


def test_its_actions_are_those_of_the_other_workflow() -> None:
    used = {step["uses"] for job in JOBS.values() for step in job["steps"] if "uses" in step}
    assert used <= set(re.findall(r"uses: (\S+)", WORKFLOW.read_text(encoding="utf-8")))
    assert UPDATE.read_text(encoding="utf-8").count("persist-credentials: false") == 2


@pytest.mark.parametrize(("patched", "opened"), [(False, 0), (True, 0), (True, 1)])
def test_one_pull_request_has_all_updates(tmp_path: Path, patched: bool, opened: int) -> None:
    """`opened`: how many are open before."""
    origin, folder, programs = tmp_path / "origin", tmp_path / "checkout", tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)

    def git(*arguments: str) -> str:
        return subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

    subprocess.run(["git", "init", "--quiet", "--bare", origin], check=True)
    subprocess.run(["git", "clone", "--quiet", origin, folder], check=True, capture_output=True)
    lock, other = folder / "requirements" / "run.lock", folder / "other"
    lock.parent.mkdir()
    for path in (lock, other):
        path.write_text("a==1\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "Begin")
    for path in (lock, other):
        path.write_text("a==2\n")
    patch = git("diff") if patched else ""
    git("checkout", "--quiet", ".")
    (folder / "updates.patch").write_text(patch)

    calls = tmp_path / "calls"
    calls.touch()
    [push] = [step["run"] for step in JOBS["propose"]["steps"] if "run" in step]
    subprocess.run(
        ["bash", "-e", "-c", push],
        cwd=folder,
        env={
            "PATH": f"{programs}:{os.environ['PATH']}",
            "CALLS": str(calls),
            "OPEN": str(opened),
            "HOME": str(tmp_path),
        },
        check=True,
        capture_output=True,
    )
    assert ("gh pr create" in calls.read_text()) == (patched and not opened)
    assert ("refs/heads/updates" in git("ls-remote", "origin")) == patched
    if patched:
        assert git("show", "--name-only", "--format=", "origin/updates").split() == ["requirements/run.lock"]
