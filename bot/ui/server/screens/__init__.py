"""What messages look like: pure functions from a view and words to a layout."""
