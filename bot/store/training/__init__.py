"""What people learn from: the day's positions and answers, positions to practise, lessons."""
