"""What any bot needs; knows nothing of cards or games."""
