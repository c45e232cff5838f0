"""Codes in words: catalogues, names of cards and people, rules and refusals, and what happened at the table."""
