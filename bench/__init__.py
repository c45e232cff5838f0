"""Benchmarks of the bot, as ratios to something simple that is measured in the same run: `python -m bench`."""
