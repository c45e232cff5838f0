"""Starts the unmodified bot against the wire: two addresses are changed, the rest is what `python -m bot run` does.

The variables beginning with WIRE_ say where the wire is and, if there is a seed, which decks are dealt.
"""

from __future__ import annotations

import functools
import os
import random
import sys

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

import bot.app
from bot.__main__ import main
from bot.engine.cards import DECK, Card


class Seeded:
    """Decks and dealers that depend on nothing but a seed, the game and the round."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """The same deck each time it is asked for."""
        return tuple(random.Random(f"{self._seed}/{game_id}/{round_number}").sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seats: int) -> int:
        """The same seat each time."""
        return random.Random(f"{self._seed}/{game_id}").randrange(seats)


if __name__ == "__main__":
    Route.BASE = os.environ["WIRE_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["WIRE_GATEWAY"])
    if seed := os.environ.get("WIRE_SEED"):
        bot.app.create_bot = functools.partial(bot.app.create_bot, chance=Seeded(seed))
    sys.exit(main(["run"]))
