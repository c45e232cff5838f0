"""The custom_ids of leaderboards and statistics."""
