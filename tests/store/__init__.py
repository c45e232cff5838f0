"""Tests of bot.parts.store."""
