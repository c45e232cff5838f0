"""Leaderboards, statistics and podiums."""
