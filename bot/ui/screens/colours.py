"""The accent colours of the layouts."""

from typing import Final

FELT: Final = 0x2F855A
"""A table that plays or waits."""
TURN: Final = 0xF2B705
"""It is this person's turn; an escoba."""
QUIET: Final = 0x6B7280
"""A table that is over, or a person who waits."""
