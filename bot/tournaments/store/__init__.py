"""Tournaments' logs, and which games were played in them."""
