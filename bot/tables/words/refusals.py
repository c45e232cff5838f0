"""The reasons why rules exclude each other or a number of players, for the person who chose them."""

from bot.platform.language.texts import Words
from bot.tables.log.events import Config
from bot.tables.refusals import CONFLICTS, TableRefusal


def refusal_of_seats(config: Config, players: int, t: Words) -> str | None:
    """Explain why this number of players can't start with the agreed rules; None if they can."""
    seating = config.seating(players)
    if players < 2:
        return TableRefusal.TOO_FEW.reason(t)
    if seating is None:
        return TableRefusal.NO_SEATING.reason(t)
    return " ".join(t(CONFLICTS[conflict]) for conflict in config.conflicts_with(seating)) or None
