"""A tournament in a room's channel, and the presses that take people through it."""

import asyncio
import re
from collections.abc import Callable

import discord
from simcord.builders import ChannelHandle

from bot.tournaments.boards.board import GAP
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.tournament import Tournament
from tests.support.escoba import Room
from tests.support.patience import HANG_SECONDS
from tests.support.people import Person, text_of

PUBLIC = re.compile(r"t:(join|here|table):")


def let(here: Room, person: Person, **permissions: bool) -> None:
    """Give somebody permissions on the server."""
    role = here.world.guild.create_role("more", permissions=discord.Permissions(**permissions))
    here.env.backend.add_member_role(here.world.guild.id, person.id, role.id)


async def eventually(true: Callable[[], bool]) -> None:
    """Wait until a condition is true: a tournament does what is due on its own."""
    async with asyncio.timeout(HANG_SECONDS):
        while not true():  # noqa: ASYNC110 - nothing signals the change
            await asyncio.sleep(0.005)


def mentioned(here: Room) -> list[int]:
    """The people whom the calls to check in name, whether they notify them or not."""
    called = [text for text in here.public_texts() if "The tournament is about to start" in text]
    return [int(each) for text in called for each in re.findall(r"<@(\d+)>", text)]


class Evening:
    """A tournament in a room's channel, organised by its first person."""

    def __init__(self, here: Room) -> None:
        self.here = here
        self.channel: ChannelHandle = here.channel
        self.organiser = here.people[0]

    @property
    def live(self) -> LiveTournament:
        [live] = self.here.bot.host.of(TournamentParts).tournaments.within()
        return live

    @property
    def state(self) -> Tournament:
        return self.live.state

    @property
    def shown(self) -> discord.Message:
        """The tournament's message."""
        viewer = self.here.people[-1]
        fits = lambda message: any(PUBLIC.match(each.custom_id) for each in viewer.buttons(message))  # noqa: E731
        return viewer.latest(self.channel, fits, ephemeral=False)

    @property
    def text(self) -> str:
        return text_of(self.shown)

    async def press(self, person: Person, verb: str) -> None:
        """Press a button of the public message."""
        await person.press(self.shown, custom_id=f"^t:{verb}:")

    async def on_own(self, person: Person, verb: str, *args: object) -> None:
        """Press a button of the newest private message."""
        tail = "".join(f":{arg}" for arg in args)
        await person.press(person.panel(self.channel), custom_id=f"^t:{verb}:[0-9a-z]+{tail}$")

    def own_text(self, person: Person) -> str:
        return text_of(person.panel(self.channel))

    async def said(self, person: Person, verb: str) -> str:
        """What somebody is told privately when they press a button of the public message."""
        await self.press(person, verb)
        return self.own_text(person)

    async def choose(self, person: Person, verb: str, value: str) -> None:
        await person.choose(person.panel(self.channel), [value], custom_id=f"^t:{verb}:")

    async def edit(self, person: Person, verb: str, value: str) -> None:
        """Change something on the screen on which the tournament is set up, or changed."""
        await self.choose(person, "edit", verb)
        await self.choose(person, verb, value)

    async def announce(self, **choices: str) -> None:
        let(self.here, self.organiser, manage_events=True)
        await self.here.never(self.here.people[-1])
        await self.organiser.slash(self.channel, "escoba tournament")
        for verb, value in choices.items():
            await self.edit(self.organiser, verb, value)
        await self.organiser.press(self.organiser.panel(self.channel), custom_id="^t:announce:")

    async def begin(self, **choices: str) -> None:
        """Announce the tournament, and begin it with everybody."""
        await self.announce(**choices)
        for person in self.here.people:
            await self.press(person, "join")
        await self.press(self.organiser, "manage")
        await self.on_own(self.organiser, "begin")
        await self.on_own(self.organiser, "beginyes")
        await self.here.env.settle()

    def manager(self, **permissions: bool) -> Person:
        """Somebody who doesn't take part and has these permissions, by default that to manage messages."""
        found = Person(self.here.world.guild.add_member(self.here.env.create_user("Mod")))
        let(self.here, found, **permissions or {"manage_messages": True})
        return found

    async def decide(self, person: Person, round: int, table: int, verb: str, *args: int) -> None:
        """Correct a table's result: `fixo` with the side that has won, or `again`."""
        await self.press(person, "manage")
        await self.on_own(person, "fix")
        if round != len(self.state.rounds):
            await self.choose(person, "fixr", str(round))
        await self.choose(person, "fix", f"{round}.{table}")
        await self.on_own(person, verb, round, table, *args)

    async def leave_table(self, person: Person) -> None:
        """Leave the table in the room's current channel, and so lose."""
        here = self.here
        await person.slash(here.channel, "escoba leave")
        await here.press(person, person.panel(here.channel), "leaveyes")
        await here.env.settle()

    async def comes_to_show(self, text: str) -> None:
        """Let time pass, and the bot work, until the message has this text."""
        async with asyncio.timeout(HANG_SECONDS):
            while text not in self.text:
                await self.here.wait(1)
                await asyncio.sleep(0.005)

    async def wait(self) -> None:
        """Wait long enough for the message's next edit."""
        await self.here.wait(GAP.total_seconds() + 1)
