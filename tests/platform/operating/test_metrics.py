"""The metrics: what is counted, and that no label names anybody or anything."""

import logging
from math import nan

import pytest
from prometheus_client import generate_latest

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.operating.meter import Handled, Meter, PictureRefusal, Showing, Thought
from bot.platform.operating.metrics import CountingHandler, Metrics
from bot.tables.store.errors import ChannelBusy


@pytest.fixture
def metrics() -> Metrics:
    return Metrics("1.2.3")


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_interactions_are_counted_by_kind_and_outcome_and_commands_by_name(metrics: Metrics) -> None:
    metrics.handled("click", None, Handled.ANSWERED, 0.02)
    metrics.handled("click", None, Handled.ANSWERED, 2.0)
    metrics.handled("command", "escoba play", Handled.FAILED, 0.1)
    assert value(metrics, "escoba_interactions_total", kind="click", outcome="answered") == 2
    assert value(metrics, "escoba_interactions_total", kind="command", outcome="failed") == 1
    assert value(metrics, "escoba_commands_total", command="escoba play") == 1
    assert value(metrics, "escoba_handling_seconds_count", kind="click") == 2
    assert value(metrics, "escoba_handling_seconds_bucket", kind="click", le="0.025") == 1
    assert metrics.answers_failed == 1


def test_counters_start_at_zero(metrics: Metrics) -> None:
    for outcome in Handled:
        assert value(metrics, "escoba_interactions_total", kind="click", outcome=outcome) == 0
    for showing in Showing:
        assert value(metrics, "escoba_messages_shown_total", action=showing, outcome="failed") == 0
    assert value(metrics, "escoba_log_records_total", level="error") == 0
    assert (metrics.answers_failed, metrics.appends_failed, metrics.showings_failed) == (0, 0, 0)
    assert metrics.last_append is None


def test_refused_pictures_are_counted_by_what_was_refused(metrics: Metrics) -> None:
    metrics.picture_refused(PictureRefusal.KEPT)
    counted = {each: value(metrics, "escoba_pictures_refused_total", what=each) for each in PictureRefusal}
    assert counted == {**dict.fromkeys(PictureRefusal, 0), PictureRefusal.KEPT: 1}


def test_thoughts_are_counted_by_how_they_ended(metrics: Metrics) -> None:
    metrics.thought(Thought.FULL, 0.03)
    metrics.thought(Thought.LATE, 3.0)
    ended = {each: value(metrics, "escoba_thoughts_total", outcome=each) for each in Thought}
    assert ended == {**dict.fromkeys(Thought, 0), Thought.FULL: 1, Thought.LATE: 1}
    assert value(metrics, "escoba_thinking_seconds_count") == 2


def test_events_are_counted_when_they_are_stored_and_failures_by_their_code(metrics: Metrics) -> None:
    with metrics.storing(3):
        pass
    with pytest.raises(StoreUnavailable), metrics.storing(2):
        raise StoreUnavailable(Fault.DISK_FULL, "full")
    with pytest.raises(ValueError, match="odd"), metrics.storing(1):
        raise ValueError("odd")
    assert value(metrics, "escoba_events_stored_total") == 3
    assert value(metrics, "escoba_append_seconds_count") == 1
    assert value(metrics, "escoba_store_failures_total", code="disk_full") == 1
    assert value(metrics, "escoba_store_failures_total", code="unexpected") == 1
    assert metrics.appends_failed == 2
    assert metrics.last_append is not None


def test_a_busy_channel_is_not_a_failure_of_the_store(metrics: Metrics) -> None:
    with pytest.raises(ChannelBusy), metrics.storing(1):
        raise ChannelBusy(5)
    assert metrics.appends_failed == 0
    assert value(metrics, "escoba_events_stored_total") == 0


def test_messages_are_counted_as_shown_or_failed(metrics: Metrics) -> None:
    with metrics.showing(Showing.EDIT):
        pass
    with pytest.raises(OSError, match="away"), metrics.showing(Showing.POST):
        raise OSError("away")
    assert value(metrics, "escoba_messages_shown_total", action="edit", outcome="ok") == 1
    assert value(metrics, "escoba_messages_shown_total", action="post", outcome="failed") == 1
    assert metrics.showings_failed == 1


def test_gauges_are_read_at_each_scrape(metrics: Metrics) -> None:
    tables = {"lobby": 2, "playing": 7}
    latency = [0.25]
    metrics.watch(
        connected=lambda: True,
        shards=lambda: 3,
        starts=lambda: None,
        latency=lambda: latency[0],
        servers=lambda: 4,
    )
    metrics.watch_tables(lambda: tables["lobby"], lambda: tables["playing"])
    assert value(metrics, "escoba_gateway_latency_seconds") == 0.25
    assert value(metrics, "escoba_gateway_connected") == 1
    assert value(metrics, "escoba_servers") == 4
    assert value(metrics, "escoba_shards_connected") == 3
    assert b"escoba_session_starts_left NaN" in generate_latest(metrics.registry)
    assert value(metrics, "escoba_open_tables", phase="lobby") == 2
    tables["playing"] = 8
    latency[0] = nan
    assert value(metrics, "escoba_open_tables", phase="playing") == 8
    assert b"escoba_gateway_latency_seconds NaN" in generate_latest(metrics.registry)


def test_warnings_and_errors_are_counted(metrics: Metrics) -> None:
    handler = CountingHandler(metrics)
    for level in (logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        if level >= handler.level:
            handler.handle(logging.makeLogRecord({"levelno": level}))
    assert value(metrics, "escoba_log_records_total", level="warning") == 1
    assert metrics.errors_logged == 2


def test_several_bots_in_a_process_are_measured_separately() -> None:
    one, other = Metrics("1"), Metrics("2")
    one.handled("click", None, Handled.FAILED, 0)
    assert (one.answers_failed, other.answers_failed) == (1, 0)
    assert value(other, "escoba_build_info", version="2") == 1


@pytest.mark.parametrize("meter", [Meter(), Metrics("1")])
def test_a_meter_swallows_no_exception(meter: Meter) -> None:
    for block in (meter.storing(1), meter.showing(Showing.PANEL)):
        with pytest.raises(KeyError), block:
            raise KeyError
    meter.handled("click", None, Handled.GONE, 0)
