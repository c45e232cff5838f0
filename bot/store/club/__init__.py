"""What people's results on a server add up to, and the leaderboards made from that."""
