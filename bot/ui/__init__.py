"""Everything a player sees and presses on Discord.

Four rooms, and imports between them go down only: `clicks` does what a press asks for, `delivery` sees to it that
messages show the newest state, `screens` draws them, `words` puts codes into sentences.
"""
