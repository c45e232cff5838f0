"""Escoba for Discord: the Spanish card game as a bot."""

__version__ = "1.0.1"
