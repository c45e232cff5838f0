"""Pictures of tables, panels, scores and results."""
