"""The names of the tempos that a lobby can choose."""

from collections.abc import Mapping
from typing import Final

from bot.platform.language.texts import N_
from bot.tables.log.pace import Tempo

TEMPO_NAMES: Final[Mapping[Tempo, str]] = {
    Tempo.QUICK: N_("1 minute per turn"),
    Tempo.USUAL: N_("The server's usual time"),
    Tempo.DAY: N_("1 day per turn"),
    Tempo.THREE_DAYS: N_("3 days per turn"),
    Tempo.WEEK: N_("1 week per turn"),
    Tempo.OPEN: N_("No time limit"),
}
