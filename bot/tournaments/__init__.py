"""Tournaments, from sign-up to the podium, and travelling sheets."""
