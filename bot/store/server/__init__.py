"""What servers and people have chosen, and a person's data."""
