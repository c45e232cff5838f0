"""Slash commands, one cog per topic; each is thin and leaves the work to `bot`."""
