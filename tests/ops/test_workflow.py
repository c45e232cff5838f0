"""The workflow of the code host: its schema, what it may do, and that it does what people do by hand.

actionlint reads the file on the code host, in a job of the same workflow: there is no package of it for Python that
brings the program along.
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


def test_it_is_what_the_code_host_asks_for() -> None:
    assert complaints(WORKFLOW, "github-workflows") == ""


def test_it_tests_by_the_script_of_ci_on_every_python_that_the_project_names() -> None:
    job = JOBS["test"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    pythons = job["strategy"]["matrix"]["python"]
    floor = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    assert pythons == [f"3.{minor}" for minor in range(int(floor.split(".")[1]), 15)]
    made_with = re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text())
    assert set(pythons) <= {*made_with}


def test_every_job_may_read_the_code_and_only_publishing_may_write() -> None:
    assert loaded(WORKFLOW)["permissions"] == {}
    for name, job in JOBS.items():
        allowed = {"contents": "read"} | ({"packages": "write"} if name == "publish" else {})
        assert job["permissions"] == allowed, name
        assert job["timeout-minutes"] <= 60


def test_nothing_is_published_but_for_a_tag_after_all_else_has_passed() -> None:
    publish = JOBS["publish"]
    assert publish["if"] == "github.ref_type == 'tag' && vars.REGISTRY != ''"
    assert publish["needs"] == "image"
    assert set(JOBS["image"]["needs"]) == JOBS.keys() - {"image", "publish"}


def test_what_others_wrote_is_named_by_its_commit_and_leaves_no_password_behind() -> None:
    used = [step for step in steps() if "uses" in step]
    assert used
    for step in used:
        assert re.fullmatch(r"actions/[a-z]+@[0-9a-f]{40}", step["uses"])
        assert step["with"]["persist-credentials"] is False


def test_no_command_has_words_of_others_pasted_into_it() -> None:
    # a branch's or a tag's name could end a string and begin a command: values come through the environment
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []


def test_no_registry_is_named() -> None:
    assert not re.search(r"\b[a-z0-9-]+\.(?:io|com|dev)\b", TEXT)
