"""Pictures, drawn piece by piece; what is on them is given."""
