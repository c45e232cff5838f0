"""Ratings, seasons and achievements in words, and results as CSV."""
