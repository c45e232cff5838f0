"""The deal of a match, as its table shows it: the commitment to its decks, and the faults of a deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.proofs import DealFault
from bot.platform.language.texts import N_, Words
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase

SHOWN: Final = 24
"""The number of characters of a commitment that a table shows: 144 bits; see docs/FAIRNESS.md."""
FAULTS: Final[Mapping[DealFault, str]] = {
    DealFault.UNOPENED: N_("its key is missing, so nothing can be said about its deck"),
    DealFault.LINK: N_("its key doesn't fit the seal"),
    DealFault.DECK: N_("its deck isn't the one that the seal and the message's number give"),
    DealFault.DEALER: N_("the first dealer isn't the one that the seal and the message's number give"),
}
"""The faults of a round."""


def seal_text(view: TableView, t: Words) -> str | None:
    """Write the beginning of the commitment to a table's decks, in a line of small print; None if there is none, or the
    match is over: *Verify* in `/escoba games` says the rest."""
    if view.commitment is None or view.phase not in (Phase.LOBBY, Phase.PLAYING):
        return None
    seal = f"-# 🔒 `{view.commitment[:SHOWN]}`"
    return seal if view.posted <= 1 else f"{seal} · " + t("posted {n} times before the first deal", n=view.posted)
