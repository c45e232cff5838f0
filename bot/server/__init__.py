"""Choices of servers and people, privacy, and the owner's status."""
