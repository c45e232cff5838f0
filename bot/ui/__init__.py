"""Everything a player sees and presses on Discord.

Six rooms, and imports between them go down only: `clicks` does what a press asks for, `boards` sees to it that messages
show the newest state, `transport` sends them, `screens` lays them out, `pictures` draws their pictures, `words` puts
codes into sentences.
"""
