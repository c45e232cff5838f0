"""The bot on a simulated server, and people who play whole matches by pressing the buttons they see."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import discord
from pydantic import BaseModel

from bot.engine.cards import DECK, Card, CardSet
from bot.engine.match import Match
from bot.engine.moves import Claim, Move, Play, Sing, Stage
from bot.engine.rules import Duty, Seating
from bot.engine.views import SeatView, seat_view
from bot.platform.database.ownership import Held, Owner
from bot.platform.observers import Observers
from bot.platform.people import Person as PersonAt
from bot.process.app import EscobaBot, create_bot
from bot.process.parts import Simulation
from bot.settings import Settings
from bot.tables.ids.game import pack, unpack
from bot.tables.live.chance import Chance
from bot.tables.live.table import Table
from bot.tables.log.actions import PlayMove
from bot.tables.log.events import Phase
from bot.tables.settings import TablePreferences, TurnNotice
from bot.thinking import InlineThinker
from tests.support.databases import with_tables
from tests.support.fake_discord import worlds
from tests.support.people import BotMaker, Person, SimTime, World, text_of, world
from tests.support.pings import PingWatcher
from tests.support.tables.kit import next_round
from tests.support.truth import LeakWatcher, match_of

NAMES = ("Ana", "Bea", "Ciro", "Dora", "Elio", "Flor")
PANEL = re.compile(r"e:(panel|card|take|claim|pick|choose|lay|next):")
PUBLIC = re.compile(r"e:(join|hand|next|rematch):")
DRAWS = 20
"""With so few samples hints and reviews are quick; other tests prove that they are right."""
Choose = Callable[[SeatView], Move]


class Decks(Chance):
    """Decks that depend only on a seed and the round; `rigged` gives the first cards of some rounds, in notation."""

    def __init__(self, seed: object = 1, rigged: dict[int, str] | None = None, dealer: int = 0) -> None:
        self.seed = seed
        self.rigged = rigged or {}
        self.first = dealer

    def deck(self, game_id: int, round_number: int, seating: Seating = Seating.TWO) -> tuple[Card, ...]:
        """The deck of a round, the same for every game."""
        rest = Random(f"{self.seed}/{round_number}").sample(DECK, len(DECK))
        first = [Card.parse(name) for name in self.rigged.get(round_number, "").split()]
        return (*first, *(card for card in rest if card not in first))

    def dealer(self, game_id: int, seating: Seating) -> int:
        """The chosen seat."""
        return self.first

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """The deck of a board, a different one for each number."""
        return self.deck(0, number)


def settings_for(folder: Path, **changes: Any) -> Settings:
    """Settings for a bot with its database in a folder, without computers' pauses or limits on clicks.

    By default it sends no pictures: these tests read texts, and pictures have tests of their own. They are made without
    a look at the environment and at files, which takes longer than all else and finds nothing in tests.
    """
    usual = {
        "database": str(folder / "escoba.sqlite3"),
        "computer_seconds": 0,
        "clicks_per_10_seconds": 0,
        "requests_per_second": 0,
        "pictures": False,
    }
    settings = Settings.__new__(Settings)
    BaseModel.__init__(settings, **usual | changes)
    return settings


def bot_maker(
    settings: Settings,
    chance: Chance | None = None,
    *,
    observed: bool = False,
    luck_games: int = 0,
    forgets: bool = True,
) -> BotMaker:
    """A function that makes the bot for a world; if `observed`, with a heartbeat and any configured health endpoint."""

    async def make(time: SimTime) -> EscobaBot:
        thinker = InlineThinker(most_draws=DRAWS)
        simulation = Simulation(
            time.now, time.hold, forgets=forgets, observed=observed, thinker=thinker, luck_games=luck_games
        )
        return await create_bot(settings, simulation, chance=chance or Decks())

    return make


class Room:
    """A channel with the bot and people, who press only buttons that they see."""

    def __init__(self, made: World, make: BotMaker) -> None:
        self.world = made
        self.make = make
        self.channel = made.channel
        self.people = made.people
        self.tap = made.tap
        self.env = made.env
        self.watch = LeakWatcher(lambda: made.env.bot)
        self.pings = PingWatcher(made.env)
        self.tap.watchers += [self.watch, self.pings]
        self.clicks = 0

    @property
    def bot(self) -> EscobaBot:
        """The running bot."""
        return self.world.bot

    @property
    def table(self) -> Table:
        """The channel's open table."""
        table = self.bot.parts.manager.at(self.channel.id)
        assert table is not None, "no table is open"
        return table

    def named(self, name: str) -> Person:
        """The person with this name."""
        return next(person for person in self.people if person.name == name)

    def seat_of(self, person: Person) -> int:
        """A person's seat."""
        seat = self.table.seat_of(person.id)
        assert seat is not None, f"{person.name} has no seat"
        return seat

    # ------------------------------------------------------------------------------------ what is on the screen
    @property
    def shown(self) -> discord.Message:
        """The table's public message: the newest message that everybody sees with its buttons."""
        return self.people[-1].latest(self.channel, self._has(PUBLIC), ephemeral=False)

    @property
    def public_text(self) -> str:
        """The text of the public message."""
        return text_of(self.shown)

    def public_texts(self) -> list[str]:
        """The texts of all public messages, oldest first."""
        messages = self.people[-1].messages(self.channel)
        return [text_of(message) for message in messages if not message.flags.ephemeral]

    def panel(self, person: Person) -> discord.Message:
        """A person's panel: the newest private message with cards or a choice."""
        return person.latest(self.channel, self._has(PANEL), ephemeral=True)

    def private_text(self, person: Person) -> str:
        """The text of the newest private message."""
        return text_of(self.private(person))

    def _has(self, pattern: re.Pattern[str]) -> Callable[[discord.Message], bool]:
        viewer = self.people[0]
        return lambda message: any(pattern.match(button.custom_id) for button in viewer.buttons(message))

    async def never(self, person: Person) -> None:
        """Have somebody choose never to be notified."""
        await self.bot.parts.preferences.change(person.id, TablePreferences, turn_notice=TurnNotice.NEVER)

    # ------------------------------------------------------------------------------------ clicks
    async def press(
        self, person: Person, message: discord.Message, verb: str, *args: str, label: str | None = None
    ) -> None:
        """Press the button with this verb, and with these arguments if any are given."""
        tail = "".join(f":{arg}" for arg in args) + "$" if args else "(:|$)"
        await person.press(message, custom_id=f"^e:{verb}:[0-9a-z]+:[0-9a-z]+{tail}", label=label)
        self.clicks += 1

    async def options(self, person: Person, verb: str | None = None, *args: str) -> discord.Message:
        """Open the lobby's private options, and press the button there with this verb, if any; return the options."""
        await self.press(person, self.shown, "options")
        if verb is not None:
            await self.press(person, self.private(person), verb, *args)
        return self.private(person)

    async def agree(self) -> None:
        """Have everybody press OK who is asked about a change in the lobby."""
        for seat in self.table.view().seats:
            if seat.agreed is not None:
                await self.press(self.named(seat.name), self.shown, "agree")

    async def choose_option(self, person: Person, verb: str, value: str, seat: int | None = None) -> None:
        """Choose in a menu of the lobby's private options; `seat`: of the computer player whose menu it is."""
        tail = "$" if seat is None else f":{seat}$"
        options = await self.options(person)
        await person.choose(options, [value], custom_id=f"^e:{verb}:[0-9a-z]+:[0-9a-z]+{tail}")
        self.follow()

    def follow(self) -> None:
        """Go to the thread where a slow table is, as its mention leads people there."""
        found = [] if self.bot.parts.manager.has_table(self.channel.id) else self.channel.threads
        self.channel = next((each for each in found if self.bot.parts.manager.has_table(each.id)), self.channel)

    async def open_match(self, person: Person, place: int = 0) -> None:
        """Open one of the person's own matches, the latest by default."""
        await person.slash(self.channel, "escoba games")
        [menu] = [each for each in person.selects(self.private(person)) if each.custom_id.startswith("w:choose:")]
        await person.choose(self.channel, [menu.values[place]], custom_id="^w:choose:")

    async def review(self, person: Person, place: int = 0) -> None:
        """Have one of the person's own matches reviewed."""
        await self.open_match(person, place)
        await person.press(self.channel, custom_id="^v:make:")

    async def open_data(self, person: Person) -> None:
        """Open what is kept about the person."""
        await person.slash(self.channel, "escoba me")
        await person.press(self.channel, custom_id="^p:see$")

    async def ask_to_end(self, person: Person) -> None:
        """Ask to end the game for everybody: as a player by leaving it, as a moderator below the table."""
        seated = self.table.seat_of(person.id) is not None
        await person.slash(self.channel, "escoba leave" if seated else "escoba table")
        if any(each.custom_id.startswith("e:cancel:") for each in person.buttons(self.private(person))):
            await self.press(person, self.private(person), "cancel")

    async def end(self, person: Person) -> None:
        """End the game for everybody, after its question; a lobby where nobody else sits is closed without one."""
        table = self.table
        await self.ask_to_end(person)
        if table.phase.open:
            await self.press(person, self.private(person), "cancelyes")

    async def setting(self, person: Person, field: str, *values: Any) -> None:
        """Open one of the server's settings, and choose in its menu, if anything."""
        await person.slash(self.channel, "escoba settings")
        await person.choose(person.panel(self.channel), [field], custom_id="^s:change$")
        if values:
            await person.choose(person.panel(self.channel), list(values), custom_id=f"^s:{field}$")

    def private(self, person: Person) -> discord.Message:
        """The newest private message of a person."""
        return person.panel(self.channel)

    async def lobby(self, *others: Person, **options: Any) -> Person:
        """The first person opens a lobby and the others join; returns the opener."""
        opener = self.people[0]
        await opener.slash(self.channel, "escoba play", **options)
        self.follow()
        for person in others:
            await self.press(person, self.shown, "join")
        return opener

    async def begin(
        self, players: int | None = None, *, pairs: bool | None = None, friendly: bool = False, **options: Any
    ) -> None:
        """Open a lobby with the first `players` people, start the match, and open everybody's panel."""
        seated = self.people[: players or len(self.people)]
        await self.lobby(*seated[1:], **options)
        if len(seated) == 4 and pairs is not None and pairs != self.table.view().config.teams:
            await self.options(seated[0], "teams")
        if friendly:
            await self.options(seated[0], "rated", "f")
        await self.press(seated[0], self.shown, "start")
        for person in seated:
            await self.press(person, self.shown, "hand")

    async def play_out(
        self, choose: Choose | None = None, *, until: Callable[[], bool] | None = None, most: int = 1500
    ) -> None:
        """Everybody plays on their panel in turn, until the match is over or `until` is true."""
        rng = Random(7)
        choose = choose or (lambda view: rng.choice(view.moves))
        for _ in range(most):
            table = self.bot.parts.manager.at(self.channel.id)
            if table is None or table.phase is not Phase.PLAYING or (until is not None and until()):
                return
            await self.step(table, choose)
        raise AssertionError(f"the match doesn't end: {self.public_text}")

    async def finish(self, choose: Choose | None = None) -> None:
        """Play the match to its end, with clicks for the last move only."""
        rng = Random(7)
        choose = choose or (lambda view: rng.choice(view.moves))
        await self.skip(choose)
        await self.play_out(choose)

    async def skip(self, choose: Choose, until: Callable[[Match], bool] = lambda match: False) -> None:
        """Make moves at the table without clicks, until the next one may end the match or `until` is true.

        Nothing is shown to anybody until the last of them.
        """
        table = self.table
        observer, table._observer = table._observer, Observers()
        try:
            while (match := match_of(table)) is not None and not _may_end(match) and not until(match):
                await self.skip_one(table, match, choose)
        finally:
            table._observer = observer
        with worlds.as_bot(self.env):
            self.bot.parts.manager.announce(table)
        await self.env.settle()

    async def skip_one(self, table: Table, match: Match, choose: Choose) -> None:
        """Take the next step at a table without clicks."""
        seats = {seat: person for person in self.people if (seat := table.seat_of(person.id)) is not None}
        seat = match.turn
        if seat is None:
            with worlds.as_bot(self.env):
                await next_round(table)
            return
        if seat not in seats:
            await self.env.advance_time(max(0.1, self.bot.parts.settings.computer_seconds))
            return
        person, version = PersonAt(seats[seat].id, seats[seat].name), table.view().version
        view = table.seat_view(seat)
        assert view is not None
        with worlds.as_bot(self.env):
            await table.submit(PlayMove(person, version, choose(view)))

    async def step(self, table: Table, choose: Choose) -> None:
        """Take the next step: deal a round, make a player's whole move, or let a computer move."""
        match = table.view().match
        assert match is not None
        if match.stage is Stage.TO_DEAL:
            await self.next_round()
            return
        assert match.turn is not None
        person = next((p for p in self.people if table.seat_of(p.id) == match.turn), None)
        if person is None:
            await self.env.advance_time(max(0.1, self.bot.parts.settings.computer_seconds))
            return
        view = table.seat_view(match.turn)
        assert view is not None
        await self.play(person, choose(view), view)
        now = table.view().match
        assert now is not None
        assert now.version > match.version, f"nothing happened: {text_of(self.panel(person))}"

    async def next_round(self) -> None:
        """Everybody who is at the table asks for the next round."""
        table, scored = self.table, self.shown
        seats = ((person, table.seat_of(person.id)) for person in self.people)
        for person, seat in list(seats):
            if seat is not None and table.view().seats[seat].human_here:
                await self.press(person, scored, "next")

    async def play(self, person: Person, move: Move, view: SeatView) -> None:
        """Make a move with the buttons and menus of the person's panel."""
        manual = view.public.rules.duty is not Duty.COMPULSORY
        if isinstance(move, Sing):
            await self.press(person, self.panel(person), "sing")
            return
        if isinstance(move, Claim):
            await self.press(person, self.panel(person), "claim")
            await self.pick(person, move.captured)
            await self.press(person, self.panel(person), "take", "claim", pack(move.captured))
            return
        if view.public.laid is None:
            await self.press(person, self.panel(person), "card", str(move.card))
        if manual and not view.public.table:
            return  # nothing can be chosen: the card is on the table
        if manual and not move.captured:
            await self.press(person, self.panel(person), "lay", str(move.card))
        elif manual:
            await self.pick(person, move.captured)
            await self.press(person, self.panel(person), "take", str(move.card), pack(move.captured))
        elif self.laid_card() is not None:
            await self.take(person, move)

    async def take(self, person: Person, move: Play) -> None:
        """Capture with the laid card: by the button on the panel or on the table, alternately, or by the menus.

        An old message of a slow match isn't edited while a card is being laid, so there it is always the panel.
        """
        args = (str(move.card), pack(move.captured))
        panel = self.panel(person)
        choosing = person.selects(panel) or any(b.custom_id.startswith("e:choose:") for b in person.buttons(panel))
        if choosing:
            await self.pick(person, move.captured)
        on_table = any(b.custom_id.startswith("e:take:") for b in person.buttons(self.shown))
        message = self.shown if self.clicks % 2 and on_table and not choosing else self.panel(person)
        await self.press(person, message, "take", *args)

    async def pick(self, person: Person, cards: CardSet) -> None:
        """Choose table cards on the person's panel: by buttons, or by menus if there are many."""
        panel = self.panel(person)
        if not person.selects(panel):
            take = next(b for b in person.buttons(panel) if b.custom_id.startswith("e:take:"))
            *_, what, packed = take.custom_id.split(":")
            chosen = unpack(packed)
            assert chosen is not None
            for card in (cards - chosen) | (chosen - cards):
                chosen = chosen - CardSet.of([card]) if card in chosen else chosen.with_card(card)
                await self.press(person, self.panel(person), "choose", what, pack(chosen))
            return
        names = {str(card) for card in cards}
        for number in range(len(person.selects(self.panel(person)))):
            menu = person.selects(self.panel(person))[number]
            chosen = [value for value in menu.values if value in names]
            if chosen:
                await person.choose(self.panel(person), chosen, custom_id=re.escape(menu.custom_id))
                self.clicks += 1

    def laid_card(self) -> Card | None:
        """The card laid on the open table while its player chooses a capture, if any."""
        table = self.bot.parts.manager.at(self.channel.id)
        view = None if table is None else table.view().match
        return None if view is None else view.laid

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await self.env.advance_time(seconds)

    async def restart(self, *, killed: bool = False) -> None:
        """Stop the bot, or drop it as if it were killed, and start another on the same database."""
        if killed and isinstance(owner := self.bot.parts.owner, Owner):
            owner.held = Held.LOST  # it is closed at the world's end, and must tell nobody anything then
            await (
                self.bot.parts.stores.database.close()
            )  # what it was writing is stored; a dead bot writes nothing more
        await self.world.restart(self.make, close=not killed)


def _may_end(match: Match) -> bool:
    """Whether the match could be over after the next move."""
    if match.turn is None:
        return match.stage is Stage.OVER
    moves = seat_view(match, match.turn).moves
    return any(match.apply(match.event_of(move)).stage is Stage.OVER for move in moves)


@asynccontextmanager
async def room(
    folder: Path,
    people: int | Sequence[str] = 2,
    *,
    chance: Chance | None = None,
    guild_locale: str | None = None,
    luck_games: int = 0,
    **settings: Any,
) -> AsyncIterator[Room]:
    """A server with people and the bot. At the end nothing may be unanswered, left running or leaked.

    Of three people or more, the last has chosen never to be notified: the wiretap objects to whatever might do so.
    """
    names = NAMES[:people] if isinstance(people, int) else people
    with_tables(folder / "escoba.sqlite3")
    make = bot_maker(settings_for(folder, **settings), chance, luck_games=luck_games)
    async with world(make, names, guild_locale=guild_locale) as made:
        here = Room(made, make)
        if len(here.people) > 2:
            await here.never(here.people[-1])
        yield here
        await made.env.settle()
        assert made.tap.unanswered == []
        assert len(made.timers) <= 1, made.timers


RoomOf = Callable[..., AbstractAsyncContextManager[Room]]
"""Opens a room: with as many people as asked for, and the bot."""


def own(here: Room, *people: Person) -> None:
    """Make one person, or a team, the application's owner, and let everybody use the server managers' commands."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    for person in here.people:
        here.env.backend.add_member_role(here.world.guild.id, person.id, role.id)
    here.bot.owner_id = people[0].id if len(people) == 1 else None
    here.bot.owner_ids = {person.id for person in people} if len(people) > 1 else set()
