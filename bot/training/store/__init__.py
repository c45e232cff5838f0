"""Storage for learning: the day's positions and answers, positions to practise, lessons."""
