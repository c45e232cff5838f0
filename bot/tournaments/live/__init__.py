"""Runs tournaments: keeps their logs, opens each round's tables, and records how they end."""
