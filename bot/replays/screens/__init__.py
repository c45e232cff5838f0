"""The look of messages: pure functions from a view and words to a layout."""
