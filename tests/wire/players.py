"""Simulated people who play knowing only what they see: they open lobbies, join, look and click."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.moves import captures
from bot.engine.rules import Capture
from bot.tables.ids.game import unpack
from bot.tables.screens.picking import ANY, CLAIM
from tests.support.fake_discord.person import Person
from tests.support.patience import HANG_SECONDS
from tests.wire.seen import Press, Seen
from tests.wire.world import Wire

MOVES = ("card", "take", "lay", "pick")
CHOOSING = 0.4
"""How often people choose table cards where they can; any will do, because a wrong sum costs nothing."""
_FEWEST = 3
"""With fewer table cards people choose at random; it takes many more to make more than twenty captures."""
IDLE = 0.05
PAUSE = 0.2
PATIENCE = 1.0
"""Seconds for which people wait for the table to change before they look at their hands again."""
GIVE_UP = 4.0
"""Seconds after which somebody tries to open another game at a table where nothing happens."""


@dataclass
class Party:
    """The people of one channel. `step` makes one of them do the next thing. `rematches`: they play again."""

    wire: Wire
    channel_id: int
    people: Sequence[Person]
    rng: Random = field(default_factory=lambda: Random(1))
    target: int = 11
    rematches: bool = False
    clicks: int = 0
    unanswered: int = 0
    slowest: float = 0.0
    over: int = 0
    game: int = 0
    version: int = 0
    """The newest game and version that buttons have named, on the table message or on a panel."""
    text: str = ""
    """What the table message said last."""
    options: dict[str, Any] = field(default_factory=dict)
    computer: str = ""
    """The level of the computer player that is seated before the start; empty for none."""
    hints: float = 0.0
    """How often people ask for a hint where they can; `hinted` counts the hints."""
    hinted: int = 0
    patience: float = 3.5
    """Seconds for which people wait for an answer."""
    friendly: bool = False
    """Whether the match counts for nothing."""
    pause: float = 0.0
    """Seconds between two steps of `play_on`: if a test waits for something else, fewer moves are just as good."""
    _moved: float = 0.0
    _opened: float = 0.0
    _seen: tuple[int, str, float] = (0, "", 0.0)
    _looked: dict[int, float] = field(default_factory=dict)

    async def play(self, *, until: Callable[[], bool] | None = None, seconds: float = HANG_SECONDS) -> None:
        """Play until a match is over or `until` returns true.

        Raises:
            AssertionError: if nothing changes at the table for `seconds`.
        """
        over, now = self.over, asyncio.get_running_loop().time
        at, end = (self.game, self.text), now() + seconds
        while now() < end:
            if self.over > over or (until is not None and until()):
                return
            await self.step()
            if at != (self.game, self.text):
                at, end = (self.game, self.text), now() + seconds
        raise AssertionError(f"nothing changed in {seconds} s: {self.wire.table(self.channel_id).text}")

    async def play_on(self) -> None:
        """Play until cancelled."""
        while True:
            await self.step()
            await asyncio.sleep(self.pause)

    async def step(self) -> None:
        """Have somebody do the next thing."""
        table = self.wire.latest(self.channel_id, "join", "hand", "next", "rematch")
        if table is None:
            await self._open()
            return
        press = next(press for press in table.presses if press.verb in ("join", "hand", "next", "rematch"))
        self.game, self.text = press.game, table.text
        self.version = table.version or self.version
        if table.find("rematch"):
            self.over += 1
            if self.rematches:
                await self._open()
        elif table.find("next"):
            if asyncio.get_running_loop().time() - self._moved < PAUSE:
                await asyncio.sleep(IDLE)  # the table message may not be up to date yet
            else:
                await self._click(self.rng.choice(list(self.people)), table, table.one("next"))
        elif press.verb == "join":
            await self._gather(table)
        else:
            await self._move(table)

    async def _open(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._opened < PATIENCE:
            await asyncio.sleep(IDLE)
            return
        self._opened = now
        self.clicks += 1
        shot = self.wire.send_slash(self.people[0], self.channel_id, "escoba play", target=self.target, **self.options)
        await self._heard(shot)

    async def _gather(self, table: Seen) -> None:
        for person in self.people:
            if f"**{person.name}**" not in table.text.partition("1.")[2]:
                await self._click(person, table, table.one("join"))
                return
        if self.computer and not any(f" · {level}" in table.text for level in ("normal", self.computer)):
            await self._click(self.people[0], table, table.one("addc"))
        elif self.computer and f" · {self.computer}" not in table.text:
            await self._click(self.people[0], table, table.one("options"))
            if (options := self.wire.latest(self.channel_id, "comp", viewer=self.people[0])) is not None:
                await self._click(self.people[0], options, options.one("comp"), [self.computer])
        elif self.friendly and "🏅" in table.text:
            await self._click(self.people[0], table, table.one("options"))
            if (options := self.wire.latest(self.channel_id, "rated", viewer=self.people[0])) is not None:
                await self._click(self.people[0], options, options.one("rated"))
        elif start := table.find("start"):
            await self._click(self.rng.choice(list(self.people)), table, start[0].custom_id)

    async def _move(self, table: Seen) -> None:
        """Have somebody with a card to play play one; if nobody has one, have them look again."""
        now = asyncio.get_running_loop().time()
        for person in self.rng.sample(list(self.people), len(self.people)):
            panel = self.wire.latest(self.channel_id, *MOVES, "choose", "panel", viewer=person)
            if panel is None or any(press.game != self.game for press in panel.presses):
                if now - self._looked.get(person.id, 0) > PATIENCE:
                    self._looked[person.id] = now
                    await self._click(person, table, table.one("hand"))
                    return
                continue
            self.version = panel.version or self.version
            # After a card with more captures than buttons has been laid, only table cards can be chosen.
            if choices := panel.find(*MOVES) or panel.find("choose"):
                if self.hints and (hint := panel.find("hint")) and self.rng.random() < self.hints:
                    self.hinted += 1
                    await self._click(person, panel, hint[0].custom_id)
                    return
                if self.rng.random() < CHOOSING:
                    choices = panel.find("choose") or choices
                press = nearer_to_a_capture(panel) or self.rng.choice(choices)
                some = self.rng.sample(press.options, min(2, len(press.options))) if press.verb == "pick" else None
                await self._click(person, panel, press.custom_id, some)
                return
        if (self.game, self.text) != self._seen[:2]:
            self._seen = (self.game, self.text, now)
        if now - self._seen[2] > GIVE_UP:
            self._seen = (self.game, self.text, now)
            await self._open()
        elif now - self._moved > PATIENCE:
            person = min(self.people, key=lambda each: self._looked.get(each.id, 0))
            self._looked[person.id] = now
            await self._click(person, table, table.one("hand"))
        else:
            await asyncio.sleep(IDLE)

    async def _click(self, person: Person, message: Seen, custom_id: str, values: list[str] | None = None) -> None:
        self.clicks += 1
        self._moved = asyncio.get_running_loop().time()
        await self._heard(self.wire.send_click(person, message, custom_id, values))

    async def _heard(self, shot: Any) -> None:
        try:
            answer = await shot.answer(self.patience)
        except AssertionError:
            self.unanswered += 1  # a kill or a fault may be the cause; other code checks whether it is
            return
        self.slowest = max(self.slowest, answer.seconds)


def nearer_to_a_capture(panel: Seen) -> Press | None:
    """The button of a table card that brings the chosen cards nearer to a capture for the card played.

    None if they are a capture already, or no such choice is open. Among a dozen cards, people who choose at random may
    not find a capture for minutes.
    """
    toggles = [press for press in panel.find("choose") if press.args[0] not in (ANY, CLAIM)]
    if len(toggles) < _FEWEST:
        return None
    after = [unpack(press.args[1]) or EMPTY for press in toggles]  # what each would leave chosen: a card more, or less
    times = Counter(card for cards in after for card in cards)
    chosen = CardSet.of(card for card, count in times.items() if count > 1)
    capture = Capture.FIFTEEN if "= 15" in panel.text else Capture.MATCH
    groups = captures(capture, Card.parse(toggles[0].args[0]), CardSet.of(times))
    missing = min((group ^ chosen for group in groups), key=len, default=EMPTY)
    return next((press for press, cards in zip(toggles, after, strict=True) if (cards ^ chosen) <= missing), None)


def parties(wire: Wire, size: int = 2, *, seed: object = 1, **how: Any) -> list[Party]:
    """Seat the wire's people at its channels, `size` to a table, each at one table only."""
    assert len(wire.people) >= size * len(wire.channels), "too few people"
    return [
        Party(wire, channel, wire.people[size * n : size * (n + 1)], Random(f"{seed}/{n}"), **how)
        for n, channel in enumerate(wire.channels)
    ]
