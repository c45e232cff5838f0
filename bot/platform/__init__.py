"""What any bot needs; it knows nothing of cards, games or tournaments."""
