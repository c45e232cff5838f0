"""How it is sent: replies, channels, the budget of requests, files, permissions."""
