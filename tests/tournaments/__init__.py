"""Live tournaments: their logs, their tables, restarts."""
