"""The custom_ids of a game and of a server's own rules."""
