"""Computer players: `choose` picks one of a seat's legal moves using only what the seat may see, never the state."""

from bot.players.characters import PERSONAS, Character, Level, Persona
from bot.players.choosing import choose
from bot.players.rng import Rng

__all__ = ["PERSONAS", "Character", "Level", "Persona", "Rng", "choose"]
