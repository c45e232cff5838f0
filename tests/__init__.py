"""The tests, in folders named after the rooms they test."""

from bot.process.links import declare_links

declare_links()
