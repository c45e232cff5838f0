"""The bot's messages, layout by layout."""
