"""The budget of requests: who gets a ticket when, how many tickets there are, and what happens when Discord refuses."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.platform.transport.pacer import NO_LIMIT, Budget, Pacer
from bot.platform.transport.trouble import NETWORK, is_passing
from bot.platform.transport.turns import LATE_SECONDS, PATIENT_SECONDS, Priority, RequestQueue
from tests.support.dose import thorough_but

BUDGET = Budget(per_second=10, saved=2, gap=1.0, ban=20, window=60.0)


class Timer:
    def __init__(self, at: float, call: Callable[[], object]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Hand:
    """A clock moved by hand that drives the loop's timers, and a record of who got a ticket when."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, budget: Budget = BUDGET) -> None:
        self.time = 1000.0
        self.timers: list[Timer] = []
        self.turns: list[tuple[str, float]] = []
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", self.call_later)
        self.budget = budget
        self.pacer = Pacer(budget, lambda: self.time)
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.idle: dict[str, asyncio.Event] = {}
        """Events at which the named requests give back their tickets unused."""

    def call_later(self, seconds: float, call: Callable[[], object], *_: Any) -> Any:
        self.timers = [timer for timer in self.timers if not timer.cancelled]
        self.timers.append(Timer(self.time + seconds, call))
        return self.timers[-1]

    async def ask(self, name: str, priority: Priority = Priority.LIVE, channel_id: int | None = None) -> None:
        async def asking() -> None:
            async with self.pacer.turn(priority, channel_id) as ticket:
                self.turns.append((name, round(self.time - 1000.0, 3)))
                if name in self.idle:
                    await self.idle[name].wait()
                else:
                    await ticket.use()

        self.tasks[name] = asyncio.create_task(asking())
        await self.breathe()

    async def breathe(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        end = self.time + seconds
        while due := [timer for timer in self.timers if not timer.cancelled and timer.at <= end]:
            first = min(due, key=lambda timer: timer.at)
            self.timers.remove(first)
            self.time = max(self.time, first.at) + 1e-6
            first.call()
            await self.breathe()
        self.time = max(self.time, end)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.turns]


@pytest.fixture
async def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    return Hand(monkeypatch)


async def test_no_second_has_more_tickets_than_the_budget_and_what_was_saved(hand: Hand):
    for number in range(60):
        await hand.ask(str(number))
    await hand.advance(20)
    times = [at for _, at in hand.turns]
    assert len(times) == 60
    assert max(sum(at <= other < at + 1 for other in times) for at in times) <= 12
    assert times[-1] == pytest.approx(5.8, abs=0.05), "and no ticket is wasted"


async def test_a_quiet_hour_saves_only_a_few_tickets(hand: Hand):
    await hand.advance(3600)
    for number in range(10):
        await hand.ask(str(number))
    assert len(hand.turns) == 2


async def test_when_everything_waits_each_kind_gets_its_part_of_the_turns(hand: Hand):
    for priority in Priority:
        for _ in range(20):
            await hand.ask(priority.name, priority)
    await hand.advance(1.6)
    assert Counter(hand.names[2:18]) == {"LIVE": 8, "POST": 4, "RESTORED": 2, "LEFT_BEHIND": 2}


async def test_every_fourth_turn_is_a_posts_while_tables_are_played(hand: Hand):
    for priority in (Priority.LIVE, Priority.POST):
        for _ in range(20):
            await hand.ask(priority.name, priority)
    await hand.advance(1.6)
    posts = [number for number, name in enumerate(hand.names) if name == "POST"]
    assert {later - earlier for earlier, later in pairwise(posts)} == {4}


async def test_posts_that_have_waited_long_get_every_second_turn(hand: Hand):
    for _ in range(100):
        await hand.ask("POST", Priority.POST)
    await hand.advance(LATE_SECONDS)
    del hand.turns[:]
    for priority in (Priority.LIVE, Priority.RESTORED, Priority.LEFT_BEHIND):
        for _ in range(20):
            await hand.ask(priority.name, priority)
    await hand.advance(1.6)
    assert Counter(hand.names[:16]) == {"LIVE": 8, "POST": 8}


async def test_however_many_posts_wait_the_other_kinds_get_their_turns_in_the_end(hand: Hand):
    for second in range(round(LATE_SECONDS + PATIENT_SECONDS) + 5):
        if second == LATE_SECONDS:
            for _ in range(3):
                await hand.ask("RESTORED", Priority.RESTORED)
                await hand.ask("LEFT_BEHIND", Priority.LEFT_BEHIND)
        for _ in range(10):
            await hand.ask("POST", Priority.POST)
            await hand.ask("LIVE")
        await hand.advance(1)
    assert (hand.names.count("RESTORED"), hand.names.count("LEFT_BEHIND")) == (3, 3)
    for task in hand.tasks.values():
        task.cancel()


async def test_turns_that_a_kind_does_not_need_go_to_the_others_by_rank(hand: Hand):
    await hand.ask("first")
    await hand.ask("second")
    for number in range(20):
        await hand.ask("RESTORED", Priority.RESTORED)
        if number < 4:
            await hand.ask("LEFT_BEHIND", Priority.LEFT_BEHIND)
    await hand.advance(1.05)
    await hand.ask("LIVE")
    await hand.advance(0.2)
    assert "LIVE" in hand.names[-2:], "live tables don't wait for restored ones that asked earlier"
    await hand.advance(2)
    assert hand.names[2:].count("RESTORED") == 20, "and no turn is wasted"


async def test_within_a_priority_the_first_to_ask_goes_first(hand: Hand):
    for number in range(9):
        await hand.ask(str(number), Priority.POST)
    await hand.advance(5)
    assert hand.names == [str(number) for number in range(9)]


async def test_a_channel_is_edited_once_per_gap_and_holds_up_no_other(hand: Hand):
    for name in ("a1", "a2", "a3"):
        await hand.ask(name, channel_id=1)
    await hand.ask("b1", channel_id=2)
    await hand.ask("post", Priority.POST)
    await hand.advance(5)
    at = dict(hand.turns)
    assert at["b1"] < 0.5
    assert at["post"] < 0.5
    assert at["a2"] - at["a1"] >= 1.0
    assert 1.0 <= at["a3"] - at["a2"] < 1.2


@pytest.mark.parametrize(
    ("priority", "waiting", "gap"),
    [
        (Priority.LIVE, 4, 1.0),
        (Priority.LIVE, 29, 3.0),
        (Priority.POST, 29, 3.0),
        (Priority.LIVE, 500, 5.0),
        (Priority.RESTORED, 500, 1.0),
        (Priority.LEFT_BEHIND, 500, 1.0),
    ],
)
async def test_the_gap_stretches_with_the_queue_of_what_people_wait_for(priority: Priority, waiting: int, gap: float):
    turns = RequestQueue(per_second=10, gap=1.0, longest_gap=5.0)
    turns.ask(Priority.LIVE, 7, 0.0)
    assert turns.take(0.0) is not None
    for number in range(waiting):
        turns.ask(priority, 100 + number, 0.0)
    again = turns.ask(Priority.LIVE, 7, 0.0)
    assert turns.gap == gap
    for number in range(waiting):
        assert turns.take(gap - 0.01) not in (None, again)
        turns.ask(priority, 1000 + number, 0.0)
    assert again in [turns.take(gap + 0.01) for _ in range(2)]


async def test_a_ticket_given_back_goes_to_the_next_request_at_once(hand: Hand):
    hand.idle["2"] = asyncio.Event()
    for name in ("1", "2", "3"):
        await hand.ask(name, channel_id=7 if name == "2" else None)
    assert hand.names == ["1", "2"]
    hand.idle["2"].set()
    await hand.breathe()
    assert hand.names == ["1", "2", "3"]
    await hand.advance(0.2)
    await hand.ask("again", channel_id=7)
    assert hand.names[-1] == "again", "nothing was sent to that channel"


async def test_a_second_request_on_a_ticket_waits_for_another(hand: Hand):
    async def thrice() -> None:
        async with hand.pacer.turn(Priority.LIVE) as ticket:
            for name in ("first", "second", "third"):
                await ticket.use()
                hand.turns.append((name, hand.time))

    hand.tasks["thrice"] = asyncio.create_task(thrice())
    await hand.breathe()
    assert hand.names == ["first", "second"]
    await hand.ask("post", Priority.POST)
    await hand.advance(1)
    assert hand.names == ["first", "second", "third", "post"]


async def test_a_request_that_gave_up_waiting_takes_no_ticket(hand: Hand):
    for number in range(5):
        await hand.ask(str(number))
    hand.tasks["2"].cancel()
    await hand.breathe()
    assert hand.pacer.waiting == 2
    await hand.advance(0.21)
    assert hand.names == ["0", "1", "3", "4"]
    assert hand.pacer.waiting == 0


async def test_a_ticket_given_at_the_moment_of_giving_up_is_passed_on(hand: Hand):
    for number in range(4):
        await hand.ask(str(number))
    hand.time += 0.1
    hand.pacer._go_on()  # gives a ticket to 2, which hasn't noticed yet
    hand.tasks["2"].cancel()
    await hand.breathe()
    assert hand.names == ["0", "1", "3"]


async def test_without_a_limit_every_ticket_comes_at_once_and_no_timer_runs(monkeypatch: pytest.MonkeyPatch):
    hand = Hand(monkeypatch, NO_LIMIT)
    for number in range(500):
        async with hand.pacer.turn(Priority.LEFT_BEHIND, number % 3) as ticket:
            await ticket.use()
    assert (hand.timers, hand.pacer.waiting) == ([], 0)


async def test_requests_long_under_way_count_as_reaching_discord_with_those_that_follow(hand: Hand):
    for number in range(40):
        await hand.ask(str(number))
    for _ in range(30):  # the line is dead: requests get no response
        await hand.advance(0.1)
        for _ in range(len(hand.turns) - hand.pacer._under_way):
            await hand.pacer.begin()
    assert len(hand.turns) == 10, "all of these may reach Discord in the same second"
    for _ in range(10):
        hand.pacer.ended()
    await hand.advance(0.99)
    assert len(hand.turns) == 10, "and may have done so just now"
    await hand.advance(0.5)
    assert len(hand.turns) > 10


# ------------------------------------------------------------------------------------------- what arrives at Discord
class Arrivals:
    """Requests that may be held up in some places, and the times at which they arrive."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.times: list[float] = []
        self.waits: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """What requests wait for in each place, if they are held up there."""
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, *places: str, attempts: int = 1) -> None:
        """Have a request held up in these places: for its picture, in discord.py, or for its answer."""
        self.tasks.append(asyncio.create_task(self._request(places, attempts)))
        await self.hand.breathe()

    async def go_on(self, place: str) -> None:
        """Hold up nothing there any more, and let some seconds pass."""
        self.waits[place].set()
        for _ in range(60):
            await self.hand.breathe()
            await self.hand.advance(0.1)

    async def _request(self, places: tuple[str, ...], attempts: int) -> None:
        async with self.hand.pacer.turn(Priority.LIVE) as ticket:
            await self._pass("picture", places)
            await ticket.use()
            for _ in range(attempts):
                await self._pass("discord.py", places)
                await self.hand.pacer.begin()
                self.times.append(self.hand.time)
                await self._pass("answer", places)
                self.hand.pacer.ended()

    async def _pass(self, place: str, places: tuple[str, ...]) -> None:
        if place in places:
            await self.waits[place].wait()

    @property
    def busiest(self) -> int:
        """The most that arrive within a second."""
        return max(sum(at <= other < at + 1 for other in self.times) for at in self.times)


@pytest.fixture
def arrivals(hand: Hand) -> Arrivals:
    return Arrivals(hand)


@pytest.mark.parametrize("place", ["picture", "discord.py"])
async def test_requests_held_up_after_their_turn_has_come_dont_arrive_together(
    hand: Hand, arrivals: Arrivals, place: str
):
    for _ in range(40):
        await arrivals.ask(place)
    await hand.advance(10)
    await arrivals.go_on(place)
    assert len(arrivals.times) == 40
    assert arrivals.busiest <= 10


@pytest.mark.parametrize("place", ["picture", "discord.py"])
async def test_requests_held_up_for_long_hold_up_no_other(hand: Hand, arrivals: Arrivals, place: str):
    for _ in range(15):
        await arrivals.ask(place)
    await hand.advance(3)
    for _ in range(20):
        await arrivals.ask()
    await hand.advance(4)
    assert len(arrivals.times) == 20
    for task in arrivals.tasks:
        task.cancel()


async def test_a_loop_too_busy_to_notice_turns_sends_no_more_for_them(hand: Hand, arrivals: Arrivals):
    for _ in range(40):
        await arrivals.ask()
    for _ in range(60):  # timers are late, and turns are noticed later still
        hand.time += 0.3
        hand.pacer._go_on()
    await arrivals.go_on("")
    assert len(arrivals.times) == 40
    assert arrivals.busiest <= 10


async def test_what_discord_py_sends_again_by_itself_doesnt_arrive_together(hand: Hand, arrivals: Arrivals):
    for _ in range(10):
        await arrivals.ask("answer", attempts=4)
    await hand.advance(5)
    assert len(arrivals.times) == 10
    await arrivals.go_on("answer")
    assert len(arrivals.times) == 40
    assert arrivals.busiest <= 10


async def test_nobody_gets_a_turn_while_as_many_wait_at_the_door_as_may_arrive(hand: Hand, arrivals: Arrivals):
    for _ in range(30):
        await arrivals.ask("discord.py")
    await hand.advance(5)
    await hand.breathe()
    arrivals.waits["discord.py"].set()
    await hand.breathe()
    await hand.ask("another")
    assert hand.names == []
    await hand.advance(4)
    assert hand.names == ["another"]


@pytest.mark.parametrize("place", ["", "picture", "discord.py", "answer"])
async def test_cancelled_requests_leave_room_for_others(hand: Hand, arrivals: Arrivals, place: str):
    for _ in range(30):
        await arrivals.ask(place)
    await hand.advance(1.5)
    arrivals.waits["discord.py"].set()
    await hand.breathe()
    for task in arrivals.tasks:
        task.cancel()
    hand.pacer._go_on()  # before they notice
    await hand.breathe()
    assert (len(hand.pacer._at_door), hand.pacer.waiting) == (0, 0)
    arrivals.times.clear()
    while hand.pacer._under_way:  # as aiohttp tells of a request that was cancelled
        hand.pacer.ended()
    for _ in range(20):
        await arrivals.ask()
    await hand.advance(4)
    assert len(arrivals.times) == 20


async def test_near_a_ban_whatever_waits_at_the_door_still_goes(hand: Hand, arrivals: Arrivals):
    for _ in range(15):
        await arrivals.ask("discord.py")
    await hand.advance(3)
    for _ in range(hand.budget.ban // 2):
        hand.pacer.count_refusal(429)
    assert hand.pacer.answers_only
    await arrivals.go_on("discord.py")
    assert len(arrivals.times) == 15
    assert arrivals.busiest <= 10


# ---------------------------------------------------------------------------------------------------- too much to send
class Rush:
    """Tables whose demand exceeds the budget, half of them with fast computers; one request in twelve is a post.

    As on a `Surface`, changes that wait for an edit collapse into one.
    """

    def __init__(self, hand: Hand, demand: float) -> None:
        self.hand = hand
        per_second = demand * hand.budget.per_second
        self.posts_per_second = per_second / 12
        tables = round((per_second - self.posts_per_second) / ((1 / 1.5 + 1 / 4.5) / 2))
        self.periods = [1.5 if number % 2 else 4.5 for number in range(tables)]
        self.due = [number / tables * period for number, period in enumerate(self.periods)]
        self.changed: dict[int, float] = {}
        self.pending: set[int] = set()
        self.silences: list[float] = []
        self.posts: list[float] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def edit(self, table: int) -> None:
        while table in self.changed:
            async with self.hand.pacer.turn(Priority.LIVE, table) as ticket:
                await ticket.use()
                self.silences.append(self.hand.time - self.changed.pop(table))
        self.pending.discard(table)

    async def post(self) -> None:
        asked = self.hand.time
        async with self.hand.pacer.turn(Priority.POST) as ticket:
            await ticket.use()
        self.posts.append(self.hand.time - asked)

    async def go_on(self, seconds: float, step: float = 0.1) -> None:
        posted = 0.0
        for tick in range(round(seconds / step)):
            at = tick * step
            for table, due in enumerate(self.due):
                if due <= at:
                    self.due[table] += self.periods[table]
                    self.changed.setdefault(table, self.hand.time)
                    if table not in self.pending:
                        self.pending.add(table)
                        self.tasks.append(asyncio.create_task(self.edit(table)))
            while posted <= at * self.posts_per_second:
                posted += 1
                self.tasks.append(asyncio.create_task(self.post()))
            await self.hand.breathe()
            await self.hand.advance(step)

    @property
    def longest_wait(self) -> float:
        """How long the table that has waited longest has been waiting to be shown."""
        return max((self.hand.time - at for at in self.changed.values()), default=0.0)


@pytest.mark.parametrize("demand", thorough_but([1.5, 3.0], 3.0))
async def test_with_more_to_send_than_the_budget_all_share_the_wait(monkeypatch: pytest.MonkeyPatch, demand: float):
    hand = Hand(monkeypatch, Budget())
    rush = Rush(hand, demand)
    await rush.go_on(30)
    sent, oldest = len(rush.silences) + len(rush.posts), hand.pacer.requests().oldest
    assert sent >= 29 * 45, "no turn is wasted"
    assert max(rush.posts) < 10
    assert len(rush.posts) > 0.6 * rush.posts_per_second * 30
    assert max(*rush.silences, rush.longest_wait) < 15
    assert 0 < oldest < 15


async def test_the_age_of_the_queue_is_that_of_what_people_wait_for(hand: Hand):
    for name, priority in (("old", Priority.RESTORED), ("left", Priority.LEFT_BEHIND)):
        for _ in range(20):
            await hand.ask(name, priority)
    await hand.advance(1)
    assert hand.pacer.requests().oldest == 0
    for _ in range(20):
        await hand.ask("live")
    await hand.advance(0.5)
    assert hand.pacer.requests().oldest == pytest.approx(0.5)
    for task in hand.tasks.values():
        task.cancel()


# ------------------------------------------------------------------------------------------------------ refusals
async def test_refusals_count_and_limits_exceeded_by_others_dont(hand: Hand):
    for status, scope in ((401, None), (403, None), (429, "user"), (429, "global"), (429, "shared"), (404, None)):
        hand.pacer.count_refusal(status, scope)
    assert hand.pacer.requests().refused == 4
    await hand.advance(60)
    assert hand.pacer.requests().refused == 0


async def test_at_half_the_refusals_of_a_ban_only_clicks_are_answered_until_few_are_left(
    hand: Hand, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, "bot.platform.transport.refusals")
    for _ in range(9):
        hand.pacer.count_refusal(403)
    await hand.advance(30)
    assert not hand.pacer.answers_only
    hand.pacer.count_refusal(403)
    hand.pacer.count_refusal(403)
    assert hand.pacer.requests().answers_only
    await hand.ask("waits")
    await hand.advance(29)
    assert hand.turns == []
    assert hand.pacer.waiting == 1
    await hand.advance(2)
    assert hand.names == ["waits"]
    assert not hand.pacer.answers_only
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_without_a_limit_a_ban_is_avoided_too(monkeypatch: pytest.MonkeyPatch):
    hand = Hand(monkeypatch, Budget(per_second=0, gap=0, ban=4))
    for _ in range(2):
        hand.pacer.count_refusal(429)
    await hand.ask("waits")
    assert hand.turns == []
    await hand.advance(600)
    assert hand.names == ["waits"]


@pytest.mark.parametrize("body", ["{}", '{"retry_after": null}', "[]", "{"])
async def test_a_refusal_that_doesnt_say_how_long_to_wait_ends_the_request_as_a_broken_connection_does(
    monkeypatch: pytest.MonkeyPatch, body: str
):
    asked: list[str] = []

    async def refuse(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=429, text=body, content_type="application/json", headers={"Via": "1.1 google"})

    app = web.Application()
    app.router.add_get("/users/@me", refuse)
    pacer = Pacer(BUDGET)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("")).rstrip("/"))
        async with discord.Client(intents=discord.Intents.none(), http_trace=pacer.trace()) as client:
            with pytest.raises(NETWORK) as error:
                await client.login("token")
    assert is_passing(error.value), "it is tried again after a while"
    assert len(asked) == 1
    assert (pacer.requests().refused, pacer._under_way) == (1, 0)
