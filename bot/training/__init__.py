"""What people learn from, apart from the tables: the day's position, practice, lessons, and what luck there was."""
