"""What any bot needs."""
