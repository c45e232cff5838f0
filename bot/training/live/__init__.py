"""Learning apart from the tables: the day's position, practice, lessons, and the luck in a match."""
