"""The choices of servers and people, and a person's data."""
