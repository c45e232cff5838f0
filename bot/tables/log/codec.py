"""Log events as text for the store and back: match events in the engine's notation, the others as small JSON objects.

Every later version must read what is written here, because games outlive releases: change the format only so that old
rows stay readable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from bot.club.rule_set import RuleSet
from bot.engine.notation import format_event, format_rules, parse_event, parse_rules
from bot.players import Character, Level
from bot.store import LogEntry
from bot.tables.log.events import (
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    Fixture,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Opened,
    Person,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
    Swapped,
)
from bot.tables.log.reactions import Sign
from bot.tables.log.state import TableState, opened

MATCH = "match"
"""The kind of a row whose body is in the engine's notation."""


class CodecError(Exception):
    """A row of the log can't be read."""


def encode(event: LogEvent) -> tuple[str, str]:
    match event:
        case Opened(opener, config, invited, movable, fixture, challenge):
            body: dict[str, object] = {"person": _person(opener), "config": _config(config)}
            if invited:
                body["invited"] = [None if person is None else _person(person) for person in invited]
            if movable:
                body["movable"] = True
            if fixture is not None:
                body["fixture"] = asdict(fixture)
            if challenge:
                body["challenge"] = True
            return "opened", _json(**body)
        case Moved(thread_id):
            return "moved", _json(thread_id=thread_id)
        case Joined(person):
            return "joined", _json(person=_person(person))
        case LeftLobby(person_id):
            return "left_lobby", _json(person_id=person_id)
        case ComputerAdded(name, level, character):
            return "computer_added", _json(name=name, level=level.value, character=character.value)
        case ComputerRemoved():
            return "computer_removed", _json()
        case Swapped(first, second):
            return "swapped", _json(first=first, second=second)
        case Configured(config):
            return "configured", _json(config=_config(config))
        case PresenceChanged(seat, presence, by):
            asked = {} if by is None else {"by": by}
            return "presence", _json(seat=seat, presence=presence.value, **asked)
        case Reacted(seat, sign):
            return "reacted", _json(seat=seat, sign=sign.value)
        case Closed(phase, by):
            named = {} if by is None else {"person": _person(by)}
            return "closed", _json(phase=phase.value, **named)
        case _:
            return MATCH, format_event(event)


def decode(kind: str, body: str) -> LogEvent:
    """The event of a stored kind and body.

    Raises:
        CodecError: if the kind is unknown, or the body doesn't fit it.
    """
    try:
        return parse_event(body) if kind == MATCH else _decode(kind, json.loads(body))
    except CodecError:
        raise
    except Exception as error:
        raise CodecError(f"a {kind[:20]} row can't be read: {type(error).__name__}") from error


def encode_config(config: Config) -> str:
    """A configuration by itself, as the log has it."""
    return _json(**_config(config))


def decode_config(text: str) -> Config:
    """Read what `encode_config` has written.

    Raises:
        CodecError: if that can't be read.
    """
    try:
        return _parse_config(json.loads(text))
    except Exception as error:
        raise CodecError(f"a configuration can't be read: {type(error).__name__}") from error


def people_of(events: Iterable[LogEvent]) -> list[int]:
    """The ids of the people whom events name, each once: those who opened the table, are invited, joined, or closed it
    because it was forgotten."""
    named: list[Person | None] = []
    for event in events:
        match event:
            case Opened(opener, _, invited):
                named += [opener, *invited]
            case Joined(person) | Closed(_, person):
                named.append(person)
            case _:
                pass
    return list(dict.fromkeys(person.id for person in named if person is not None))


def fold(events: Iterable[LogEvent]) -> TableState:
    """The state that a log's events make.

    Raises:
        CodecError: if they don't begin with an `Opened`.
        IllegalMove: if one isn't legal where it stands.
    """
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, Opened):
        raise CodecError("a log begins with the opening of its table")
    return opened(first).apply_all(rest)


def replayed(entries: Sequence[LogEntry]) -> TableState:
    """The state that a stored log makes.

    Raises:
        CodecError: if a row can't be read or one is missing.
        IllegalMove: if an event isn't legal where it stands.
    """
    state = fold(decode(entry.kind, entry.body) for entry in entries)
    if state.version != entries[-1].version:
        raise CodecError("entries are missing")
    return state


def _decode(kind: str, body: dict[str, Any]) -> LogEvent:
    match kind:
        case "opened":
            invited = tuple(None if person is None else Person(**person) for person in body.get("invited", ()))
            movable = body.get("movable", False)
            fixture = _parse_fixture(body["fixture"]) if "fixture" in body else None
            config, challenge = _parse_config(body["config"]), body.get("challenge", False)
            return Opened(Person(**body["person"]), config, invited, movable, fixture, challenge)
        case "moved":
            return Moved(body["thread_id"])
        case "joined":
            return Joined(Person(**body["person"]))
        case "left_lobby":
            return LeftLobby(body["person_id"])
        case "computer_added":
            return ComputerAdded(body["name"], Level(body["level"]), Character(body["character"]))
        case "computer_removed":
            return ComputerRemoved()
        case "swapped":
            return Swapped(body["first"], body["second"])
        case "configured":
            return Configured(_parse_config(body["config"]))
        case "presence":
            return PresenceChanged(body["seat"], Presence(body["presence"]), body.get("by"))
        case "reacted":
            return Reacted(body["seat"], Sign(body["sign"]))
        case "closed":
            return Closed(Phase(body["phase"]), Person(**body["person"]) if "person" in body else None)
        case _:
            raise CodecError(f"no such kind of row: {kind[:20]}")


def _json(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _person(person: Person) -> dict[str, object]:
    return {"id": person.id, "name": person.name}


def _config(config: Config) -> dict[str, object]:
    body: dict[str, object] = {
        "preset": config.preset,
        "rules": format_rules(config.rules),
        "teams": config.teams,
        "capacity": config.capacity,
    }
    if not config.rated:
        body["rated"] = False
    if config.hints:
        body["hints"] = True
    if config.threes:
        body["threes"] = True
    if config.own is not None:
        body["own"] = {**asdict(config.own), "rules": format_rules(config.own.rules)}
    return body


def _parse_config(body: dict[str, Any]) -> Config:
    rules, rated, hints = parse_rules(body["rules"].split()), body.get("rated", True), body.get("hints", False)
    own = _parse_rule_set(body["own"]) if "own" in body else None
    threes = body.get("threes", False)
    return Config(body["preset"], rules, body["teams"], body["capacity"], rated, hints, threes, own)


def _parse_rule_set(body: dict[str, Any]) -> RuleSet:
    return RuleSet(body["number"], body["name"], parse_rules(body["rules"].split()))


def _parse_fixture(body: dict[str, Any]) -> Fixture:
    return Fixture(body["tournament"], body["round"], body["table"], tuple(body["boards"]), body["attempt"])
