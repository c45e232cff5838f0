"""The deal of a match, as its table shows it: the commitment to its decks, and the faults of a deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.deals import DealFault
from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.words.texts import N_, Words

FAULTS: Final[Mapping[DealFault, str]] = {
    DealFault.UNOPENED: N_("its key is missing, so nothing can be said about its deck"),
    DealFault.LINK: N_("its key doesn't fit the seal"),
    DealFault.DECK: N_("its deck isn't the one that the seal and the message's number give"),
    DealFault.DEALER: N_("the first dealer isn't the one that the seal and the message's number give"),
}
"""The faults of a round."""


def seal_text(view: TableView, t: Words) -> str | None:
    """Write the whole commitment to a table's decks, in small print; None if there is none, or nothing to check."""
    if view.commitment is None or view.phase not in (Phase.LOBBY, Phase.PLAYING, Phase.FINISHED):
        return None
    lines = [f"-# 🔒 `{view.commitment}`"]
    if view.phase is not Phase.PLAYING:
        lines.insert(0, "-# " + t("This seals all decks. `/escoba verify` checks them once they are played."))
    if view.posted > 1:
        lines.append("-# " + t("The table was posted {n} times before the first deal.", n=view.posted))
    return "\n".join(lines)
