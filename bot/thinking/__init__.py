"""Where computer players think: at once, or in processes of their own so that nobody waits for them."""

from bot.thinking.port import Analyst, InlineThinker, Thinker, Urgency
from bot.thinking.processes import ProcessThinker

__all__ = ["Analyst", "InlineThinker", "ProcessThinker", "Thinker", "Urgency"]
