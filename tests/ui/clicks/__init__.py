"""What the bot does with clicks."""
