"""Slash commands, one cog for each subject; each is thin and leaves the work to `bot`."""
