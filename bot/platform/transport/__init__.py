"""Sending to Discord: replies, channels, the budget of requests, files, permissions."""
