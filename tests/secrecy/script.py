"""What users do at twin tables: look at everything, press what can be pressed, and make their moves."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from discord import app_commands

from bot.engine.cards import DECK, CardSet
from bot.engine.match import Match
from bot.engine.moves import Claim, Sing
from bot.engine.rules import Duty
from bot.platform.kit.codec import base36
from bot.tables.log.events import Phase
from tests.secrecy.games import Game, Step
from tests.secrecy.pair import Found, Pair
from tests.secrecy.world import FIRST_CHANNEL
from tests.support.truth import hidden_from, match_of

NOT_HERE = {
    "escoba play": "asks Discord what somebody sees, which its stand-in doesn't know",
    "escoba solo": "begins a match whose cards nobody has prepared",
}
"""The commands that can't be sent in twin worlds, and why."""
ANYTHING = r"[a-z]:.*"
PANEL = r"e:(panel|card|take|claim|pick|choose|lay|guide|next|hint):.*"
MOVING = ("next", "start", "rematch", "join")
AT_TURN = ("take", "lay")
"""Verbs that advance the game, AT_TURN only during the viewer's turn. They are pressed only as planned."""
_SOME = 3


def commands_of(pair: Pair) -> list[str]:
    """The commands that can be sent without options, from the bot's tree."""
    tree = pair.worlds[0].bot.tree
    found = [each for each in tree.walk_commands() if isinstance(each, app_commands.Command) and each.parent]
    plain = [each.qualified_name for each in found if not any(option.required for option in each.parameters)]
    return sorted(set(plain) - NOT_HERE.keys())


@dataclass
class Case:
    """A game in both worlds. `viewer`: the seat that looks at it, None for a stranger. `alone`: nobody may touch it."""

    game: Game
    twin: Game
    viewer: int | None
    rng: Random
    about: str
    alone: bool = False

    @property
    def channel_id(self) -> int:
        """The game's channel."""
        return FIRST_CHANNEL + self.game.number

    @property
    def stranger(self) -> int:
        """The id of a user without a seat."""
        return 10 * self.channel_id + 9

    @property
    def eyes(self) -> int:
        """The id of the user who looks."""
        seated = None if self.viewer is None else self.game.people[self.viewer]
        return self.stranger if seated is None else seated

    @property
    def others(self) -> set[int]:
        """The ids of the users who may see what the viewer can't."""
        return {person for person in self.game.people if person is not None} - {self.eyes}


class Players:
    """The users of one case, acting in both worlds at once."""

    def __init__(self, pair: Pair, case: Case) -> None:
        self.pair = pair
        self.case = case
        self.rng = case.rng

    # ------------------------------------------------------------------------------------------ shortcuts
    @property
    def match(self) -> Match | None:
        """The current match in the first world; None when there is none."""
        table = self.pair.worlds[0].bot.parts.manager.at(self.case.channel_id)
        return None if table is None or table.phase is not Phase.PLAYING else match_of(table)

    @property
    def version(self) -> int:
        """The table's version in the first world; 0 when it is over."""
        table = self.pair.worlds[0].bot.parts.manager.at(self.case.channel_id)
        return 0 if table is None else table.version

    def next_command(self) -> str:
        """A command that can be sent without options: one that nobody has sent yet, as long as there is one."""
        commands = commands_of(self.pair)
        return self.rng.choice([each for each in commands if each not in self.pair.done] or commands)

    async def press(
        self, person: int, pattern: str, values: list[str] | None = None, forged: str | None = None
    ) -> bool:
        """Press the newest button that matches. Returns whether there is one."""
        self.pair.at = self.case.about
        return await self.pair.press(person, self.case.channel_id, pattern, values, forged=forged)

    async def slash(self, person: int, name: str) -> None:
        """Send a command."""
        self.pair.at = self.case.about
        await self.pair.slash(person, self.case.channel_id, name)

    def find(self, person: int, pattern: str, *, disabled: bool = False) -> list[Found]:
        """The matching buttons and menus that somebody sees."""
        return self.pair.find(person, self.case.channel_id, pattern, disabled=disabled)

    # ------------------------------------------------------------------------------------------ looking
    async def look(self, *, most: int = _SOME) -> None:
        """The viewer and a stranger look around without changing anything in the game."""
        eyes, stranger = self.case.eyes, self.case.stranger
        ways: list[Callable[[], object]] = [
            lambda: self.slash(stranger, self.next_command()),
            lambda: self.slash(eyes, "escoba table"),
            lambda: self._data(eyes),
            lambda: self._leave(eyes),
            lambda: self.slash(stranger, "escoba hand"),
            lambda: self.slash(stranger, "escoba table"),
            lambda: self.press(stranger, r"e:hand:.*"),
            lambda: self._forge(stranger),
        ]
        await self.slash(eyes, self.next_command())
        await self.open_panel(eyes)
        for way in self.rng.sample(ways, min(most, len(ways))):
            await way()  # type: ignore[misc]
        await self._try_panel(most=most)

    async def open_panel(self, person: int) -> None:
        """Open the hand, by the button or the command."""
        if self.rng.random() < 0.5 or not await self.press(person, r"e:hand:.*"):
            await self.slash(person, "escoba hand")

    async def _data(self, person: int) -> None:
        await self.slash(person, "escoba me")
        await self.press(person, r"p:see")
        await self.press(person, r"p:data")

    async def _leave(self, person: int) -> None:
        """Ask to leave a match, or to end it, and think better of it."""
        if self.match is None:
            return  # leaving a lobby needs no confirmation
        await self.slash(person, "escoba leave")
        await self.press(person, r"e:cancel:.*")
        await self.press(person, r"e:keep:.*")

    async def _forge(self, person: int) -> None:
        """Forge a click on a hidden card, to check that the answer doesn't reveal where the card is."""
        match = self.match
        seat = None if person == self.case.stranger else self.case.viewer
        if match is None or not (hidden := list(hidden_from(match, seat))):
            return
        for found in self.find(person, r"e:(hand|panel):.*"):
            game, version = found.custom_id.split(":")[2], base36(match.version)
            card = self.rng.choice(hidden)
            await self.press(person, re.escape(found.custom_id), forged=f"e:card:{game}:{version}:{card}")

    async def _try_panel(self, *, most: int) -> None:
        """Press buttons of the viewer's panel, enabled or not, except those that advance the game."""
        eyes = self.case.eyes
        if self.find(eyes, PANEL):
            await self._forge(eyes)
        seen = [found for found in self.find(eyes, PANEL, disabled=True) if found.message.reader is not None]
        rare = [found for found in seen if found.verb == "claim"]
        for found in rare or self.rng.sample(seen, min(most, len(seen))):
            match = self.match
            if match is None or found.verb in MOVING:
                continue
            at_turn = match.turn == self.case.viewer
            if at_turn and found.verb in AT_TURN:
                continue
            pattern = rf"e:{found.verb}:\w+:\w+{''.join(f':{arg}' for arg in found.custom_id.split(':')[4:])}"
            if at_turn and found.verb == "card":
                await self._try_card(match, pattern)
            elif found.verb == "pick":
                await self.press(eyes, pattern, self.rng.sample(found.options, min(2, len(found.options))))
            elif at_turn and found.verb == "claim":
                await self.press(eyes, pattern)
                await self.press(eyes, r"e:panel:.*")
            else:
                await self.press(eyes, pattern, forged=found.custom_id if found.node.get("disabled") else None)

    async def _try_card(self, match: Match, pattern: str) -> None:
        """Press one of the viewer's cards and go back, in rules where captures are chosen by hand."""
        if match.rules.duty is not Duty.COMPULSORY and match.round is not None and match.round.table:
            await self.press(self.case.eyes, pattern)
            await self.press(self.case.eyes, r"e:panel:.*")

    # ------------------------------------------------------------------------------------------ playing
    async def do(self, step: Step, *, refused: bool = False) -> None:
        """Carry out a planned step by clicks. `refused`: try first while the store refuses entries."""
        if step.what == "computer":
            return  # it moves by itself
        if refused:
            self.pair.refuse(True)
            await self._try(step)
            self.pair.refuse(False)
        before = self.version
        await self._try(step)
        assert self.version != before, f"{self.case.about}: {step} changed nothing"

    async def _try(self, step: Step) -> None:
        person = self.case.game.people[step.seat]
        assert person is not None, "a computer presses nothing"
        if step.move is None:
            if step.what == "start":
                await self.press(person, r"e:start:.*")
                return
            before = self.version
            for other in dict.fromkeys((person, *self.case.game.people)):
                if other is not None and self.version == before:
                    await self.press(other, r"e:next:.*")
            return
        await self.open_panel(person)
        match = self.match
        assert match is not None
        assert match.round is not None
        if isinstance(step.move, Claim):
            await self.press(person, r"e:claim:.*")
            await self._take(person, "claim", step.move.captured)
            return
        if isinstance(step.move, Sing):
            await self.press(person, r"e:sing:.*")
            return
        card, captured = step.move.card, step.move.captured
        if match.round.laid is None:
            await self.press(person, rf"e:card:\w+:\w+:{card}")
        if match.rules.duty is not Duty.COMPULSORY and not match.round.table:
            return  # nothing can be chosen: the card is on the table
        if match.rules.duty is not Duty.COMPULSORY and not captured:
            await self.press(person, rf"e:lay:\w+:\w+:{card}")
        elif match.rules.duty is not Duty.COMPULSORY or step.groups > 1 or match.round.laid is not None:
            await self._take(person, str(card), captured)

    async def _take(self, person: int, what: str, captured: CardSet) -> None:
        """Capture by the capture's own button, or by first choosing the cards with buttons or menus."""
        for _ in range(len(DECK)):
            toggles = self.find(person, rf"e:choose:\w+:\w+:{what}:\w+")
            chosen = {found.custom_id for found in self.find(person, rf"e:take:\w+:\w+:{what}:\w+", disabled=True)}
            if not toggles or len(chosen) != 1:
                break
            now = CardSet(int(chosen.pop().rpartition(":")[2], 36))
            if now == captured:
                break
            wrong = next(iter((now - captured) | (captured - now)))
            after = now - CardSet.of([wrong]) if wrong in now else now.with_card(wrong)
            press = next(found for found in toggles if int(found.custom_id.rpartition(":")[2], 36) == after.mask)
            await self.press(person, re.escape(press.custom_id))
        names = {str(card) for card in captured}
        for number in range(len(self.find(person, r"e:pick:.*"))):
            menu = self.find(person, r"e:pick:.*")[number]
            if chosen := [value for value in menu.options if value in names]:
                await self.press(person, re.escape(menu.custom_id), chosen)
        for found in self.find(person, rf"e:take:\w+:\w+:{what}:\w+"):
            if int(found.custom_id.rpartition(":")[2], 36) == captured.mask:
                await self.press(person, re.escape(found.custom_id))
                return

    # ------------------------------------------------------------------------------------------ ending
    async def cancel(self) -> None:
        """The opener cancels the game or, where they can't do that alone, asks the others, who agree."""
        opener, *others = self.case.game.people
        assert opener is not None
        await self.slash(opener, "escoba leave")
        await self.press(opener, r"e:cancel:.*")
        if not await self.press(opener, r"e:cancelyes:.*"):
            await self.press(opener, r"e:endask:.*")
            for person in others:
                if person is not None:
                    await self.press(person, r"e:agree:.*")
        assert not self.version, f"{self.case.about}: it isn't cancelled"

    async def leave(self) -> None:
        """Everybody leaves, one after the other."""
        for person in self.case.game.people:
            if person is not None and self.version:
                await self.slash(person, "escoba leave")
                await self.press(person, r"e:leaveyes:.*")
        assert not self.version, f"{self.case.about}: it isn't abandoned"

    async def look_back(self) -> None:
        """The viewer and a stranger look at a game that may be over."""
        await self.open_panel(self.case.eyes)
        await self._data(self.case.eyes)
        await self.press(self.case.stranger, self.rng.choice((ANYTHING, r"e:hand:.*")))
