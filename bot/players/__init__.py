"""Computer players: `choose` picks one of a seat's legal moves from what that seat may see, never from the state."""

from bot.players.choosing import Level, Rng, choose

__all__ = ["Level", "Rng", "choose"]
