"""Matches from files in words."""
