"""The code host's workflow: its schema, its permissions, and that it runs the same commands as people do.

The same workflow checks itself with actionlint, in a job of its own: no Python package ships that program.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

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


def test_it_runs_on_a_schedule_too() -> None:
    (when,) = loaded(WORKFLOW)["on"]["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* \d", when["cron"])


def test_every_job_may_only_read_except_the_one_that_publishes() -> None:
    assert loaded(WORKFLOW)["permissions"] == {}
    for name, job in JOBS.items():
        assert job["permissions"] == ({"packages": "write"} if name == "publish" else {"contents": "read"}), name
        assert job["timeout-minutes"] <= 60


def test_only_a_tag_is_published_and_only_after_everything_else_has_passed() -> None:
    publish = JOBS["publish"]
    assert publish["if"] == "github.ref_type == 'tag' && vars.REGISTRY != ''"
    assert publish["needs"] == "image"
    assert set(JOBS["image"]["needs"]) == JOBS.keys() - {"image", "publish"}


def test_the_image_is_built_once_with_its_sbom_and_provenance() -> None:
    (build,) = [step for step in steps() if re.search(r"docker (buildx )?build ", step.get("run", ""))]
    assert '--sbom="generator=$SCANNER" --provenance=mode=max --output type=oci,dest=escoba.tar .' in build["run"]
    tried = [step["run"] for step in JOBS["image"]["steps"] if "docker run" in step.get("run", "")]
    assert tried
    assert all("skopeo copy oci-archive:escoba.tar docker-daemon:escoba:tested" in run for run in tried)
    assert [step["with"]["path"] for step in JOBS["image"]["steps"] if "upload" in step.get("uses", "")] == [
        "escoba.tar"
    ]


@pytest.mark.parametrize("tested", [True, False])
def test_only_the_image_that_was_tested_is_published_byte_for_byte(tmp_path: Path, tested: bool) -> None:
    calls, programs = tmp_path / "calls", tmp_path / "programs"
    programs.mkdir()
    skopeo = programs / "skopeo"
    skopeo.write_text('#!/bin/sh\n[ "$1" = inspect ] && printf manifest || echo "$@" >>"$CALLS"\n')
    skopeo.chmod(0o755)
    digest = hashlib.sha256(b"manifest" if tested else b"another").hexdigest()
    (push,) = [step for step in JOBS["publish"]["steps"] if "run" in step]
    assert push["env"]["DIGEST"] == "${{ needs.image.outputs.digest }}"
    given = {
        "REGISTRY": "registry.example",
        "IMAGE": "owner/escoba",
        "REGISTRY_USER": "user",
        "REGISTRY_PASSWORD": "password",
        "TAG": "v1.2.3",
        "DIGEST": f"sha256:{digest}",
    }
    assert given.keys() == push["env"].keys()
    calls.touch()
    done = subprocess.run(
        ["bash", "-e", "-c", push["run"]],
        env={
            **given,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "CALLS": str(calls),
            "GITHUB_STEP_SUMMARY": "/dev/null",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is tested, done.stderr
    copied = "copy --all --preserve-digests oci-archive:escoba.tar docker://registry.example/owner/escoba:1.2.3"
    assert (copied in calls.read_text()) is tested
    assert "password" not in calls.read_text().replace("--password-stdin", "")


def test_actions_are_pinned_by_commit_and_leave_no_credentials_behind() -> None:
    used = [step for step in steps() if "uses" in step]
    assert used
    for step in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_what_runs_in_containers_is_pinned_by_digest() -> None:
    images = [
        value for step in steps() for name, value in step.get("env", {}).items() if re.search(r"\w+/[\w-]+:", value)
    ]
    assert len(images) == 3
    assert all(re.fullmatch(r"[a-z]+/[a-z-]+:v?[\d.]+@sha256:[0-9a-f]{64}", image) for image in images)
    assert not re.search(r"docker run (?!\$locked|--rm --volume)", TEXT)


def test_no_command_contains_an_interpolated_expression() -> None:
    # a branch or tag name could break out of a string and inject a command: values come through the environment
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []


def test_no_registry_is_named() -> None:
    assert not re.search(r"\b[a-z0-9-]+\.(?:io|com|dev)\b", TEXT)
