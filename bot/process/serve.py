"""Runs the bot as a process until it is stopped or another process takes over, with an exit code for each outcome."""

import asyncio
import logging
import signal
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot.platform.database.errors import StoreError
from bot.platform.database.locations import InvalidLocation
from bot.platform.kit.interactions import EscobaCommandTree
from bot.platform.language.catalogues import parse_catalogues
from bot.platform.transport.trouble import NETWORK, is_passing
from bot.platform.transport.webhooks import use_webhooks
from bot.process.app import LONGEST_LIMIT_SECONDS, EscobaBot, create_bot
from bot.process.belonging import adopt, application_of, belongs
from bot.process.commands import add_commands, send_commands
from bot.process.ending import end_at_once, end_within
from bot.process.gateway import GatewayRefusal
from bot.process.stores import Stores
from bot.process.wording import sync_emojis
from bot.settings import Settings, SettingsError

log = logging.getLogger(__name__)

STOPPING_SECONDS = 8.0
"""Seconds that stopping may take after the signal; the program that sent it waits for ten, or fewer."""
LEAVING_SECONDS: Final = 1.0
"""Seconds that the process may take to end once nothing is left to finish."""
LOGIN_PAUSES: Final = (1, 2, 4, 8, 15, 30)
"""Seconds between two attempts to log in while Discord can't be reached; then the process ends."""
LOST: Final = 1
"""The exit code after another process has taken over; this one may be started again, and then waits for its shards."""


def run(settings: Settings) -> int:
    """Serve Discord until SIGINT or SIGTERM; returns the process's exit code."""
    parse_catalogues()
    return asyncio.run(_ended(_serve(settings)))


def sync(settings: Settings, *, adopts: bool) -> int:
    """Send the commands and the emojis to Discord, whatever was sent before; returns the process's exit code.

    `adopts`: make the database this application's if it is another's; otherwise that is an error.
    """
    return asyncio.run(_ended(_sync(settings, adopts=adopts)))


async def _serve(settings: Settings) -> int:
    stop = asyncio.create_task(_stop_requested())
    building = asyncio.create_task(create_bot(settings))
    await asyncio.wait({building, stop}, return_when=asyncio.FIRST_COMPLETED)
    if not building.done():
        log.info("Stopping")
        end_within(LEAVING_SECONDS, 0)
        building.cancel()
        with suppress(asyncio.CancelledError):
            await (await building).close()
        return 0
    bot = building.result()
    use_webhooks(bot.parts.pacer.follow_ups)
    serving = asyncio.create_task(_start(bot, _token(settings)))
    lost = asyncio.create_task(bot.parts.owner.lost())
    asked = asyncio.create_task(bot.parts.owner.asked_to_end())
    code = 1
    try:
        await asyncio.wait({serving, stop, lost, asked}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            code = await _exit_code(serving)
        else:
            code = LOST if lost.done() else 0
            log.info("Stopping")
    finally:
        end_within(STOPPING_SECONDS, code)
        for task in (stop, lost, asked):
            task.cancel()
        await bot.close()
    serving.cancel()  # it may still be logging in
    await asyncio.gather(serving, return_exceptions=True)  # closing cuts off its requests
    return code


async def _start(bot: EscobaBot, token: str) -> None:
    """Log in and serve. Where there is no network yet, as right after a machine has started, try again for a while."""
    for pause in (*LOGIN_PAUSES, None):
        try:
            await bot.login(token)
            break
        except (aiohttp.ClientError, OSError) as error:
            if pause is None or bot.user is not None:
                raise
            log.warning("Discord can't be reached (%s): trying again in %s s", error, pause)
            await bot.http.close()
            bot.http.connector = discord.utils.MISSING  # the session has closed its connector
            await asyncio.sleep(pause)
    await bot.connect()


async def _stop_requested() -> None:
    """Return when the process is told to stop for the first time; if it is told again, it ends at once."""
    requested = asyncio.Event()

    def on_signal(number: int) -> None:
        if requested.is_set():
            end_at_once(number)
        requested.set()

    for name in ("SIGINT", "SIGTERM"):
        with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C still raises there
            number = getattr(signal, name)
            asyncio.get_running_loop().add_signal_handler(number, on_signal, number)
    await requested.wait()


async def _sync(settings: Settings, *, adopts: bool) -> int:
    stores = await Stores.open(settings.database)
    values = stores.values
    try:
        async with commands.Bot(
            command_prefix=(),
            tree_cls=EscobaCommandTree,
            help_command=None,
            intents=discord.Intents(guilds=True),  # it never connects, but discord.py warns without this one
            max_ratelimit_timeout=LONGEST_LIMIT_SECONDS,
        ) as client:
            await client.login(_token(settings))
            if adopts:
                await adopt(values, application_of(client))
            else:
                await belongs(values, application_of(client))
            await add_commands(client, settings.home_server)
            try:
                _, complete = await send_commands(client.tree, values, settings.home_server)
                code = 0 if complete else 2
            except NETWORK as error:
                log.error("The commands could not be synced: %s", error)
                code = 1 if is_passing(error) else 2
            all_emojis = await sync_emojis(client, values)
    finally:
        await stores.database.close()
    return code or (0 if all_emojis else 1)


def _token(settings: Settings) -> str:
    assert settings.token is not None, "the command line checks for a token"
    return settings.token.get_secret_value()


async def _ended(work: Awaitable[int]) -> int:
    """Do all the work of the process, and make sure that it ends after that; returns its exit code."""
    code = await _exit_code(work)
    end_within(LEAVING_SECONDS, code, silent=True)  # everything worth logging has been logged
    return code


async def _exit_code(work: Awaitable[int | None]) -> int:
    """Do work that can fail for reasons outside the bot, and log such a reason in one line; returns the exit code."""
    try:
        return await work or 0
    except discord.LoginFailure:
        log.error("Discord refused the token: check ESCOBA_TOKEN")
        return 2
    except StoreError as error:
        log.error("The database can't be used: %s", error)
        return 1 if error.transient else 2
    except InvalidLocation as error:
        log.error("ESCOBA_DATABASE is %s", error)
        return 2
    except SettingsError as error:
        log.error("%s", error)
        return 2
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as error:
        refusal = GatewayRefusal(error)
        log.error("%s", refusal)
        return 1 if refusal.may_retry else 2
    except (discord.GatewayNotFound, *NETWORK) as error:
        log.error("Discord can't be reached: %s", error)
        return 1
