"""A club's records: ratings, seasons, achievements, and tournaments with their pairings. Pure: no clock, no I/O."""
