"""Lessons, advice and practice in words."""
