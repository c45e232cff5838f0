"""What the bot shows, piece by piece."""
