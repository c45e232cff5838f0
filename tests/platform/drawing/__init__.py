"""Pictures, drawn piece by piece."""
