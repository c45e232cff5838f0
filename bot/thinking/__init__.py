"""The place where computer players think: right away, or in separate processes so that nobody has to wait."""

from bot.thinking.port import Analyst, InlineThinker, Question, Solver, Thinker, Urgency

__all__ = ["Analyst", "InlineThinker", "Question", "Solver", "Thinker", "Urgency"]
