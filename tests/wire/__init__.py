"""The bot as a real process, which talks over HTTP and websockets to a simulated Discord on this machine: the wire."""
