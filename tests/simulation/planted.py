"""Faults that are planted into the bot on purpose: a simulation that doesn't find them proves nothing.

Each changes the bot as a mistake would that somebody might make, or that 1.0 had. `expected` is the kind of finding
that has to come of it, and `plan` a plan that finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Planted:
    """A planted fault."""

    plant: Callable[[], None]
    expected: str
    plan: str


def shown_before_stored() -> None:
    """The caller of an append goes on before it is written."""
    from bot.platform.database import append_queue

    queue: Any = append_queue.AppendQueue
    append = queue.append

    async def too_early(self: Any, number: int, entries: Any) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        loop.call_later(0.4, lambda: loop.create_task(append(self, number, entries)))

    queue.append = too_early


def backup_opens_the_file() -> None:
    """The live database is opened with `open`, as by 1.0's backups: SQLite's locks go, and a reader removes its log."""
    from bot.platform.database import sqlite_engine
    from bot.platform.database.sqlite import SqliteDatabase

    class Intact:
        """The watch on the own files that came after 1.0 is off."""

        def __get__(self, *_: object) -> bool:
            return True

    sqlite_engine.OwnFiles.intact = Intact()  # type: ignore[assignment,method-assign]
    write = SqliteDatabase._write

    async def opened(self: Any, work: Any) -> Any:
        with Path(self.path).open("rb"):  # noqa: ASYNC230 - that is the fault
            pass
        return await write(self, work)

    SqliteDatabase._write = opened  # type: ignore[method-assign]


def forgotten_answer() -> None:
    """The button with the rules never comes to an end."""
    import asyncio

    import bot.process.dispatch  # adds the handlers
    from bot.tables.clicks.press import SCREEN
    from bot.tables.ids.game import Verb

    assert bot.process.dispatch

    async def nothing(*_: Any) -> None:
        await asyncio.Event().wait()

    SCREEN.handlers[Verb.GUIDE] = nothing  # type: ignore[index]


def tasks_that_stay() -> None:
    """Each press of a table leaves a task behind that never ends."""
    import asyncio

    from bot.tables.boards import panel

    made = panel.panel_layout
    left: list[Any] = []

    def layout(*args: Any, **how: Any) -> Any:
        left.append(asyncio.get_running_loop().create_task(asyncio.Event().wait()))
        return made(*args, **how)

    panel.panel_layout = layout


def machine_believed() -> None:
    """The machine's clock is believed, as by 1.0, whatever Discord says."""
    from datetime import UTC, datetime

    from bot.platform.operating.true_time import TrueTime

    def now(time: Any) -> datetime:
        return datetime.fromtimestamp(time._wall(), UTC)

    TrueTime.now = TrueTime.steady = now  # type: ignore[method-assign]


def one_404_believed() -> None:
    """A channel that Discord says it doesn't know is gone, as for 1.0, and its match over."""
    from bot.platform.transport.channels import Channels
    from bot.tables.live.manager import TableManager

    async def is_gone(*_: object) -> bool:
        return True

    async def lose(_: object, table: Any) -> None:
        await table.abandon()

    Channels.is_gone = is_gone  # type: ignore[assignment,method-assign]
    TableManager.lose = lose  # type: ignore[method-assign]


def server_forgotten() -> None:
    """When a server removes the bot, its matches end instead of waiting for the bot's return."""
    from bot.process.app import EscobaBot

    removed = EscobaBot.on_guild_remove

    async def ends(bot: Any, guild: Any) -> None:
        for table in bot.parts.manager.within(guild_id=guild.id):
            await table.abandon()
        await removed(bot, guild)

    EscobaBot.on_guild_remove = ends  # type: ignore[method-assign]


def faces_that_stay() -> None:
    """The faces at a table outlive its match."""
    from bot.tables.store import faces

    async def kept(*_: object) -> None: ...

    faces.drop = kept  # type: ignore[assignment]


def votes_that_stay() -> None:
    """The votes about a match outlive its evening."""
    from bot.tables.store import votes

    async def kept(*_: object) -> None: ...

    votes.drop = kept  # type: ignore[assignment]


def results_stay() -> None:
    """The single results stay beside the card of their evening."""
    from bot.tables.boards.evenings import Evenings

    async def kept(*_: object) -> bool:
        return True

    Evenings._delete = kept  # type: ignore[method-assign]


def evening_without_end() -> None:
    """Matches with hours between them are of one evening."""
    from datetime import timedelta

    from bot.tables.log import evenings

    evenings.QUIET = timedelta(hours=6)  # type: ignore[misc]


def notice_dropped() -> None:
    """A second notice is taken for one that has been given."""
    from bot.tables.boards import pings

    step: Any = pings.due_step

    def dropped(view: Any, due: Any, *rest: Any) -> Any:
        return pings.DueStep.DROP if due.warns else step(view, due, *rest)

    pings.due_step = dropped


def notice_doubled() -> None:
    """What has told people isn't noted, so each restart tells them again."""
    from bot.tables.boards import pings
    from bot.tables.boards.presenter import Presenter

    adopt: Any = Presenter.adopt

    def adopted(self: Any, restored: Any) -> None:
        self._handover.take_pings = lambda game: None
        adopt(self, restored)

    pings.noted = lambda each: None
    Presenter.adopt = adopted  # type: ignore[method-assign]


def notice_at_night() -> None:
    """Nobody has quiet hours."""
    from bot.process import host, parts
    from bot.tables.settings import DigestPreferences

    host.quiet_of = parts.quiet_of = lambda *_: None
    DigestPreferences.quiet = None  # type: ignore[assignment]


def nobody_asked() -> None:
    """A lobby whose rules have changed begins as if everybody had agreed to them, as in 1.0."""
    from bot.tables.log.events import Config

    def asks_nobody(*_: object) -> bool:
        return False

    Config.needs_ok = asks_nobody  # type: ignore[method-assign]


def sealed_listed() -> None:
    """A server's results as a file have those of tables whose cards others still play, as in 1.0."""
    from sqlalchemy import select

    from bot.club.store.career import ResultRows
    from bot.platform.database.database import reading
    from bot.schema.tables import result_players

    @reading
    async def latest(self: Any, connection: Any, guild_id: int, most: int) -> tuple[list[int], int]:
        theirs = select(result_players.c.result_id).where(result_players.c.guild_id == guild_id).distinct()
        ids = list(await connection.scalars(theirs.order_by(result_players.c.result_id.desc())))
        return ids[:most], len(ids)

    ResultRows.latest = latest  # type: ignore[method-assign]


def sealed_opened() -> None:
    """The boards of a table are open to everybody as soon as its own match is over."""
    from bot.tournaments.boards import duplicate
    from bot.tournaments.live import sheet

    def at_once(*_: object) -> bool:
        return True

    duplicate.is_over = sheet.is_over = at_once  # type: ignore[attr-defined]


WEEKS: Final = "--seed 1 --kind weeks --people 4 --days 8 --evenings 1"
FRIENDS: Final = "--seed 1 --kind friends --people 3 --presses 1200"
LOBBIES: Final = "--seed 1 --kind lobbies --people 3 --presses 1000"
DUPLICATE: Final = "--seed 1 --kind duplicate --people 6"
PLANTED: Final = {
    "notice dropped": Planted(notice_dropped, "notice", f"{WEEKS} --faults none"),
    "notice doubled": Planted(notice_doubled, "notice", f"{WEEKS} --often 20 --faults killed,stopped"),
    "notice at night": Planted(notice_at_night, "notice", f"{WEEKS} --faults none"),
    "shown before stored": Planted(shown_before_stored, "secret", "--seed 1 --faults killed,power --often 60"),
    "backup opens the file": Planted(backup_opens_the_file, "secret", "--seed 1 --faults reader --often 60"),
    "machine believed": Planted(machine_believed, "clock", "--seed 1 --faults 'clock set' --often 60"),
    "one 404 believed": Planted(one_404_believed, "stuck", "--seed 1 --faults 404 --often 60"),
    "server forgotten": Planted(server_forgotten, "stuck", "--seed 1 --faults kicked --often 60"),
    "forgotten answer": Planted(forgotten_answer, "unanswered", "--seed 2 --faults none"),
    "nobody asked": Planted(nobody_asked, "consent", f"{LOBBIES} --faults none"),
    "sealed listed": Planted(sealed_listed, "sealed", f"{DUPLICATE} --faults none"),
    "sealed opened": Planted(sealed_opened, "sealed", f"{DUPLICATE} --faults none"),
    "results stay": Planted(results_stay, "evening", f"{FRIENDS} --faults none"),
    "evening without end": Planted(evening_without_end, "evening", f"{FRIENDS} --faults none"),
    "faces that stay": Planted(faces_that_stay, "faces", "--seed 1 --faults none --presses 600"),
    "votes that stay": Planted(votes_that_stay, "votes", "--seed 1 --faults none --presses 600"),
    "tasks that stay": Planted(tasks_that_stay, "growth", "--seed 1 --faults none --presses 300"),
}
