"""Languages and how they are written."""
