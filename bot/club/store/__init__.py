"""People's results on a server added up, and the leaderboards made from the sums."""
