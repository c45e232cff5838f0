"""A tournament's log, pairings and standings."""
