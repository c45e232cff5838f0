"""`compose.yaml`, checked without a container engine: its schema, and what it says about the bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bot
from bot.settings import Settings, load_settings, variable
from tests.ops.files import COMPOSE, ROOT, complaints, loaded

SERVICES: dict[str, dict[str, Any]] = loaded(COMPOSE)["services"]
BOTS = {name: service for name, service in SERVICES.items() if "build" in service}
OTHERS = {name: service for name, service in SERVICES.items() if "build" not in service}
VARIABLES = {variable(field) for field in Settings.model_fields}


def test_it_meets_the_compose_specification() -> None:
    assert complaints(COMPOSE, "compose-spec") == ""


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
    assert {name for name, service in SERVICES.items() if "database" in service["networks"]} == {*BOTS, "postgres"}


def test_every_image_has_a_version() -> None:
    for name, service in SERVICES.items():
        assert re.fullmatch(r"[a-z/]+:v?\d+(\.\d+)+(-[a-z]+)?", service["image"]), name
    assert {service["image"] for service in BOTS.values()} == {f"escoba:{bot.__version__}"}


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
    assert all(service["env_file"] == ".env" for service in BOTS.values())
    assert ".env" not in (ROOT / ".dockerignore").read_text(encoding="utf-8").replace("!.env", "")


def test_the_health_check_asks_the_address_where_the_process_listens() -> None:
    for service in BOTS.values():
        _, port = service["environment"]["ESCOBA_HEALTH_ADDRESS"].split(":")
        assert f"http://127.0.0.1:{port}/ready" in service["healthcheck"]["test"][-1]


def test_every_service_restarts_and_has_time_to_stop() -> None:
    assert all(service["restart"] == "unless-stopped" for service in SERVICES.values())
    assert all("healthcheck" in service for service in SERVICES.values())
    for name in (*BOTS, "postgres"):
        assert "stop_grace_period" in SERVICES[name]
    for service in BOTS.values():
        assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_a_process_writes_only_what_may_be_lost_and_has_no_privileges() -> None:
    for service in BOTS.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert not service.get("volumes")
        (data,) = [each for each in service["tmpfs"] if each.startswith("/data:")]
        (user,) = re.findall(r"^USER (\d+:\d+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
        assert "uid={},gid={}".format(*user.split(":")) in data


def test_the_monitoring_is_behind_a_profile() -> None:
    assert {name for name, service in SERVICES.items() if service.get("profiles") == ["monitoring"]} == {
        "prometheus",
        "grafana",
    }


def test_every_mounted_folder_and_volume_exists() -> None:
    volumes = loaded(COMPOSE)["volumes"]
    mounted = [volume.split(":") for service in OTHERS.values() for volume in service.get("volumes", [])]
    assert mounted
    for source, *_ in mounted:
        assert (ROOT / source).is_dir() if source.startswith(".") else source in volumes
    assert all(rest[-1] == "ro" for source, *rest in mounted if source.startswith("."))
