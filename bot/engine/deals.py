"""Decks that nobody can choose: drawn from a sealed chain of links and a number that comes from outside.

`docs/FAIRNESS.md` specifies the scheme for people who check it with a program of their own. In short:

- A seed of 32 random bytes is hashed `LINKS` times. The last value is the *commitment*, shown before anything is dealt.
  The value before that is round 1's *link*, the one before that is round 2's. A link leads to all that were opened
  before it, and to none that come later.
- A round's deck is drawn with its link and the id that Discord gave the table's message.
- After a round its link is opened. Anybody can then lead it back to the commitment, and draw the deck again.

Links and commitments are 32 bytes; as text they are base64url without padding, 43 characters.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from bot.engine.cards import DECK, Card
from bot.engine.errors import NotationError
from bot.engine.rules import Seating

LINKS: Final = 1_000
"""Rounds that can be dealt with one seed. Rounds after that, which no match reaches, have no link."""
SIZE: Final = 32
"""Bytes of a seed, a link or a commitment."""
_STEP: Final = b"escoba link"
_COMPUTERS: Final = b"escoba computers"
_BYTE: Final = 256


def commitment_of(seed: bytes) -> bytes:
    """The commitment, which is shown before the first deal: the seed, hashed `LINKS` times."""
    return _after(seed, LINKS)


def link_of(seed: bytes, round_number: int) -> bytes:
    """A round's link: the value that gives the commitment when hashed `round_number` times.

    Raises:
        ValueError: if the chain has no link for that round.
    """
    if not 1 <= round_number <= LINKS:
        raise ValueError(f"a chain has links for rounds 1 to {LINKS}")
    return _after(seed, LINKS - round_number)


def leads_to(link: bytes, round_number: int, commitment: bytes) -> bool:
    """Whether a value is the link of that round in the chain with this commitment."""
    return 1 <= round_number <= LINKS and _after(link, round_number) == commitment


def deck(link: bytes, message_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
    """A round's deck in dealing order: `DECK`, shuffled from its last place to its first (Fisher-Yates)."""
    stream = _stream(link, "deck", message_id, round_number, seating)
    cards = list(DECK)
    for last in range(len(cards) - 1, 0, -1):
        other = _below(last + 1, stream)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def dealer(first_link: bytes, message_id: int, seating: Seating) -> int:
    """The seat that deals the first round, drawn with that round's link."""
    return _below(seating.seats, _stream(first_link, "dealer", message_id, 1, seating))


def computers_key(seed: bytes) -> bytes:
    """The secret that the computers' chance at a table is drawn with. It tells nothing about the chain's values."""
    return hmac.digest(seed, _COMPUTERS, "sha256")


def to_text(value: bytes) -> str:
    """A link or a commitment as it is shown and stored."""
    return urlsafe_b64encode(value).decode().rstrip("=")


def from_text(text: str) -> bytes:
    """The link or commitment that a text stands for.

    Raises:
        NotationError: if the text is neither.
    """
    try:
        value = urlsafe_b64decode(text + "=")
    except ValueError:
        value = b""
    if len(value) != SIZE or to_text(value) != text:  # the decoder skips characters that it doesn't know
        raise NotationError(f"not a link: {text[:50]!r}")
    return value


def _after(value: bytes, steps: int) -> bytes:
    for _ in range(steps):
        value = sha256(_STEP + value).digest()
    return value


def _stream(link: bytes, use: str, message_id: int, round_number: int, seating: Seating) -> Iterator[int]:
    """The bytes to draw from, in order: blocks of 32, numbered from 0."""
    block = 0
    while True:
        yield from hmac.digest(link, f"{use}|{message_id}|{round_number}|{seating.value}|{block}".encode(), "sha256")
        block += 1


def _below(count: int, stream: Iterator[int]) -> int:
    """A number below `count`, each equally likely: bytes that would favour the low ones are skipped."""
    fair = _BYTE - _BYTE % count
    return next(byte for byte in stream if byte < fair) % count
