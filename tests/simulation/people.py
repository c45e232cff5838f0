"""The people of a simulation: they see what Discord shows them, and press what they see, each in their own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from tests.simulation.offers import USER_MENU, Control, Offers, control_of, controls_of
from tests.support.fake_discord.person import Person
from tests.support.limits_components import BUTTON, SELECTS, STRING_SELECT, TEXT_INPUT, walk

if TYPE_CHECKING:
    from tests.simulation.world import World

LOOKS_AT: Final = 6
"""How many of the newest messages of a channel somebody looks at, and as many that only they see."""
SCROLLS: Final = 100
"""So many of the newest messages there are to look at, also those that others see alone."""
MOVES: Final = frozenset({"card", "take", "lay", "claim", "sing", "pick", "choose"})
LOCALES: Final = ("es-ES", "es-419", "en-US", "pt-BR", "it", "fr", "de", "en-GB")
WORDS: Final = (
    "1", "11", "21", "0", "-3", "99999999999", "mañana 21:30", "tomorrow 9pm", "30/02/2026", "viernes", "Copa de Ana",
    "x" * 90, "Europe/Madrid", "madrid", "buenos", "22:00-08:00", "🂡", "*_*", "@everyone", "{0}", "  ", "ana",
)  # fmt: skip
"""What people write into fields, sensible or not."""
KEEN: Final = 40.0
"""How much more often somebody makes a move that they can make than they press anything else."""
QUICK: Final = 0.8
"""How often people choose how many points are played to, and then the fewest: many matches are to reach their end."""
RARELY: Final = 0.25
"""How often people choose any other option of a command."""
USER_SELECT: Final = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to be. `pace`: the seconds between two acts while they are there; `away`: how often they just stay away in
    the middle; `command`, `odd`: how often they send a command, or press something old; `plays`: how often they come in
    order to play rather than to look around; `likes`: how much more often they press a verb than others do."""

    name: str
    pace: tuple[float, float] = (2.0, 12.0)
    away: float = 0.0
    command: float = 0.06
    odd: float = 0.02
    plays: float = 0.7
    likes: Mapping[str, float] = field(default_factory=dict)
    commands: Mapping[str, float] = field(default_factory=dict)


KINDS: Final = (
    Kind("eager"),
    Kind("slow", pace=(20.0, 400.0), away=0.02, likes={"pace": 5.0, "slow": 5.0}),
    Kind("careless", pace=(0.3, 3.0), odd=0.15, away=0.01),
    Kind(
        "at odds", likes={"cancel": 20.0, "cancelyes": 20.0, "leave": 20.0, "disagree": 9.0, "standin": 9.0}, away=0.03
    ),
    Kind("manager", command=0.15, plays=0.4, commands={"escoba settings": 9.0, "escoba reset": 2.0}),
    Kind("cheat", odd=0.3, plays=0.5),
    Kind("organiser", command=0.15, commands={"escoba tournament": 9.0, "torneo": 9.0, "tournament": 9.0}),
    Kind("onlooker", plays=0.1, likes={"join": 0.1, "hand": 0.2, "react": 5.0, "wins": 8.0}, command=0.1),
    Kind(
        "eraser",
        command=0.1,
        plays=0.4,
        commands={"escoba me": 9.0},
        likes={"erase": 20.0, "eraseyes": 20.0, "see": 5.0},
    ),
)
LIKED: Final = {
    "e:hand": 5.0, "e:join": 9.0, "e:agree": 9.0, "e:options": 1.0, "e:target": 3.0,
    "e:start": 6.0, "e:next": 9.0, "e:rematch": 4.0, "e:addc": 2.0, "e:nextgame": 3.0,
    "e:ahead": 3.0, "e:nudge": 3.0, "e:tempo": 2.0, "e:forced": 0.5, "e:opengame": 3.0,
    "e:react": 0.7, "e:wins": 0.7, "e:cancel": 0.1, "e:cancelyes": 0.5, "e:leave": 0.1,
    "e:express": 1.5, "e:series": 0.5, "e:thatsall": 0.5, "e:rounds": 0.3,
    "t:join": 6.0, "t:here": 9.0, "t:yes": 6.0, "t:announce": 2.0, "t:checkin": 2.0,
    "t:begin": 3.0, "t:beginyes": 9.0, "t:next": 6.0, "t:cancel": 0.05, "t:cancelyes": 0.3,
    "t:leave": 0.02, "t:out": 0.02,
}  # fmt: skip
"""How much more often people press a verb than another one."""
AGAIN: Final = frozenset({"hand", "next"})
"""What people press again and again."""
WAITS: Final = 0.5
"""How often those who have come to play only wait while they have no move to make."""
ASIDE: Final = 0.03
"""How often those who have come to play press what doesn't bring a match on, compared to others."""


class Pressing(Protocol):
    """What carries out what somebody does."""

    def component(
        self, who: Somebody, message: Any, custom_id: str, values: Sequence[str] | None, *, checked: bool = True
    ) -> None: ...

    def slash(
        self, who: Somebody, channel_id: int, name: str, options: dict[str, Any], *, typing: str = ""
    ) -> None: ...

    def menu_of(self, who: Somebody, channel_id: int, name: str, target: int) -> None: ...

    def modal(self, who: Somebody, channel_id: int, custom_id: str, values: dict[str, Any]) -> None: ...


class Place(Protocol):
    """What somebody needs of the town that they are in."""

    world: World
    offers: Offers
    controls: dict[int, tuple[Any, Sequence[Control]]]
    """What can be pressed on messages that somebody has looked at, with the components that this was found in."""

    @property
    def presses(self) -> Pressing: ...

    def guild_of(self, channel_id: int) -> int: ...


class Somebody:
    """A person of a kind."""

    def __init__(self, town: Place, person: Person, kind: Kind, channels: Sequence[int], *, manages: bool) -> None:
        self.town = town
        self.person = person
        self.kind = kind
        self.channels = channels
        self.manages = manages
        self.chance: Random = town.world.machine.chance(f"person {person.name}")
        self.plays = False
        """Whether they are there in order to play."""
        self.remembered: list[Control] = []
        """Some of what they have seen before."""
        self._tried: Counter[tuple[int, str]] = Counter()
        """How often they have pressed each control of each message: nobody presses the same thing all the time."""

    def __str__(self) -> str:
        return f"{self.person.name} ({self.kind.name})"

    def arrive(self) -> None:
        """Come to a channel for a while, to play or to look around."""
        self.plays = self.chance.random() < self.kind.plays

    def pause(self) -> float:
        """The seconds until their next act."""
        if self.chance.random() < self.kind.away:
            return self.chance.uniform(300.0, 7_200.0)
        return self.chance.uniform(*self.kind.pace)

    # ---------------------------------------------------------------------------------------------------- seeing
    def sees(self, channel_id: int) -> Iterator[Any]:
        """The newest messages that they see in a channel, and the newest that only they see."""
        left = {False: LOOKS_AT, True: LOOKS_AT}
        there = self.town.world.realm.backend.messages.get(channel_id, {})
        for message in islice(reversed(there.values()), SCROLLS):
            if left[message.is_ephemeral] and message.visible_to(self.person.id):
                yield message
                left[message.is_ephemeral] -= 1
                if not any(left.values()):
                    return

    def controls(self, channel_id: int) -> list[Control]:
        """What they could press in a channel."""
        known, found = self.town.controls, list[Control]()
        for message in self.sees(channel_id):
            of, controls = known.get(message.id, (None, ()))
            if of is not message.components:  # each edit brings others
                controls = controls_of(message)
                known[message.id] = message.components, controls
            found += controls
        return found

    def keenness(self, channel_id: int) -> float:
        """How much there is for them to do in a channel, with some chance."""
        return max(map(self._weight, self.controls(channel_id)), default=0.0) * self.chance.random()

    # ---------------------------------------------------------------------------------------------------- acting
    def act(self, channel_id: int) -> None:
        """Do one thing."""
        draw = self.chance.random()
        if draw < self.kind.odd and self.remembered:
            self._press_again()
            return
        controls = self.controls(channel_id)
        weights = [self._weight(control) for control in controls]
        busy = self.plays and sum(weights) > 1.0
        if busy and max(weights) < KEEN and self.chance.random() < WAITS:
            return
        if not controls or draw < self.kind.odd + self.kind.command * (ASIDE if busy else 1.0):
            self._command(channel_id)
            return
        control = self.chance.choices(controls, weights)[0]
        if self.chance.random() < 0.1:
            self.remembered = [*self.remembered[-20:], control]
        self.press(control)

    def _weight(self, control: Control) -> float:
        verb = control.verb
        if control.private and verb in MOVES:
            return KEEN
        liked = self.kind.likes.get(verb, LIKED.get(control.action))
        if liked is None:
            liked = (0.2 if control.private else 1.0) * (ASIDE if self.plays else 1.0)
        if verb in AGAIN:
            return liked
        return liked / (1 + self._tried[control.message.id, control.custom_id]) ** 2

    def press(self, control: Control) -> None:
        """Press a button, or choose in a menu."""
        values = None
        if control.kind != BUTTON:
            values = self._choice(control, control.message.channel_id)
        self._tried[control.message.id, control.custom_id] += 1
        self.town.presses.component(self, control.message, control.custom_id, values)

    def _choice(self, control: Control, channel_id: int) -> list[str]:
        if control.kind == STRING_SELECT:
            pool: Sequence[str] = control.options
            if control.verb == "target" and self.chance.random() < QUICK:
                return [pool[0]]
        else:
            pool = self.town.offers.pool(control.kind, self.town.guild_of(channel_id))
        most = min(control.most, len(pool))
        return self.chance.sample(list(pool), self.chance.randint(min(control.fewest, most), most))

    def _press_again(self) -> None:
        """Press something that they saw long ago, whatever has become of it; or, with luck, forge it."""
        control = self.chance.choice(self.remembered)
        if self.chance.random() < 0.3:
            parts = control.custom_id.split(":")
            place = self.chance.randrange(len(parts))
            parts[place] = self.chance.choice(("1", "zz", "0", "", "7o", parts[place][::-1], "99999"))
            self.town.presses.component(self, control.message, ":".join(parts), None, checked=False)
            return
        values = None if control.kind == BUTTON else self._choice(control, control.message.channel_id)
        self.town.presses.component(
            self, control.message, control.custom_id, values, checked=self.chance.random() < 0.5
        )

    def _command(self, channel_id: int) -> None:
        found = [
            (name, leaf, self.kind.commands.get(name, next(
                (weight for key, weight in self.kind.commands.items() if name.startswith(key)),
                (15.0 if self.plays else 4.0) if name == "escoba play" else 0.4 if "leave" in name else 1.0)))
            for name, leaf in self.town.offers.commands(manages=self.manages)
        ]  # fmt: skip
        if not found:
            return
        name, leaf, _ = self.chance.choices(found, [weight for *_, weight in found])[0]
        if leaf.get("type") == USER_MENU:
            if pool := self.town.offers.pool(USER_SELECT, self.town.guild_of(channel_id)):
                self.town.presses.menu_of(self, channel_id, name, int(self.chance.choice(pool)))
            return
        declared = leaf.get("options") or []
        options: dict[str, Any] = {}
        for option in declared:
            if option.get("required") or self.chance.random() < (QUICK if option["name"] == "target" else RARELY):
                value = self._value(option, channel_id)
                if value is not None:
                    options[option["name"]] = value
        typed = next((each["name"] for each in declared if each.get("autocomplete") and each["name"] in options), "")
        if typed and self.chance.random() < 0.5:
            options[typed] = self.chance.choice(("", "e", "la", options[typed]))
            self.town.presses.slash(self, channel_id, name, options, typing=typed)
        else:
            self.town.presses.slash(self, channel_id, name, options)

    def _value(self, option: Mapping[str, Any], channel_id: int) -> Any:
        if choices := option.get("choices"):
            return self.chance.choice(choices)["value"]
        match option["type"]:
            case 3:
                return self.chance.choice(WORDS)[: option.get("max_length", 100)]
            case 4 if option["name"] == "target" and self.chance.random() < QUICK:
                return option["min_value"]
            case 4:
                return self.chance.randint(option.get("min_value", -5), min(option.get("max_value", 50), 10_000))
            case 5:
                return self.chance.random() < 0.5
            case 6 | 7 | 8:
                pool = self.town.offers.pool({6: 5, 7: 8, 8: 6}[option["type"]], self.town.guild_of(channel_id))
                return int(self.chance.choice(list(pool))) if pool else None
            case _:
                return None

    def take_up(self, typed: Mapping[str, Any], channel_id: int, choices: Sequence[Mapping[str, Any]]) -> None:
        """Send a command with one of the suggestions for what they have typed."""
        name, options = typed["name"], typed.get("options", [])
        while options and options[0]["type"] in (1, 2):
            name, options = f"{name} {options[0]['name']}", options[0].get("options", [])
        values = {each["name"]: each["value"] for each in options}
        values |= {each["name"]: self.chance.choice(choices)["value"] for each in options if each.get("focused")}
        self.town.presses.slash(self, channel_id, name, values)

    def fill(self, channel_id: int, modal: Mapping[str, Any]) -> None:
        """Fill in a form, and send it."""
        values: dict[str, Any] = {}
        for _, node in walk(modal["components"]):
            for part in filter(None, (node, node.get("component"))):
                custom_id = part.get("custom_id")
                if custom_id is None:
                    continue
                if part["type"] == TEXT_INPUT:
                    kept = part.get("value") if self.chance.random() < 0.4 else None
                    values[custom_id] = (kept or self.chance.choice(WORDS))[: part.get("max_length", 100)]
                elif part["type"] in SELECTS:
                    control = control_of(None, part, private=True)
                    values[custom_id] = self._choice(control, channel_id)
        self.town.presses.modal(self, channel_id, modal["custom_id"], values)
