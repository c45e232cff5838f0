"""What servers and people choose, privacy, and the owner's status."""
