"""The cards, cantos, scoring items and rules in words."""
