"""How it is sent."""
