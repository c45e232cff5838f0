"""The database of any bot, a SQLite file or PostgreSQL: how it is opened, owned, upgraded, copied."""
