"""Measurements of the bot, as ratios to something simple measured in the same run: `python -m bench`."""
