"""The command `check`: replays every game of a database, and recounts every result and standing from the logs.

It reads a snapshot, so the bot may keep running. Each finding is one line, and no line names a card.
"""

import asyncio
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot.club.store.leaderboard import Leaderboards
from bot.club.store.results import PLAYER_COLUMNS, MatchResult, PlayerResult, without_stand_ins
from bot.club.store.revised import Verdict, ruled
from bot.club.store.rows import Standings as StoredStandings
from bot.club.store.standing import Leaderboard, Metric
from bot.platform.database.errors import StoreError, naming
from bot.platform.database.key_values import KeyValues
from bot.platform.database.locations import Location, without_password
from bot.platform.database.tools.audit import Audit, auditing, check_complete, damage
from bot.platform.database.tools.backup_folder import copy_database
from bot.platform.database.tools.transfer import transfer
from bot.platform.eventlog import WrittenByNewer
from bot.platform.operating.true_time import OFF_SECONDS
from bot.privacy.store.retention import LOGS_KEPT_SINCE
from bot.process.outages import clock_offsets
from bot.process.stores import Stores
from bot.replays.live.proofs import wrong_deals
from bot.schema import SCHEMA
from bot.tables.live.check import decoded, moment, not_found, replay
from bot.tables.live.own_rules import wrong_rule_sets
from bot.tables.live.result import result_of
from bot.tables.log.state import TableState
from bot.tables.store.audit import (
    RawGame,
    RawResult,
    crowded_channels,
    orphans_of_games,
    participants_of,
    raw_games,
    raw_results,
)
from bot.tables.store.logs import GAMES
from bot.tournaments.live.codec import Verdicts, verdicts, wrong_tournaments
from bot.tournaments.store.logs import orphans_of_tournaments

Report = Callable[[str], None]
_PAGE: Final = 100_000
_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
_NOT_COMPARED: Final = ("id", "version", "ended_at", "players")
_RESULT_FIELDS: Final = tuple(name for name in RawResult.__dataclass_fields__ if name not in _NOT_COMPARED)
# Ratings and numbers of a day can't be recounted from one log alone.
_PLAYER_FIELDS: Final = tuple(
    name for name in PLAYER_COLUMNS if name not in ("mu", "sigma", "new_mu", "new_sigma", "weight", "known", "nth")
)


@dataclass(slots=True)
class Tally:
    """The totals of a player's matches on a server."""

    matches: int = 0
    wins: int = 0
    points: int = 0
    escobas: int = 0

    def add(self, player: PlayerResult) -> None:
        self.matches += 1
        self.wins += player.won
        if player.gains is not False:
            self.points += player.points
            self.escobas += player.escobas

    def value(self, metric: Metric) -> float:
        """The figure that a leaderboard is ordered by."""
        return self.wins / self.matches if metric is Metric.RATE else getattr(self, metric.value)


Standings = defaultdict[int, defaultdict[int, Tally]]
"""Tallies by server and user."""


async def check(place: Location, report: Report) -> bool:
    """Check a database, and call `report` with a line for each problem and then a summary. Returns True if all is well.

    Raises:
        StoreError: if the database can't be read at all, or is a copy that wasn't finished.
    """
    counted: Counter[str] = Counter()

    def report_problem(line: str) -> None:
        counted["problems"] += 1
        report(line)

    if isinstance(place, Path):
        for line in await asyncio.to_thread(damage, place):
            report_problem(f"the file: {line}")
    with tempfile.TemporaryDirectory(prefix="escoba-check-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        if isinstance(place, Path):
            await asyncio.to_thread(copy_database, place, copy)
            await asyncio.to_thread(check_complete, copy, place)
        else:
            await transfer(place, copy, SCHEMA, beside_a_bot=True)
        with naming(place if isinstance(place, Path) else without_password(place), copy):
            stores = await Stores.open(copy)  # this also brings an older version's tables up to date
        try:
            standings = await asyncio.to_thread(_check_games, copy, report, report_problem, counted)
            await _check_standings(stores.leaderboards, standings, report_problem, counted)
            await _check_kept_standings(stores.standings, report_problem)
            await _check_clock(stores.values, report)
        finally:
            await stores.database.close()
    report(
        f"{counted['games']} games ({counted['open']} open), {counted['events']} events, {counted['results']} results"
        f" and {counted['standings']} standings checked: {counted['problems'] or 'no'} problems."
        + (f" {counted['newer']} can't be checked: a newer version has written them." if counted["newer"] else "")
    )
    return not counted["problems"]


# ------------------------------------------------------------------------------------------ games and results


def _check_games(copy: Path, report: Report, report_problem: Report, counted: Counter[str]) -> Standings:
    standings: Standings = defaultdict(lambda: defaultdict(Tally))

    def newer(what: str) -> None:
        counted["newer"] += 1
        report(f"{what}: it was written by a newer version")

    with auditing(copy) as audit:
        kept_since = moment(audit.value(LOGS_KEPT_SINCE))
        decided = verdicts(audit)
        for game in raw_games(audit):
            for line, result in _check_game(audit, game, kept_since, counted, newer, decided):
                if line is not None:
                    report_problem(f"game {game.id}: {line}")
                if result is not None and result.ranked and result.guild_id is not None:
                    for player in result.players:
                        if player.user_id is not None and player.counts:
                            standings[result.guild_id][player.user_id].add(player)
        crowded = (f"channel {channel}: several games are open: {games}" for channel, games in crowded_channels(audit))
        missing = (*orphans_of_games(audit), *orphans_of_tournaments(audit))
        orphans = (f"{each}, which isn't there" for each in missing)
        wrong = (*wrong_tournaments(audit, newer), *wrong_rule_sets(audit, newer), *wrong_deals(audit))
        for line in (*crowded, *orphans, *wrong):
            report_problem(line)
    return standings


def _check_game(
    audit: Audit,
    game: RawGame,
    kept_since: datetime | None,
    counted: Counter[str],
    newer: Report,
    decided: Verdicts,
) -> Iterator[tuple[str | None, MatchResult | None]]:
    """Pairs: the line about a problem or None, and the game's result for the standings or None."""
    entries, results = audit.entries(GAMES, game.id), raw_results(audit, game.id)
    counted["games"] += 1
    counted["open"] += game.closed_at is None
    counted["events"] += len(entries)
    counted["results"] += len(results)
    if not entries and _dropped(game, kept_since):
        if len(results) > 1:
            yield f"it has {len(results)} results", None
        for result in results[:1]:
            yield None, _as_it_stands(result)
        return
    try:
        events = decoded(entries)
    except WrittenByNewer:
        newer(f"game {game.id}")
        for result in results[:1]:
            yield None, _as_it_stands(result)
        return
    for line in not_found(events, participants_of(audit, game.id)):
        yield line, None
    ends = [] if game.closed_at is None else [each.version for each in results if isinstance(each.version, int)]
    state, problems = replay(entries, events, end=max(ends, default=0))
    for line in problems:
        yield line, None
    if len(results) > 1:
        yield f"it has {len(results)} results", None
    if state is None:
        # A log that can't be replayed can't be recounted, so its stored result counts.
        for result in results[:1]:
            yield None, _as_it_stands(result)
        return
    if state.open != (game.closed_at is None):
        yield f"it is {'closed' if state.open else 'open'}, but its log says {state.phase.value}", None
    try:
        expected = _recounted(state, game, results)
    except Exception as error:  # every move can be legal, and the log still not make sense
        yield f"its result can't be recounted ({type(error).__name__})", None
        return
    if expected is None:
        if results:
            yield f"it has a result, but its log says {state.phase.value}", None
        return
    if not results:
        yield "its match is finished, but it has no result", None
    verdict = None if state.fixture is None else decided.get((state.fixture.tournament, state.fixture.key))
    if verdict is not None and results:
        expected = _as_decided(expected, verdict, results[0])
    for result in results:
        for line in _differences(result, expected, version=state.version, closed_at=game.closed_at):
            yield f"its result's {line}", None
    yield None, expected


def _dropped(game: RawGame, kept_since: datetime | None) -> bool:
    closed_at = moment(game.closed_at)
    return kept_since is not None and closed_at is not None and closed_at < kept_since


def _recounted(state: TableState, game: RawGame, results: Sequence[RawResult]) -> MatchResult | None:
    told = not results or any(row[_PLAYER_FIELDS.index("gains")] is not None for row in results[0].players)
    result = result_of(
        state,
        guild_id=game.guild_id,
        channel_id=game.channel_id,
        ended_at=_NO_TIME,
        gains_by_play=bool(game.gains_by_play) and told,  # 1.0 may have gone on with it, which tells nothing of it
    )
    return None if result is None else without_stand_ins(result)


def _as_decided(expected: MatchResult, verdict: Verdict, stored: RawResult) -> MatchResult:
    """The result as a tournament's organiser has decided it. One that doesn't count stays as it was before that."""
    if verdict.ranked:
        return ruled(expected, verdict)
    return replace(expected, ranked=False, friendly=True, players=_as_it_stands(stored).players)


def _differences(result: RawResult, expected: MatchResult, *, version: int, closed_at: object) -> Iterator[str]:
    if result.version != version:
        yield f"version is {result.version}, not {version}"
    if result.ended_at != closed_at:
        yield "time isn't that of the game's end"
    for name in _RESULT_FIELDS:
        if getattr(result, name) != getattr(expected, name):
            yield f"{name} is {_quoted(getattr(result, name))}, not {_quoted(getattr(expected, name))}"
    found = {row[0]: row for row in result.players}
    for player in expected.players:
        row = found.pop(player.seat, None)
        if row is None:
            yield f"seat {player.seat} is missing"
            continue
        stored = dict(zip(_PLAYER_FIELDS, row, strict=False))
        for name, value in stored.items():
            if value != getattr(player, name):
                yield f"{name} of seat {player.seat} is {_quoted(value)}, not {_quoted(getattr(player, name))}"
        if row[len(_PLAYER_FIELDS) :] != (result.guild_id, result.ended_at, result.ranked):
            yield f"seat {player.seat} differs from its match in server, time or ranked flag"
    yield from (f"seat {seat} was never taken" for seat in found)


def _as_it_stands(result: RawResult) -> MatchResult:
    players = (_player(dict(zip(_PLAYER_FIELDS, row, strict=False))) for row in result.players)
    values = {name: getattr(result, name) for name in _RESULT_FIELDS}
    return MatchResult(**values, ended_at=_NO_TIME, players=tuple(players))


def _player(stored: dict[str, Any]) -> PlayerResult:
    told: dict[str, Any] = {name: None if stored[name] is None else bool(stored[name]) for name in ("played", "gains")}
    return PlayerResult(**stored | told)


def _quoted(value: object) -> str:
    """A value made safe for a terminal, since a damaged one can be anything."""
    return ascii(int(value) if isinstance(value, bool) else value)[:40]


async def _check_standings(
    leaderboards: Leaderboards, standings: Standings, report_problem: Report, counted: Counter[str]
) -> None:
    """Compare each server's leaderboards, as the bot would show them, with the recount."""
    for guild_id, tallies in sorted(standings.items()):
        counted["standings"] += len(tallies)
        for metric in (Metric.WINS, Metric.RATE, Metric.POINTS, Metric.ESCOBAS):
            where = f"server {guild_id}, leaderboard by {metric.value}"
            try:
                shown = await _shown(leaderboards, guild_id, metric)
            except (StoreError, ValueError, TypeError) as error:
                report_problem(f"{where}: it can't be read ({type(error).__name__})")
                continue
            for line in _wrong_rows(shown, tallies, metric):
                report_problem(f"{where}: {line}")


async def _check_clock(values: KeyValues, report: Report) -> None:
    """Warn if the bot found the clock of its machine wrong when it was last alive."""
    for offset in await clock_offsets(values):
        if abs(offset) > OFF_SECONDS:
            report(f"warning: the clock of the bot's machine differs from Discord's by {offset:+.0f} s: set it (NTP)")


async def _check_kept_standings(stored: StoredStandings, report_problem: Report) -> None:
    """Compare the stored standings of all periods with the results they are counted from."""
    for guild_id in await stored.servers():
        try:
            for line in await stored.differences(guild_id):
                report_problem(f"server {guild_id}, {line}")
        except (StoreError, ValueError, TypeError) as error:
            why = type(error).__name__
            report_problem(f"server {guild_id}, standings: they can't be compared with the results ({why})")


async def _shown(leaderboards: Leaderboards, guild_id: int, metric: Metric) -> dict[int, tuple[int, Tally]]:
    """Each user's rank and totals on a leaderboard."""
    shown: dict[int, tuple[int, Tally]] = {}
    while True:
        page = await leaderboards.page(guild_id, Leaderboard(metric), limit=_PAGE, offset=len(shown))
        for row in page.rows:
            shown[row.user_id] = (row.rank, Tally(row.matches, row.wins, row.points, row.escobas))
        if len(page.rows) < _PAGE:
            return shown


def _wrong_rows(shown: dict[int, tuple[int, Tally]], tallies: dict[int, Tally], metric: Metric) -> Iterator[str]:
    ranks = _ranks(tally.value(metric) for tally in tallies.values())
    for user_id, tally in sorted(tallies.items()):
        expected = (ranks[tally.value(metric)], tally)
        found = shown.pop(user_id, None)
        if found is None:
            yield f"user {user_id} is missing"
        elif found != expected:
            yield f"user {user_id} has {_figures(*found)}; the logs say {_figures(*expected)}"
    for user_id in sorted(shown):
        yield f"user {user_id} has no ranked match in the logs"


def _ranks(values: Iterable[float]) -> dict[float, int]:
    """The competition rank of each value: 1, 2, 2, 4."""
    ranks: dict[float, int] = {}
    for place, value in enumerate(sorted(values, reverse=True), 1):
        ranks.setdefault(value, place)
    return ranks


def _figures(rank: int, tally: Tally) -> str:
    return f"rank {rank}, {tally.matches} matches, {tally.wins} wins, {tally.points} points, {tally.escobas} escobas"
