"""The contents of custom_ids, by subject. A link from one subject to another is such an id."""
