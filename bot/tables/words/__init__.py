"""The events at a table in words: moves, scores, the story, the deal."""
