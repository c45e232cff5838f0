"""Choices that people and servers make in the bot: kept as one text, listed, and changed in menus."""
