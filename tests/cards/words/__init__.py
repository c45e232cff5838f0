"""The cards, items and rules in words."""
