"""Requests about a person's data in words."""
