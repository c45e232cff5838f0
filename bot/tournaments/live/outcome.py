"""Consequences of what is over: a table's outcome, and the same tournament a week later."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.club.store.revised import Verdict
from bot.platform.language.appointments import next_in_week
from bot.platform.language.calendar import zone_named
from bot.platform.people import Person
from bot.tables.live.result import everybody_has_played
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Fixture, Phase, Presence
from bot.tables.log.state import TableState
from bot.tournaments.rules.log import Announced
from bot.tournaments.rules.standings import podium
from bot.tournaments.rules.tournament import Entry, Format, Outcome, Setup, Tournament, TournamentStage, Winner


def outcome_of(state: TableState) -> Outcome | None:
    """Tell how a pairing's table has ended, its first entry being the first side; None if it has ended without a
    result."""
    match = state.match
    if match is None or state.phase not in (Phase.FINISHED, Phase.FORFEITED):
        return None
    first, second = match.totals
    boards = tuple((score.points[0], score.points[1]) for score in match.scores) if match.rules.rounds else ()
    if state.phase is Phase.FINISHED:
        return Outcome((first, second), match.winner, board_points=boards)
    left = {match.seating.side_of(seat) for seat, each in enumerate(state.seats) if each.presence is Presence.LEFT}
    winner = None if len(left) > 1 else 1 - min(left)
    return Outcome((first, second), winner, forfeit=True, board_points=boards)


def counts_already(view: TableView) -> bool:
    """Whether a pairing's match runs and counts outside the tournament, too, whoever leaves it from now on."""
    if view.fixture is None or view.fixture.boards or view.phase is not Phase.PLAYING or view.match is None:
        return False
    return everybody_has_played(view.match)


def walkover(*, gone: tuple[bool, bool]) -> Outcome:
    """The outcome of a pairing whose table never opens because entries are gone."""
    winner = None if all(gone) else int(gone[0])
    return Outcome((0, 0), winner, forfeit=True)


def seated(entries: tuple[Entry, Entry]) -> Sequence[Person]:
    """Seat the people: the entries take turns, so that partners sit opposite each other."""
    return [person for pair in zip(*(entry.people for entry in entries), strict=True) for person in pair]


def verdicts_of(now: Tournament) -> list[Verdict]:
    """Tell how the matches whose results were corrected, or that were played again, count besides the tournament.

    A match that was played again is void, and so is one that both have lost.
    """
    found: list[Verdict] = []
    for round, table in dict.fromkeys((correction.round, correction.table) for correction in now.corrections):
        drawn, latest = now.rounds[round - 1], now.corrected(round, table)
        attempt = drawn.attempt(table)
        found += [Verdict(Fixture(0, round, table, attempt=earlier).key, ranked=False) for earlier in range(1, attempt)]
        outcome = drawn.outcomes.get(table)
        if latest is None or latest.after is None or outcome is None:
            continue  # it is played again, and ends as it ends
        void = now.setup.format is Format.DUPLICATE or outcome.winner is None
        key = Fixture(0, round, table, attempt=attempt).key
        found.append(Verdict(key, ranked=not void, winner=outcome.winner, points=outcome.points))
    return found


def config_of(setup: Setup) -> Config:
    """Return what a tournament's tables play. Duplicate matches aren't rated, as their deals are shared."""
    config = Config.of_preset(setup.preset, target=setup.target)
    if setup.own is not None:
        config = replace(config, rules=replace(setup.rules, target=setup.target), own=setup.own)
    duplicate = setup.format is Format.DUPLICATE
    rules = replace(config.rules, rounds=setup.boards) if duplicate else config.rules
    return replace(config, rules=rules, teams=setup.pairs, capacity=4 if setup.pairs else 2, rated=not duplicate)


def fixture_of(setup: Setup, lot: int, tournament: int, round: int, table: int, attempt: int) -> Fixture:
    """Name the match that a table is opened for."""
    boards: tuple[int, ...] = ()
    if setup.format is Format.DUPLICATE:
        boards = tuple(range((round - 1) * setup.boards + 1, round * setup.boards + 1))
    return Fixture(tournament, round, table, boards, attempt, lot)


def next_week(over: Tournament, now: datetime, lot: int) -> Announced:
    """The announcement of the same tournament at its next time, by the clocks of its zone, with this one's podium.

    If this one was cancelled, the podium is the latest that there was.
    """
    start = over.setup.start
    assert start is not None, "only what begins at a time is repeated"
    assert start.weekly is not None, "and only if somebody wishes"
    moment = next_in_week(start.weekly, max(now, start.moment), zone_named(start.zone))
    setup = replace(over.setup, start=replace(start, at=round(moment.timestamp())))
    best = tuple(Winner(standing.rank, over.entry(standing.entry).people) for standing in podium(over))
    return Announced(over.organiser, setup, lot, best if over.stage is TournamentStage.FINISHED else over.last)
