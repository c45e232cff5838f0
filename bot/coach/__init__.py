"""Lessons from play: the worth of each move and its reasons, the luck in a match, decisions worth asking about."""
