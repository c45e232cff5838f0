"""The travelling sheet of a round whose tables play the same boards: who has done what with each of them.

It is made for one person: a board is open to them once they have played it themselves, and to everybody once all
tables of the round have ended. Whatever isn't open to them isn't in their sheet.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

from cachetools import LRUCache

from bot.engine.cards import Card
from bot.engine.events import LaterEvent, MatchStarted, RoundDealt
from bot.engine.highlights import Feat, Highlights, no_highlights
from bot.engine.match import Match, start
from bot.engine.rules import Rules, Seating
from bot.engine.scoring import RoundScore
from bot.platform.database.continuing import read_log
from bot.platform.eventlog import LogEntry
from bot.tables.log.codec import decode
from bot.tables.store.logs import Games
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.matchpoints import BoardScore, round_scores
from bot.tournaments.rules.tournament import Format, Pairing, Tournament, TournamentRound

KEPT: Final = 128
"""Finished tables that are kept in memory."""


@dataclass(frozen=True, slots=True)
class PlayedBoards:
    """A table's results on its boards: their decks, in order, and the score and the best capture of each board
    that is scored."""

    decks: tuple[tuple[Card, ...], ...] = ()
    scores: tuple[RoundScore, ...] = ()
    best: tuple[Feat | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """The outcome of a board at a table, seen from two seats: the side that was dealt to first, and the dealer's side.

    Attributes:
        table: the table in the round, from 1.
        entries: the numbers of the entries that sat there.
        sides: which side of the match each of them was.
        points: what each scored; None if the board wasn't played.
        percents: how each compares with the others in the same seat; None before the round is over.
        score: item by item, by side of the match; None if the table's log is gone.
        best: the best capture.
    """

    table: int
    entries: tuple[int, int]
    sides: tuple[int, int]
    points: tuple[int, int] | None
    percents: tuple[Fraction, Fraction] | None = None
    score: RoundScore | None = None
    best: Feat | None = None


@dataclass(frozen=True, slots=True)
class BoardDeal:
    """The deal of a board: the first table cards, and in each deal the hands in the order of dealing, the dealer's
    last."""

    table: tuple[Card, ...]
    hands: tuple[tuple[tuple[Card, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """A board that is open: its number in the tournament, how it was dealt, if that is known, and each table's line,
    the best result for the side that was dealt to first on top."""

    number: int
    deal: BoardDeal | None
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round's sheet for one person.

    Attributes:
        tournament: its number.
        state: the tournament.
        round: the round, from 1.
        over: whether all its tables have ended, so that everything is open to everybody.
        entry: the person's own entry; None if they have none in this round.
        boards: the boards; None for one that isn't open to them.
    """

    tournament: int
    state: Tournament
    round: int
    over: bool
    entry: int | None
    boards: tuple[BoardSheet | None, ...]


def is_over(view: TournamentView, number: int) -> bool:
    """Whether no table of a round plays any more, so that its boards are open to everybody.

    The organiser may have given an outcome to a table that still plays.
    """
    if any(link.open for (round, _), link in view.tables.items() if round == number):
        return False
    rounds = view.state.rounds
    return not view.state.stage.open or number > len(rounds) or rounds[number - 1].over


def played_of(entries: Sequence[LogEntry]) -> PlayedBoards:
    """Read from its log what a table has done with its boards.

    Raises CodecError if a row can't be read, IllegalMove if an event isn't legal where it stands.
    """
    match: Match | None = None
    decks: list[tuple[Card, ...]] = []
    best: list[Feat | None] = []
    highlights = Highlights(())
    for entry in entries:
        event = decode(entry.kind, entry.body)
        if isinstance(event, MatchStarted):
            match = start(event)
        elif isinstance(event, LaterEvent) and match is not None:
            if isinstance(event, RoundDealt):
                decks.append(event.deck)
                highlights = no_highlights(match.seating)
            scored, match = len(match.scores), match.apply(event)
            highlights = highlights.after_event(match)
            if len(match.scores) > scored:
                best.append(highlights.best)
    return PlayedBoards(tuple(decks), () if match is None else match.scores, tuple(best))


def deal_of(rules: Rules, seating: Seating, deck: Sequence[Card]) -> BoardDeal:
    """Deal a deck: the first hands in turn, then the table, and then more hands until it is used up."""
    seats = seating.seats
    sizes = rules.hands(seating)
    lying = rules.table_cards(seating)
    at = seats * sizes[0]
    rest = iter((*deck[:at], *deck[at + lying :]))
    hands = tuple(tuple(tuple(islice(rest, size)) for _ in range(seats)) for size in sizes)
    return BoardDeal(tuple(deck[at : at + lying]), hands)


class Sheets:
    """Makes sheets from the logs of tables, and keeps those of tables that have ended."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._kept: LRUCache[int, PlayedBoards] = LRUCache(KEPT)

    async def sheet(self, view: TournamentView, number: int, person_id: int | None) -> RoundSheet | None:
        """A round's sheet for a person, or for everybody (None); `number` 0 means the latest round.

        None if there is no such round, or its tables play different cards. Raises StoreError if a log can't be read.
        """
        state = view.state
        number = number or len(state.rounds)
        if state.setup.format is not Format.DUPLICATE or not 1 <= number <= len(state.rounds):
            return None
        round, tables = state.rounds[number - 1], dict[int, PlayedBoards]()
        for pairing in round.pairings:
            link = view.link(number, pairing.table)
            tables[pairing.table] = (
                PlayedBoards() if link is None else await self._played(link.game_id, ended=not link.open)
            )
        return sheet_of(view.id, state, round, tables, person_id, over=is_over(view, number))

    async def _played(self, game_id: int, *, ended: bool) -> PlayedBoards:
        if (kept := self._kept.get(game_id)) is not None:
            return kept
        found = await read_log(played_of, await self._games.log(game_id))
        await asyncio.sleep(0)  # a round has up to 32 tables
        if ended:
            self._kept[game_id] = found
        return found


def sheet_of(
    tournament: int,
    state: Tournament,
    round: TournamentRound,
    tables: Mapping[int, PlayedBoards],
    person_id: int | None,
    *,
    over: bool,
) -> RoundSheet:
    """A round's sheet from what its tables have done, for a person or for everybody (None)."""
    own = None if person_id is None else _own(state, round, person_id)
    count = state.setup.boards
    done = 0 if own is None else len(tables[own[0].table].scores)
    scores: Mapping[int, tuple[BoardScore, ...]] = round_scores(state, round) if over else {}
    boards = tuple(
        _board((round.number - 1) * count + place, place, state, round, tables, scores)
        if over or place <= done
        else None
        for place in range(1, count + 1)
    )
    return RoundSheet(tournament, state, round.number, over, None if own is None else own[1], boards)


def _own(state: Tournament, round: TournamentRound, person_id: int) -> tuple[Pairing, int] | None:
    """The pairing that a person plays in, and their entry."""
    for pairing in round.pairings:
        for number in (pairing.first, pairing.second):
            if any(person.id == person_id for person in state.entry(number).people):
                return pairing, number
    return None


def _board(
    number: int,
    place: int,
    state: Tournament,
    round: TournamentRound,
    tables: Mapping[int, PlayedBoards],
    scores: Mapping[int, tuple[BoardScore, ...]],
) -> BoardSheet:
    decks = [played.decks[place - 1] for played in tables.values() if len(played.decks) >= place]
    seating = Seating.PAIRS if state.setup.pairs else Seating.TWO
    lines = [
        line
        for pairing in round.pairings
        if (line := _line(place, pairing, round, tables[pairing.table], scores)) is not None
    ]
    lines.sort(key=lambda line: (line.points is None, 0 if line.points is None else line.points[1] - line.points[0]))
    deal = deal_of(state.setup.rules, seating, decks[0]) if decks else None
    return BoardSheet(number, deal, tuple(lines))


def _line(
    place: int,
    pairing: Pairing,
    round: TournamentRound,
    played: PlayedBoards,
    scores: Mapping[int, tuple[BoardScore, ...]],
) -> Line | None:
    """A table's line for a board of the round; None if the table hasn't played it, or ended without a result."""
    one = (place - 1) % 2  # who is dealt to first: the match's sides take turns, beginning with the first
    sides, two = (one, 1 - one), (pairing.first, pairing.second)
    entries = (two[sides[0]], two[sides[1]])
    has_played = len(played.scores) >= place
    score, best = (played.scores[place - 1], played.best[place - 1]) if has_played else (None, None)
    points = None if score is None else (score.points[sides[0]], score.points[sides[1]])
    percents = None
    if pairing.first in scores:  # the round is over, and an outcome may have been corrected since
        judged = scores[entries[0]][place - 1], scores[entries[1]][place - 1]
        points, percents = judged[0].points, (judged[0].percent, judged[1].percent)
    if points is None and percents is None:
        return None
    return Line(pairing.table, entries, sides, points, percents, score, best)
