"""Whoever may not see a card learns nothing from the bot that depends on it: tests with twin worlds."""
