"""The custom_ids of a person's data."""
