"""The cards in pictures."""
