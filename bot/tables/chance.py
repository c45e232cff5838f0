"""Where decks and first dealers come from."""

from __future__ import annotations

import hmac
import random
import secrets
from typing import Final, Protocol

from bot.engine.cards import DECK, Card
from bot.store import Store

SECRET: Final = "board_secret"  # noqa: S105 - the key of one
"""The key of what boards are dealt by: nobody who doesn't have it can tell a card of one."""


class Chance(Protocol):
    """Where decks and first dealers come from."""

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """A shuffled deck for a round."""
        ...

    def dealer(self, game_id: int, seats: int) -> int:
        """The seat that deals first."""
        ...

    def board(self, tournament: int, number: int) -> tuple[Card, ...]:
        """The deck of a tournament's board, the same whenever it is asked for."""
        ...


async def board_secret(store: Store) -> str:
    """What boards are dealt by, one for all processes that share a database.

    Raises:
        StoreError: if the store fails.
    """
    await store.add_value(SECRET, secrets.token_hex(32))
    secret = await store.get_value(SECRET)
    assert secret is not None, "it has just been stored"
    return secret


class SystemChance:
    """Decks from the operating system's random source, which nobody can predict; those of boards by a secret."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()
        self._secret: bytes | None = None

    def deal_boards_by(self, secret: str) -> None:
        """Deal boards by this secret from now on."""
        self._secret = secret.encode()

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        return tuple(self._random.sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seats: int) -> int:
        """Any seat, all equally likely."""
        return self._random.randrange(seats)

    def board(self, tournament: int, number: int) -> tuple[Card, ...]:
        """The cards in the order of their signatures, which without the secret are as good as random."""
        secret = self._secret
        assert secret is not None, "nothing is dealt before it is known"
        return tuple(
            sorted(DECK, key=lambda card: hmac.digest(secret, f"{tournament}/{number}/{card}".encode(), "sha256"))
        )
