"""A person's data: what the store holds about them as one document, and how tables and logs forget them."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from bot.store import NOBODY, GameRow, LogEntry, MatchResult, Rewrite, Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import Leave
from bot.tables.log.codec import MATCH, CodecError, decode, encode
from bot.tables.log.state import (
    Closed,
    Joined,
    LeftLobby,
    LogEvent,
    Opened,
    Person,
    PresenceChanged,
    TableState,
    opened,
)
from bot.tables.manager import TableManager
from bot.tables.preferences import Preferences
from bot.tables.table import Table

KEYS: Final = {
    "user_id": "your id on Discord",
    "names": "the names under which you joined games, each once",
    "games": "the games you opened, sat in, were invited to or ended; 'game' is the bot's own number of it",
    "games.language": "the language of its public messages; if you opened it, maybe that of your Discord",
    "games.open": "whether it still goes on; of such a game this file tells no more, because its cards are secret",
    "games.seat": "your seat in its match, counted from 0; null if there was none",
    "games.you": "when you opened, joined, left or ended it, were away or came back, and your name then",
    "games.moves": "what you played, in order: your seat, the card, and after an x what it took. Cards are a number "
    "and a suit: o(ros), c(opas), e(spadas), b(astos). A ? shows a card whose capture was still to be chosen, 'back' "
    "takes it back, 'claim' takes what another has missed",
    "choices.told": "when you are told that it's your turn: at_once, later (after a while), never",
    "results": "the matches that you played to their end",
    "results.counts": "whether it counts for the leaderboard; matches against computers only don't",
    "results.rule_system": "the rule system, with 'target' the points that it was played to",
    "results.side": "your side, counted from 0: partners share one",
    "reviews": "the matches that you had me look back at: how right your decisions were, in thousandths, and how many",
    "times": "are in UTC",
}
"""What the document's keys mean; it is part of the document."""

_LARGEST: Final = 2**52
_DONE_ALREADY: Final = (RefusalCode.NOT_SEATED, RefusalCode.GAME_OVER)


class OneAtATime:
    """Lets each person have one request about their data under way: it may read through much."""

    def __init__(self) -> None:
        self._busy: set[int] = set()

    @contextmanager
    def of(self, person_id: int) -> Generator[None]:
        """A person's request, for as long as the block lasts.

        Raises:
            Refusal: if another one of theirs is under way.
        """
        if person_id in self._busy:
            raise Refusal(RefusalCode.DATA_BUSY)
        self._busy.add(person_id)
        try:
            yield
        finally:
            self._busy.discard(person_id)


# ------------------------------------------------------------------------------ telling


async def personal_data(store: Store, person_id: int, at: datetime) -> dict[str, Any]:
    """Everything the store holds about a person, over all servers, as a document for JSON.

    Other people are not in it, and no card of a game that still goes on.

    Raises:
        StoreError: if it can't be read.
    """
    rows = await store.personal_data(person_id)
    names: set[str] = set()
    games: list[dict[str, Any]] = []
    for row in rows.games:
        entries = await store.log(row.id)
        own = _own_part(row, entries, person_id)
        if own is not None:
            names |= _names(entries, person_id)
            games.append(own)
    names |= {result.players[0].name for _, result in rows.results}
    return {
        "made_at": at.isoformat(),
        "user_id": str(person_id),
        "names": sorted(names),
        "choices": None if rows.choices is None else asdict(Preferences.load(rows.choices)),
        "games": games,
        "results": [_own_result(game_id, result) for game_id, result in rows.results],
        "reviews": [
            {
                "game": review.game_id,
                "reviewed_at": review.at.isoformat(),
                "accuracy": review.accuracy,
                "decisions": review.decisions,
            }
            for review in rows.reviews
        ],
        "keys": KEYS,
    }


def _own_part(row: GameRow, entries: Sequence[LogEntry], person_id: int) -> dict[str, Any] | None:
    """What a game's log tells about a person; None if nothing does."""
    game = _place(row.id, row.guild_id, row.channel_id) | {
        "opened_at": row.opened_at.isoformat(),
        "closed_at": None if row.closed_at is None else row.closed_at.isoformat(),
        "opened_by_you": row.opener_id == person_id,
        "language": row.locale,
        "open": row.closed_at is None,
    }
    told: list[dict[str, str]] = []
    moves: list[str] = []
    seat: int | None = None
    state: TableState | None = None
    try:
        for entry in entries:
            if entry.kind == MATCH:
                # Seats don't change hands in a match; what they played begins with their number.
                seat = None if state is None else _seat(state, person_id)
                if seat is not None and entry.body.partition(" ")[0] == str(seat):
                    moves.append(entry.body)
                continue
            event = decode(entry.kind, entry.body)
            if (what := _told(event, state, person_id)) is not None:
                told.append({"at": entry.at.isoformat()} | what)
            state = opened(event) if isinstance(event, Opened) else state and state.apply(event)
    except Exception as error:  # whatever a damaged log raises, the rest of the document is made
        game["unreadable"] = type(error).__name__
    if not (told or row.opener_id == person_id):
        return None
    return game if row.closed_at is None else game | {"seat": seat, "you": told, "moves": moves}


def _told(event: LogEvent, state: TableState | None, person_id: int) -> dict[str, str] | None:
    """What an event that isn't the match's says about a person."""
    match event:
        case Opened(person) if person.id == person_id:
            return {"what": "opened", "name": person.name}
        case Joined(person) if person.id == person_id:
            return {"what": "joined", "name": person.name}
        case LeftLobby(other) if other == person_id:
            return {"what": "left"}
        case Closed(_, by=Person() as person) if person.id == person_id:
            return {"what": "ended", "name": person.name}
        case PresenceChanged(index, presence) if state and state.seats[index].person_id == person_id:
            return {"what": presence.value}
        case _:
            return None


def _seat(state: TableState, person_id: int) -> int | None:
    return next((index for index, seat in enumerate(state.seats) if seat.person_id == person_id), None)


def _names(entries: Sequence[LogEntry], person_id: int) -> set[str]:
    """The names under which a person is in a log."""
    found: set[str] = set()
    for entry in entries:
        person = None if entry.kind == MATCH else _person(entry)
        if person is not None and person.id == person_id:
            found.add(person.name)
    return found


def _person(entry: LogEntry) -> Person | None:
    try:
        event = decode(entry.kind, entry.body)
    except CodecError:
        return None
    match event:
        case Opened(person) | Joined(person) | Closed(by=Person() as person):
            return person
        case _:
            return None


def _own_result(game_id: int, result: MatchResult) -> dict[str, Any]:
    own = asdict(result.players[0])
    del own["user_id"]
    return (
        _place(game_id, result.guild_id, result.channel_id)
        | {
            "ended_at": result.ended_at.isoformat(),
            "rule_system": result.preset,
            "target": result.target,
            "seating": result.seating,
            "rounds": result.rounds,
            "counts": result.ranked,
        }
        | own
    )


def _place(game_id: int, guild_id: int, channel_id: int) -> dict[str, Any]:
    # Discord's ids are texts, as in its own documents: many readers of JSON lose digits of such numbers.
    return {"game": game_id, "server_id": str(guild_id), "channel_id": str(channel_id)}


# ------------------------------------------------------------------------------ forgetting


class Disguise:
    """Puts somebody else in a person's place: in each game another, so that the games can't be joined together.

    The stand-ins have negative ids, which Discord never gives out, and no name. `stand_ins` holds them by game.
    """

    def __init__(self, person_id: int) -> None:
        self.person_id = person_id
        self.stand_ins: dict[int, Person] = {}

    def rewriter(self, game_id: int) -> Rewrite:
        """What rewrites the entries of a game."""
        stand_in = self.stand_ins[game_id] = Person(-1 - secrets.randbelow(_LARGEST), NOBODY)
        return partial(_rewritten, self.person_id, stand_in)

    def put_on(self, game_id: int, state: TableState) -> TableState:
        """The state of a table whose log was rewritten."""
        stand_in = self.stand_ins.get(game_id)
        if stand_in is None:
            return state
        seats = tuple(
            replace(seat, name=stand_in.name, person_id=stand_in.id) if seat.person_id == self.person_id else seat
            for seat in state.seats
        )
        opener_id = stand_in.id if state.opener_id == self.person_id else state.opener_id
        invited = _uninvited(state.invited, self.person_id)
        return replace(state, seats=seats, opener_id=opener_id, invited=invited)


def _rewritten(person_id: int, stand_in: Person, kind: str, body: str) -> str | None:
    """An entry's body with the stand-in for the person; None if it doesn't name the person."""
    if kind == MATCH:
        return None
    try:
        event = decode(kind, body)
    except CodecError:
        return "{}"  # nobody can read it, and it may name the person
    match event:
        case Opened(opener, config, invited):
            who = stand_in if opener.id == person_id else opener
            rewritten = Opened(who, config, _uninvited(invited, person_id))
            return None if rewritten == event else encode(rewritten)[1]
        case Joined(person) if person.id == person_id:
            return encode(Joined(stand_in))[1]
        case LeftLobby(other) if other == person_id:
            return encode(LeftLobby(stand_in.id))[1]
        case Closed(phase, by=Person() as person) if person.id == person_id:
            return encode(Closed(phase, stand_in))[1]
        case _:
            return None


def _uninvited(invited: tuple[Person | None, ...], person_id: int) -> tuple[Person | None, ...]:
    return tuple(None if person is not None and person.id == person_id else person for person in invited)


async def erase(store: Store, tables: TableManager, person: Person) -> int:
    """Let a person leave every open table, then take them out of all that is stored and shown.

    Returns how many rows changed.
    Their tables stand still while that is written. A table that they join again at the same time keeps them: that came
    after the erasing. Doing it twice changes nothing more. What is open in another process is noted in the same
    transaction, and that one is told: see `erase_due`.

    Raises:
        Refusal: if the store can't write; they have left their tables by then, maybe.
    """
    try:
        rows = await store.personal_data(person.id)
        own = [row.id for row in rows.games if row.closed_at is None and tables.shards.has(row.guild_id)]
        found = [table for game_id in own if (table := await tables.find(game_id)) is not None]
    except StoreError as error:
        raise Refusal(RefusalCode.UNAVAILABLE) from error
    try:
        for table in found:
            await _leave(table, person)
    except Refusal as error:
        raise Refusal(RefusalCode.NOT_ERASED if error.code is RefusalCode.UNAVAILABLE else error.code) from error
    disguise = Disguise(person.id)
    async with AsyncExitStack() as stack:
        for table in found:  # by their ids, so that two erasings never wait for each other in a ring
            await stack.enter_async_context(table.standing_still())
        free = [table.id for table in found if table.seat_of(person.id) is None]
        try:
            touched = await store.forget(person.id, disguise.rewriter, open_games=free, shards=tables.shards)
        except StoreError as error:
            raise Refusal(RefusalCode.NOT_ERASED) from error
        tables.preferences.forget(person.id)
        for table in found:
            table.retell(partial(disguise.put_on, table.id))
    for table in found:
        if tables.get(table.id) is table:  # one that they closed by leaving is shown so already
            tables.announce(table)
    return touched


async def erase_due(store: Store, tables: TableManager) -> int:
    """Let everybody leave these tables, and be forgotten there, whom another process was asked to forget.

    Returns from how many games. Of one that has ended meanwhile there may be a result: then all is erased once more.

    Raises:
        StoreError, Refusal: if the store can't; the rest stays due.
    """
    due = await store.erasures_due(tables.shards)
    for game_id, person_id in due:
        disguise = Disguise(person_id)
        table = await tables.find(game_id)
        if table is None:
            await store.forget(person_id, disguise.rewriter, shards=tables.shards)
            await store.forget_in(game_id, person_id, disguise.rewriter)
            continue
        await _leave(table, Person(person_id, NOBODY))
        async with table.standing_still():
            if table.seat_of(person_id) is not None:
                continue  # they have just joined again, and leave again when this is next looked at
            await store.forget_in(game_id, person_id, disguise.rewriter)
            table.retell(partial(disguise.put_on, game_id))
        if tables.get(game_id) is table:
            tables.announce(table)
    return len(due)


async def _leave(table: Table, person: Person) -> None:
    if table.seat_of(person.id) is None:
        return
    try:
        await table.submit(Leave(person))
    except Refusal as error:
        if error.code not in _DONE_ALREADY:
            raise
