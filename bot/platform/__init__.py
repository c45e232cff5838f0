"""The platform: parts that any bot needs, and nothing of cards, games or tournaments."""
