"""Around every interaction, whichever item or command it is for: it gets an answer, whatever happens."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from enum import Enum, auto
from time import monotonic, perf_counter
from typing import Any, Final, Protocol, cast

import aiohttp
import discord

from bot.operating.logs import reporting
from bot.operating.meter import Meter, Outcome
from bot.store import Store, StoreError
from bot.tables.data.erasure import DataRequests
from bot.tables.data.guild_settings import GuildSettingsCache
from bot.tables.data.preferences import PreferencesCache
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.manager import TableManager
from bot.thinking import Analyst
from bot.tournaments.director import Tournaments
from bot.training.days import DayPositions
from bot.training.practice import Practice
from bot.ui.boards.day_channel import DayBoards
from bot.ui.boards.duplicate import DuplicateRounds
from bot.ui.boards.presenter import Presenter
from bot.ui.boards.reviewing import Reviews
from bot.ui.boards.tournament_board import TournamentBoards
from bot.ui.clicks.throttle import Throttle, Verdict
from bot.ui.screens.layout import notice
from bot.ui.screens.links import Links
from bot.ui.transport.lateness import Lateness
from bot.ui.transport.reply import ACKNOWLEDGED, NETWORK, Reply, private_words, reply_to
from bot.ui.words.refusals import failed, refusal
from bot.ui.words.texts import Words

log = logging.getLogger(__name__)

_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "autocomplete",
    discord.InteractionType.component: "click",
    discord.InteractionType.modal_submit: "form",
}


class Duty(Enum):
    """Whether an interaction is for this process to answer."""

    NONE = auto()
    """It isn't: another process has the shards."""
    DOUBTFUL = auto()
    """The database doesn't say whether it is: nothing can be done but to ask the person to try again."""
    OURS = auto()
    CONTESTED = auto()
    """It is, unless the process that had the shards before has answered it."""


RECENT_SECONDS = 4.0
"""For how long it is known which interactions were handled; Discord takes answers for 3 s."""


class InFlight:
    """The interactions that are being handled, so that the bot can finish them before it stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._handled: deque[tuple[float, int]] = deque()
        """When each of the latest interactions was done with, and its id."""
        self.closed = False
        """The bot is about to disconnect, or another process is to answer: nothing is begun any more."""

    @contextmanager
    def begun(self, interaction_id: int) -> Generator[None]:
        """The current task handles an interaction in this block."""
        task = asyncio.current_task()
        assert task is not None, "interactions are handled in tasks"
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)
            now = monotonic()
            self._handled.append((now, interaction_id))
            while self._handled[0][0] < now - RECENT_SECONDS:
                self._handled.popleft()

    def handled(self) -> list[int]:
        """The ids of the interactions that were done with in the last seconds."""
        return [interaction_id for _, interaction_id in self._handled]

    async def finished(self) -> None:
        """Wait until everything handled now is done; what begins in the meantime isn't waited for."""
        if others := self._tasks - {asyncio.current_task()}:
            await asyncio.wait(others)


class Host(Protocol):
    """What handlers need of the bot."""

    presenter: Presenter
    throttle: Throttle
    in_flight: InFlight
    lateness: Lateness
    data_requests: DataRequests
    links: Links
    reviews: Reviews
    practice: Practice
    tournaments: Tournaments
    duplicate: DuplicateRounds
    day_boards: DayBoards
    tournament_boards: TournamentBoards

    @property
    def store(self) -> Store: ...

    @property
    def manager(self) -> TableManager: ...

    @property
    def preferences(self) -> PreferencesCache: ...

    @property
    def guild_settings(self) -> GuildSettingsCache: ...

    @property
    def days(self) -> DayPositions: ...

    @property
    def meter(self) -> Meter: ...

    @property
    def rate_matches(self) -> int: ...

    @property
    def analyst(self) -> Analyst: ...

    @property
    def advises(self) -> bool:
        """Whether there is anybody to ask for hints and reviews."""
        ...

    async def duty(self, interaction_id: int) -> Duty:
        """Whether an interaction that has just come is for this process to answer."""
        ...


def host_of(interaction: discord.Interaction[Any]) -> Host:
    """The bot, as handlers see it."""
    return interaction.client


def values_of(interaction: discord.Interaction[Any]) -> list[str]:
    """What was chosen in a menu, as it was sent: a forged click needn't come from a menu at all."""
    data = cast("dict[str, Any]", interaction.data or {})
    return [value for value in data.get("values", ()) if isinstance(value, str)]


async def respond(
    interaction: discord.Interaction[Any], work: Coroutine[Any, Any, None], *, public: bool = False
) -> None:
    """Await what handles an interaction, and answer in its place if it is slow, refuses, or fails.

    A refusal isn't an error. An interaction that Discord no longer knows (it came too late, or its message is gone)
    can't be answered. Everything else is logged, and the person gets an error message.

    Args:
        interaction: what somebody asked for.
        work: handles it, and answers through `reply_to(interaction)`.
        public: whether a command's answer is for everybody.
    """
    host = host_of(interaction)
    since = asyncio.get_running_loop().time() - host.lateness.of(interaction.created_at)
    duty = Duty.NONE if host.in_flight.closed else await host.duty(interaction.id)
    if duty is Duty.NONE or host.in_flight.closed:
        work.close()
        return
    t = private_words(interaction)
    with (
        host.in_flight.begun(interaction.id),
        _free_afterwards(interaction),
        _handling(interaction, host.meter) as handled,
    ):
        if duty is Duty.DOUBTFUL:
            handled.outcome = Outcome.REFUSED
            work.close()
            await _explain(reply_to(interaction), interaction, refusal(Refusal(RefusalCode.UNREADABLE), t))
            return
        async with Reply(interaction, public=public, since=since) as reply:
            if duty is Duty.CONTESTED and not await reply.claim():
                handled.outcome = Outcome.GONE
                work.close()
                return
            verdict = host.throttle.judge(interaction.user.id)
            if verdict is Verdict.SERVED:
                handled.outcome = await _handle(interaction, reply, work, t)
                return
            handled.outcome = Outcome.REFUSED
            work.close()
            if verdict is Verdict.WARNED or interaction.message is None:
                await _explain(reply, interaction, refusal(Refusal(RefusalCode.TOO_FAST), t))
                return
            try:
                await reply.ignore()
            except NETWORK as error:
                log.info("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)


class _Handling:
    """The outcome of handling an interaction: failed, unless something else is set."""

    def __init__(self) -> None:
        self.outcome = Outcome.FAILED


@contextmanager
def _handling(interaction: discord.Interaction[Any], meter: Meter) -> Generator[_Handling]:
    """Handle an interaction in this block, and report the outcome."""
    begun = _Handling()
    began = perf_counter()
    with reporting(interaction.id):
        try:
            yield begun
        finally:
            command = interaction.command
            meter.handled(
                _KINDS.get(interaction.type, "other"),
                None if command is None else command.qualified_name,
                begun.outcome,
                perf_counter() - began,
            )


@contextmanager
def _free_afterwards(interaction: discord.Interaction[Any]) -> Generator[None]:
    """Drop a click's message and data after this block, and of its channel all but the id.

    A panel keeps the interaction that it can be edited through for as long as the token lives, and these take most of
    its memory.
    """
    try:
        yield
    finally:
        if interaction.type is discord.InteractionType.component:
            interaction.message = interaction.data = None
            interaction.extras.clear()
            if interaction.channel_id is not None:
                client: discord.Client = interaction.client
                partial = client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
                interaction.channel = cast("Any", partial)


async def _handle(
    interaction: discord.Interaction[Any], reply: Reply, work: Coroutine[Any, Any, None], t: Words
) -> Outcome:
    try:
        try:
            await host_of(interaction).manager.wake_at(interaction.channel_id or 0)
        except BaseException:
            work.close()
            raise
        await work
    except Refusal as error:
        await _explain(reply, interaction, refusal(error, t))
        return Outcome.REFUSED
    except discord.NotFound:
        log.info("Interaction %s could not be answered: it is gone", interaction.id)
        return Outcome.GONE
    except (discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError, OSError) as error:
        # What was asked for is done; the presenter brings the messages up to date when Discord is back.
        log.warning("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)
    except discord.HTTPException as error:
        if error.code != ACKNOWLEDGED:
            log.exception("Interaction %s failed", interaction.id)
            await _explain(reply, interaction, failed(t, interaction.id))
            return Outcome.FAILED
        # Discord delivered it twice, or accepted an answer that seemed to have failed.
        log.info("Interaction %s was answered before", interaction.id)
        return Outcome.GONE
    except StoreError as error:
        log.warning("Interaction %s: the store failed: %s", interaction.id, error)
        await _explain(reply, interaction, refusal(Refusal(RefusalCode.UNREADABLE), t))
    except Exception:
        log.exception("Interaction %s failed", interaction.id)
        await _explain(reply, interaction, failed(t, interaction.id))
    else:
        return Outcome.DEFERRED if reply.deferred else Outcome.ANSWERED
    return Outcome.FAILED


async def _explain(reply: Reply, interaction: discord.Interaction[Any], text: str) -> None:
    try:
        await reply.send_private(notice(text))
    except NETWORK as error:
        log.info("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)
