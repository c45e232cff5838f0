"""The game of a channel, from its lobby to its result."""
