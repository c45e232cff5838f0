"""Computer players: `choose` picks one of a seat's legal moves from what that seat may see, never from the state."""

from bot.players.choosing import Level, choose
from bot.players.rng import Rng

__all__ = ["Level", "Rng", "choose"]
