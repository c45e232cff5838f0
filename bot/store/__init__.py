"""What each subject stores: games, results, leaderboards, lessons, tournaments, choices. Knows nothing of Discord."""
