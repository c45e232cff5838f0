"""What the tests of tables share."""
