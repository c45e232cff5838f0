"""Finished matches: step by step with all hands open, how they were dealt, and as files."""
