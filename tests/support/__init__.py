"""What the tests in several folders share."""
