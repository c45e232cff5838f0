"""Where computer players think: at once, or in processes of their own so that nobody waits for them."""

from bot.thinking.port import AtOnce, Thinker
from bot.thinking.processes import Processes

__all__ = ["AtOnce", "Processes", "Thinker"]
