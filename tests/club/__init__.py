"""The club's pure part: tournaments from sign-up to the podium, and ratings."""
