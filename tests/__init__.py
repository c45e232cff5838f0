"""The tests, in folders named after the rooms they test."""
