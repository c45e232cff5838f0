"""The code host's workflow: its schema, its permissions, and that it runs the same commands as people do.

The same workflow checks itself with actionlint, in a job of its own: no Python package ships that program.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from tests.ops.files import ROOT, WORKFLOW, complaints, loaded

JOBS: dict[str, dict[str, Any]] = loaded(WORKFLOW)["jobs"]
TEXT = WORKFLOW.read_text(encoding="utf-8")


def steps() -> list[dict[str, Any]]:
    return [step for job in JOBS.values() for step in job["steps"]]


def test_it_meets_the_code_hosts_schema() -> None:
    assert complaints(WORKFLOW, "github-workflows") == ""


def test_it_runs_the_ci_script_on_every_supported_python() -> None:
    job = JOBS["test"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    pythons = job["strategy"]["matrix"]["python"]
    floor = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    assert pythons == [f"3.{minor}" for minor in range(int(floor.split(".")[1]), 15)]
    made_with = re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text())
    assert set(pythons) <= {*made_with}


def test_every_job_may_only_read_except_the_one_that_publishes() -> None:
    assert loaded(WORKFLOW)["permissions"] == {}
    for name, job in JOBS.items():
        allowed = {"contents": "read"} | ({"packages": "write"} if name == "publish" else {})
        assert job["permissions"] == allowed, name
        assert job["timeout-minutes"] <= 60


def test_only_a_tag_is_published_and_only_after_everything_else_has_passed() -> None:
    publish = JOBS["publish"]
    assert publish["if"] == "github.ref_type == 'tag' && vars.REGISTRY != ''"
    assert publish["needs"] == "image"
    assert set(JOBS["image"]["needs"]) == JOBS.keys() - {"image", "publish"}


def test_actions_are_pinned_by_commit_and_leave_no_credentials_behind() -> None:
    used = [step for step in steps() if "uses" in step]
    assert used
    for step in used:
        assert re.fullmatch(r"actions/[a-z]+@[0-9a-f]{40}", step["uses"])
        assert step["with"]["persist-credentials"] is False


def test_no_command_contains_an_interpolated_expression() -> None:
    # a branch or tag name could break out of a string and inject a command: values come through the environment
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []


def test_no_registry_is_named() -> None:
    assert not re.search(r"\b[a-z0-9-]+\.(?:io|com|dev)\b", TEXT)
