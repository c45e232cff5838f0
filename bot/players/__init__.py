"""Computer players: `choose` picks one of a seat's legal moves from what that seat may see, never from the state."""

from bot.players.characters import PERSONAS, Character, Persona
from bot.players.choosing import Level, choose
from bot.players.rng import Rng

__all__ = ["PERSONAS", "Character", "Level", "Persona", "Rng", "choose"]
