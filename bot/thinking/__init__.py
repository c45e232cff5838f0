"""Where computer players think: at once, or in processes of their own so that nobody waits for them."""

from bot.thinking.port import Analyst, AtOnce, Thinker, Urgency
from bot.thinking.processes import Processes

__all__ = ["Analyst", "AtOnce", "Processes", "Thinker", "Urgency"]
