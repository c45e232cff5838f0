"""Discord's limits on modals, application commands and application emojis that its schema doesn't express."""

import re
from collections.abc import Iterator, Sequence

from tests.support.limits_components import (
    LABEL,
    MODAL_CONTROLS,
    TEXT_INPUT,
    Node,
    count,
    length,
    repeated,
    tree_problems,
    walk,
)

LOCALES = frozenset(
    "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th"
    " zh-CN ja zh-TW ko".split()
)


def modal_problems(data: Node) -> Iterator[str]:
    """What is wrong with a modal."""
    yield from length("title", data.get("title") or "", 1, 45)
    yield from length("custom_id", data.get("custom_id") or "", 1, 100)
    yield from count("components", data.get("components") or [], 1, 5)
    nodes = list(walk(data.get("components") or []))
    yield from tree_problems(nodes)
    for at, node in nodes:
        if node.get("type") in MODAL_CONTROLS:
            yield from (f"{at}: {p}" for p in length("custom_id", node.get("custom_id") or "", 1, 100))
        if node.get("type") in {LABEL, TEXT_INPUT}:
            yield from (f"{at}: {p}" for p in length("label", node.get("label") or "", 0, 45))
        if node.get("type") == LABEL:
            yield from (f"{at}: {p}" for p in length("description", node.get("description") or "", 0, 100))
        if node.get("type") == TEXT_INPUT:
            yield from (f"{at}: {p}" for p in length("placeholder", node.get("placeholder") or "", 0, 100))
            yield from (f"{at}: {p}" for p in length("value", node.get("value") or "", 0, 4000))


def command_problems(commands: Sequence[Node]) -> Iterator[str]:
    """What is wrong with the registered application commands."""
    yield from count("commands", commands, 0, 100)
    yield from repeated("command", ((item.get("name"), item.get("type", 1)) for item in commands))
    for item in commands:
        name = item.get("name")
        if (size := _size(item)) > 8000:
            yield f"/{name}: {size} characters in all, at most 8,000"
        yield from (f"/{name}: {problem}" for problem in _command(item, item.get("type", 1) == 1))


def _command(node: Node, slash: bool) -> Iterator[str]:
    options = node.get("options") or []
    for name in [node.get("name") or "", *(node.get("name_localizations") or {}).values()]:
        yield from length("name", name, 1, 32)
        if slash and not all(char in "-_'" or char.isalnum() for char in name):
            yield f"name {name!r} has a character that isn't a letter, a digit, - or _"
        if slash and name != name.lower():
            yield f"name {name!r} isn't in small letters"
    if slash:
        for text in [node.get("description") or "", *(node.get("description_localizations") or {}).values()]:
            yield from length("description", text, 1, 100)
    for key in ("name_localizations", "description_localizations"):
        yield from (f"{key}: no locale {tag}" for tag in sorted(set(node.get(key) or {}) - LOCALES))
    yield from count("options", options, 0, 25)
    yield from repeated("option", (option.get("name") for option in options))
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield "a required option after an optional one"
    if len({option.get("type") in {1, 2} for option in options}) > 1:
        yield "subcommands beside options"
    choices = node.get("choices") or []
    yield from count("choices", choices, 0, 25)
    yield from repeated("choice", (choice.get("name") for choice in choices))
    for choice in choices:
        yield from length("choice", str(choice.get("name") or ""), 1, 100)
    for option in options:
        yield from (f"{option.get('name')}: {problem}" for problem in _command(option, True))


def _size(node: Node) -> int:
    longest = sum(
        max(map(len, [str(node.get(key) or ""), *(node.get(f"{key}_localizations") or {}).values()]))
        for key in ("name", "description")
    )
    inner = [*(node.get("options") or []), *(node.get("choices") or [])]
    return longest + len(str(node.get("value", ""))) + sum(map(_size, inner))


def emoji_problems(data: Node) -> Iterator[str]:
    """What is wrong with an uploaded application emoji."""
    if not re.fullmatch(r"\w{2,32}", data.get("name") or "", re.ASCII):
        yield f"emoji name {data.get('name')!r}"
    size = len(str(data.get("image") or "").rpartition(",")[2]) * 3 // 4
    if not 0 < size <= 256 * 1024:
        yield f"emoji of {size} bytes, at most 262,144"
