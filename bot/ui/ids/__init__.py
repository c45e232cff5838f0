"""The custom_ids of each subject: a verb, and what it is about."""
