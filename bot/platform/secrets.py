"""Secrets that nobody may be shown: the bot's token and a database's passwords."""

import json
import re
from collections.abc import Callable, Iterable
from io import TextIOBase
from typing import Final, TextIO
from urllib.parse import quote, unquote, urlsplit

HIDDEN: Final = "[secret]"
"""The text that is shown in a secret's place."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2,}")
_SUSPECT: Final = re.compile(r"://[^/\s]*@|[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}")
_PASSWORDS: Final = frozenset({"password", "sslpassword", "oauth_client_secret"})
"""The parameters of a database's address that hold a password."""


def token_of(value: object) -> object:
    """A bot's token without the blanks around it; None if nothing else is there. ValueError if it can't be a token.

    Discord doesn't document the shape of tokens, so this asks for no more than tells them from everything else that can
    be copied from an application's pages: its id, client secret, public key, or an address.
    """
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text and not _TOKEN.fullmatch(text):
        raise ValueError("not a token")
    return text or None


def may_hold_secret(text: str) -> bool:
    """Whether there may be a token, or an address with a password, in a text that isn't supposed to hold any."""
    return _SUSPECT.search(text) is not None


def passwords_in(address: str) -> tuple[str, ...]:
    """The passwords in a database's address, both as they stand there and decoded; none in a file's path."""
    if "://" not in address:
        return ()
    try:
        parts = urlsplit(address)
    except ValueError:  # opening it reports that, and repeats nothing of it
        return ()
    options = (option.partition("=") for option in parts.query.split("&"))
    found = [parts.password, *(value for name, _, value in options if unquote(name) in _PASSWORDS)]
    return tuple(dict.fromkeys(spelling for each in found if each for spelling in (each, unquote(each))))


def hiding(secrets: Iterable[str]) -> Callable[[str], str]:
    """A function that removes secrets from a text, also where they are quoted as in JSON, Python or an address."""
    spellings = {spelling for secret in secrets if secret for spelling in _spellings(secret)}
    longest_first = sorted(spellings, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
    return lambda text: pattern.sub(HIDDEN, text)


def _spellings(secret: str) -> Iterable[str]:
    for spelling in (secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], quote(secret, safe="")):
        yield spelling
        yield json.dumps(spelling, ensure_ascii=False)[1:-1]  # as in a log of JSON objects


class Censored(TextIOBase):
    """Passes each text through a function before writing it to another stream."""

    def __init__(self, stream: TextIO, hide: Callable[[str], str]) -> None:
        self._stream = stream
        self._hide = hide

    def write(self, text: str) -> int:
        self._stream.write(self._hide(text))
        return len(text)

    def flush(self) -> None:
        if not self._stream.closed:  # Python flushes this one once more when it is collected
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()
