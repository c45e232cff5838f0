"""What people learn from: what each move is worth and why, the luck in a match, decisions worth asking about."""
