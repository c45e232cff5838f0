"""The names of players, levels, tempos and rules."""

from collections.abc import Mapping
from typing import Final

from bot.cards.words.rules import preset_name
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.people import plain, safe
from bot.players import Level
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.log.seats import Seat

LEVEL_NAMES: Final[Mapping[Level, str]] = {
    Level.EASY: NC_("level of robots", "easy"),
    Level.NORMAL: NC_("level of robots", "normal"),
    Level.HARD: NC_("level of robots", "hard"),
}


def level_of(seat: Seat, t: Words) -> str:
    """Write what follows a computer's name in lists of players: its level. Empty for a person."""
    return f" · {t(LEVEL_NAMES[seat.level])}" if seat.is_computer else ""


TEMPO_NAMES: Final[Mapping[Tempo, str]] = {
    Tempo.QUICK: N_("1 minute per turn"),
    Tempo.USUAL: N_("The server's usual time"),
    Tempo.DAY: N_("1 day per turn"),
    Tempo.THREE_DAYS: N_("3 days per turn"),
    Tempo.WEEK: N_("1 week per turn"),
    Tempo.OPEN: N_("No time limit"),
}


def rules_name(config: Config, t: Words) -> str:
    """Name the rules of a table, for a text that Discord formats: a rule system, or the server's own rules."""
    if config.own is None:
        return preset_name(config.preset, t)
    name = safe(config.own.name)
    return name if config.rule_set is not None else t("{name}, changed", name=name)


def own_rules_name(config: Config, t: Words) -> str | None:
    """Name the server's own rules that a table plays, for a text that Discord formats; None for a rule system."""
    return None if config.own is None else rules_name(config, t)


def plain_rules_name(config: Config, t: Words) -> str:
    """Name the rules of a table, for a label, in which nothing is formatted."""
    if config.own is None:
        return preset_name(config.preset, t)
    name = plain(config.own.name)
    return name if config.rule_set is not None else t("{name}, changed", name=name)


def own_rules_line(config: Config, t: Words) -> str | None:
    """Name the server's own rules that a table plays, in small print; None if it plays a rule system."""
    return None if config.own is None else f"-# 📜 {rules_name(config, t)}"
