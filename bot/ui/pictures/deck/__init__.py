"""Two decks of forty cards as vectors: pure functions from a card to SVG."""
