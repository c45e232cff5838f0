"""Statements about games: their logs and results, and dropping what is no longer kept."""
