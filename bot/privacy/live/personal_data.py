"""A person's data as one document: everything the store holds about them, for *Your data* in `/escoba me`."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import date, datetime
from typing import Any, Final

from bot.club.rules.gains import UNIT
from bot.club.rules.rating import Rating
from bot.club.store.results import MatchResult
from bot.coach.luck import load_luck
from bot.platform.eventlog import CodecError, LogEntry, named_in
from bot.platform.outside import read_json
from bot.platform.people import Person
from bot.privacy.live.keys import KEYS
from bot.privacy.store.erasure import PersonalData, PersonalRows
from bot.tables.log.codec import MATCH, decode
from bot.tables.log.events import (
    ChangeAccepted,
    Closed,
    Configured,
    Guests,
    GuestsChosen,
    Joined,
    LeftLobby,
    LogEvent,
    Opened,
    Presence,
    PresenceChanged,
    Reacted,
    TakenOff,
    TurnMissed,
)
from bot.tables.log.state import TableState, opened
from bot.tables.log.topics import (
    DaySpent,
    Nudged,
    Paused,
    QuestionAnswered,
    QuestionAsked,
    Resumed,
    SeatTaken,
    Topic,
)
from bot.tables.store.logs import Games
from bot.tables.store.rows import GameRow

_BY_SEAT: Final[dict[type[LogEvent], str]] = {
    ChangeAccepted: "agreed_to_change",
    TurnMissed: "missed_turn",
    DaySpent: "spent_holiday",
    Nudged: "nudged",
    Resumed: "resumed",
}
_AT_ONCE: Final = 20
"""Games whose logs are read together."""


async def personal_data(data: PersonalData, logs: Games, person_id: int, at: datetime) -> dict[str, Any]:
    """Everything the store holds about a person, across all servers, as a document for JSON.

    It contains no other people, and of a game that is still going on no card but one that they have named ahead. Raises
    StoreError if it can't be read.
    """
    rows = await data.of(person_id)
    names: set[str] = set()
    games: list[dict[str, Any]] = []
    for some in (rows.games[first : first + _AT_ONCE] for first in range(0, len(rows.games), _AT_ONCE)):
        found = await logs.with_logs([row.id for row in some])
        there = [found[row.id] for row in some if row.id in found]
        await asyncio.to_thread(_add_games, there, person_id, games, names, rows.broken_off)
    # In a thread, because there may be very many rows.
    return await asyncio.to_thread(_document, rows, names, games, person_id, at)


def _add_games(
    found: Sequence[tuple[GameRow, Sequence[LogEntry]]],
    person_id: int,
    games: list[dict[str, Any]],
    names: set[str],
    broken_off: frozenset[int],
) -> None:
    """Add what some games' logs say about a person, and the names that they have for them."""
    for row, entries in found:
        own = _own_part(row, entries, person_id)
        if own is not None:
            own["broken_off"] = row.id in broken_off
            names |= _names(entries, person_id)
            games.append(own)


def _document(
    rows: PersonalRows, names: set[str], games: list[dict[str, Any]], person_id: int, at: datetime
) -> dict[str, Any]:
    names |= {result.players[0].name for _, result in rows.results} | {answer.name for answer in rows.answers}
    return {
        "made_at": at.isoformat(),
        "user_id": str(person_id),
        "names": sorted(names),
        "choices": _read(rows.choices or ""),
        "chosen_at": rows.chosen_at and rows.chosen_at.isoformat(),
        "private_message": rows.owed,
        "games": games,
        "ahead": [{"game": number, **ahead.as_values()} for number, ahead in rows.ahead],
        "faces": [{"game": number, "face": face} for number, face in rows.faces],
        "votes": [{"game": number, "round": played, "side": side} for number, played, side in rows.votes],
        "roles": [{"server_id": str(role.guild_id), "role_id": str(role.role_id)} for role in rows.roles],
        "results": [_own_result(game_id, result) for game_id, result in rows.results],
        "reviews": [
            {"game": review.game_id, **_told(review.judgement, points_given_away="given_away", reviewed_at="at")}
            for review in rows.reviews
        ],
        "opponents": [
            {"server_id": str(guild_id), "matches": matches, "wins": wins, "losses": losses}
            for guild_id, matches, wins, losses in rows.rivals
        ],
        "gains": [
            {"server_id": str(guild_id), "day": day, "points": amount / UNIT} for guild_id, day, amount in rows.gains
        ],
        "practice": [
            _told(each, position="source", solved="step") | {"exercise": _read(each.exercise)} for each in rows.practice
        ],
        "lessons": [_told(lesson, moves="state") for lesson in rows.lessons],
        "answers": [
            _told(answer, "user_id", server_id="guild_id", points_given_away="lost", counts="counted")
            for answer in rows.answers
        ],
        "achievements": [
            {"server_id": str(guild_id), "achievement": achievement, "at": at.isoformat()}
            for guild_id, achievement, at in rows.achievements
        ],
        "rule_sets": [
            _told(rule_set, "id", "saved_by", server_id="guild_id", rules="config") | {"rules": _read(rule_set.config)}
            for rule_set in rows.rule_sets
        ],
        "keys": KEYS,
    }


def _told(row: Any, *without: str, **names: str) -> dict[str, Any]:
    """Tell the fields of a row but for some, a few under other names; times, days and a server's id as text."""
    new = {field: name for name, field in names.items()}
    told = {new.get(field, field): value for field, value in asdict(row).items() if field not in without}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in told.items()} | {
        name: value and str(value) for name, value in told.items() if name == "server_id"
    }


def _own_part(row: GameRow, entries: Sequence[LogEntry], person_id: int) -> dict[str, Any] | None:
    """Collect what a game's log says about a person; None if nothing."""
    game = _place(row.id, row.guild_id, row.channel_id) | {
        "opened_at": row.opened_at.isoformat(),
        "closed_at": None if row.closed_at is None else row.closed_at.isoformat(),
        "opened_by_you": row.opener_id == person_id,
        "language": row.locale,
        "open": row.closed_at is None,
    }
    appearances: list[dict[str, Any]] = []
    moves: list[str] = []
    times: list[str] = []
    seat: int | None = None
    state: TableState | None = None
    try:
        for entry in entries:
            if entry.kind == MATCH:
                # A seat may change hands in a match; a move begins with its seat's number.
                holds = None if state is None else _seat(state, person_id)
                seat = seat if holds is None else holds
                if holds is not None and entry.body.partition(" ")[0] == str(holds):
                    moves.append(entry.body)
                    times.append(entry.at.isoformat())
                continue
            event = decode(entry.kind, entry.body)
            if (what := _appearance(event, state, person_id)) is not None:
                appearances.append({"at": entry.at.isoformat()} | what)
            state = opened(event) if isinstance(event, Opened) else state and state.apply(event)
    except Exception as error:  # a damaged log may raise anything; the document still has the rest
        game["unreadable"] = type(error).__name__
    if not (appearances or row.opener_id == person_id):
        return None
    if row.closed_at is None:
        return game
    return game | {"seat": seat, "you": appearances, "moves": moves, "moved_at": times}


def _appearance(event: LogEvent, state: TableState | None, person_id: int) -> dict[str, Any] | None:
    """Collect what an event outside the match says about a person."""
    match event:
        case Opened(person) if person.id == person_id:
            return {"what": "opened", "name": person.name}
        case Opened(_, _, invited):
            what = "challenged" if event.challenge else "invited"
            names = (guest.name for guest in invited if guest is not None and guest.id == person_id)
            return next(({"what": what, "name": name} for name in names), None)
        case Joined(person) if person.id == person_id:
            return {"what": "joined", "name": person.name}
        case LeftLobby(other) if other == person_id:
            return {"what": "left"}
        case TakenOff(other) if other == person_id:
            return {"what": "taken_off"}
        case GuestsChosen(Guests(invited)):
            names = (guest.name for guest in invited if guest is not None and guest.id == person_id)
            return next(({"what": "chosen", "name": name} for name in names), None)
        case Closed(_, by=Person() as person) if person.id == person_id:
            return {"what": "ended", "name": person.name}
        case PresenceChanged(index, presence) if state and state.seats[index].person_id == person_id:
            return {"what": presence.value}
        case PresenceChanged(index, presence, int(by)) if state and state.seats[by].person_id == person_id:
            claimed = presence is Presence.LEFT
            return {"what": "claimed_match" if claimed else "called_computer", "for_seat": index}
        case QuestionAsked(by=Person() as person):
            return {"what": "asked_for_seat", "name": person.name} if person.id == person_id else None
        case QuestionAsked(index, topic=topic) if state and state.seats[index].person_id == person_id:
            return {"what": f"proposed_{topic}"}
        case QuestionAnswered(index, agrees) if state and state.seats[index].person_id == person_id:
            topic = Topic.END if state.question is None else state.question.topic
            return {"what": f"agreed_to_{topic}" if agrees else f"against_{topic}"}
        case Configured(by=int(index)) | Paused(index) if state and state.seats[index].person_id == person_id:
            return {"what": "paused", "until": event.until} if isinstance(event, Paused) else {"what": "changed_lobby"}
        case ChangeAccepted(index) | TurnMissed(index) | DaySpent(index) | Nudged(index) | Resumed(index) if (
            state and state.seats[index].person_id == person_id
        ):
            return {"what": _BY_SEAT[type(event)]}
        case SeatTaken(_, person) if person.id == person_id:
            return {"what": "took_seat", "name": person.name}
        case Reacted(index, sign) if state and state.seats[index].person_id == person_id:
            return {"what": "reacted", "sign": sign.value}
        case _:
            return None


def _seat(state: TableState, person_id: int) -> int | None:
    return next((index for index, seat in enumerate(state.seats) if seat.person_id == person_id), None)


def _names(entries: Sequence[LogEntry], person_id: int) -> set[str]:
    names: set[str] = set()
    for entry in entries:
        if entry.kind != MATCH:
            with suppress(CodecError):
                event = decode(entry.kind, entry.body)
                names |= {person.name for person in named_in(event) if person.id == person_id}
    return names


def _read(text: str) -> Any:
    """The value of a stored text in JSON; None if it is empty, and the text itself if it is damaged."""
    try:
        return read_json(text) if text else None
    except ValueError:
        return text


def _own_result(game_id: int, result: MatchResult) -> dict[str, Any]:
    player = result.players[0]
    own = asdict(player)
    for name in ("user_id", "deeds", "mu", "sigma", "new_mu", "new_sigma", "weight"):
        del own[name]
    own["sources"] = _read(own["sources"] or "")
    own["rating"] = None
    if player.weight is not None:
        before, after = _own_rating(player.mu, player.sigma), _own_rating(player.new_mu, player.new_sigma)
        own["rating"] = {"before": before, "after": after, "weight": player.weight}
    return (
        _place(game_id, result.guild_id, result.channel_id)
        | {
            "ended_at": result.ended_at.isoformat(),
            "rule_system": result.preset,
            "rule_set": result.rule_set,
            "target": result.target,
            "seating": result.seating,
            "rounds": result.rounds,
            "counts": result.ranked,
            "friendly": result.friendly,
            "luck": None if result.luck is None else _own_luck(result.luck, result.players[0].side),
        }
        | own
    )


def _own_rating(mu: float | None, sigma: float | None) -> dict[str, float] | None:
    if mu is None or sigma is None:
        return None
    return {"shown": Rating(mu, sigma).shown, "strength": mu, "uncertainty": sigma}


def _own_luck(text: str, side: int) -> dict[str, float]:
    own = load_luck(text)[side]
    return {"cards": own.cards / 10, "rest": own.rest / 10, "spread": own.spread / 10}


def _place(game_id: int, guild_id: int | None, channel_id: int | None) -> dict[str, Any]:
    # Discord's ids are strings, as in its own documents: many JSON parsers lose digits of such large numbers.
    where = {"server_id": guild_id, "channel_id": channel_id}
    return {"game": game_id} | {key: None if value is None else str(value) for key, value in where.items()}
