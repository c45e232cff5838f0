"""The accent colours of the layouts."""

from typing import Final

FELT: Final = 0x2F855A
"""A table in play, or one waiting for players."""
TURN: Final = 0xF2B705
"""The reader's turn, or an escoba."""
QUIET: Final = 0x6B7280
"""A table that is over, or a player who waits for others."""
