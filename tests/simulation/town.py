"""A town: servers, channels and people, what they do on an evening, and how the bot answers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.simulation.life import Life
from tests.simulation.network import Fault as Mishap
from tests.simulation.network import Request
from tests.simulation.offers import Control, Offers
from tests.simulation.people import KINDS, LOCALES, Somebody
from tests.simulation.presses import Presses
from tests.simulation.shots import Trouble, Watching
from tests.simulation.world import DAY, HOUR, World

NAMES: Final = (
    "Ana", "Bea", "Ciro", "Dora", "Elio", "Flor", "Gael", "Hugo", "Iris", "Juan", "Kira", "Luis", "Mar", "Nora", "Olga",
    "Pau", "Rosa", "Saul", "Tere", "Ursu", "Vera", "Xana", "Yago", "Zoe",
)  # fmt: skip
EXPECTED: Final = (
    ("bot.process.serve", "The database can't be used", "disk"),
    ("bot.process.serve", "Discord can't be reached", ""),
)
"""The errors that the operator is to read while something goes wrong: the logger, what it says, and how what goes wrong
begins; "" for anything."""
WAITS: Final = 0.8
"""How often a fault waits until people are there: it does little harm to an idle bot."""
LONGEST: Final = (0.1, 0.3, 1.5)
"""How many hours people stay, at most."""
THREADS: Final = 3
"""People look into so many of a channel's newest threads, as often as into the channel."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that may go wrong. `source`: where it was met; `weight`: how often it comes, compared to the others."""

    name: str
    source: str
    begin: Callable[[Town, Random], None]
    weight: float = 1.0


class Town:
    """The people of a world, and what they do.

    Args:
        world: where they are.
        faults: what may go wrong.
        all_weights: the sum of the weights of all faults, whether they may happen or not.
    """

    def __init__(self, world: World, faults: Sequence[Fault], *, all_weights: float) -> None:
        plan, machine = world.plan, world.machine
        self.plan = plan
        self.world = world
        self.faults = faults
        self.presses = Presses(world, machine.chance("presses"))
        self.controls: dict[int, tuple[Any, Sequence[Control]]] = {}
        self._all_weights = all_weights
        self.chance = machine.chance("town")
        self.evenings = plan.evenings or self.chance.choice((48.0, 24.0, 8.0, 2.0, 0.5))
        self._fault_chance = machine.chance("restarts")
        self.plan_over = False
        self.mishaps: list[Callable[[Request], Mishap | None]] = []
        """What may go wrong with requests now."""
        self.troubles: list[Trouble] = []
        self._away: set[int] = set()
        self._busy_until = 0.0
        """Until when people are there."""
        self._waiting: list[tuple[Fault, Random]] = []
        """The faults that wait until people come."""
        self._threads: dict[int, int] = {}
        """The channels of the threads in which somebody was."""
        self.guilds = [world.realm.guild_id]
        self.channels: dict[int, list[int]] = {world.realm.guild_id: list(world.realm.channels)}
        self._settle_town()
        self.people = [self._move_in(number) for number in range(plan.people)]
        world.discord.faults = self._mishap
        world.discord.arrived = self._arrived
        world.expects = self._expects
        world.ended = self._supervise

    def _settle_town(self) -> None:
        realm = self.world.realm
        realm.channels.append(realm.add_channel("mesa-2"))
        second = realm.add_guild("Club", self.chance.choice((None, "es-ES", "fr")))
        self.guilds.append(second)
        self.channels = {realm.guild_id: realm.channels, second: [realm.add_channel("juegos", second)]}
        realm.invite_bot()
        realm.communities.add(realm.guild_id)
        self._roles = {
            guild: realm.backend.create_role(guild, name="boss", permissions=1 << 5 | 1 << 4).id
            for guild in self.guilds
        }
        self.offers = Offers(realm, self.channels, self._roles)

    def _move_in(self, number: int) -> Somebody:
        realm, chance = self.world.realm, self.chance
        kind = KINDS[number % len(KINDS)] if number < len(KINDS) else chance.choice(KINDS[:3])
        person = realm.add_person(NAMES[number % len(NAMES)] + ("" if number < len(NAMES) else str(number)))
        guilds = [self.guilds[0]]
        if chance.random() < 0.5:
            realm.backend.add_member(self.guilds[1], person.id)
            guilds.append(self.guilds[1])
        manages = kind.name in ("manager", "organiser") or chance.random() < 0.1
        if manages:
            for guild in guilds:
                realm.backend.add_member_role(guild, person.id, self._roles[guild])
        realm.locales[person.id] = chance.choice(LOCALES)
        realm.people.append(person)
        self.offers.people.append(person.id)
        return Somebody(
            self, person, kind, [each for guild in guilds for each in self.channels[guild]], manages=manages
        )

    @property
    def judges(self) -> Sequence[Watching]:
        """Those who watch what happens."""
        return self.presses.judges

    # ------------------------------------------------------------------------------------------------- the days
    def live(self) -> None:
        """Start the bot, and let people do what they do until the days or the presses are over; then judge."""
        world = self.world
        self.start()
        world.pause(30.0)
        end = world.machine.now + self.plan.days * DAY
        self._next_evening()
        for fault in self.faults:
            self._later(fault, world.machine.chance(f"fault {fault.name}"))
        while world.machine.now < end and self.presses.count < self.plan.presses:
            world.run(min(end, world.machine.now + 60.0))
        self._rest()
        self._stop()

    def _rest(self) -> None:
        """Let every fault come to its end, and whatever the bot still has to do."""
        self.plan_over = True
        world = self.world
        while (until := max((each.end for each in self.troubles), default=0.0)) > world.machine.now:
            world.run(until)
        if world.life is None:
            self.start()
        for _ in range(60):  # after an outage discord.py waits for minutes before it tries again
            world.pause(60.0)
            if world.discord.gateway.online:
                break
        world.pause(120.0)
        for judge in self.judges:
            judge.at_rest()

    def _stop(self) -> None:
        """Stop the bot, and have its database judged."""
        world = self.world
        life = world.life
        if life is not None:
            life.terminate()
            world.pause(30.0)
            if life.alive:
                world.found("stop", "the process doesn't stop when it is told to")
        copy = world.folder / "end.sqlite3"
        world.disk.copy(copy)
        for judge in self.judges:
            judge.at_the_end(copy)

    # ----------------------------------------------------------------------------------------------- what happens
    def start(self) -> None:
        """Start a process, unless one runs."""
        if self.world.life is None:
            self.world.start()

    def _supervise(self, life: Life) -> None:
        """Start the process again that has ended with an error, as whatever runs it would."""
        if life.code:
            wait = self._fault_chance.choice((1.0, 10.0, 60.0))
            self.trouble("restart", wait + 15.0)
            self.world.machine.after(wait, self.start)

    def _expects(self, logger: str, text: str) -> bool:
        now = self.world.machine.now
        wrong = [each.name for each in self.troubles if each.end > now]
        return any(
            logger == name and says in text and any(each.startswith(begin) for each in wrong)
            for name, says, begin in EXPECTED
        )

    def died(self) -> None:
        """A process was killed."""
        for judge in self.judges:
            judge.died()

    def look(self) -> None:
        """Have the bot notice what has become of its clocks."""
        for life in self.world.lives:
            life.look()

    def disturb(self) -> None:
        """What is about to happen ends the time in which people could reach the bot."""
        for life in self.world.lives:
            life.live_on()
        self.world.machine.after(2.0, self.look)

    def trouble(self, name: str, seconds: float, *, silent: bool = True) -> None:
        """Note that something goes wrong, and until when. `silent`: people may have to do without an answer."""
        world = self.world
        world.counts[f"fault {name.partition(' of ')[0]}"] += 1
        world.trace.add(f"FAULT {name} for {seconds:.1f} s")
        self.troubles.append(Trouble(name, world.machine.now, world.machine.now + seconds, silent))

    def troubled(self, begin: float, end: float, *, silent: bool = False) -> bool:
        """Whether anything went wrong in a time, or with `silent` anything that may keep the bot from answering."""
        return any(
            each.begin < end and each.end > begin and (each.silent or not silent) for each in reversed(self.troubles)
        )

    def away_from(self, guild: int, away: bool) -> None:
        """Note that the bot isn't in a server, or is again."""
        (self._away.add if away else self._away.discard)(guild)

    @property
    def all_channels(self) -> list[int]:
        """The channels of the servers that the bot is in."""
        return [each for guild, channels in self.channels.items() if guild not in self._away for each in channels]

    def _later(self, fault: Fault, chance: Random) -> None:
        """Have a fault begin at some time, and again after that.

        Each has its own chance: one fault less changes nothing about the others.
        """
        seconds = DAY / self.evenings / self.plan.often * self._all_weights / fault.weight
        self.world.machine.after(chance.expovariate(1 / seconds), lambda: self._begin(fault, chance))

    def _begin(self, fault: Fault, chance: Random) -> None:
        if self.plan_over:
            return
        self._later(fault, chance)
        if self.world.machine.now > self._busy_until and chance.random() < WAITS:
            self._waiting.append((fault, chance))
        else:
            self._strike(fault, chance)

    def _strike(self, fault: Fault, chance: Random) -> None:
        if not self.plan_over:
            self.world.counts[f"begun {fault.name}"] += 1
            fault.begin(self, chance)

    def _mishap(self, request: Request) -> Mishap | None:
        return next(filter(None, (each(request) for each in self.mishaps)), None)

    def _arrived(self, request: Request) -> None:
        for judge in self.judges:
            judge.arrived(request)

    def _next_evening(self) -> None:
        """Some people meet in a channel for a while, and then others do."""
        world, chance = self.world, self.chance
        if self.plan_over:
            return
        guild = chance.choices(self.guilds, (3, 1))[0]
        channel = chance.choice(self.channels[guild])
        there = [each for each in self.people if channel in each.channels]
        some = chance.sample(there, min(len(there), chance.randint(1, 5)))
        until = world.machine.now + chance.uniform(0.03, chance.choice(LONGEST)) * HOUR
        for each in some:
            each.arrive()
            self._comes(each, channel, until)
        world.machine.after(chance.uniform(0.1, 1.9) * DAY / self.evenings, self._next_evening)
        self._busy_until = max(until, self._busy_until)
        self._strike_waiting(until)

    def _strike_waiting(self, until: float) -> None:
        """Have the faults that wait for people happen while they are there."""
        for fault, own in self._waiting:
            at = own.uniform(self.world.machine.now, until)
            self.world.machine.at(at, lambda fault=fault, own=own: self._strike(fault, own))
        self._waiting = []

    def _comes(self, somebody: Somebody, channel: int, until: float) -> None:
        def act() -> None:
            if self.world.machine.now < until and not self.plan_over and self.presses.count < self.plan.presses:
                reached = self.world.discord.gateway.online or self.chance.random() < 0.1
                if reached and self.guild_of(channel) not in self._away:
                    somebody.act(self._part_of(channel, somebody))
                self.world.machine.after(somebody.pause(), act)

        self.world.machine.after(somebody.pause(), act)

    def _part_of(self, channel: int, somebody: Somebody) -> int:
        """The channel itself, or one of its newest threads: most often where somebody has a move to make."""
        found = self.world.realm.backend.active_threads(self.guild_of(channel))
        threads = [each.id for each in found if each.parent_id == channel][-THREADS:]
        self._threads |= dict.fromkeys(threads, channel)
        parts = [channel, *threads]
        return max(parts, key=somebody.keenness) if threads and somebody.plays else self.chance.choice(parts)

    def guild_of(self, channel_id: int) -> int:
        channel_id = self._threads.get(channel_id, channel_id)
        return next(guild for guild, channels in self.channels.items() if channel_id in channels)
