"""The dashboard and the alerts, compared with the metrics of the bot; Prometheus' own tool tries every rule."""

import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from bot.platform.clock import utc_now
from bot.platform.operating.meter import Handled, Thought
from bot.platform.operating.metrics import Metrics
from bot.platform.operating.monitor import Monitor
from bot.process.stores import Stores
from tests.ops.files import COMPOSE, OPS, ROOT, loaded

DASHBOARD: dict[str, Any] = json.loads((OPS / "grafana/dashboards/escoba.json").read_text(encoding="utf-8"))
RULES: list[dict[str, Any]] = [
    rule for group in loaded(OPS / "prometheus/alerts.yml")["groups"] for rule in group["rules"]
]
TRIALS = sorted(Path(__file__).parent.glob("*_test.yml"))

OTHERS: dict[str, set[str]] = {
    "up": {"job", "instance"},
    "pg_up": set(),
    "pg_database_size_bytes": {"datname"},
    "pg_settings_max_connections": set(),
    "pg_stat_activity_count": {"datname", "state"},
    "pg_stat_activity_max_tx_duration": {"datname", "state"},
    "pg_stat_database_xact_commit": {"datname"},
    "pg_stat_database_xact_rollback": {"datname"},
    "pg_stat_database_deadlocks": {"datname"},
    "node_filesystem_avail_bytes": {"device", "fstype", "mountpoint"},
    "node_filesystem_size_bytes": {"device", "fstype", "mountpoint"},
}
"""Metrics that aren't the bot's, with labels: Prometheus' own, and what postgres_exporter and node_exporter exposed."""
TARGET_LABELS = {"job", "instance"}
_SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "gauge": ("",), "info": ("_info",)}
_WORDS = {"and", "or", "unless", "by", "without", "on", "ignoring", "offset", "bool", "Inf"}
_SELECTOR = re.compile(r"([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}")


@pytest.fixture
async def exposed(tmp_path: Path) -> AsyncIterator[dict[str, set[str]]]:
    """The bot's metrics by the names of their samples, each with its labels."""
    store = await Stores.open(tmp_path / "escoba.sqlite3")
    metrics = Monitor(store.database, version="1", now=utc_now).meter
    assert isinstance(metrics, Metrics)
    metrics.handled("click", "play", Handled.ANSWERED, 0.1)
    metrics.thought(Thought.FULL, 0.1)
    with metrics.storing(1):
        pass
    yield dict(samples(metrics.registry))
    await store.database.close()


def samples(registry: CollectorRegistry) -> Iterator[tuple[str, set[str]]]:
    for family in registry.collect():
        labels = {label for sample in family.samples for label in sample.labels} | TARGET_LABELS
        for suffix in _SUFFIXES[family.type]:
            yield family.name + suffix, labels


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def queries() -> list[str]:
    """Every query of the dashboard and the alerts, as Prometheus gets it."""
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    shown += [annotation["expr"] for annotation in DASHBOARD["annotations"]["list"]]
    filled = [query.replace("$__rate_interval", "1m").replace("$instance", ".*") for query in shown]
    return filled + [rule["expr"] for rule in RULES]


def names_in(query: str) -> set[str]:
    """The metrics that a query asks for."""
    bare = re.sub(r'"[^"]*"', "", query)
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)", " ", bare)
    found = re.findall(r"(?<![\w.$])([a-zA-Z_:][\w:]*)\b(?!\s*\()", bare)
    return set(found) - _WORDS


def test_names_are_found_in_a_query() -> None:
    query = 'sum by (le) (rate(a_total{x="b"}[5m])) / on (i) c > 1e9 and d offset 1d < +Inf'
    assert names_in(query) == {"a_total", "c", "d"}


async def test_every_metric_that_is_queried_exists(exposed: dict[str, set[str]]) -> None:
    asked = {name for query in queries() for name in names_in(query)}
    assert len(asked) > 15
    assert asked - exposed.keys() - OTHERS.keys() == set()


async def test_every_metric_of_the_bot_is_on_the_dashboard(exposed: dict[str, set[str]]) -> None:
    shown = {name for panel in panels() for target in panel["targets"] for name in names_in(target["expr"])}
    of_the_bot = {name for name in exposed if name.startswith("escoba_")}
    seen = {name for name in of_the_bot if name in shown or any(name.startswith(each + "_") for each in shown)}
    counted_by_buckets = {f"{name.removesuffix('_bucket')}_{end}" for name in shown for end in ("count", "sum")}
    assert of_the_bot - seen - counted_by_buckets == {"escoba_build_info"}  # the dashboard lists processes by it
    assert "escoba_build_info" in json.dumps(DASHBOARD["templating"])


async def test_no_query_uses_a_label_that_its_metric_lacks(exposed: dict[str, set[str]]) -> None:
    known = exposed | OTHERS
    for query in queries():
        for name, matchers in _SELECTOR.findall(query):
            asked = set(re.findall(r"(\w+)\s*(?:=|!=)", re.sub(r'"[^"]*"', '""', matchers)))
            assert asked <= known[name] | ({"le"} if name.endswith("_bucket") else set()), query


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_wrong_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert re.search(r"\{\{ \$labels\.(instance|job) \}\}", rule["annotations"]["summary"])
    assert len(rule["annotations"]["action"]) > 40
    assert rule["annotations"].keys() == {"summary", "action"}


def trials() -> list[dict[str, Any]]:
    return [trial for file in TRIALS for trial in loaded(file)["tests"]]


def test_every_alert_has_a_trial() -> None:
    alerts = {rule["alert"] for rule in RULES}
    firing: set[str] = set()
    for trial in trials():
        expected = [sample["labels"] for test in trial["promql_expr_test"] for sample in test.get("exp_samples", ())]
        fired = {name for labels in expected for name in re.findall(r'alertname="(\w+)"', labels)}
        assert trial["name"] in fired if trial["name"].startswith("Escoba") else not fired
        firing |= fired
    assert firing == alerts


def test_a_healthy_bot_has_every_figure_that_an_alert_looks_at() -> None:
    # an alert that doesn't fire because it finds nothing hasn't been tried
    (healthy,) = [trial for trial in trials() if trial["name"] == "a healthy bot"]
    given = {name for series in healthy["input_series"] for name in names_in(series["series"])}
    assert {name for rule in RULES for name in names_in(rule["expr"])} - given == set()


def test_prometheus_reads_from_the_services_of_the_compose_file() -> None:
    jobs = {job["job_name"]: job for job in loaded(OPS / "prometheus/prometheus.yml")["scrape_configs"]}
    services = loaded(COMPOSE)["services"]
    bots = {name: service for name, service in services.items() if "build" in service}
    ports = {service["environment"]["ESCOBA_HEALTH_ADDRESS"].split(":")[1] for service in bots.values()}
    expected = {
        "escoba": [f"{name}:{port}" for name in bots for port in ports],
        "postgres": ["postgres-exporter:9187"],
        "disk": ["disk-exporter:9100"],
    }
    found = jobs.pop("escoba-next")
    assert {name: job["static_configs"] for name, job in jobs.items()} == {
        name: [{"targets": targets}] for name, targets in expected.items()
    }
    for target in (*expected["postgres"], *expected["disk"]):
        name, port = target.split(":")
        assert f"http://127.0.0.1:{port}/" in services[name]["healthcheck"]["test"]
    # the containers that stand by during an update, by the names that the documents give them
    (names,) = found["dns_sd_configs"]
    assert (names["names"], {str(names["port"])}) == ([f"{name}-next" for name in bots], ports)
    assert "--name bot-1-next bot-1" in (ROOT / "docs/RUNNING.md").read_text(encoding="utf-8")


def test_grafana_finds_the_dashboard_and_its_figures() -> None:
    (source,) = loaded(OPS / "grafana/provisioning/datasources/prometheus.yml")["datasources"]
    (provider,) = loaded(OPS / "grafana/provisioning/dashboards/escoba.yml")["providers"]
    uids = {target["datasource"]["uid"] for panel in panels() for target in panel["targets"]}
    assert uids == {source["uid"]}
    mounted = dict(volume.split(":")[:2] for volume in loaded(COMPOSE)["services"]["grafana"]["volumes"])
    assert mounted["./grafana/dashboards"] == provider["options"]["path"]


def test_panels_do_not_overlap_and_have_numbers_of_their_own() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        taken |= cells
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    assert all(panel["title"] and panel["description"] for panel in panels())


# ------------------------------------------------------------------------------------------ by Prometheus itself


def promtool(*arguments: str) -> str:
    """The complaints of Prometheus' own tool."""
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("promtool is not here; it comes with the package prometheus")
    found = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else found.stdout + found.stderr


def test_prometheus_accepts_its_configuration_and_the_rules() -> None:
    assert promtool("check", "config", str(OPS / "prometheus/prometheus.yml")) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("trial", TRIALS, ids=lambda path: path.stem)
def test_every_alert_fires_when_it_should_and_none_for_a_healthy_bot(trial: Path) -> None:
    assert promtool("test", "rules", str(trial)) == ""


def test_every_query_of_the_dashboard_is_valid(tmp_path: Path) -> None:
    rules = [{"record": f"q{number}", "expr": query} for number, query in enumerate(queries())]
    file = tmp_path / "queries.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))  # JSON is YAML, too
    assert promtool("check", "rules", "--lint=none", str(file)) == ""
