"""Slash commands, one cog a topic; each is thin and leaves the work to `bot`."""
