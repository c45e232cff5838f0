"""The store: games, results and key-value pairs in a SQLite file or a PostgreSQL database. Knows nothing of Discord."""
