"""The meanings of Discord's refusals, and of failures to reach it."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

import aiohttp
import discord

NETWORK: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""All exceptions that a request to Discord may raise: refusals; long rate limits, which aren't HTTP errors to
discord.py; and broken connections, which discord.py lets through."""
_TOO_MANY_REQUESTS: Final = 429

# Discord's codes for reasons to refuse a request
UNKNOWN_MESSAGE: Final = 10008
OLD_MESSAGE: Final = 30046
"""A message over an hour old has been edited too often."""
TOKEN_GONE: Final = 50027
"""The interaction's token is no longer valid."""
ACKNOWLEDGED: Final = 40060
"""The interaction has been answered already."""
ARCHIVED: Final = 50083
"""The thread is archived: it takes no edits. A new message opens it again, unless it is locked."""
LOCKED: Final = 160005
TOO_MANY_THREADS: Final = 160006
_GONE: Final = (10003, 10004)
"""The channel, or the server, is unknown."""


class Trouble(Enum):
    """The reason why Discord did not accept a message."""

    PASSING = auto()
    """Another attempt may succeed."""
    SILENCED = auto()
    """The bot may not write in the channel for now."""
    GONE = auto()
    """There is no such channel any more."""
    REFUSED = auto()
    """Discord rejects what was sent."""


def trouble_of(error: BaseException) -> Trouble:
    """Find out what a failure means."""
    code = getattr(error, "code", 0)
    if isinstance(error, discord.Forbidden) or code in (ARCHIVED, LOCKED):
        return Trouble.SILENCED
    if code in _GONE:
        return Trouble.GONE
    # On a bad day a proxy in front of Discord answers "not found" without saying what.
    vague = isinstance(error, discord.NotFound) and not code
    return Trouble.PASSING if vague or is_passing(error) else Trouble.REFUSED


def is_passing(error: BaseException) -> bool:
    """Whether trying again later may help, because Discord or the connection to it is in trouble."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == _TOO_MANY_REQUESTS
    return isinstance(error, discord.RateLimited | aiohttp.ClientError | OSError)
