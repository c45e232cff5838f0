"""Pictures of finished matches."""
