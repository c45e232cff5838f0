"""The bot's words and catalogues."""
