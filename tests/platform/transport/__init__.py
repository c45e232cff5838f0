"""How the bot sends what it shows."""
