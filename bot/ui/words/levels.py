"""How well computer players play, in words."""

from collections.abc import Mapping
from typing import Final

from bot.players import Level
from bot.ui.words.texts import N_

LEVEL_NAMES: Final[Mapping[Level, str]] = {
    Level.EASY: N_("easy"),
    Level.NORMAL: N_("normal"),
    Level.HARD: N_("hard"),
}
