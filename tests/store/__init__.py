"""Tests of bot.store."""
