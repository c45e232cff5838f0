"""Statements over people: their preferences, their reviews, their personal data."""
