"""People, and those with the same name."""
