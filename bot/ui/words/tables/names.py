"""The names of those who play at a table: of people, and of computer players."""

from __future__ import annotations

from typing import Final

from bot.platform.people.names import safe
from bot.players import PERSONAS
from bot.tables.log.seats import Seat

ROBOT: Final = "🤖"


def holder_name(seat: Seat) -> str:
    """Name a seat's holder in a text that Discord formats; a robot, or a character's face, precedes a computer's."""
    if not seat.is_computer:
        return safe(seat.name)
    face = ROBOT if seat.character is None else PERSONAS[seat.character].face
    return f"{face} {safe(seat.name)}"
