"""Checks what the bot has shown against its database: no move is lost, no result stored twice, no card leaked."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, LiteralString, cast

import psycopg

from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.views import public_view
from bot.platform.language.catalogues import words
from bot.tables.live.result import result_of
from bot.tables.log.codec import decode, fold
from bot.tables.log.events import Phase
from bot.tables.log.state import TableState
from bot.tables.screens.board import table_cards
from tests.support.secrecy import strings
from tests.support.truth import LeakWatcher, hidden_from
from tests.support.wiretap import CALLBACK, CHANNEL, WEBHOOK, Request
from tests.wire.seen import Press, presses, words_of

LOBBY = frozenset({"addc", "comp", "start", "target", "teams"})
MATCH = frozenset({"card", "take", "choose", "lay", "pick", "standin", "next"})
OVER = frozenset({"rematch", "review"})
"""A lobby's buttons name the version of the log, a match's the version of the match; other versions aren't checked."""

Row = tuple[int, str, str]  # version, kind, body
Moment = datetime | str
"""A time as the database returns it: SQLite has no type for times."""
Position = tuple[str, ...]
"""What a message without such buttons says about a match: the cards on the table, then each side's figures."""
_ENGLISH = words("en")
_CARDS = "**On the table**\n"
_POINTS = r"\*\*\d+\*\* points?(?: \(\+\d+ escobas?\))?"
_FIGURES = re.compile(rf"🎴 \d[+\d]* in hand · 📥 \d+ captured · {_POINTS}|{_POINTS} 📥 \d+ captured")
"""A side's figures on the board, which end with its points, and on a panel, which begin with them."""


def position_of(text: str) -> Position | None:
    """What a board or panel in English says about a round; None for any other message."""
    _, cards, rest = text.partition(_CARDS)
    if not cards:
        return None
    lines = takewhile(lambda line: line.startswith(("# ", "Card played")), rest.splitlines())
    return (*lines, *_FIGURES.findall(text))


def positions_of(match: Match) -> Iterator[Position]:
    """What the board and the panels say about a match's round."""
    if match.stage is not Stage.TO_PLAY:
        return
    view = public_view(match)
    cards = table_cards(view, _ENGLISH).replace("\u2060", "")
    board, panel = [cards], [cards]
    for side in range(view.seating.sides):
        hands = "+".join(str(view.hand_counts[seat]) for seat in view.seating.seats_of(side))
        points, pile, escobas = view.totals[side], view.pile_counts[side], view.escobas[side]
        counted = f"**{points}** {'point' if points == 1 else 'points'}" + (
            f" (+{escobas} escoba{'s' * (escobas > 1)})" if escobas else ""
        )
        board.append(f"🎴 {hands} in hand · 📥 {pile} captured · {counted}")
        panel.append(f"{counted} 📥 {pile} captured")
    for lines in (board, panel):
        found = position_of("\n".join(lines))
        assert found is not None
        yield found


@dataclass(slots=True)
class Game:
    """One game's log, and the states that result from it."""

    id: int
    channel_id: int
    entries: list[Row] = field(default_factory=list)
    states: list[TableState] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    """When each of the states began."""
    closed: bool = False
    _positions: dict[Position, list[int]] = field(default_factory=dict)
    """The numbers of the states that a position fits: several if nobody had points when a round began."""
    _placed: int = 0
    """How many of the states are in `_positions`."""

    @property
    def state(self) -> TableState:
        """The newest state."""
        return self.states[-1]

    def in_match(self, version: int) -> TableState | None:
        """The first state whose match is at a version; None if there is none in the log."""
        for state in self.states[max(0, version - 1) :]:
            if state.match is not None and state.match.version == version:
                return state
        return None

    def match_at(self, moment: datetime) -> Match | None:
        """The match as the log had it at a moment."""
        return next((s.match for s, at in zip(self.states[::-1], self.times[::-1], strict=True) if at <= moment), None)

    def state_told_by(self, text: str, at: datetime | None = None) -> TableState | None:
        """The newest state of the match, up to a moment, that a board or panel fits; None if the log has none."""
        for number, state in enumerate(self.states[self._placed :], self._placed):
            for position in () if state.match is None else positions_of(state.match):
                self._positions.setdefault(position, []).append(number)
        self._placed = len(self.states)
        told = self._positions.get(position_of(text) or (), ())
        return next((self.states[n] for n in reversed(told) if at is None or self.times[n] <= at), None)

    def state_shown(self, buttons: Sequence[Press], text: str, at: datetime | None = None) -> TableState | None:
        """The state of the match that a message shows: the one that its buttons name, or else that its text fits."""
        named = next((press.version for press in buttons if press.verb in MATCH), None)
        return self.state_told_by(text, at) if named is None else self.in_match(named)

    def version_shown(self, buttons: Sequence[Press], text: str) -> int | None:
        """The version, as moves name it, that a message with buttons shows; None if it shows nothing in the log."""
        if (lobby := next((press.version for press in buttons if press.verb in LOBBY), None)) is not None:
            return lobby
        state = self.state_shown(buttons, text) if buttons else None
        return None if state is None else state.move_version

    def holds(self, buttons: Sequence[Press], text: str) -> bool:
        """Whether the log has the state that a message shows."""
        if any(press.verb in LOBBY and press.version > len(self.entries) for press in buttons):
            return False
        if any(press.verb in OVER for press in buttons):
            return self.state.phase is Phase.FINISHED
        if any(press.verb in MATCH and self.in_match(press.version) is None for press in buttons):
            return False
        return position_of(text) is None or self.state_shown(buttons, text) is not None


class ServerConnection:
    """A connection to a PostgreSQL server that is used like one to a file: `?` stands for a value."""

    def __init__(self, address: str) -> None:
        self._connection = psycopg.connect(address.replace("+psycopg", "", 1), autocommit=True)
        self._connection.execute("SET default_transaction_isolation = 'repeatable read'")

    def execute(self, query: str, values: Sequence[object] = ()) -> psycopg.Cursor[Any]:
        """Run a statement."""
        return self._connection.execute(cast("LiteralString", query.replace("?", "%s")), values or None)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def connect(database: str) -> sqlite3.Connection | ServerConnection:
    """Connect to the bot's database, even while the bot is using it."""
    return ServerConnection(database) if database.startswith("postgresql") else sqlite3.connect(database, timeout=20)


class Ledger:
    """All games in one database. `read` it again when more has happened; `findings` keeps everything found wrong."""

    def __init__(self, database: Path | str) -> None:
        self.database = str(database)
        self.games: dict[int, Game] = {}
        self.lost: list[str] = []
        self.results_wrong: list[str] = []
        self.leaks: list[str] = []
        self.broken: list[str] = []
        self.bodies = 0
        self.ends_shown: set[int] = set()
        """The games whose end was shown to everybody."""
        self._watch = LeakWatcher(lambda: None)

    @property
    def findings(self) -> list[str]:
        """Everything found wrong so far."""
        return [*self.lost, *self.results_wrong, *self.broken, *self.leaks]

    @property
    def moves(self) -> int:
        """The number of stored events of matches."""
        return sum(kind == "match" for game in self.games.values() for _, kind, _ in game.entries)

    @property
    def finished(self) -> int:
        """The number of matches played to their end."""
        return sum(game.state.phase is Phase.FINISHED for game in self.games.values())

    @property
    def ends_unshown(self) -> list[str]:
        """A finding for each finished match whose result was shown at most on panels."""
        finished = {game.id for game in self.games.values() if game.state.phase is Phase.FINISHED}
        return [f"the result of game {game} was never shown" for game in sorted(finished - self.ends_shown)]

    # -------------------------------------------------------------------------------------------------- reading
    def read(self) -> Ledger:
        """Read the database, whether or not the bot is running, and check that it is consistent."""
        with closing(connect(self.database)) as connection:
            connection.execute("BEGIN")
            rows = connection.execute("SELECT id, guild_id, channel_id, closed_at FROM games").fetchall()
            logs: dict[int, list[Row]] = {row[0]: [] for row in rows}
            times: dict[int, list[Moment]] = {row[0]: [] for row in rows}
            query = "SELECT at, game_id, version, kind, body FROM events ORDER BY 2, 3"
            for at, game_id, *entry in connection.execute(query):
                logs[game_id].append(tuple(entry))
                times[game_id].append(at)
            results = connection.execute("SELECT game_id, id, ranked, rounds FROM results").fetchall()
            seats = connection.execute(
                "SELECT result_id, seat, side, user_id, won, points, escobas FROM result_players ORDER BY 1, 2"
            ).fetchall()
            checks = isinstance(connection, sqlite3.Connection)
            if checks and connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                self.broken.append("the database fails its integrity check")
        for game_id, guild_id, channel_id, closed_at in rows:
            self._continue(game_id, channel_id, logs[game_id], times[game_id])
            game = self.games[game_id]
            game.closed = closed_at is not None
            if game.closed is game.state.open:
                self.broken.append(f"game {game_id}: row and log disagree (closed {closed_at})")
            self._check_result(game, guild_id, [row for row in results if row[0] == game_id], seats)
        busy = Counter(game.channel_id for game in self.games.values() if not game.closed)
        self.broken += [f"channel {channel} has {n} open games" for channel, n in busy.items() if n > 1]
        return self

    def _continue(self, game_id: int, channel_id: int, entries: list[Row], times: list[Moment]) -> None:
        game = self.games.setdefault(game_id, Game(game_id, channel_id))
        known = len(game.entries)
        if entries[:known] != game.entries:
            self.lost.append(f"game {game_id}: entries have changed or disappeared")
        if [version for version, _, _ in entries] != list(range(1, len(entries) + 1)):
            self.broken.append(f"game {game_id}: its versions are not 1, 2, 3 ...")
        for (version, kind, body), at in zip(entries[known:], times[known:], strict=True):
            event = decode(kind, body)
            try:
                game.states.append(game.state.apply(event) if game.states else fold([event]))
            except Exception as error:  # a corrupted log may raise anything
                self.broken.append(f"game {game_id}: version {version} can't be replayed: {error!r}")
                break
            game.entries.append((version, kind, body))
            game.times.append(_moment(at))

    def _check_result(self, game: Game, guild_id: int, rows: list[Any], seats: list[Any]) -> None:
        due = result_of(game.state, guild_id=guild_id, channel_id=game.channel_id, ended_at=datetime.now(UTC))
        if len(rows) != (due is not None):
            self.results_wrong.append(f"game {game.id} ({game.state.phase}) has {len(rows)} results")
        elif due is not None:
            _, result_id, ranked, rounds = rows[0]
            kept = [row[1:] for row in seats if row[0] == result_id]
            right = [(p.seat, p.side, p.user_id, p.won, p.points, p.escobas) for p in due.players]
            if kept != right or (ranked, rounds) != (due.ranked, due.rounds):
                self.results_wrong.append(f"game {game.id}: the stored result is {kept}, but should be {right}")

    # ------------------------------------------------------------------------------------------------ checking
    def check(self, requests: Iterable[Request]) -> None:
        """Check that everything shown is in the log as last read, and that no body reveals a hidden card."""
        latest: dict[int, tuple[Game, Match]] = {}
        for request in requests:
            if request.status not in (200, 204) or not request.body:
                continue
            components = request.message.get("components")
            shown = [press for press in presses(components) if press.game in self.games]
            text = words_of(components)
            self.lost += list(self._missing(request, shown, text))
            if request.viewer is None:
                self.ends_shown |= {press.game for press in shown if press.verb in OVER}
            channel, told = _channel_of(request), False
            for game, buttons in self._by_game(shown):
                over = any(press.verb in OVER for press in buttons)
                state = game.state if over else game.state_shown(buttons, text, request.at)
                if state is not None and state.match is not None:
                    latest[game.channel_id] = (game, state.match)
                    channel, told = game.channel_id, True
            # When a round begins, the text that remains of an older message names cards of the round that is over.
            if channel in latest and (shown or request.method != "PATCH"):
                game, match = latest[channel]
                # A board in pictures doesn't tell its state, and it may be shown before the panel that does.
                now = None if told else game.match_at(request.at)
                self._look(request, game, match if now is None else now, match)

    def _by_game(self, shown: Sequence[Press]) -> Iterator[tuple[Game, list[Press]]]:
        for game_id in dict.fromkeys(press.game for press in shown):
            yield self.games[game_id], [press for press in shown if press.game == game_id]

    def _missing(self, request: Request, shown: list[Press], text: str) -> Iterator[str]:
        for game, buttons in self._by_game(shown):
            if not game.holds(buttons, text):
                yield f"{request} showed {[press.custom_id for press in buttons]}, whose state isn't in the log"

    def _look(self, request: Request, game: Game, *matches: Match) -> None:
        """Note the cards in a body that were hidden in all of these states, of which it may show any."""
        self.bodies += 1
        seat = None if request.viewer is None else game.state.seat_of(request.viewer)
        texts = strings(request.body, request.file_names)
        found = [set(self._watch._leaks(request, texts, match, hidden_from(match, seat))) for match in matches]
        self.leaks += sorted(f"{request}: {leak}" for leak in set.intersection(*found))


def _channel_of(request: Request) -> int:
    if CALLBACK.fullmatch(request.path) or WEBHOOK.fullmatch(request.path):
        return 0
    found = CHANNEL.fullmatch(request.path)
    return int(found[1]) if found else 0


def _moment(at: Moment) -> datetime:
    """A time that the database returned; in a file all are UTC."""
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
