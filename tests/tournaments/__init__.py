"""Tournaments, live: their logs, their tables, restarts."""
