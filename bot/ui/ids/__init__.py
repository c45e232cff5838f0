"""What the custom_ids of each subject say."""
