"The face cards of a long run."

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, fields

from tests.wire.ledger import Ledger
from tests.wire.players import Party
from tests.wire.world import Wire


@dataclass(slots=True)
class Figures:
    """Figures counted over one or more runs; `found` describes everything that is wrong."""

    runs: int = 0
    kills: int = 0
    stops: int = 0
    updates: int = 0
    removals: int = 0
    backups: int = 0
    races: int = 0
    tables: int = 0
    clicks: int = 0
    moves: int = 0
    matches: int = 0
    faults: int = 0
    requests: int = 0
    bodies_read: int = 0
    moves_lost: int = 0
    results_wrong: int = 0
    cards_leaked: int = 0
    stuck: int = 0
    results_unshown: int = 0
    unanswered: int = 0
    answered_twice: int = 0
    slowest_answer: float = 0.0
    jumps: int = 0
    deadline_error: float = 0.0
    """By how many seconds a deadline was wrong, at most, after the machine's clock had jumped."""
    found: list[str] = field(default_factory=list)

    def __add__(self, other: Figures) -> Figures:
        total = Figures()
        for each in fields(self):
            mine, its = getattr(self, each.name), getattr(other, each.name)
            setattr(total, each.name, max(mine, its) if isinstance(mine, float) else mine + its)
        return total

    def lines(self) -> list[str]:
        """The figures as text, one per line."""
        shown = [(each.name.replace("_", " "), getattr(self, each.name)) for each in fields(self)]
        return [
            f"{name:15} {value:10.3f}" if isinstance(value, float) else f"{name:15} {value:10,}"
            for name, value in shown
            if not isinstance(value, list)
        ]

    def gather(self, wire: Wire, ledger: Ledger, tables: list[Party]) -> None:
        """Add the ledger's and the people's figures at the end of a run."""
        self.runs += 1
        self.tables += len(ledger.games)
        self.moves += ledger.moves
        self.matches += ledger.finished
        self.bodies_read += ledger.bodies
        self.faults += wire.faults.injected
        self.moves_lost += len(ledger.lost) + len(ledger.broken)
        self.results_wrong += len(ledger.results_wrong)
        self.cards_leaked += len(ledger.leaks)
        self.clicks += sum(party.clicks for party in tables)
        self.slowest_answer = max([self.slowest_answer, *(party.slowest for party in tables)])
        self.results_unshown += len(ledger.ends_unshown)
        self.found += ledger.findings + ledger.ends_unshown
        self.found += [f"logged: {line}" for line in Counter(wire.bot.errors(wire.allowed))]

    def check(self, wire: Wire, ledger: Ledger, *, allow: str = "(?!)") -> None:
        """Check what was sent since the last call against the database, then forget it.

        `allow`: a regular expression for expected findings.
        """
        ledger.read()
        ledger.check(wire.requests)
        self.requests += sum(bool(request.status) for request in wire.requests)
        self.found += [line for line in wire.server.tap.errors if not re.search(allow, line)]
        wire.forget()
