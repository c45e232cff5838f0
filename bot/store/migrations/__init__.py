"""Alembic's environment (`env.py`) and the steps (`versions/`) that bring a database up to date."""
