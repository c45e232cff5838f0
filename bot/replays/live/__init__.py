"""Finished matches: step by step with all hands open, as files, and with the proof of how they were dealt."""
