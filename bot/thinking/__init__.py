"""The place where computer players think: right away, or in separate processes so that nobody has to wait."""

from bot.thinking.port import Analyst, InlineThinker, Question, Solver, Thinker, Urgency
from bot.thinking.processes import ProcessThinker

__all__ = ["Analyst", "InlineThinker", "ProcessThinker", "Question", "Solver", "Thinker", "Urgency"]
