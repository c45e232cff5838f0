"""What a press asks for: a table of verbs and their handlers, each a few lines."""
