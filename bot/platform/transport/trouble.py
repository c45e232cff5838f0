"""The meaning of a request's failure, and how late an interaction is."""

import math
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from enum import Enum, auto
from typing import Final

import aiohttp
import discord

NETWORK: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""All exceptions that a request to Discord may raise: refusals; long rate limits, which aren't HTTP errors to
discord.py; and broken connections, which discord.py lets through."""

# Discord's codes for reasons to refuse a request
UNKNOWN_MEMBER: Final = 10007
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
_UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
OLD_MESSAGE: Final = 30046
"""A message over an hour old has been edited too often."""
TOKEN_GONE: Final = 50027
"""The interaction's token is no longer valid."""
ACKNOWLEDGED: Final = 40060
"""The interaction has been answered already."""
ARCHIVED: Final = 50083
"""The thread is archived: it takes no edits. A new message unarchives it, and the bot can, unless it is locked."""
LOCKED: Final = 160005
TOO_MANY_THREADS: Final = 160006
NO_MORE_ANSWERS: Final = (UNKNOWN_MESSAGE, _UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, TOKEN_GONE, ACKNOWLEDGED)
"""The interaction came too late, was delivered twice, or what answered it is gone."""


class Trouble(Enum):
    """The reason why Discord did not accept a request: whose fault it is."""

    PASSING = auto()
    """Nobody's: another attempt may succeed."""
    SILENCED = auto()
    """This channel's: the bot may not write there for now, or do what it tried to."""
    GONE = auto()
    """This channel's or server's: Discord knows none, which a single answer doesn't prove."""
    REFUSED = auto()
    """Ours: Discord rejects what was sent."""
    PERSON = auto()
    """This person's: they take no private messages from the bot."""
    SERVER = auto()
    """This server's: it has reached a limit, or doesn't have or allow what was sent."""
    BOT = auto()
    """The bot's account: Discord accepts no such request from it for a while, or until its operator does something."""

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed later though nobody here changes anything."""
        return self in (Trouble.PASSING, Trouble.BOT)


_CODES: Final[Mapping[Trouble, Collection[int]]] = {
    Trouble.PASSING: (
        *(20016, 20022, 20028, 20029, 40062),  # limits of rates
        *(30034, 30037, 30040, 30042, OLD_MESSAGE),  # likewise, by the day or hour
        *(40004, 40006, 40009, 110000, 110001, 130000, 530006),  # switched off or overloaded for the moment
    ),
    Trouble.SILENCED: (
        *(50001, 50013, ARCHIVED, LOCKED),
        *(40058, 50003, 50008, 50009, 50024, 50173, 160002, 520002),  # not in such a channel, or not by the bot
    ),
    Trouble.GONE: (10003, 10004),
    Trouble.REFUSED: (
        *(20001, 20002, 20009, 20015, 20018, 20024),  # not by bots, or not by anybody but an owner or adult
        *(40007, 50002, 50005, 50021, 50054, 50162, 50163, 50167, 50600, 90001, 90002),
        *(160014, 240000, 520000, 530000),
    ),
    Trouble.PERSON: (50007, 50278),
    Trouble.SERVER: (
        10011,  # a role that the server no longer has
        *(20031, 200000, 200001),  # its words, and its own filter
        *(20035, 50004, 50095, 50097, 50101, 60003, 350000, 350001, 400001),  # what it lacks
        *(30005, 30007, 30008, 30013, 30016, 30018, 30019, 30030, 30031, 30035, 30038, 30039, 30045, 30048),  # full
        *(30056, 30058, 30060, 30061, TOO_MANY_THREADS, 160007),
    ),
    Trouble.BOT: (
        *(40003, 20026),  # it opens private channels too fast; it is in quarantine, which isn't documented
        *(20012, 40001, 40002, 40012, 40333, 50014, 50025, 50178, 340015),
    ),
}
"""The codes by whose fault they are, whatever the HTTP status; for a code that isn't listed the status decides."""
_TROUBLES: Final = {code: trouble for trouble, codes in _CODES.items() for code in codes}
_BY_STATUS: Final = {401: Trouble.BOT, 403: Trouble.SILENCED, 408: Trouble.PASSING}
"""What an unknown code means, if not that Discord rejects what was sent."""
_VAGUE: Final = (403, 404)
"""On a bad day a proxy in front of Discord answers with these, without saying why."""
_TOO_MANY_REQUESTS: Final = 429


def trouble_of(error: BaseException) -> Trouble:
    """Find out what a failure means."""
    if is_passing(error):
        return Trouble.PASSING
    if not isinstance(error, discord.HTTPException):
        return Trouble.REFUSED
    if not error.code and error.status in _VAGUE:
        return Trouble.PASSING
    return _TROUBLES.get(error.code) or _BY_STATUS.get(error.status, Trouble.REFUSED)


def is_passing(error: BaseException) -> bool:
    """Whether trying again later may help, because Discord or the connection to it is in trouble."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == _TOO_MANY_REQUESTS
    return isinstance(error, discord.RateLimited | aiohttp.ClientError | OSError)


def is_shut_out(error: BaseException) -> bool:
    """Whether Discord has said for certain that a channel or server doesn't exist for the bot, or not any more."""
    return trouble_of(error) in (Trouble.SILENCED, Trouble.GONE)


GIVEN_UP_SECONDS: Final = 3.0
"""Seconds after which Discord takes no answer. If an interaction seems that late, a clock has been set."""
_PERIOD: Final = 600.0


class Lateness:
    """A comparison of interactions with the least late of the last ten to twenty minutes, which counts as on time.

    Args:
        now: the present instant by this machine's clock.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._begun = now()
        self._least = self._before = math.inf

    def of(self, created_at: datetime) -> float:
        """Return how many seconds later than usual an interaction created at that time arrives; 0 if that isn't
        known."""
        now = self._now()
        behind = (now - created_at).total_seconds()
        if abs((now - self._begun).total_seconds()) >= _PERIOD:
            self._begun = now
            self._before = self._least
            self._least = math.inf
        self._least = min(self._least, behind)
        late = behind - min(self._least, self._before)
        return late if late < GIVEN_UP_SECONDS else 0.0
