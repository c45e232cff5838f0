"""The bot's metrics for Prometheus. Labels name only kinds of things, never a person, a place, a game or a card."""

import logging
import math
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from bot.platform.database.database import DiskSpace
from bot.platform.database.errors import Fault, StoreError, VersionConflict
from bot.platform.operating.meter import Handled, Meter, PictureRefusal, Requests, Showing, Thought

_HANDLING: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Seconds; an interaction that isn't answered within 3 is lost."""
_STORING: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SHARD: Final = ("shard",)
_OK: Final = "ok"
_FAILED: Final = "failed"
_UNEXPECTED: Final = "unexpected"


# Otherwise each counter would come with a second one, its creation time. This switch is global, like the library.
disable_created_metrics()


@dataclass(frozen=True, slots=True)
class ShardState:
    """A shard: whether it is connected, its heartbeat latency in seconds (NaN if unknown), the number of open tables on
    its servers, and whether this process owns it."""

    connected: bool
    latency: float
    tables: int
    owned: bool


class Metrics(Meter):
    """Measures one bot. Each has a registry of its own, so that several can run in one process.

    `elsewhere`: called for each interaction that something else has answered.
    """

    def __init__(self, version: str, elsewhere: Callable[[], None] = lambda: None) -> None:
        self.registry = registry = CollectorRegistry()
        self.last_append: float | None = None
        self._elsewhere = elsewhere
        ProcessCollector(registry=registry)
        Info("escoba_build", "The version of the bot.", registry=registry).info({"version": version})
        self.interactions = Counter(
            "escoba_interactions", "Interactions handled.", ("kind", "outcome"), registry=registry
        )
        self.commands = Counter("escoba_commands", "Slash commands handled.", ("command",), registry=registry)
        self.handling = Histogram(
            "escoba_handling_seconds",
            "How long an interaction took to handle.",
            ("kind",),
            buckets=_HANDLING,
            registry=registry,
        )
        self.events = Counter("escoba_events_stored", "Events stored.", registry=registry)
        self.appends = Histogram(
            "escoba_append_seconds", "How long the store took for events.", buckets=_STORING, registry=registry
        )
        self.store_failures = Counter(
            "escoba_store_failures", "Events that could not be stored.", ("code",), registry=registry
        )
        self.showings = Counter(
            "escoba_messages_shown",
            "Changes of messages that nobody had clicked.",
            ("action", "outcome"),
            registry=registry,
        )
        self.pictures_refused = Counter(
            "escoba_pictures_refused",
            "Pictures that Discord refused, and channels whose messages are edited without them because of that.",
            ("what",),
            registry=registry,
        )
        self.thoughts = Counter(
            "escoba_thoughts", "Moves that a hard computer player thought about.", ("outcome",), registry=registry
        )
        self.thinking = Histogram(
            "escoba_thinking_seconds", "How long such a move took.", buckets=_HANDLING, registry=registry
        )
        self.advice = Counter(
            "escoba_advice",
            "Hints, steps in the search for a day's position, decisions judged in a review, luck.",
            ("what", "outcome"),
            registry=registry,
        )
        self.advising = Histogram(
            "escoba_advice_seconds", "How long advice took.", ("what",), buckets=_HANDLING, registry=registry
        )
        what = "Days from today on that have their position, of eight; NaN in a process that looks for none."
        self.days = Gauge("escoba_days_prepared", what, registry=registry)
        self.days.set(math.nan)
        self.logged = Counter(
            "escoba_log_records", "Records logged as warnings, or as errors and worse.", ("level",), registry=registry
        )
        # A counter must exist at 0 before its first failure, or Prometheus sees no increase.
        for what in Showing:
            for outcome in (_OK, _FAILED):
                self.showings.labels(what.value, outcome)
        for refusal in PictureRefusal:
            self.pictures_refused.labels(refusal.value)
        for thought in Thought:
            self.thoughts.labels(thought.value)
        for code in (*Fault, VersionConflict.code, _UNEXPECTED):
            self.store_failures.labels(str(code))
        for what in ("hint", "day", "review", "luck"):
            for thought in Thought:
                self.advice.labels(what, thought.value)
        for level in ("warning", "error"):
            self.logged.labels(level)
        for outcome in Handled:
            for kind in ("command", "click"):
                self.interactions.labels(kind, outcome.value)

    def watch(
        self,
        *,
        connected: Callable[[], bool],
        shards: Callable[[], int],
        starts: Callable[[], int | None],
        latency: Callable[[], float],
        servers: Callable[[], int],
    ) -> None:
        """Expose the gateway's state, read at each scrape."""
        self._gauge("escoba_gateway_connected", "1 while all shards are connected.", lambda: float(connected()))
        self._gauge("escoba_shards_connected", "Shards that are connected.", lambda: float(shards()))
        self._gauge(
            "escoba_session_starts_left",
            "Sessions the token can still begin today, as last read and counted since; NaN before that.",
            lambda: math.nan if (left := starts()) is None else float(left),
        )
        self._gauge("escoba_gateway_latency_seconds", "How long the gateway takes to answer a heartbeat.", latency)
        self._gauge("escoba_servers", "Servers the bot is in.", lambda: float(servers()))

    def watch_shards(self, count: Callable[[], int], shards: Callable[[], Mapping[int, ShardState]]) -> None:
        """Expose how many shards the bot has in all, and the state of each shard of this process."""
        self.registry.register(_ByShard(count, shards))

    def watch_owner(self, stands_by: Callable[[], bool]) -> None:
        """Expose whether this process waits for its shards."""
        what = "1 while this process waits for its shards, which another one has."
        self._gauge("escoba_standing_by", what, lambda: float(stands_by()))

    def watch_backups(self, age: Callable[[], float]) -> None:
        what = "How long ago the database was backed up, or else the bot began; NaN if this process makes no backups."
        self._gauge("escoba_backup_age_seconds", what, age)

    def watch_files(self, detached: Callable[[], bool]) -> None:
        what = "1 while the database's files have been taken away from this process, so that nobody can play."
        self._gauge("escoba_database_detached", what, lambda: float(detached()))

    def watch_clock(self, offset: Callable[[], float]) -> None:
        what = "By how much the machine's clock is ahead of Discord's; NaN in a simulation."
        self._gauge("escoba_clock_offset_seconds", what, offset)

    def watch_tables(self, lobbies: Callable[[], int], matches: Callable[[], int]) -> None:
        gauge = Gauge("escoba_open_tables", "Open tables.", ("phase",), registry=self.registry)
        gauge.labels("lobby").set_function(lambda: float(lobbies()))
        gauge.labels("playing").set_function(lambda: float(matches()))

    def watch_requests(self, requests: Callable[[], Requests]) -> None:
        waiting, refused = (lambda: float(requests().waiting)), (lambda: float(requests().refused))
        self._gauge("escoba_requests_waiting", "Requests that wait for their turn.", waiting)
        what = "How long the oldest request has waited that updates a table at play or posts a message."
        self._gauge("escoba_requests_oldest_seconds", what, lambda: requests().oldest)
        self._gauge("escoba_requests_refused", "Answers 401, 403 and 429 in the last ten minutes.", refused)
        what = "1 while these are so many that only clicks are answered."
        self._gauge("escoba_answers_only", what, lambda: float(requests().answers_only))

    def watch_disk(self, space: Callable[[], DiskSpace | None]) -> None:
        """Expose the space on the disk of a database file."""
        self.registry.register(_Disk(space))

    def _gauge(self, name: str, what: str, value: Callable[[], float]) -> None:
        Gauge(name, what, registry=self.registry).set_function(value)

    def handled(self, kind: str, command: str | None, outcome: Handled, seconds: float) -> None:
        self.interactions.labels(kind, outcome.value).inc()
        self.handling.labels(kind).observe(seconds)
        if outcome is Handled.ELSEWHERE:
            self._elsewhere()
        if command is not None:
            self.commands.labels(command).inc()

    @contextmanager
    def storing(self, events: int) -> Generator[None]:
        began = perf_counter()
        try:
            yield
        except StoreError as error:
            if error.counts:
                self.store_failures.labels(error.code).inc()
            raise
        except Exception:
            self.store_failures.labels(_UNEXPECTED).inc()
            raise
        self.last_append = perf_counter() - began
        self.appends.observe(self.last_append)
        self.events.inc(events)

    @contextmanager
    def showing(self, what: Showing) -> Generator[None]:
        try:
            yield
        except Exception:
            self.showings.labels(what.value, _FAILED).inc()
            raise
        self.showings.labels(what.value, _OK).inc()

    def picture_refused(self, what: PictureRefusal) -> None:
        self.pictures_refused.labels(what.value).inc()

    def thought(self, outcome: Thought, seconds: float) -> None:
        self.thoughts.labels(outcome.value).inc()
        self.thinking.observe(seconds)

    def advised(self, what: str, outcome: Thought, seconds: float) -> None:
        self.advice.labels(what, outcome.value).inc()
        self.advising.labels(what).observe(seconds)

    def prepared(self, days: int) -> None:
        self.days.set(days)

    @property
    def answers_failed(self) -> int:
        return _sum(self.interactions, outcome=Handled.FAILED.value)

    @property
    def appends_failed(self) -> int:
        """Events that could not be stored."""
        return _sum(self.store_failures)

    @property
    def showings_failed(self) -> int:
        """Changes to messages that Discord refused or failed to make."""
        return _sum(self.showings, outcome=_FAILED)

    @property
    def errors_logged(self) -> int:
        """Log records of level ERROR and above."""
        return _sum(self.logged, level="error")


class CountingHandler(logging.Handler):
    """Counts log records of level WARNING and above, from all loggers."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.WARNING)
        self._logged = metrics.logged

    def emit(self, record: logging.LogRecord) -> None:
        self._logged.labels("error" if record.levelno >= logging.ERROR else "warning").inc()


class _ByShard(Collector):
    """The metrics of each shard of this process, however many there are at the time."""

    def __init__(self, count: Callable[[], int], shards: Callable[[], Mapping[int, ShardState]]) -> None:
        self._count = count
        self._shards = shards

    def collect(self) -> Iterable[Metric]:
        """One sample of each metric for each shard, and the number of shards in all; none until Discord says it."""
        count = GaugeMetricFamily("escoba_shards", "How many shards the bot has in all its processes.")
        owned = GaugeMetricFamily("escoba_shard_owned", "1 while this process owns the shard.", labels=_SHARD)
        connected = GaugeMetricFamily("escoba_shard_connected", "1 while the shard is connected.", labels=_SHARD)
        what = "How long the gateway takes to answer its heartbeat; NaN while it isn't known."
        latency = GaugeMetricFamily("escoba_shard_latency_seconds", what, labels=_SHARD)
        tables = GaugeMetricFamily("escoba_shard_open_tables", "Open tables on its servers.", labels=_SHARD)
        states = self._shards()
        if states:
            count.add_metric([], float(self._count()))
        for number, state in states.items():
            owned.add_metric([str(number)], float(state.owned))
            connected.add_metric([str(number)], float(state.connected))
            latency.add_metric([str(number)], state.latency)
            tables.add_metric([str(number)], float(state.tables))
        return (count, owned, connected, latency, tables)


class _Disk(Collector):
    """The metrics of the disk, if it can be seen."""

    def __init__(self, space: Callable[[], DiskSpace | None]) -> None:
        self._space = space

    def collect(self) -> Iterable[Metric]:
        """No sample if the database is on a server."""
        free = GaugeMetricFamily("escoba_disk_free_bytes", "Bytes that are free on the disk of the database file.")
        total = GaugeMetricFamily("escoba_disk_size_bytes", "Bytes that this disk has in all.")
        space = self._space()
        if space is not None:
            free.add_metric([], float(space.free))
            total.add_metric([], float(space.total))
        return (free, total)


def _sum(counter: MetricWrapperBase, **labels: str) -> int:
    samples: Iterable[tuple[str, dict[str, str], float]] = (
        (sample.name, sample.labels, sample.value) for metric in counter.collect() for sample in metric.samples
    )
    return int(
        sum(value for name, found, value in samples if name.endswith("_total") and labels.items() <= found.items())
    )
