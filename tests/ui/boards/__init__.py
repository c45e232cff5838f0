"""What the bot shows next, and when."""
