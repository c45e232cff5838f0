"""The custom_ids of days, lessons, practice and reviews."""
