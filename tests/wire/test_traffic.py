"The face cards of a soak: requests by kind, those that were rate-limited, and how long a move takes to be shown."

from typing import Any

import pytest

from tests.wire.client import TEXT, Client, ManualClock
from tests.wire.faults import EDITS
from tests.wire.traffic import Traffic, kind_of, percentile


def board(*cards: str, game: str = "a") -> list[dict[str, Any]]:
    """The table message's components after these cards have been played."""
    button = {"type": 2, "style": 1, "label": "My hand", "custom_id": f"e:hand:{game}:0"}
    told = {"type": 10, "content": "\n".join(("The game", *(f"**Ana** plays {card}." for card in cards)))}
    return [told, {"type": 1, "components": [button]}]


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/channels/1/messages", "post"),
        ("PATCH", "/channels/1/messages/2", "edit"),
        ("DELETE", "/channels/1/messages/2", "delete"),
        ("POST", "/interactions/1/token/callback", "answer"),
        ("PATCH", "/webhooks/1/token/messages/@original", "token edit"),
        ("POST", "/webhooks/1/token", "token post"),
        ("GET", "/channels/1/messages/2", "other"),
        ("PATCH", "/channels/1", "other"),
        ("PUT", "/applications/1/commands", "other"),
    ],
)
def test_each_request_has_a_kind(method: str, path: str, kind: str) -> None:
    assert kind_of(method, path) == kind


async def test_requests_are_recorded_with_time_status_and_whether_they_count(
    client: Client, clock: ManualClock
) -> None:
    record = await client.click()
    clock.advance(3.0)
    client.server.faults.add("PATCH", EDITS, 500, times=1)
    await client.edit(client.realm.stored(client.channel, None)[0].id)
    await client.reply(record)
    await client.edit_reply(record)
    kept = [(sent.at, sent.kind, sent.status, sent.counts) for sent in client.server.traffic.sent]
    assert kept == [
        (1000.0, "post", 200, True),
        (1003.0, "edit", 500, True),
        (1003.0, "answer", 200, False),
        (1003.0, "token edit", 200, False),
    ]


async def test_rate_limited_requests_are_counted_by_kind(client: Client, clock: ManualClock) -> None:
    message = await client.send()
    for _ in range(7):
        await client.edit(message)
    assert client.server.traffic.kinds == {"post": 1, "edit": 7}
    assert client.server.traffic.refused == {"edit": 2}


def test_the_busiest_second_may_start_anywhere_and_leaves_out_answers_to_interactions() -> None:
    clock = ManualClock()
    traffic = Traffic(clock)
    for pause in (0.0, 0.6, 0.3, 0.05, 0.1, 5.0):
        clock.advance(pause)
        traffic.ended("GET", "/users/@me", clock(), 200)
        traffic.ended("POST", "/interactions/1/token/callback", clock(), 200)
    assert traffic.busiest() == 4
    assert Traffic(clock).busiest() == 0


async def test_a_moves_latency_ends_when_discord_accepts_a_table_message_that_shows_it(
    client: Client, clock: ManualClock
) -> None:
    traffic = client.server.traffic
    message = await client.send()
    path = f"/channels/{client.channel}/messages/{message}"
    traffic.clicked("e:card:a:4:1c")
    clock.advance(1.0)
    await client.ask("PATCH", path, {**TEXT, "components": board("11🏆")})
    assert (traffic.latencies, traffic.unshown) == ([], 1), "this shows the table before the move"
    client.server.faults.add("PATCH", EDITS, 500, times=1)
    await client.ask("PATCH", path, {**TEXT, "components": board("11🏆", "1🏆")})
    await client.ask("PATCH", path, {**TEXT, "components": board("1🏆", game="b")})
    assert traffic.unshown == 1
    clock.advance(0.5)
    await client.ask("PATCH", path, {**TEXT, "components": board("1🏆", "7🪵")})
    assert (traffic.latencies, traffic.unshown) == ([1.5], 0)


async def test_a_private_panel_does_not_count_as_showing_a_move(client: Client, clock: ManualClock) -> None:
    client.server.traffic.clicked("e:card:1:4:7b")
    record = await client.click()
    assert await client.reply(record, components=board("7🪵", game="1"), flags=1 << 15 | 1 << 6) == (200, 0)
    assert client.server.traffic.unshown == 1


def test_clicks_that_are_stale_or_not_moves_are_not_waited_for() -> None:
    traffic = Traffic(ManualClock())
    traffic.clicked("e:take:a:5:7b:0")
    traffic.shown(board("7🪵"))
    for custom_id in ("e:hand:a:0", "e:next:a:6", "e:take:a:6:claim:0", "e:card:a:4:7o", "another bot's"):
        traffic.clicked(custom_id)
    assert traffic.unshown == 0


def test_one_edit_can_show_several_moves() -> None:
    clock = ManualClock()
    traffic = Traffic(clock)
    for version in (1, 2, 3):
        traffic.clicked(f"e:card:a:{version}:{version}o")
        clock.advance(1.0)
    traffic.shown(board("3🪙"))
    assert sorted(traffic.latencies) == [1.0, 2.0, 3.0]


def test_percentiles_are_observed_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert [percentile(values, percent) for percent in (50, 95, 99, 100)] == [50.0, 95.0, 99.0, 100.0]
    assert percentile([3.0], 50) == 3.0
    assert percentile([], 50) != percentile([], 50)


def test_the_figures_are_summed_up_in_lines_of_text() -> None:
    clock = ManualClock()
    traffic = Traffic(clock)
    traffic.clicked("e:card:a:1:7o")
    clock.advance(0.25)
    traffic.shown(board("7🪙"))
    for status in (200, 429):
        traffic.ended("PATCH", "/channels/1/messages/2", clock(), status)
    assert traffic.lines() == [
        "edit                2  429: 1",
        "total               2  429: 1",
        "busiest second: 2 requests that count towards the global limit",
        "1 moves, shown after p50 0.250 s, p95 0.250 s, p99 0.250 s; 0 not shown yet",
    ]
