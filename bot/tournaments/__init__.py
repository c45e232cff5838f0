"""Runs tournaments: keeps their logs, opens each round's tables, and takes note of how they end."""
