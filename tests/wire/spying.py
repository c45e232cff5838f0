"""Matches under any rule system, with everything that is sent and logged searched for secrets."""

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
    """Play for `EVENTS` events, some of them while Discord fails, with a bot that logs at the lowest level."""
    figures = Figures()
    async with wire(folder, people=seats, log_level="DEBUG", seed=str(seed), check=False) as w:
        party = Party(w, w.channels[0], w.people, options={"variant": preset})
        await party.play(until=lambda: party.version > 8)
        w.faults.add("PATCH", EDITS, 503, times=1)  # errors must not reveal anything either
        w.faults.add("POST", CALLBACKS, 500, times=1)
        goal = party.version + EVENTS
        await party.play(until=lambda: party.version > goal)
        await w.settle()
        tokens = [shot.payload["token"] for shot in w.shots.values()]
        ledger = Ledger(w.database)
        figures.check(w, ledger)
        figures.gather(w, ledger, [party])
        logged = cards_in(w.log)
        figures.cards_leaked += len(logged)
        figures.found += [f"a card was logged: {line}" for line in logged]
        figures.found += ["a token was logged" for secret in (TOKEN, *tokens) if secret in w.log]
    return figures


def cards_in(log: str) -> list[str]:
    """The lines of a log that contain a card, as notation or emoji, or a packed set of cards."""
    find = default_finder()
    found = []
    for line in log.splitlines():
        words = re.sub(r"^\S+ +[A-Z]+ +", "", line)  # drop the time: what looks like a card there isn't one
        if find.cards(words) or _DECK_IN_A_ROW.search(words):
            found.append(line)
    return found
