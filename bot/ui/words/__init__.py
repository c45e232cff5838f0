"""Turns codes into sentences: catalogues, names of cards and people, rules, refusals, and what happened in play."""
