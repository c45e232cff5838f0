"""The code host's workflow: its schema, its permissions, and that it runs the same commands as people do.

The same workflow checks itself with actionlint, in a job of its own: no Python package ships that program.
"""

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


def test_a_command_that_fails_in_a_pipe_fails_its_step() -> None:
    assert loaded(WORKFLOW)["defaults"] == {"run": {"shell": "bash"}}  # by itself, the host's has no pipefail


def test_it_runs_the_ci_script_on_every_supported_python() -> None:
    job = JOBS["test"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    pythons = job["strategy"]["matrix"]["python"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={pythons[0]}"
    assert pythons == [f"3.{minor}" for minor in range(int(pythons[0].split(".")[1]), 16)]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert named == pythons
    made_with = re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text())
    assert set(pythons) <= {*made_with}


def test_it_runs_on_a_schedule_too() -> None:
    (when,) = loaded(WORKFLOW)["on"]["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* \d", when["cron"])


PUBLISHES = {"packages": "write", "id-token": "write", "attestations": "write"}


def test_every_job_may_only_read_except_the_one_that_publishes() -> None:
    assert loaded(WORKFLOW)["permissions"] == {}
    for name, job in JOBS.items():
        assert job["permissions"] == (PUBLISHES if name == "publish" else {"contents": "read"}), name
        assert job["timeout-minutes"] <= 60


def test_only_a_tag_is_published_and_only_after_everything_else_has_passed() -> None:
    publish = JOBS["publish"]
    assert publish["if"] == "github.ref_type == 'tag' && vars.REGISTRY != ''"
    assert publish["needs"] == "image"
    assert set(JOBS["image"]["needs"]) == JOBS.keys() - {"image", "publish"}


def test_the_image_is_built_once_on_each_kind_of_machine_with_its_labels_sbom_and_provenance() -> None:
    machines = JOBS["image"]["strategy"]["matrix"]["include"]
    assert [each["machine"] for each in machines] == ["amd64", "arm64"] == [*JOBS["image"]["outputs"]]
    assert [each["runner"].endswith("-arm") for each in machines] == [False, True]
    (build,) = [step for step in steps() if re.search(r"docker (buildx )?build ", step.get("run", ""))]
    assert '--sbom="generator=$SCANNER" --provenance=mode=max --output "type=oci,dest=$MACHINE.tar"' in build["run"]
    arguments = re.findall(r"^ARG (\w+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r'--build-arg "(\w+)=', build["run"]) == arguments
    (run,) = [step["run"] for step in JOBS["image"]["steps"] if step.get("name") == "Run it"]
    assert 'skopeo copy "oci-archive:$MACHINE.tar" docker-archive:tested.tar:escoba:tested\n' in run
    assert "escoba:tested demo" in run
    (kept,) = [step["with"] for step in JOBS["image"]["steps"] if "upload" in step.get("uses", "")]
    assert (kept["name"], kept["path"]) == ("image-${{ matrix.machine }}", "${{ matrix.machine }}.tar")


@pytest.mark.parametrize(("size", "code"), [(119_999_999, 0), (121_000_000, 1)])
def test_an_image_that_has_grown_too_large_is_refused(tmp_path: Path, size: int, code: int) -> None:
    (step,) = [step for step in JOBS["image"]["steps"] if step.get("name") == "It is small"]
    with (tmp_path / "arm64.tar").open("wb") as archive:
        archive.truncate(size)
    env = {**os.environ, **step["env"], "MACHINE": "arm64", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert f"arm64 has {size // 1_000_000} MB" in (tmp_path / "summary").read_text()


def test_a_release_and_each_weekly_image_are_scanned_and_high_findings_fail() -> None:
    (scan,) = [step for step in JOBS["image"]["steps"] if "$GRYPE" in step.get("run", "")]
    assert scan["if"] == "github.ref_type == 'tag' || github.event_name == 'schedule'"
    assert scan["run"].strip().endswith("docker-archive:/image/tested.tar --only-fixed --fail-on high")


PROGRAM = """#!/bin/sh
[ "$1" != login ] || cat >/dev/null
case "$*" in
"inspect --raw "*) printf 'manifest of %s' "${3#*:}" ;;
*) echo "$(basename "$0") $*" >>"$CALLS" ;;
esac
"""


@pytest.mark.parametrize(
    ("tag", "tested", "tags"),
    [
        ("v1.2.3", True, ["1.2.3", "1.2", "1", "latest"]),
        ("v1.2.3rc1", True, ["1.2.3rc1"]),
        ("v1.2.3", False, []),
    ],
)
def test_only_the_images_that_were_tested_are_published_byte_for_byte_under_their_tags(
    tmp_path: Path, tag: str, tested: bool, tags: list[str]
) -> None:
    calls, programs, output = tmp_path / "calls", tmp_path / "programs", tmp_path / "output"
    programs.mkdir()
    for name in ("skopeo", "docker"):
        (programs / name).write_text(PROGRAM)
        (programs / name).chmod(0o755)
    amd64 = f"sha256:{hashlib.sha256(b'manifest of amd64.tar').hexdigest()}"
    arm64 = f"sha256:{hashlib.sha256(b'manifest of arm64.tar' if tested else b'another').hexdigest()}"
    push, attest = [step for step in JOBS["publish"]["steps"] if "id" in step or "attest" in step.get("uses", "")]
    for name in ("AMD64", "ARM64"):
        assert push["env"][name] == f"${{{{ needs.image.outputs.{name.lower()} }}}}"
    given = {
        "REGISTRY": "registry.example",
        "IMAGE": "owner/escoba",
        "REGISTRY_USER": "user",
        "REGISTRY_PASSWORD": "password",
        "TAG": tag,
        "AMD64": amd64,
        "ARM64": arm64,
    }
    assert given.keys() == push["env"].keys()
    calls.touch()
    own = {"PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(calls), "GITHUB_STEP_SUMMARY": "/dev/null"}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", push["run"]],
        env={**given, **own, "GITHUB_OUTPUT": str(output)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is tested, done.stderr
    called, name = calls.read_text(), "registry.example/owner/escoba"
    for machine, digest in (("amd64", amd64), ("arm64", arm64)):
        copied = f"copy --all --preserve-digests oci-archive:{machine}.tar docker://{name}@{digest}\n"
        assert (copied in called) is tested
    named = "".join(f"--tag={name}:{each} " for each in tags)
    assert (f"docker buildx imagetools create {named}{name}@{amd64} {name}@{arm64}\n" in called) is tested
    assert "password" not in called.replace("--password-stdin", "")
    whole = f"sha256:{hashlib.sha256(f'manifest of //{name}:{tag[1:]}'.encode()).hexdigest()}"
    assert (output.exists() and output.read_text() == f"digest={whole}\n") is tested
    assert attest["with"]["subject-digest"] == "${{ steps.push.outputs.digest }}"
    assert attest["with"]["push-to-registry"] is True


def test_actions_are_pinned_by_commit_and_leave_no_credentials_behind() -> None:
    used = [step for step in steps() if "uses" in step]
    assert used
    for step in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_what_runs_in_containers_is_pinned_by_digest_where_updates_are_proposed(tmp_path: Path) -> None:
    (run,) = {step["run"] for step in steps() if step.get("name") == "The tools, as .github/tools pins them"}
    environment = {**os.environ, "GITHUB_ENV": str(tmp_path / "environment")}
    subprocess.run(["bash", "-e", "-c", run], cwd=ROOT, env=environment, check=True)
    made = (tmp_path / "environment").read_text()
    pinned = re.compile(r"(\w+)=[a-z]+/[a-z-]+:v?[\d.]+@sha256:[0-9a-f]{64}\n")
    names = pinned.findall(made)
    assert (names, pinned.sub("", made)) == (["ACTIONLINT", "BUILDKIT", "SCANNER", "GRYPE"], "")
    for job, used in (("workflow", names[:1]), ("image", names[1:])):
        runs = [step.get("run", "") for step in JOBS[job]["steps"]]
        assert all(f"${name}" in " ".join(runs[runs.index(run) :]) for name in used)
    assert "@sha256" not in TEXT
    assert not re.search(r"docker run (?!\$locked|--rm --volume)", TEXT)


def test_no_command_contains_an_interpolated_expression() -> None:
    # a branch or tag name could break out of a string and inject a command: values come through the environment
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []


def test_no_registry_is_named() -> None:
    assert not re.search(r"\b[a-z0-9-]+\.(?:io|com|dev)\b", TEXT)
