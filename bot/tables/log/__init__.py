"""A table's log: its events, the state they add up to, and which events an action makes."""
