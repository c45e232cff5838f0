"""The sources of decks and first dealers."""

from __future__ import annotations

import hmac
import random
import secrets
from typing import Final, Protocol

from bot.engine import deals
from bot.engine.cards import DECK, Card
from bot.engine.rules import Seating
from bot.platform.database.key_values import KeyValues
from bot.tables.log.change import Decks
from bot.tables.store.deals import Deal, Seal

SECRET: Final = "board_secret"  # noqa: S105 - the key of one
"""The store's key for the secret that boards are dealt by. Without the secret, nobody can work out a board's cards."""


class Chance(Decks, Protocol):
    """The sources of decks and first dealers, with the seeds behind them."""

    def seal(self) -> Seal | None:
        """A new table's seed and the commitment to it; None if the table is dealt without a seed."""
        return None

    def by(self, deal: Deal) -> Chance:
        """The source of decks for a table that has a seed and whose message was posted."""
        return self

    def computers_key(self, game_id: int) -> bytes:
        """The secret of the computers' chance at a table, always the same; empty if players may know that chance."""
        return b""


async def board_secret(values: KeyValues) -> str:
    """The secret that boards are dealt by, the same for all processes that share a database.

    Raises StoreError if the store fails.
    """
    await values.add(SECRET, secrets.token_hex(32))
    secret = await values.get(SECRET)
    assert secret is not None, "it has just been stored"
    return secret


class SystemChance(Chance):
    """Draws seeds from the operating system's random source, which nobody can predict, and deals boards by a secret.

    Decks of rounds that a seed has no link for come from the same source.
    """

    def __init__(self) -> None:
        self._random = random.SystemRandom()
        self._secret: bytes | None = None

    def deal_boards_by(self, secret: str) -> None:
        """Deal boards by this secret from now on."""
        self._secret = secret.encode()

    def seal(self) -> Seal:
        seed = secrets.token_bytes(deals.SIZE)
        return Seal(deals.to_text(seed), deals.to_text(deals.commitment_of(seed)))

    def by(self, deal: Deal) -> Chance:
        return SeededChance(deal, self)

    def deck(self, game_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
        return tuple(self._random.sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seating: Seating) -> int:
        """Any seat, all equally likely."""
        return self._random.randrange(seating.seats)

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """The cards in the order of their signatures, which without the secret are as good as random."""
        secret = self._secret
        assert secret is not None, "nothing is dealt before it is known"
        return tuple(
            sorted(DECK, key=lambda card: hmac.digest(secret, f"{shuffle}/{number}/{card}".encode(), "sha256"))
        )

    def computers_key(self, game_id: int) -> bytes:
        assert self._secret is not None, "nothing is dealt before it is known"
        return hmac.digest(self._secret, f"computers/{game_id}".encode(), "sha256")


class SeededChance(Chance):
    """Decks and dealers drawn with a table's seed and the id of its message: see `bot.engine.deals`.

    Args:
        deal: the seed and the message.
        otherwise: deals boards, and the rounds that aren't drawn with the seed.
    """

    def __init__(self, deal: Deal, otherwise: Chance) -> None:
        assert deal.message_id is not None, "its message was posted"
        self._seed = deals.from_text(deal.seed)
        self._message_id = deal.message_id
        self._otherwise = otherwise

    def deck(self, game_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
        if not is_drawn(round_number):
            return self._otherwise.deck(game_id, round_number, seating)
        return deals.deck(deals.link_of(self._seed, round_number), self._message_id, round_number, seating)

    def dealer(self, game_id: int, seating: Seating) -> int:
        return deals.dealer(deals.link_of(self._seed, 1), self._message_id, seating)

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        return self._otherwise.board(shuffle, number)

    def computers_key(self, game_id: int) -> bytes:
        return deals.computers_key(self._seed)


def is_drawn(round_number: int) -> bool:
    """Whether a round is drawn with the seed; it isn't if the chain is used up."""
    return round_number <= deals.LINKS
