"""Everything a player sees on Discord: layouts, buttons, words, and the presenter that keeps messages up to date."""
