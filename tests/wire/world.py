"""A simulated Discord on this machine, with people in it, and the bot as a separate process connected to it."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from tests.support.databases import with_tables
from tests.support.fake_discord.inputs import Written
from tests.support.fake_discord.person import Person
from tests.support.fake_discord.realm import Realm
from tests.support.fake_discord.threads import Threads
from tests.support.patience import HANG_SECONDS
from tests.support.wiretap import Request
from tests.wire.faults import Faults
from tests.wire.gateway import Gateway
from tests.wire.ledger import connect
from tests.wire.notified import Notified
from tests.wire.process import TOKEN, BotProcess
from tests.wire.seen import Answer, Seen, Shot
from tests.wire.server import Server
from tests.wire.traffic import Traffic

NAMES = ("Ana", "Bea", "Ciro", "Dora", "Elio", "Flor")
SETTINGS = {
    "turn_seconds": 0,
    "warn_seconds": 0,
    "nudge_seconds": 0,
    "computer_seconds": 0,
    "clicks_per_10_seconds": 0,
    "requests_per_second": 0,
    "pictures": False,
    "lobbies_per_guild": 1000,
    "lobbies_per_person": 1000,
}
"No time limits, and no limits for people who play as fast as they can, except in tests about them."
WINDOW_SECONDS = 0.5
"""Discord's window for edits is 5 s. In most tests it is shorter, so that nobody has to wait for the table message."""
QUICK = "0.3"
"""Seconds between the starts of two sessions, in tests that aren't about it; Discord requires five."""
INVALID_REQUESTS = 10_000
IDENTIFY_SECONDS = 5.0
"""How many invalid requests get an address banned, and the seconds between IDENTIFYs; only with `as_discord`."""
_LOOK_SECONDS = 0.02
"""Seconds between two checks of whether the bot is idle."""


class Wire:
    """The people, the simulated Discord, and the bot's process. Created by `wire`."""

    def __init__(self, realm: Realm, server: Server, bot: BotProcess) -> None:
        self.realm = realm
        self.server = server
        self.bot = bot
        self.people = realm.people
        self.channels = realm.channels
        self.notified = Notified(realm)
        self.allowed: list[str] = []
        """Regular expressions for the errors that this test expects the bot to log."""
        self.shots: dict[int, Shot] = {}
        server.replied = lambda number, request: self._shot(number, "replied", request)
        server.edited = lambda number, request: self._shot(number, "edited", request)

    def _shot(self, number: int, what: str, request: Request) -> None:
        if (shot := self.shots.get(number)) is not None:
            getattr(shot, what)(request)

    # ----------------------------------------------------------------------------------------------- shortcuts
    @property
    def faults(self) -> Faults:
        return self.server.faults

    @property
    def gateway(self) -> Gateway:
        return self.server.gateway

    @property
    def threads(self) -> Threads:
        return self.realm.threads

    @property
    def traffic(self) -> Traffic:
        return self.server.traffic

    @property
    def requests(self) -> list[Request]:
        """Every request that the bot has sent."""
        return self.server.tap.requests

    def sent(self, method: str, path: str, *, since: int = 0) -> list[Request]:
        """The requests with a method and a path (`*` matches anything) after number `since`."""
        return [request for request in self.server.tap.to(method, path) if request.number > since]

    @property
    def log(self) -> str:
        """What the bot has logged."""
        return self.bot.log

    @property
    def database(self) -> Path:
        return Path(self.bot.environment["ESCOBA_DATABASE"])

    # -------------------------------------------------------------------------------------------------- the bot
    async def start_bot(self, *, connect: bool = True) -> None:
        """Start the bot, and unless `connect` is false wait until it is connected."""
        identified = self.gateway.identifies + 1
        self.bot.start()
        if connect:
            await self.bot.until(lambda: self.gateway.identifies >= identified and self.gateway.online)

    async def kill(self) -> None:
        """Kill the bot with SIGKILL."""
        await self.bot.kill()
        await self.settle()

    async def term(self) -> int | None:
        """Send SIGTERM, and wait for the end; returns the exit code, None if it had to be killed."""
        self.bot.signal(signal.SIGTERM)
        return await self.bot.ended()

    def delay_answers(self, seconds: float) -> None:
        """From now on, the bot's answers to people are sent only after `seconds`; 0 ends the delay."""
        delay = Path(self.bot.environment["WIRE_LATE"])
        if seconds:
            delay.write_text(str(seconds))
        else:
            delay.unlink(missing_ok=True)

    async def restart(self) -> None:
        """Kill the bot and start another."""
        await self.kill()
        await self.start_bot()

    @property
    def busy(self) -> bool:
        """Whether the bot is computing or waiting for a core, or one of its requests hasn't been answered yet."""
        return self.bot.busy or not all(request.status for request in self.requests[-50:])

    async def settle(self, quiet: float = 0.15, seconds: float = HANG_SECONDS) -> None:
        """Wait until the bot has been idle for a while, without sending anything.

        This works on a slow machine, too: a bot that has something to do, but no core to do it on, isn't idle. It
        doesn't wait for what is due later, such as an edit that Discord's limits don't allow yet.

        Raises:
            AssertionError: if the bot doesn't come to rest.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        number, since = -1, loop.time()
        while (now := loop.time()) - since < quiet:
            assert now < end, f"the bot hasn't come to rest within {seconds} s:\n{self.log[-3000:]}"
            if self.busy or len(self.requests) != number:
                number, since = len(self.requests), now
            await asyncio.sleep(_LOOK_SECONDS)

    # ------------------------------------------------------------------------------------------- what people do
    async def slash(self, person: Person, channel_id: int, name: str, /, **options: Any) -> Answer:
        """Send a slash command such as "escoba play", and wait for the answer."""
        return await self.send_slash(person, channel_id, name, **options).answer()

    async def click(self, person: Person, message: Seen, custom_id: str) -> Answer:
        """Click a button of a message as it was seen (it may have changed since), and wait for the answer."""
        return await self.send_click(person, message, custom_id).answer()

    async def select(self, person: Person, message: Seen, custom_id: str, values: Sequence[str]) -> Answer:
        """Choose from a menu, and wait for the answer."""
        return await self.send_click(person, message, custom_id, values).answer()

    def send_slash(self, person: Person, channel_id: int, name: str, /, **options: Any) -> Shot:
        """As `slash`, without waiting for the answer."""
        return self._fire(person, channel_id, *self.realm.slash(person, channel_id, name, options))

    def send_click(
        self,
        person: Person,
        message: Seen,
        custom_id: str,
        values: Sequence[str] | None = None,
        *,
        checked: bool = True,
    ) -> Shot:
        """As `click` or `select`, without waiting. All that is sent before the next await reaches the bot at once.

        `checked`: see `Realm.component`.

        Raises:
            Refused: if Discord finds that the message has no such button any more; the bot hears nothing of it.
        """
        record, payload = self.realm.component(person, message.payload, custom_id, values, checked=checked)
        return self._fire(person, record.channel_id, record, payload)

    def send_modal(self, person: Person, channel_id: int, custom_id: str, values: Written) -> Shot:
        """Submit a modal that the person has opened; if they haven't, it is forged."""
        return self._fire(person, channel_id, *self.realm.modal(person, channel_id, custom_id, values))

    def say(self, person: Person, channel_id: int, text: str = "…") -> int:
        """Write a message into a channel; returns its id."""
        return self.realm.say(person, channel_id, text)

    def resend(self, shot: Shot) -> None:
        """Deliver an interaction a second time."""
        self.realm.backend.emit("INTERACTION_CREATE", shot.payload)

    def _fire(self, person: Person, channel_id: int, record: Any, payload: dict[str, Any]) -> Shot:
        clicked: int | None = record.source_message_id
        shot = Shot(person, channel_id, record.id, payload)
        shot.gone = lambda: clicked is not None and not self.realm.has(channel_id, clicked)
        self.shots[shot.id] = shot
        self.traffic.clicked(payload["data"].get("custom_id", ""))
        self.realm.backend.emit("INTERACTION_CREATE", payload)
        return shot

    # ------------------------------------------------------------------------------------------ what people see
    def history(self, channel_id: int, viewer: Person | None = None) -> list[Seen]:
        """A channel's messages that a person sees now (without a viewer: those that everybody sees), oldest first."""
        stored = self.realm.stored(channel_id, None if viewer is None else viewer.id)
        return [Seen(self.realm.payload_of(message)) for message in stored]

    def latest(self, channel_id: int, *verbs: str, viewer: Person | None = None) -> Seen | None:
        """The newest public message (with a viewer: the newest that only they see) with one of these verbs."""
        for message in reversed(self.realm.stored(channel_id, None if viewer is None else viewer.id)):
            if message.is_ephemeral is (viewer is not None):
                seen = Seen(self.realm.payload_of(message))
                if not verbs or any(press.verb in verbs for press in seen.presses):
                    return seen
        return None

    def table(self, channel_id: int, *verbs: str) -> Seen:
        """A channel's table message."""
        found = self.latest(channel_id, *(verbs or ("join", "hand", "next", "rematch")))
        assert found is not None, f"no table message in {[seen.text for seen in self.history(channel_id)]}"
        return found

    def panel(self, channel_id: int, person: Person) -> Seen:
        """A person's private panel."""
        found = self.latest(channel_id, "card", "take", "panel", "back", viewer=person)
        assert found is not None, f"{person.name} has no panel"
        return found

    # --------------------------------------------------------------------------------------------------- checks
    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Query the bot's database while the bot is using it."""
        with closing(connect(self.bot.environment["ESCOBA_DATABASE"])) as connection:
            return connection.execute(query, values).fetchall()

    @property
    def unanswered(self) -> list[str]:
        """The interactions that the bot hasn't answered."""
        return [str(shot) for shot in self.shots.values() if not shot.done]

    def check(self, *, allow: Sequence[str] = ()) -> None:
        """Check that every body was valid and that the bot logged no error but those in `allowed`.

        Raises:
            AssertionError: with what was found.
        """
        self.server.tap.check(allow=allow)
        assert self.realm.ignored == [], "Discord knows no such fields"
        errors = self.bot.errors(self.allowed)
        assert not errors, "\n".join(["the bot logged errors:", *errors[:20], self.log[-2000:]])

    def forget(self) -> None:
        """In long runs, free what was recorded and checked, but keep what is still under way."""
        under_way = [request for request in self.requests if not request.status]
        self.server.tap.clear()
        self.requests.extend(under_way)
        self.realm.forget_history()
        self.shots = {number: shot for number, shot in self.shots.items() if not shot.done}

    def log_has(self, pattern: str) -> bool:
        """Whether the bot's log matches a regular expression anywhere."""
        return re.search(pattern, self.log) is not None


@asynccontextmanager
async def wire(
    folder: Path,
    people: int | Sequence[str] = 2,
    channels: int = 1,
    *,
    seed: str | None = "1",
    check: bool = True,
    started: bool = True,
    allow: Sequence[str] = (),
    window: float = WINDOW_SECONDS,
    as_discord: bool = False,
    community: str | None = None,
    launch: Mapping[str, str] | None = None,
    **settings: Any,
) -> AsyncIterator[Wire]:
    """A server with people and the bot in it. Unless the block fails, everything sent is checked at the end.

    `seed`: determines which decks are dealt; None deals at random. `allow`: findings that the test expects. `window`:
    the seconds in which Discord accepts five edits of a channel's messages. `as_discord`: Discord enforces all its
    limits, and the bot has only the permissions of its invitation. `community`: the server is a Community with this
    language. `launch`: variables for the launcher. Further options are the bot's settings.
    """
    names = NAMES[:people] if isinstance(people, int) else people
    realm = Realm(names, channels, community=community)
    server = Server(realm, TOKEN)
    server.rates.seconds = window
    if as_discord:
        server.rates.as_discord()
        server.ban.limit = INVALID_REQUESTS
        server.gateway.starts.seconds = IDENTIFY_SECONDS
        realm.invite_bot()
    await server.start()
    chosen = {"token": TOKEN, "database": with_tables(folder / "escoba.sqlite3"), **SETTINGS, **settings}
    if as_discord and "requests_per_second" not in settings:
        del chosen["requests_per_second"]
    environment = {f"ESCOBA_{key.upper()}": str(value) for key, value in chosen.items()}
    environment |= {"WIRE_API": server.api, "WIRE_GATEWAY": server.gateway.url, "WIRE_SEED": seed or ""}
    environment |= {"WIRE_LATE": str(folder / "late"), "WIRE_TURNS": "" if as_discord else QUICK}
    bot = BotProcess(folder, environment | dict(launch or {}))
    made = Wire(realm, server, bot)
    try:
        if started:
            await made.start_bot()
        yield made
        if check:
            await made.settle()
    finally:
        await bot.kill()
        await server.close()
    if check:
        made.check(allow=allow)
