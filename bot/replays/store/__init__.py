"""Finished matches, for the people who played them."""
