"""What is sent when: the answer to a click, a table's message, private panels, each ending up at the newest state."""
