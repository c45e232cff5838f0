"""Data about people and servers: preferences, guild settings, personal data, and how long it is all kept."""
