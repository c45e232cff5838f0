"""Interactions and commands, from their arrival to the answer."""

import asyncio
import logging
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, NoReturn, cast

import discord
from discord import app_commands

from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Responsibility, host_of
from bot.platform.kit.links import invitation_layout
from bot.platform.kit.throttle import Verdict
from bot.platform.language.texts import Words
from bot.platform.layout import notice
from bot.platform.operating.logs import reporting
from bot.platform.operating.meter import Handled, Meter
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal, failed
from bot.platform.transport.pacer import Unsure, harmless
from bot.platform.transport.permissions import invitation_url, is_member, is_timed_out, own_server
from bot.platform.transport.reply import Reply, person_of, private_words, reply_to
from bot.platform.transport.trouble import NETWORK, NO_MORE_ANSWERS, Trouble, is_passing, trouble_of

log = logging.getLogger(__name__)

_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "autocomplete",
    discord.InteractionType.component: "click",
    discord.InteractionType.modal_submit: "form",
}

_MUTED: Final = (CommonRefusal.MUTED, CommonRefusal.MUTED_IN_VOICE)


def members_in(interaction: discord.Interaction[Any]) -> dict[str, dict[str, Any]]:
    """The people who were chosen in a menu, by what it sent, as Discord describes them on the server: their user with
    their `member`. Those who aren't on the server are left out."""
    resolved = cast("dict[str, Any]", interaction.data or {}).get("resolved", {})
    users, members = resolved.get("users", {}), resolved.get("members", {})
    return {key: {**user, "member": members[key]} for key, user in users.items() if key in members}


def member_of(described: dict[str, Any]) -> Person:
    """The person whom Discord describes, by the name that they have on the server."""
    named = described["member"].get("nick") or described.get("global_name") or described["username"]
    return Person(int(described["id"]), named)


async def respond(
    interaction: discord.Interaction[Any], work: Coroutine[Any, Any, None], *, public: bool = False
) -> None:
    """Await the handler of an interaction, and answer in its place if it is slow, refuses, or fails.

    A refusal isn't an error. An interaction that Discord no longer knows (it came too late, or its message is gone)
    can't be answered. Everything else is logged, and the person gets an error message.

    Args:
        interaction: the interaction.
        work: the handler, which answers through `reply_to(interaction)`.
        public: whether everybody is to see a command's answer.
    """
    host = host_of(interaction)
    since = asyncio.get_running_loop().time() - host.lateness.of(interaction.created_at)
    duty = Responsibility.NONE if host.in_flight.closed else await host.duty(interaction.id)
    if duty is Responsibility.NONE or host.in_flight.closed:
        work.close()
        return
    t = private_words(interaction)
    with (
        host.in_flight.begun(interaction.id),
        _free_afterwards(interaction),
        _handling(interaction, host.tools.meter) as handled,
    ):
        if duty is Responsibility.DOUBTFUL:
            handled.outcome = Handled.REFUSED
            work.close()
            await _ask_again(reply_to(interaction), interaction, t)
            return
        async with Reply(interaction, public=public, since=since) as reply:
            if duty is Responsibility.CONTESTED and not await reply.claim():
                handled.outcome = Handled.GONE
                work.close()
                return
            verdict = host.throttle.judge(interaction.user.id)
            if verdict is Verdict.SERVED:
                outcome = await _handle(interaction, reply, work, t)
                handled.outcome = Handled.ELSEWHERE if reply.taken else outcome
                return
            handled.outcome = Handled.REFUSED
            work.close()
            if verdict is Verdict.WARNED or interaction.message is None:
                await _explain(reply, interaction, CommonRefusal.TOO_FAST.reason(t), t)
                return
            try:
                await reply.ignore()
            except NETWORK as error:
                log.info("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)


class _Handling:
    """The outcome of handling an interaction: failed unless set otherwise."""

    def __init__(self) -> None:
        self.outcome = Handled.FAILED


@contextmanager
def _handling(interaction: discord.Interaction[Any], meter: Meter) -> Generator[_Handling]:
    """Context manager for handling an interaction; reports its outcome and duration to the meter."""
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
    """Context manager that afterwards drops a click's message and data, and all of its channel but the id.

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
) -> Handled:
    try:
        try:
            await host_of(interaction).wake(interaction.channel_id or 0)
            if (guild_id := own_server(interaction)) is not None:
                await host_of(interaction).met(guild_id, person_of(interaction))
        except BaseException:
            work.close()
            raise
        await work
    except Refusal as error:
        await _explain(reply, interaction, (await named_right(interaction, error)).reason(t), t)
        return Handled.REFUSED
    except Unsure:
        await _ask_again(reply, interaction, t)
        return Handled.REFUSED
    except NETWORK as error:
        code, trouble = getattr(error, "code", 0), trouble_of(error)
        if code in NO_MORE_ANSWERS or trouble is Trouble.GONE:
            log.info("Interaction %s can't be answered, or was before (code %s)", interaction.id, code)
            return Handled.GONE
        if not trouble.passes:
            log.exception("Interaction %s failed", interaction.id)
            await _explain(reply, interaction, failed(t, interaction.id), t)
            return Handled.FAILED
        # The request itself is done; the presenter brings the messages up to date when Discord is back.
        log.warning("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)
        if not is_passing(error):  # a refusal without a reason, which the next request may not meet
            await _ask_again(reply, interaction, t)
    except StoreError as error:
        log.warning("Interaction %s: the store failed: %s", interaction.id, error)
        await _ask_again(reply, interaction, t)
    except Exception:
        log.exception("Interaction %s failed", interaction.id)
        await _explain(reply, interaction, failed(t, interaction.id), t)
    else:
        return Handled.DEFERRED if reply.deferred else Handled.ANSWERED
    return Handled.FAILED


async def named_right(interaction: discord.Interaction[Any], error: Refusal) -> Refusal:
    """The refusal that is true: where the bot may not speak, it may be timed out."""
    return Refusal(CommonRefusal.TIMED_OUT) if error.code in _MUTED and await is_timed_out(interaction) else error


async def _explain(reply: Reply, interaction: discord.Interaction[Any], text: str, t: Words) -> None:
    try:
        await reply.send_private(notice(text))
    except Unsure:
        await _ask_again(reply, interaction, t)
    except NETWORK as error:
        log.info("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)


async def _ask_again(reply: Reply, interaction: discord.Interaction[Any], t: Words) -> None:
    """Ask the person to try again in a moment, even while it is in doubt whether this process has its shards."""
    try:
        with harmless():
            await reply.send_private(notice(CommonRefusal.UNREADABLE.reason(t)))
    except NETWORK as error:
        log.info("Interaction %s could not be answered (%s)", interaction.id, type(error).__name__)


_OUTDATED: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
ANYWHERE: Final = tuple(
    f"escoba {name}" for name in ("today", "solo", "games", "learn", "practice", "rules", "stats", "me")
)
"""The commands that need only the person, and so work in private chats, and in servers without the bot."""
_NESTING: Final = (
    discord.AppCommandOptionType.subcommand.value,
    discord.AppCommandOptionType.subcommand_group.value,
)


class EscobaCommandTree(app_commands.CommandTree[Any]):
    """The bot's commands.

    Discord's clients show a command as they last knew it: after an update of the bot somebody may send one that it no
    longer offers. discord.py notices some of these cases, and hands the others to the command's function.
    """

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        logging.getLogger(app_commands.tree.__name__).addFilter(_is_worth_reporting)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Whether a command was sent as it is offered now, and in a server that the bot is in if it needs one.

        If not, the person gets an explanation.
        """
        command = interaction.command
        if interaction.type is discord.InteractionType.autocomplete:
            return await _answers(interaction)
        if isinstance(command, app_commands.Command) and not _fits(command, interaction):
            await respond(interaction, _failing(app_commands.CommandSignatureMismatch(command)))
            return False
        anywhere = command is not None and command.qualified_name in ANYWHERE
        if not anywhere and not await is_member(interaction):
            await respond(interaction, _invite(interaction))
            return False
        return True

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer a command that has failed as a failed click is answered."""
        await respond(interaction, _failing(error))


def _is_worth_reporting(record: logging.LogRecord) -> bool:
    """Whether what discord.py reports is one: suggestions get lost, or come when somebody has long gone on typing."""
    error = record.exc_info[1] if record.exc_info else None
    if not (str(record.msg).startswith("Ignoring exception in autocomplete") and isinstance(error, NETWORK)):
        return True
    log.info("Suggestions could not be shown (%s)", type(error).__name__)
    return False


async def _answers(interaction: discord.Interaction[Any]) -> bool:
    """Whether this process offers what can be typed; while another takes over, no process has to."""
    host = host_of(interaction)
    return not host.in_flight.closed and await host.duty(interaction.id) is Responsibility.OURS


async def _invite(interaction: discord.Interaction[Any]) -> None:
    url, t = invitation_url(interaction.application_id, interaction.guild_id), private_words(interaction)
    needed = None if own_server(interaction) else CommonRefusal.NEEDS_SERVER.reason(t)
    await reply_to(interaction).send_private(invitation_layout(url, t, needed))


async def _failing(error: app_commands.AppCommandError) -> NoReturn:
    if isinstance(error, _OUTDATED):
        raise Refusal(CommonRefusal.OUTDATED) from error
    raise error


def _fits(command: app_commands.Command[Any, ..., Any], interaction: discord.Interaction[Any]) -> bool:
    """Whether the options have the names, types and values that the command offers."""
    options = cast("dict[str, Any]", interaction.data or {}).get("options", [])
    while options and options[0]["type"] in _NESTING:
        options = options[0].get("options", [])
    offered = {parameter.display_name: parameter for parameter in command.parameters}
    for option in options:
        parameter = offered.get(option["name"])
        if parameter is None or parameter.type.value != option["type"] or not _offers(parameter, option["value"]):
            return False
    return True


def _offers(parameter: app_commands.Parameter, value: Any) -> bool:
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    low, high = parameter.min_value, parameter.max_value
    return (low is None or value >= low) and (high is None or value <= high)
