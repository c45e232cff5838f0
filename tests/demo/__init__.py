"""The demo: the simulated server, its web server, and the page in a browser."""
