"""Data about people and servers: preferences, guild settings, own rules, personal data, and how long it is all kept."""
