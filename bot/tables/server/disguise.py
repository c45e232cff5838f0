"""Replaces a person with a stand-in in stored logs and live tables, so that they are forgotten there."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.store import NOBODY, Rewrite
from bot.tables.log.codec import MATCH, CodecError, decode, encode
from bot.tables.log.events import Closed, Joined, LeftLobby, Opened, Person
from bot.tables.log.state import TableState

_LARGEST: Final = 2**52


class Disguise:
    """Replaces a person with a stand-in: a different one in each game, so that the games can't be linked.

    Stand-ins have negative ids, which Discord never assigns, and no name. `stand_ins` holds them by game.
    """

    def __init__(self, person_id: int) -> None:
        self.person_id = person_id
        self.stand_ins: dict[int, Person] = {}

    def rewriter(self, game_id: int) -> Rewrite:
        """A function that rewrites the entries of a game, which gets a stand-in of its own."""
        stand_in = self.stand_ins[game_id] = _stand_in()
        return partial(_rewritten, self.person_id, stand_in)

    def of_tournament(self, tournament_id: int) -> Callable[[str], str | None]:
        """A function that rewrites the entries of a tournament, which gets a stand-in of its own."""
        return partial(_rewritten_json, self.person_id, _stand_in())

    def put_on(self, game_id: int, state: TableState) -> TableState:
        """The state of a table as its rewritten log would make it."""
        stand_in = self.stand_ins.get(game_id)
        if stand_in is None:
            return state
        seats = tuple(
            replace(seat, name=stand_in.name, person_id=stand_in.id) if seat.person_id == self.person_id else seat
            for seat in state.seats
        )
        opener_id = stand_in.id if state.opener_id == self.person_id else state.opener_id
        invited, ended_by = _uninvited(state.invited, self.person_id), state.ended_by
        if ended_by is not None and ended_by.id == self.person_id:
            ended_by = stand_in
        return replace(state, seats=seats, opener_id=opener_id, invited=invited, ended_by=ended_by)


def _stand_in() -> Person:
    return Person(-1 - secrets.randbelow(_LARGEST), NOBODY)


def _rewritten_json(person_id: int, stand_in: Person, body: str) -> str | None:
    """The body of a tournament's entry with the stand-in in the person's place; None if it doesn't name the person.

    People are objects with an `id` and a `name` there, or the value of a `person_id`.
    """

    def replaced(value: Any) -> Any:
        if isinstance(value, list):
            return [replaced(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(value, dict):
            return value
        found: dict[str, Any] = {key: replaced(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        if found.get("person_id") == person_id:
            found["person_id"] = stand_in.id
        if found.get("id") == person_id and "name" in found:
            found |= {"id": stand_in.id, "name": stand_in.name}
        return found

    try:
        before = json.loads(body)
    except ValueError:
        return "{}"  # nobody can read it, and it may name the person
    after = replaced(before)
    return None if after == before else json.dumps(after, ensure_ascii=False, separators=(",", ":"))


def _rewritten(person_id: int, stand_in: Person, kind: str, body: str) -> str | None:
    """An entry's body with the stand-in in the person's place; None if it doesn't name the person."""
    if kind == MATCH:
        return None
    try:
        event = decode(kind, body)
    except CodecError:
        return "{}"  # nobody can read it, and it may name the person
    match event:
        case Opened(opener, _, invited):
            who = stand_in if opener.id == person_id else opener
            rewritten = replace(event, opener=who, invited=_uninvited(invited, person_id))
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
