"""Event logs as values: entries as text and back, what they add up to, and the people they name."""
