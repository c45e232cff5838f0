"""The day's position, practice, lessons, hints and reviews."""
