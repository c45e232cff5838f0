"""Escoba for Discord: the Spanish card game as a bot."""

__version__ = "0.1.0"
