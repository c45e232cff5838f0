"""Statements about people: their preferences, their reviews, their personal data."""
