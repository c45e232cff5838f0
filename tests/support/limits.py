"""Discord's limits that its published schema doesn't express, as pure functions over a request.

`problems` lists what Discord would refuse or this project forbids; `warnings`, what only looks bad.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from tests.support.limits_commands import command_problems, emoji_problems, modal_problems
from tests.support.limits_components import (
    BUTTON,
    TEXT,
    V2_ONLY,
    Node,
    component_problems,
    count,
    pictures,
    repeated,
    tree_problems,
    uploads_shown,
    walk,
)

JSON = Any

SUPPRESS_EMBEDS, EPHEMERAL, COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 15
LABEL_ON_A_PHONE = 34
PINGS = re.compile(r"<@[!&]?\d+>|@everyone|@here")
FILE_NAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class MessageBefore:
    """An edited message before the edit: its attachments (id to file name), and whether it was Components V2."""

    attachments: Mapping[str, str] = field(default_factory=dict, hash=False)
    v2: bool = False


class Kind(Enum):
    """What a request does."""

    CREATE = auto()
    CHANNEL_CREATE = auto()
    EDIT = auto()
    DEFER = auto()
    MODAL = auto()
    CHOICES = auto()
    COMMANDS = auto()
    EMOJI = auto()
    EVENT = auto()
    EVENT_EDIT = auto()
    OTHER = auto()


MESSAGES = frozenset({Kind.CREATE, Kind.CHANNEL_CREATE, Kind.EDIT})
_CALLBACKS = {4: Kind.CREATE, 5: Kind.DEFER, 7: Kind.EDIT, 8: Kind.CHOICES, 9: Kind.MODAL}
_ROUTES = (
    ("POST", re.compile(r"/channels/\d+/messages"), Kind.CHANNEL_CREATE),
    ("PATCH", re.compile(r"/channels/\d+/messages/\d+"), Kind.EDIT),
    ("POST", re.compile(r"/webhooks/\d+/[^/]+"), Kind.CREATE),
    ("PATCH", re.compile(r"/webhooks/\d+/[^/]+/messages/[^/]+"), Kind.EDIT),
    ("PUT", re.compile(r"/applications/\d+(/guilds/\d+)?/commands"), Kind.COMMANDS),
    ("POST", re.compile(r"/applications/\d+(/guilds/\d+)?/commands"), Kind.COMMANDS),
    ("POST", re.compile(r"/applications/\d+/emojis"), Kind.EMOJI),
    ("POST", re.compile(r"/guilds/\d+/scheduled-events"), Kind.EVENT),
    ("PATCH", re.compile(r"/guilds/\d+/scheduled-events/\d+"), Kind.EVENT_EDIT),
)


def kind_and_body(method: str, path: str, body: JSON) -> tuple[Kind, JSON]:
    """The kind of a request, and the part of its body that matters: a callback's `data`, else the whole."""
    if method == "POST" and path.startswith("/interactions/"):
        data = body if isinstance(body, dict) else {}
        return _CALLBACKS.get(data.get("type", 0), Kind.OTHER), data.get("data") or {}
    for verb, pattern, kind in _ROUTES:
        if verb == method and pattern.fullmatch(path):
            return kind, body or {}
    return Kind.OTHER, body


def problems(
    method: str, path: str, body: JSON, files: Sequence[str] = (), *, before: MessageBefore | None = None
) -> list[str]:
    """Everything in a request that Discord would refuse or the project forbids.

    `files` are the uploads' names; `before` is the edited message, if known.
    """
    kind, data = kind_and_body(method, path, body)
    if kind in MESSAGES:
        return list(_message(kind, data, files, before))
    if kind is Kind.DEFER:
        return list(_defer(data))
    if kind is Kind.MODAL:
        return list(modal_problems(data))
    if kind is Kind.CHOICES:
        return list(count("choices", data.get("choices", []), 0, 25))
    if kind is Kind.COMMANDS:
        return list(command_problems(data if isinstance(data, list) else [data] if data else []))
    if kind is Kind.EMOJI:
        return list(emoji_problems(data))
    if kind in (Kind.EVENT, Kind.EVENT_EDIT):
        return list(_event(data, new=kind is Kind.EVENT))
    return []


def _event(data: Node, *, new: bool) -> Iterator[str]:
    """What is wrong with a scheduled event; an external one needs a place and an end."""
    metadata, external = data.get("entity_metadata") or {}, data.get("entity_type") == 3
    if new and external and not metadata.get("location"):
        yield "an external event without a location"
    if new and external and not data.get("scheduled_end_time"):
        yield "an external event without an end"
    if new and data.get("privacy_level") != 2:
        yield "an event that isn't for the server only"
    for name, value, most in (
        ("name", data.get("name"), 100),
        ("description", data.get("description"), 1000),
        ("location", metadata.get("location"), 100),
    ):
        if value is not None and not 1 <= len(value) <= most:
            yield f"{name}: {len(value)} characters, not 1 to {most}"


def warnings(method: str, path: str, body: JSON) -> list[str]:
    """What Discord accepts but players may not like: long labels, pictures without descriptions."""
    kind, data = kind_and_body(method, path, body)
    if kind not in MESSAGES:
        return []
    found: list[str] = []
    nodes = list(walk(data.get("components") or []))
    for at, node in nodes:
        label = node.get("label") or ""
        if node.get("type") == BUTTON and len(label) > LABEL_ON_A_PHONE:
            found.append(f"{at}: label {label!r} has {len(label)} characters, a phone shows {LABEL_ON_A_PHONE}")
        found += [f"{at}: picture without alt text" for item in pictures(node) if not item.get("description")]
    text = "".join(str(node.get("content", "")) for _, node in nodes if node.get("type") == TEXT)
    if (units := len(text.encode("utf-16-le", "surrogatepass")) // 2) > 4000:
        found.append(f"text: {units} UTF-16 units, over 4,000 where Discord counts those")
    return found


def _message(kind: Kind, data: Node, files: Sequence[str], before: MessageBefore | None) -> Iterator[str]:
    edit = kind is Kind.EDIT
    components = data.get("components") or []
    nodes = list(walk(components))
    shows_v2 = any(node.get("type") in V2_ONLY for _, node in nodes)
    yield from _flags(kind, data, shows_v2, before)
    v2 = shows_v2 or bool((data.get("flags") or 0) & COMPONENTS_V2) or (edit and before is not None and before.v2)
    beside = [key for key in ("content", "embeds", "embed", "poll", "sticker_ids") if data.get(key)]
    if v2 and beside:
        yield f"{' and '.join(beside)} beside Components V2"
    if not edit and not (components or beside or files):
        yield "an empty message"
    if edit and v2 and "components" in data and not components:
        yield "an edit that takes all components from a Components V2 message"
    if not v2 and len(components) > 5:
        yield f"components: {len(components)} rows, at most 5"
    yield from tree_problems(nodes)
    yield from component_problems(nodes)
    content = data.get("content") or ""
    if len(content) > 2000:
        yield f"content: {len(content)} characters, at most 2,000"
    yield from _mentions(data, [content, *(str(n.get("content")) for _, n in nodes if n.get("type") == TEXT)])
    yield from _attachments(edit, data, nodes if "components" in data else None, files, before, v2)


def _flags(kind: Kind, data: Node, shows_v2: bool, before: MessageBefore | None) -> Iterator[str]:
    flags = data.get("flags") or 0
    marked = bool(flags & COMPONENTS_V2)
    if kind is Kind.EDIT:
        if stray := flags & ~(SUPPRESS_EMBEDS | COMPONENTS_V2):
            yield f"flags: an edit can't set {stray}"
        given = data.get("flags") is not None
        if given and not marked and (shows_v2 or (before is not None and before.v2)):
            yield "flags: the edit drops IS_COMPONENTS_V2"
        elif shows_v2 and not given and before is not None and not before.v2:
            yield "flags: V2 components without IS_COMPONENTS_V2"
        return
    if shows_v2 and not marked:
        yield "flags: V2 components without IS_COMPONENTS_V2"
    if marked and not shows_v2:
        yield "flags: IS_COMPONENTS_V2 without V2 components"
    if kind is Kind.CHANNEL_CREATE and flags & EPHEMERAL:
        yield "flags: only an answer to an interaction can be ephemeral"


def _defer(data: Node) -> Iterator[str]:
    if (data.get("flags") or 0) & ~EPHEMERAL:
        yield f"flags: {data['flags']}; a defer can carry only the ephemeral flag"
    if extra := sorted(set(data) - {"flags", "tts"}):
        yield f"a defer can't carry {', '.join(extra)}"


def _mentions(data: Node, texts: Iterable[str]) -> Iterator[str]:
    allowed = data.get("allowed_mentions")
    if not allowed:
        named = sorted({name for text in texts for name in PINGS.findall(text)})
        if named:
            yield f"allowed_mentions: missing, and the text has {', '.join(named)}"
        return
    if allowed.get("parse"):
        yield f"allowed_mentions: parses {', '.join(allowed['parse'])}; only named users may be pinged"
    if len(allowed.get("roles") or []) > 1:
        yield "allowed_mentions: names several roles; a server chooses one"
    yield from count("allowed_mentions/users", allowed.get("users") or [], 0, 100)


def _attachments(
    edit: bool,
    data: Node,
    nodes: Sequence[tuple[str, Node]] | None,
    files: Sequence[str],
    before: MessageBefore | None,
    v2: bool,
) -> Iterator[str]:
    yield from count("files", files, 0, 10)
    yield from repeated("file name", files)
    for name in files:
        if not FILE_NAME.fullmatch(name):
            yield f"file {name!r}: Discord would rename it, and attachment:// wouldn't find it"
    had = before.attachments if before is not None else {}
    listed = data.get("attachments")
    names = set(files)
    for item in listed or []:
        number = str(item.get("id"))
        upload = number.isdecimal() and len(number) < 3
        if edit and before is not None and not upload and number not in had:
            yield f"attachments: {number} isn't on the message"
        if upload and files and int(number) >= len(files):
            yield f"attachments: no file for {number}"
        names.add(item.get("filename") or "")
    if nodes is None:
        return  # nothing new is shown
    shown = {name for _, node in nodes for name in uploads_shown(node)}
    yield from (f"attachment://{name} names no file of the message" for name in sorted(shown - names))
    if v2:
        yield from (f"file {name!r} is uploaded but no component shows it" for name in files if name not in shown)
