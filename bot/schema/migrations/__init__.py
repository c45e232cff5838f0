"""The steps that led to the tables as they are now."""
