"""Messages, commands and matches as JSON for the page."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from bot.cards.pictures.deck.decks import Cut, face_drawing
from bot.cards.words.cards import spoken
from bot.demo.simulated import CDN_BASE, Json
from bot.engine.cards import DECK
from bot.engine.facts import CaptureClaimed, CardPlayed, Fact, OpeningTaken
from bot.engine.match_file import MatchFile, MatchFileError, read
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.replays.words.match_text import MatchStep, heading_lines, players_of, steps_of
from bot.tables.live.view import holder_name

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15

SUBCOMMAND, GROUP = 1, 2

_OPTION_FIELDS = (
    "type", "required", "choices", "min_value", "max_value", "min_length", "max_length", "autocomplete",
)  # fmt: skip


def milliseconds(iso: str | None) -> int | None:
    """A time as JavaScript counts it, in milliseconds; None stays None."""
    return None if not iso else round(datetime.fromisoformat(iso).timestamp() * 1000)


def local_urls(value: Any) -> Any:
    """The JSON with the addresses of SimCord's fake CDN replaced by this server's."""
    if isinstance(value, str):
        return value.replace(CDN_BASE, "/cdn", 1) if value.startswith(CDN_BASE) else value
    if isinstance(value, list):
        return [local_urls(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: local_urls(item) for key, item in cast(Json, value).items()}
    return value


def message_json(raw: Mapping[str, Any], *, command: str | None = None, source: int | None = None) -> Json:
    """A message. It answers the command `command`, or a click on a component of the message `source`, or neither."""
    flags = int(raw.get("flags") or 0)
    metadata: Json | None = raw.get("interaction_metadata")
    attachments: list[Json] = raw.get("attachments") or []
    mentions: list[Json] = raw.get("mentions") or []
    message: Json = {
        "id": str(raw["id"]),
        "author": str(raw["author"]["id"]),
        "at": milliseconds(raw.get("timestamp")),
        "edited": milliseconds(raw.get("edited_timestamp")),
        "content": raw.get("content") or "",
        "components": local_urls(raw.get("components") or []),
        "embeds": local_urls(raw.get("embeds") or []),
        "attachments": [_attachment(item) for item in attachments],
        "mentions": [str(user["id"]) for user in mentions],
        "everyone": bool(raw.get("mention_everyone")),
        "ephemeral": bool(flags & EPHEMERAL),
        "loading": bool(flags & LOADING),
        "v2": bool(flags & COMPONENTS_V2),
        "used": None,
        "reply": None,
    }
    if metadata is not None and (command or metadata.get("name")):
        message["used"] = {"user": str(metadata["user"]["id"]), "command": command or metadata["name"]}
    reference: Json = raw.get("message_reference") or {}
    if source is not None:
        message["reply"] = str(source)
    elif reference.get("message_id"):
        message["reply"] = str(reference["message_id"])
    return message


def _attachment(raw: Mapping[str, Any]) -> Json:
    return {
        "id": str(raw["id"]),
        "name": raw.get("filename") or "",
        "url": local_urls(raw.get("url") or ""),
        "type": raw.get("content_type") or "",
        "size": raw.get("size") or 0,
        "alt": raw.get("description") or "",
    }


def commands_json(commands: Iterable[Mapping[str, Any]], available: Iterable[str]) -> list[Json]:
    """The commands that can be run, an entry for each leaf, in the order in which the bot declares them."""
    allowed = set(available)
    return [leaf for command in commands for leaf in _leaves(command, []) if leaf["path"] in allowed]


def _leaves(node: Mapping[str, Any], above: list[Mapping[str, Any]]) -> list[Json]:
    path = [*above, node]
    options: list[Json] = node.get("options") or []
    children = [option for option in options if option.get("type") in (SUBCOMMAND, GROUP)]
    if children:
        return [leaf for child in children for leaf in _leaves(child, path)]
    leaf: Json = {
        "path": " ".join(str(part["name"]) for part in path),
        "names": [_names(part) for part in path],
        **_described(node),
        "options": [_option(option) for option in options],
    }
    return [leaf]


def _names(node: Mapping[str, Any]) -> Json:
    return {"name": node["name"], "names": node.get("name_localizations") or {}}


def _described(node: Mapping[str, Any]) -> Json:
    return {
        "description": node.get("description") or "",
        "descriptions": node.get("description_localizations") or {},
    }


def _option(option: Mapping[str, Any]) -> Json:
    choices: list[Json] = option.get("choices") or []
    return {
        **_names(option),
        **_described(option),
        **{field: option[field] for field in _OPTION_FIELDS if field in option},
        "choices": [{**_names(choice), "value": choice["value"]} for choice in choices],
    }


CARDS = {card.notation: face_drawing(Deck.SPANISH, card, Cut.SMALL) for card in DECK}
"""The drawings of the cards, by notation."""


def match_json(content: bytes, t: Words) -> Json:
    """The match in a file for the page, or why it can't be shown."""
    try:
        file = read(content)
    except MatchFileError as error:
        return {"ok": False, "error": "match", "line": error.line, "problem": error.problem}
    return {"ok": True, "match": _shown(file, t)}


def _shown(file: MatchFile, t: Words) -> Json:
    seating = file.start.seating
    return {
        "heading": heading_lines(file, t),
        "names": [holder_name(seat) for seat in players_of(file)],
        "sides": [seating.side_of(seat) for seat in range(seating.seats)],
        "cards": {card.notation: spoken(card, t) for card in DECK},
        "steps": [_step(step) for step in steps_of(file, t)],
    }


def _step(step: MatchStep) -> Json:
    match, now = step.match, step.match.round
    assert now is not None, "the first step is a deal"
    return {
        "round": match.round_number,
        "told": step.told,
        "score": step.score,
        "hands": [[card.notation for card in hand] for hand in now.hands],
        "table": [None if card is None else card.notation for card in match.places],
        "laid": now.laid and now.laid.notation,
        "taken": [card for fact in match.facts for card in _taken(fact)],
        "turn": match.turn,
        "piles": [len(pile) for pile in now.piles],
        "escobas": now.escobas,
        "totals": match.totals,
    }


def _taken(fact: Fact) -> list[str]:
    """The cards that went to somebody's pile, the one that was played first."""
    match fact:
        case CardPlayed(_, card, captured) | CaptureClaimed(_, card, captured) if captured:
            return [card.notation, *(each.notation for each in captured)]
        case OpeningTaken(_, cards):
            return [each.notation for each in cards]
        case _:
            return []
