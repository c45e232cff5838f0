"""Everything a player sees and presses on Discord.

`dispatch` finds the handler of a press. A subject's folder has its `clicks`, which do what a press asks for, its
`boards`, which keep messages up to date, and its `screens`, which lay them out. Subjects know `tables`, not
each other. Below them `ids` says what custom_ids mean, and `words` puts codes into sentences.
"""
