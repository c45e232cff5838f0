"""The bot as a process of its own, against a server that behaves like Discord on the wire."""
