"""The club's pure part: tournaments from sign-up to their podium, ratings."""
