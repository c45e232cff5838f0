"""Tests of ratings, seasons and achievements."""
