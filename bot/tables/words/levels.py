"""The names of the computer players' levels."""

from collections.abc import Mapping
from typing import Final

from bot.platform.language.texts import NC_, Words
from bot.players import Level
from bot.tables.log.seats import Seat

LEVEL_NAMES: Final[Mapping[Level, str]] = {
    Level.EASY: NC_("level of robots", "easy"),
    Level.NORMAL: NC_("level of robots", "normal"),
    Level.HARD: NC_("level of robots", "hard"),
}


def level_of(seat: Seat, t: Words) -> str:
    """Write what follows a computer's name in lists of players: its level. Empty for a person."""
    return f" · {t(LEVEL_NAMES[seat.level])}" if seat.is_computer else ""
