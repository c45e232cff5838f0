"""What is shown next and when: a table's message, panels, pings."""
