"""Tests with twin worlds: the bot reveals nothing that depends on a card its reader may not see."""
