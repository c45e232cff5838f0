"""Runs the bot as a process: until a signal comes or another process has taken over, with an exit code for each end."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import discord

from bot.process.app import EscobaBot, create_bot
from bot.process.gateway import GatewayRefused
from bot.settings import Settings, SettingsError
from bot.store import StoreError
from bot.tables.clock import Clock
from bot.ui.transport.reply import NETWORK

log = logging.getLogger(__name__)

LOST: Final = 1
"""The exit code of a process that another has taken over from: it may be started again, and waits then."""


def run(settings: Settings) -> int:
    """Serve Discord until SIGINT or SIGTERM; returns the process's exit code."""
    return asyncio.run(_serve(settings))


def sync(settings: Settings) -> int:
    """Tell Discord the commands and the emojis now, whatever it was told before; returns the process's exit code."""
    return asyncio.run(_sync(settings))


async def _serve(settings: Settings) -> int:
    bot = create_bot(settings, heartbeat=True, thinks_apart=True, owned=True)
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for name in ("SIGINT", "SIGTERM"):
        with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C still raises there
            loop.add_signal_handler(getattr(signal, name), stopping.set)
    serving = asyncio.create_task(_started(bot, settings))
    stop, lost = asyncio.create_task(stopping.wait()), asyncio.create_task(bot.owner.lost())
    await asyncio.wait({serving, stop, lost}, return_when=asyncio.FIRST_COMPLETED)
    code = LOST if lost.done() else 0
    stop.cancel()
    lost.cancel()
    if not serving.done():
        log.info("Stopping")
        await bot.close()
        serving.cancel()  # it may still be logging in
        await asyncio.wait([serving])
        return code
    return await serving


async def _started(bot: EscobaBot, settings: Settings) -> int:
    return await _exit_code(bot, bot.start, settings)


async def _exit_code(bot: EscobaBot, work: Callable[[str], Awaitable[None]], settings: Settings) -> int:
    """Do what takes the token, and say in one line what stands in its way."""
    assert settings.token is not None, "the command line checks for a token"
    try:
        async with bot:
            await work(settings.token.get_secret_value())
    except discord.LoginFailure:
        log.error("Discord refused the token: check ESCOBA_TOKEN")
        return 2
    except StoreError as error:
        log.error("The database can't be used: %s", error)
        return 2
    except SettingsError as error:
        log.error("%s", error)
        return 2
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired, GatewayRefused) as error:
        refused = error if isinstance(error, GatewayRefused) else GatewayRefused.of(error)
        log.error("%s", refused)
        return 1 if refused.again else 2
    except (discord.GatewayNotFound, *NETWORK) as error:
        log.error("Discord can't be reached: %s", error)
        return 1
    return 0


async def _sync(settings: Settings) -> int:
    bot = EscobaBot(settings, Clock(), None, always_sync=True, heartbeat=False, serves=False)
    return await _exit_code(bot, bot.login, settings)
