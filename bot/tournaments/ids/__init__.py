"""The custom_ids of tournaments and sheets."""
