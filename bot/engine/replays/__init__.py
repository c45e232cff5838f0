"""A finished match told again: its story, the moments worth showing, and the match as a file."""
