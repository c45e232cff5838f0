"""A duplicate round played at random on the same boards, as logs and as the tournament to which they belong."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from bot.engine.cards import DECK, Card
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Stage as MatchStage
from bot.engine.rules import PRESETS, Seating
from bot.platform.eventlog import LogEntry
from bot.platform.people import Person
from bot.tables.log.codec import encode
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.tournament import (
    Entry,
    Format,
    Outcome,
    Pairing,
    Setup,
    Tournament,
    TournamentRound,
    TournamentStage,
)
from tests.support.engine import next_event

NAMES = "Ana Bea Ciro Dora Eva Fidel Gala Hugo Iris Joan Kim Leo Mara Nico Olga Pau".split()
AT = datetime(2026, 11, 23, tzinfo=UTC)


@dataclass
class DuplicateRound:
    """A tournament whose latest round is being played; `logs` and `matches` are by table."""

    state: Tournament
    logs: dict[int, list[LogEntry]]
    matches: dict[int, Match]

    @property
    def over(self) -> bool:
        return self.state.rounds[-1].over

    def view(self) -> TournamentView:
        return TournamentView(7, 1, 2, "en", self.state)


def deck_of(board: int) -> tuple[Card, ...]:
    return tuple(Random(f"board {board}").sample(DECK, len(DECK)))


def evening(
    entries: int = 8, *, pairs: bool = False, boards: int = 2, done: int | None = None, number: int = 1, seed: int = 1
) -> DuplicateRound:
    """A round with all entries at tables, of whose boards `done` have been played at every table; None for all."""
    setup = Setup(Format.DUPLICATE, pairs=pairs, boards=boards)
    size = 2 if pairs else 1
    people = [Person(100 + n, NAMES[n % len(NAMES)] + "I" * (n // len(NAMES))) for n in range(entries * size)]
    everybody = tuple(Entry(n + 1, tuple(people[n * size : (n + 1) * size]), present=True) for n in range(entries))
    pairings = tuple(Pairing(n + 1, 2 * n + 1, 2 * n + 2) for n in range(entries // 2))
    played, found = boards if done is None else done, DuplicateRound(Tournament(people[0], setup), {}, {})
    outcomes: dict[int, Outcome] = {}
    for pairing in pairings:
        events, match = table(setup, number, Random(f"{seed}/{pairing.table}"), played)
        found.matches[pairing.table] = match
        found.logs[pairing.table] = [LogEntry(n, *encode(event), AT) for n, event in enumerate(events, 1)]
        if match.stage is MatchStage.OVER:
            points = tuple((score.points[0], score.points[1]) for score in match.scores)
            outcomes[pairing.table] = Outcome((match.totals[0], match.totals[1]), match.winner, board_points=points)
    round = TournamentRound(number, pairings, outcomes=outcomes)
    before = tuple(TournamentRound(n, ()) for n in range(1, number))
    found.state = replace(found.state, stage=TournamentStage.PLAYING, entries=everybody, rounds=(*before, round))
    return found


def table(setup: Setup, number: int, rng: Random, boards: int) -> tuple[list[Event], Match]:
    """A table's match until this many boards have been played."""
    seating = Seating.PAIRS if setup.pairs else Seating.TWO
    rules = replace(PRESETS[setup.preset].rules, rounds=setup.boards)
    first = MatchStarted(rules, seating, seating.seats - 1)
    events: list[Event] = [first]
    match = start(first)
    while len(match.scores) < boards:
        if match.stage is MatchStage.TO_DEAL:
            event: Event = RoundDealt(deck_of((number - 1) * setup.boards + len(match.scores) + 1))
        else:
            event = next_event(match, rng)
        events.append(event)
        match = match.apply(event)
    return events, match
