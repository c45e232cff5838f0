"""Pictures of people's statistics."""
