"""The deck, and the cards on it."""
