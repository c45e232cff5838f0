"""Two decks of forty cards as vector drawings: pure functions from a card to SVG."""
