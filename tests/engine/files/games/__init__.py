"""Recorded games in notation, each with its score sheet."""
