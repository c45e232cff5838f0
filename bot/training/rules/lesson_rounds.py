"""Two rounds that lessons show, move by move in the engine's notation."""

from typing import Final

FINISHED: Final = """\
match capture=fifteen duty=compulsory opening=sum prime=setenta target=21 seating=2 dealer=1
deal 5b 2c 12b 12o 11c 6c 6o 11o 4c 7e 3e 6b 3o 3c 2o 4b 1b 2e 12c 3b 12e 5c 1o 10c 5o 10e 10o 7b 2b 4e 6e 1e 4o 11b \
11e 10b 5e 1c 7o 7c
0 2c x 6o 7e
1 6c x 11o
0 5b
1 12o x 5b
0 12b
1 11c
0 3e
1 2o x 4c 11c
0 6b
1 3c
0 3o x 3c 3e 6b
1 4b
0 1b x 4b 12b
1 3b
0 2e
1 12e x 2e 3b
0 12c
1 5c x 12c
0 5o
1 7b
0 10c x 7b
1 10e
0 1o
1 10o
0 6e x 1o 10o
1 11b
0 2b x 5o 10e
1 4o
0 4e
1 1e
0 10b
1 7o x 4o 4e
0 11e
1 7c x 10b
0 5e x 1e 11e
1 1c
"""
"""A whole round, 3 to 3: most cards and the setenta for the learner, a tie in oros, the seven of oros for the other."""

TO_PLAY: Final = """\
match capture=fifteen duty=compulsory opening=sum prime=setenta target=21 seating=2 dealer=1
deal 7o 12c 3b 4c 3e 4o 11b 2c 3c 7c 6e 10b 6b 12b 1o 4e 7e 6o 1b 10e 5o 11o 4b 7b 10o 2b 1c 11c 2o 5c 1e 5e 12e 10c \
5b 11e 2e 6c 12o 3o
0 3b x 2c 3c 7c
1 3e
0 12c
1 4c
0 7o
1 4o x 4c 7o
0 6b x 11b
1 12b
0 10b
1 4e x 3e 10b
0 6e
1 1o
0 1b
1 10e x 1o 6e
0 7e
1 5o x 12b
0 6o
1 11o x 6o
0 10o x 7e
1 11c
0 4b x 1b 12c
1 2b
0 7b
1 1c
"""
"""A round up to its last deal but one, with the learner at turn: an escoba is possible, and the round is close."""
