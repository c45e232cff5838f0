"""The stores of each subject: games, results, leaderboards, lessons, tournaments, choices. They know no Discord."""
