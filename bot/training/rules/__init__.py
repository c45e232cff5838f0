"""Lessons and their steps, and the themes of positions. Pure: no clock, no I/O."""
