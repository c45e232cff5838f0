"""Matches of every rule system, in which all that is sent and all that is logged is read for what is secret."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.secrecy import default_finder
from tests.wire.faults import CALLBACKS, EDITS
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party
from tests.wire.process import TOKEN
from tests.wire.world import wire

_DECK_IN_A_ROW = re.compile(r"(?:\b(?:[1-7]|1[0-2])[oceb]\b[ ,]+){3}")
EVENTS = 40


async def spying(folder: Path, *, preset: str, seats: int, seed: object) -> Figures:
    """Play so many events, some of them while Discord fails, with a bot that logs as much as it can."""
    figures = Figures()
    async with wire(folder, people=seats, log_level="DEBUG", seed=str(seed), check=False) as w:
        party = Party(w, w.channels[0], w.people, options={"preset": preset})
        await party.play(until=lambda: party.version > 8)
        w.faults.add("PATCH", EDITS, 503, times=2)  # errors tell nothing either
        w.faults.add("POST", CALLBACKS, 500, times=1)
        goal = party.version + EVENTS
        await party.play(until=lambda: party.version > goal)
        await w.settle()
        tokens = [shot.payload["token"] for shot in w.shots.values()]
        ledger = Ledger(w.database)
        figures.judge(w, ledger)
        figures.gather(w, ledger, [party])
        logged = cards_in(w.log)
        figures.cards_leaked += len(logged)
        figures.found += [f"logged with a card: {line}" for line in logged]
        figures.found += ["a token was logged" for secret in (TOKEN, *tokens) if secret in w.log]
    return figures


def cards_in(log: str) -> list[str]:
    """The lines that name a card, by its notation, by its picture, or a set of cards packed in a button."""
    find = default_finder()
    found = []
    for line in log.splitlines():
        words = re.sub(r"^\S+ +[A-Z]+ +", "", line)  # the time, such as 05:13:1c, names none
        if find.cards(words) or _DECK_IN_A_ROW.search(words):
            found.append(line)
    return found
