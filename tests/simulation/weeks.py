"""Four people who play slow matches for weeks, and come when they are told: each wants to be told in another way.

They look at what Discord sends them, not at the clock of a turn: who isn't told in time misses it. They answer a turn's
first notice, or only the second, or one that says that little time is left, all within two hours of the day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from tests.simulation.network import Fault as Mishap
from tests.simulation.network import Request
from tests.simulation.offers import Control
from tests.simulation.people import MOVES, Kind, Somebody
from tests.simulation.shots import Trouble
from tests.simulation.town import Town
from tests.simulation.world import DAY, HOUR
from tests.support.fake_discord.person import Person
from tests.support.wiretap import CHANNEL

MINUTE: Final = 60.0
ENDS: Final = re.compile(r"<t:(\d+):R>")
ANSWER_SECONDS: Final = (2 * MINUTE, 110 * MINUTE)
"""How long somebody takes to answer a notice, at least and at most, on top of their night."""
LITTLE: Final = 16 * HOUR
"""So little time is left that whoever waits for a second notice answers the first: none may follow."""
TRIES: Final = 14
"""How often somebody presses something before they give up, and come back later."""
RETRY_SECONDS: Final = 10 * MINUTE
"""When somebody comes again whom the bot hasn't answered."""
BRINGS_ON: Final = ("start", "agree", "join", "rematch", "next", "hand", "nudge")
"""What people press below a table's message, the most useful first."""
ONCE: Final = ("join", "rematch", "nudge", "agree")
"""What they press once."""
HARM: Final = 0.12
"""How often a notice's request goes wrong on its way."""
DOWN_HOURS: Final = (2.0, 7.0)
"""For how long the bot is down now and then, also at the hour of the daily message."""


@dataclass(frozen=True, slots=True)
class Way:
    """How somebody is told. `zone`: by whose clock they sleep; `looks`: the hours in which they look by themselves;
    `patient`: how often they wait for the second notice."""

    name: str
    zone: str
    chosen: dict[str, Any]
    patient: float = 0.4
    looks: Sequence[int] = ()


DAILY_HOUR: Final = 19
WAYS: Final = (
    Way("mention", "Europe/Madrid", {"zone": "Europe/Madrid", "tempo": "day"}),
    Way(
        "private",
        "America/Argentina/Buenos_Aires",
        {"zone": "America/Argentina/Buenos_Aires", "slow_notice": "private", "quiet_hours": "0-9"},
    ),
    Way("daily", "Asia/Tokyo", {"zone": "Asia/Tokyo", "slow_notice": "daily", "digest_hour": DAILY_HOUR}),
    Way("never", "UTC", {"slow_notice": "never"}, looks=(9, 20)),
)
QUIET: Final = {"mention": (23, 8), "private": (0, 9), "daily": (23, 8), "never": (23, 8)}
"""The hours in which each sleeps, by their own clock."""


def is_quiet(way: Way, at: float) -> bool:
    """Whether somebody sleeps at a time, in seconds since 1970."""
    first, last = QUIET[way.name]
    hour = datetime.fromtimestamp(at, ZoneInfo(way.zone)).hour
    return (hour - first) % 24 < (last - first) % 24


def by_day(way: Way, at: float, seconds: float) -> float:
    """The time at which somebody has been awake for so many seconds."""
    while seconds > 0 or is_quiet(way, at):
        seconds -= 0.0 if is_quiet(way, at) else MINUTE
        at += MINUTE
    return at


class Player(Somebody):
    """Somebody who plays slow matches."""

    def __init__(self, town: Weeks, person: Person, way: Way, channel: int) -> None:
        super().__init__(town, person, Kind(way.name), [channel], manages=False)
        self.weeks, self.way, self.channel = town, way, channel
        self.told = 0
        """The notices since they last played."""
        self.waits_for_second = False
        self._comes_at = float("inf")

    def notified(self, text: str) -> None:
        """A notice has come."""
        machine, true = self.weeks.world.machine, self.weeks.world.machine.true()
        if not self.told:
            self.waits_for_second = self.chance.random() < self.way.patient
        self.told += 1
        left = min((int(end) - true for end in ENDS.findall(text)), default=float("inf"))
        if self.told > 1 or not self.waits_for_second or left < LITTLE:
            self.come(by_day(self.way, true, self.chance.uniform(*ANSWER_SECONDS)) - machine.begin)

    def come(self, at: float) -> None:
        """Come to play at a time, unless they come before that."""
        if at < self._comes_at:
            self._comes_at = at
            self.weeks.world.machine.at(at, lambda: self._begin(at))

    def look_daily(self, hour: int) -> None:
        """Come by themselves in an hour of each day, from the next one on."""
        machine = self.weeks.world.machine
        here = datetime.fromtimestamp(machine.true(), ZoneInfo(self.way.zone))
        when = here.replace(hour=hour, minute=self.chance.randrange(60), second=0)
        at = (when + timedelta(days=when <= here)).astimezone(UTC).timestamp() - machine.begin

        def look() -> None:
            self.come(machine.now)
            self.look_daily(hour)

        machine.at(at, look)

    def _begin(self, at: float) -> None:
        if at == self._comes_at:
            self.weeks.strike_waiting()
            self._go_on(TRIES)

    def _go_on(self, tries: int, *, hand: bool = True) -> None:
        """Press the next thing: the hand, then a move, then its capture; and whatever else brings the matches on."""
        world = self.weeks.world
        if self.weeks.plan_over:
            return
        if not world.discord.gateway.online or not tries:
            self._comes_at = float("inf")
            self.come(world.machine.now + RETRY_SECONDS)
            return
        controls = [each for place in self.weeks.places(self.channel) for each in self.controls(place)]
        moves = [each for each in controls if each.private and each.verb in MOVES - {"choose", "pick"}]
        public = [each for verb in BRINGS_ON for each in controls if each.verb == verb and not each.private]
        wanted = [each for each in public if self._wants(each) and (hand or each.verb != "hand")]
        if moves or wanted:
            found = self.chance.choice(moves) if moves else wanted[0]
            hand = hand and found.verb != "hand"
            self._tried[found.message.id, found.verb] += 1
            self.weeks.presses.component(self, found.message, found.custom_id, None)
        elif not public and self is self.weeks.players[0]:
            self.weeks.presses.slash(self, self.channel, "escoba play", {"target": 21})
        else:
            self.told, self._comes_at = 0, float("inf")
            return
        world.machine.after(self.chance.uniform(6.0, 15.0), lambda: self._go_on(tries - 1, hand=hand))

    def _wants(self, control: Control) -> bool:
        """Whether somebody presses a public button: some once, and *Start* when everybody has a seat."""
        host, *others = self.weeks.players
        if control.verb == "start":
            return self is host and all(each._tried[control.message.id, "join"] for each in others)
        once = control.verb in ONCE and bool(self._tried[control.message.id, control.verb])
        return not once and (control.verb != "join" or self is not host)


class Weeks(Town):
    """Four people at one table at a day a turn, for as many days as the plan says.

    `on_notice`: called with whoever is notified. `unnoted`: when Discord took a notice, and the process that
    had sent it died before it heard of that.
    """

    on_notice: Callable[[Player], None] = staticmethod(lambda player: None)
    unnoted: list[float]

    def _move_in(self, number: int) -> Player:
        realm, way = self.world.realm, WAYS[number % len(WAYS)]
        person = realm.add_person(("Ana", "Bea", "Ciro", "Dora")[number % len(WAYS)])
        realm.people.append(person)
        self.offers.people.append(person.id)
        return Player(self, person, way, self.guild_channel)

    @property
    def guild_channel(self) -> int:
        """The channel in which they play."""
        return self.world.realm.channels[0]

    def places(self, channel: int) -> list[int]:
        """A channel and its threads."""
        threads = self.world.realm.backend.active_threads(self.world.realm.guild_id)
        found = [each.id for each in threads if each.parent_id == channel]
        self._threads |= dict.fromkeys(found, channel)
        return [channel, *found]

    @property
    def players(self) -> list[Player]:
        """The people."""
        return [each for each in self.people if isinstance(each, Player)]

    def live(self) -> None:
        """Start the bot, let them choose how they are told, and play for some weeks; then judge."""
        world, machine = self.world, self.world.machine
        self._private: dict[int, Player] = {}
        self._shown: set[str] = set()
        self._harm, self.unnoted = machine.chance("harm"), []
        world.told.append(self._heard)
        self.start()
        world.pause(30.0)
        self._choose()
        world.pause(5.0)
        for number, each in enumerate(self.players):
            each.come(machine.now + 10.0 + 60.0 * number)
            machine.after(900.0 + 60.0 * number, lambda each=each: each.come(machine.now))
            for hour in each.way.looks:
                each.look_daily(hour)
        world.pause(2_000.0)
        if self.faults:
            self.mishaps.append(self._on_the_way)
            self._later_down()
            for fault in self.faults:
                self._later(fault, machine.chance(f"fault {fault.name}"))
        end = machine.now + self.plan.days * DAY
        while machine.now < end:
            world.run(min(end, machine.now + HOUR))
        self._rest()
        self._stop()

    def _choose(self) -> None:
        """Set everybody's choices, as `/escoba me` would."""
        from bot.tables.settings import TablePreferences

        life = self.world.life
        assert life is not None
        assert life.bot is not None
        preferences = life.bot.parts.preferences
        for each in self.players:
            chosen = TablePreferences.load(json.dumps(each.way.chosen))
            changes = {name: getattr(chosen, name) for name in each.way.chosen}
            life.loop.create_task(preferences.change(each.person.id, TablePreferences, **changes))

    def strike_waiting(self) -> None:
        """Somebody comes: the faults that wait for that strike within two minutes."""
        waiting, self._waiting = self._waiting, []
        for fault, own in waiting:
            at = self.world.machine.now + own.uniform(0.0, 2 * MINUTE)
            self.world.machine.at(at, lambda fault=fault, own=own: self._strike(fault, own))

    def _later_down(self) -> None:
        self.world.machine.after(self._harm.expovariate(1 / (2.5 * DAY)), self._go_down)

    def _go_down(self) -> None:
        """The bot is killed and stays down for hours: now, or half an hour before a daily message."""
        machine, world = self.world.machine, self.world
        if self.plan_over:
            return
        self._later_down()
        here = datetime.fromtimestamp(machine.true(), ZoneInfo("Asia/Tokyo"))
        hour = here.replace(hour=DAILY_HOUR, minute=0) + timedelta(days=here.hour >= DAILY_HOUR)
        wait = (hour - here).total_seconds() - 0.5 * HOUR if self._harm.random() < 0.5 else 0.0

        def down() -> None:
            if world.life is not None and not self.plan_over:
                seconds = self._harm.uniform(*DOWN_HOURS) * HOUR
                world.life.live_on()
                machine.after(1.0, lambda: self._kill(seconds))

        machine.after(max(0.0, wait), down)

    def _kill(self, seconds: float) -> None:
        world = self.world
        if world.life is not None:
            world.counts["begun down"] += 1
            self.troubles.append(Trouble("down", world.machine.now, world.machine.now + seconds + 30.0, silent=True))
            world.life.kill()
            self.died()
            world.machine.after(seconds, self.start)

    # ------------------------------------------------------------------------------------------------ notices
    def _on_the_way(self, request: Request) -> Mishap | None:
        """A notice's request that fails, before it has taken effect or after."""
        if request.method != "POST" or not CHANNEL.fullmatch(request.path) or self._harm.random() > HARM:
            return None
        applied, kind = self._harm.random() < 0.5, self._harm.choice(("5xx", "cut", "429", "kill"))
        self.trouble(f"notice {kind}", 60.0, silent=False)
        if kind == "kill":
            self.unnoted += [self.world.machine.now] * applied
            self.world.machine.after(0.0 if applied else 0.001, lambda: self._kill(self._harm.uniform(1.0, 300.0)))
        if kind == "429":
            return Mishap("429", 429, retry_after=9.0)
        return Mishap("5xx", 503, applied=applied) if kind == "5xx" else Mishap("cut", drop=True, applied=applied)

    def _heard(self, request: Request) -> None:
        for player, text in self.notices(request):
            self.on_notice(player)
            player.notified(text)

    def notices(self, request: Request) -> list[tuple[Player, str]]:
        """Whom a request that has taken effect notifies, and with which words; a message that is sent again, once."""
        if request.path == "/users/@me/channels" and request.applied:
            found = next(each for each in self.players if str(each.person.id) == str(request.body["recipient_id"]))
            self._private[int(request.answer["id"])] = found
        channel = CHANNEL.fullmatch(request.path) if request.method == "POST" and request.applied else None
        if channel is None or request.answer["id"] in self._shown:
            return []
        self._shown.add(request.answer["id"])
        text = request.body.get("content") or ""
        named = (request.body.get("allowed_mentions") or {}).get("users") or ()
        if (private := self._private.get(int(channel[1]))) is not None:
            return [(private, text)]
        return [(each, text) for each in self.players if str(each.person.id) in map(str, named)]
