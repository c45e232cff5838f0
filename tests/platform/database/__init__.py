"""Tests of bot.platform.database."""
