"""The handlers of presses, by verb, each a few lines."""
