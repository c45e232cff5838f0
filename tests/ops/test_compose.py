"""The compose files, checked without a container engine: their schema, and what they say about the bot.

`compose.yaml` has one process on a file. Most tests are about `ops/compose.yaml`, with PostgreSQL and the monitoring.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from bench.postgres import USER, Cluster
from bot.settings import Settings, load_settings, variable
from tests.ops.files import COMMON, COMPOSE, OPS, ROOT, complaints, loaded

SERVICES: dict[str, dict[str, Any]] = loaded(COMPOSE)["services"]
BOTS = {name: service for name, service in SERVICES.items() if "build" in service}
OTHERS = {name: service for name, service in SERVICES.items() if "build" not in service}
ONCE = {"postgres-monitor"}
"""Services that end when they have done their work."""
VARIABLES = {variable(field) for field in Settings.model_fields}


@pytest.mark.parametrize("file", [COMMON, COMPOSE], ids=["common", "ops"])
def test_it_meets_the_compose_specification(file: Path) -> None:
    assert complaints(file, "compose-spec") == ""


def test_the_common_case_is_one_process_whose_games_and_backups_are_in_the_volume() -> None:
    file = loaded(COMMON)
    (service,) = file["services"].values()
    assert service["environment"] == {"ESCOBA_DATABASE": "/data/escoba.sqlite3"}
    (mounted,) = service["volumes"]
    volume, _, folder = mounted.partition(":")
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert f'VOLUME ["{folder}"]' in dockerfile
    assert f"ESCOBA_DATABASE={service['environment']['ESCOBA_DATABASE']} " in dockerfile
    assert f"--volume {file['volumes'][volume]['name']}:{folder}" in dockerfile
    assert "ports" not in service
    assert "healthcheck" not in service, "the image's own"
    assert "HEALTHCHECK" in dockerfile


def test_the_common_case_is_locked_down_like_the_other() -> None:
    (common,) = loaded(COMMON)["services"].values()
    other = BOTS["bot-0"]
    same = ("image", "restart", "read_only", "cap_drop", "security_opt", "logging", "stop_grace_period", "cpu_quota")
    assert {name: common[name] for name in same} == {name: other[name] for name in same}
    (memory,) = [re.search(r"size=(\w+)", each) for each in common["tmpfs"]]
    assert memory is not None
    assert bytes_of(memory[1]) <= bytes_of(common["mem_limit"]) / 2


def test_the_specification_rejects_a_broken_file(tmp_path: Path) -> None:
    broken = tmp_path / "compose.yaml"
    broken.write_text(COMPOSE.read_text(encoding="utf-8").replace("restart: unless-stopped", "restart: [never]"))
    assert "restart" in complaints(broken, "compose-spec")


def test_ports_are_published_on_loopback_only() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(published) == 2
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in published)
    assert not any(service.get("network_mode") for service in SERVICES.values())


def test_the_database_is_on_an_internal_network() -> None:
    assert SERVICES["postgres"]["networks"] == ["database"]
    assert loaded(COMPOSE)["networks"]["database"] == {"internal": True}
    inside = {name for name, service in SERVICES.items() if "database" in service["networks"]}
    assert inside == {*BOTS, "postgres", "postgres-monitor", "postgres-exporter"}


def test_every_image_has_a_version_and_a_digest() -> None:
    for name, service in OTHERS.items():
        assert re.fullmatch(r"[a-z/-]+:v?\d+(\.\d+)+(-[a-z]+)?@sha256:[0-9a-f]{64}", service["image"]), name
    assert {service["image"] for service in BOTS.values()} == {"${IMAGE:-escoba}"}


def test_the_logs_of_every_service_are_rotated() -> None:
    for name, service in SERVICES.items():
        options = service["logging"]["options"]
        assert bytes_of(options["max-size"]) * int(options["max-file"]) <= 100 * 2**20, name


def test_every_service_has_limits_and_what_it_writes_to_memory_is_within_them() -> None:
    for name, service in SERVICES.items():
        # Docker refuses more `cpus` than the machine has, which may be just one; it doesn't check a quota against that
        assert 0 < service.get("cpus", 1) <= 1, name
        assert ("cpus" in service) != ("cpu_quota" in service), name
        assert 0 < service.get("cpu_quota", 1) <= 2 * service.get("cpu_period", 1), name
        sizes = [re.search(r"size=(\w+)", each) for each in service.get("tmpfs", [])]
        assert all(sizes), f"{name}: a tmpfs may grow without limit"
        in_memory = sum(bytes_of(size[1]) for size in sizes if size)
        assert in_memory <= bytes_of(service["mem_limit"]) / 2, name


def test_the_alert_about_memory_fires_before_the_limit_ends_the_process() -> None:
    groups = loaded(OPS / "prometheus/alerts.yml")["groups"]
    (rule,) = [rule for group in groups for rule in group["rules"] if rule["alert"] == "EscobaMemoryGrows"]
    (threshold,) = re.findall(r"> (\de\d)$", rule["expr"].split(" and ")[0].strip())
    assert all(float(threshold) < 0.75 * bytes_of(service["mem_limit"]) for service in BOTS.values())


def bytes_of(size: str) -> int:
    return int(size[:-1]) * 1024 ** ("kmg".index(size[-1]) + 1)


def test_the_bot_gets_settings_that_exist_and_are_valid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for service in BOTS.values():
        given = {name: value for name, value in service["environment"].items() if name.startswith("ESCOBA_")}
        assert given.keys() <= VARIABLES
        monkeypatch.chdir(tmp_path)  # there is no .env here
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        assert load_settings().health_host_and_port == ("0.0.0.0", 8080)  # noqa: S104 - within its container's network


def test_the_processes_differ_only_in_their_shards_and_together_have_all_of_them() -> None:
    def without_shards(service: dict[str, Any]) -> dict[str, Any]:
        rest = {name: value for name, value in service["environment"].items() if name != "ESCOBA_SHARDS"}
        return {**service, "environment": rest}

    first, *others = BOTS.values()
    assert all(without_shards(other) == without_shards(first) for other in others)
    shards = [service["environment"]["ESCOBA_SHARDS"] for service in BOTS.values()]
    assert shards == [f"{number}/{len(BOTS)}" for number in range(len(BOTS))]


def test_every_secret_comes_from_the_env_file() -> None:
    for name, service in SERVICES.items():
        for variable_name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|TOKEN|SECRET", variable_name):
                assert value == "" or re.fullmatch(r"\$\{[A-Z_]+(:\?.+|-)\}", value), f"{name}: {variable_name}"
    assert all((OPS / service["env_file"]).resolve() == ROOT / ".env" for service in BOTS.values())
    assert ".env" not in (ROOT / ".dockerignore").read_text(encoding="utf-8").replace("!.env", "")


def test_the_health_check_asks_the_address_where_the_process_listens() -> None:
    for service in BOTS.values():
        _, port = service["environment"]["ESCOBA_HEALTH_ADDRESS"].split(":")
        assert f"http://127.0.0.1:{port}/ready" in service["healthcheck"]["test"][-1]


def test_every_service_restarts_and_has_time_to_stop() -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == ("no" if name in ONCE else "unless-stopped"), name
        assert ("healthcheck" in service) == (name not in ONCE), name
    for name in (*BOTS, "postgres"):
        assert "stop_grace_period" in SERVICES[name]
    for service in BOTS.values():
        assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_no_service_has_privileges_or_writes_anywhere_but_where_it_says() -> None:
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.keys() & {"privileged", "cap_add", "pid", "ipc", "devices"}, name
        if name not in ONCE and "build" not in service:
            assert re.fullmatch(r"[1-9]\d*:\d+", service["user"]), name


def test_a_process_of_the_bot_writes_only_what_may_be_lost() -> None:
    for service in BOTS.values():
        assert not service.get("volumes")
        (data,) = [each for each in service["tmpfs"] if each.startswith("/data:")]
        (user,) = re.findall(r"^USER (\d+:\d+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
        assert "uid={},gid={}".format(*user.split(":")) in data


def test_the_monitoring_is_behind_a_profile() -> None:
    assert {name for name, service in SERVICES.items() if service.get("profiles") == ["monitoring"]} == {
        "postgres-monitor",
        "postgres-exporter",
        "disk-exporter",
        "prometheus",
        "grafana",
    }


@pytest.mark.parametrize(("password", "started"), [("", False), ("x", True)])
def test_grafana_starts_only_with_a_password_and_nothing_else_asks_for_it(
    tmp_path: Path, password: str, started: bool
) -> None:
    assert [name for name, service in SERVICES.items() if "GRAFANA_PASSWORD:" in str(service)] == []
    shell, flag, script = SERVICES["grafana"]["entrypoint"]
    run = tmp_path / "run.sh"
    run.write_text("#!/bin/sh\necho started\n")
    run.chmod(0o755)
    script = script.replace("$$", "$").replace("/run.sh", str(run))
    done = subprocess.run(
        [shell, flag, script],
        env={"GF_SECURITY_ADMIN_PASSWORD": password, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == ((0, "started\n") if started else (1, ""))
    assert ("put GRAFANA_PASSWORD into .env" in done.stderr) is not started


def test_the_exporters_role_sees_the_servers_figures_but_no_game(
    tmp_path: Path, postgres: Cluster, postgres_url: str
) -> None:
    database = sa.make_url(postgres_url).database or ""
    shell, _, kept_at = SERVICES["postgres-monitor"]["entrypoint"]
    assert kept_at == SERVICES["postgres-exporter"]["environment"]["DATA_SOURCE_PASS_FILE"]
    kept, script = tmp_path / "password", OPS / "postgres/monitor.sh"
    env = {**os.environ, "PGHOST": str(postgres.folder), "PGUSER": USER, "PGDATABASE": database}
    passwords: set[str] = set()
    for _ in range(2):  # it runs at each start of the monitoring
        subprocess.run([shell, script, kept], env=env, check=True)
        passwords.add(kept.read_text())
    (password,) = passwords
    role = "escoba_monitor"
    assert SERVICES["postgres-exporter"]["environment"]["DATA_SOURCE_USER"] == role
    [(stored,)] = postgres.run("SELECT rolpassword FROM pg_authid WHERE rolname = 'escoba_monitor'")
    assert stored.startswith("SCRAM-SHA-256$")
    assert len(password) >= 32
    where = f"host={postgres.folder} dbname={database}"
    with (
        psycopg.connect(where, user=role, password=password) as connection,
        psycopg.connect(where, user=USER) as another,
    ):
        seen = "SELECT state FROM pg_stat_activity WHERE pid = %s"
        assert connection.execute(seen, (another.info.backend_pid,)).fetchone() == ("idle",)
        for forbidden in ("SELECT * FROM events", "SELECT * FROM key_values", "CREATE TABLE x (a int)"):
            with pytest.raises(psycopg.Error), connection.transaction():
                connection.execute(forbidden)
    postgres.run(f"DROP ROLE {role}")


def test_every_mounted_folder_and_volume_exists() -> None:
    volumes = loaded(COMPOSE)["volumes"]
    mounted = [volume.split(":") for service in OTHERS.values() for volume in service.get("volumes", [])]
    assert mounted
    for source, *_ in mounted:
        assert (OPS / source).is_dir() if source.startswith(".") else source in volumes
    assert all(rest[-1] == "ro" for source, *rest in mounted if source.startswith("."))
