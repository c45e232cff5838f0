"""The custom_ids of replays."""
