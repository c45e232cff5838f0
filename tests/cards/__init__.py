"""The cards, in words and in pictures."""
