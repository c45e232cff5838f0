"""Limits on the components of a message that Discord's published schema doesn't express."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.support.direction import turned

Node = Mapping[str, Any]

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, CONTAINER, LABEL = 9, 10, 11, 12, 13, 17, 18
SELECTS = frozenset({3, 5, 6, 7, 8})
V2_ONLY = frozenset({9, 10, 11, 12, 13, 14, 17})
MODAL_CONTROLS = frozenset({TEXT_INPUT, 19, 21, 22, 23}) | SELECTS
LINK, PREMIUM = 5, 6
LABELS = ("label", "description")
MOST_BYTES, MOST_MARKED_UP = 9_000, 80
"""More than Discord and its clients have been seen to stand, though no limit says so."""
MARKED_UP = re.compile(r"<(?:@[!&]?|#|a?:\w+:|t:|/)[^>]*>|\*\*.+?\*\*|~~.+?~~|`[^`\n]+`|\[[^\]\n]+\]\([^)\n]+\)")
"""Mentions, emojis of our own, times, commands, and text that is bold, struck through, code or a link."""


def walk(components: Iterable[Any], at: str = "components") -> list[tuple[str, Node]]:
    """Every component with its place, including nested ones, in the order shown."""
    found: list[tuple[str, Node]] = []
    _gather(components, at, found)
    return found


def _gather(components: Iterable[Any], at: str, found: list[tuple[str, Node]]) -> None:
    for index, node in enumerate(components):
        if isinstance(node, dict):
            _gather_one(node, f"{at}/{index}", found)


def _gather_one(node: Node, at: str, found: list[tuple[str, Node]]) -> None:
    found.append((at, node))
    if inner := node.get("components"):
        _gather(inner, f"{at}/components", found)
    for key in ("accessory", "component"):
        if isinstance(inner := node.get(key), dict):
            _gather_one(inner, f"{at}/{key}", found)


def component_problems(nodes: Iterable[tuple[str, Node]]) -> Iterator[str]:
    """What is wrong with each component by itself."""
    for at, node in nodes:
        for problem in _CHECKS.get(node.get("type", 0), _fine)(node):
            yield f"{at}: {problem}"


def tree_problems(nodes: Sequence[tuple[str, Node]]) -> Iterator[str]:
    """What is wrong with all components of a message or a modal taken together."""
    if len(nodes) > 40:
        yield f"components: {len(nodes)} with the nested ones, at most 40"
    text = sum(len(str(node.get("content", ""))) for _, node in nodes if node.get("type") == TEXT)
    if text > 4000:
        yield f"text: {text} characters in all, at most 4,000"
    shown = "\n".join(str(node.get("content", "")) for _, node in nodes if node.get("type") == TEXT)
    if (size := len(shown.encode(errors="surrogatepass"))) > MOST_BYTES:
        yield f"text: {size} bytes in all; Discord has answered 500 to 10,170"
    if (marks := len(MARKED_UP.findall(re.sub(r"\\.", "", shown)))) > MOST_MARKED_UP:
        yield f"text: {marks} marked-up elements; clients stop drawing after 100 to 200"
    said = [*(node.get(key) for _, node in nodes for key in ("content", "label", "placeholder"))]
    said += [str(each.get(key) or "") for _, node in nodes for each in node.get("options") or [] for key in LABELS]
    said += [str(each.get("description") or "") for _, node in nodes for each in pictures(node)]
    yield from turned("\n".join(str(each) for each in said if each))
    yield from repeated("custom_id", (node["custom_id"] for _, node in nodes if node.get("custom_id")))
    yield from repeated("id", (node["id"] for _, node in nodes if node.get("id")))


def pictures(node: Node) -> list[Node]:
    """The pictures that a component shows: a gallery's items, or a thumbnail."""
    if node.get("type") == GALLERY:
        return list(node.get("items") or [])
    return [node] if node.get("type") == THUMBNAIL else []


def uploads_shown(node: Node) -> list[str]:
    """The names of the files that a component refers to with attachment://."""
    media = [item.get("media") for item in pictures(node)] + [node.get("file")] * (node.get("type") == FILE)
    urls = [str(medium.get("url", "")) for medium in media if medium]
    return [url.removeprefix("attachment://") for url in urls if url.startswith("attachment://")]


def count(what: str, items: Sequence[object], least: int, most: int) -> Iterator[str]:
    """A problem if the items are too few or too many."""
    if not least <= len(items) <= most:
        yield f"{what}: {len(items)}, from {least} to {most}"


def length(what: str, text: str, least: int, most: int) -> Iterator[str]:
    """A problem if the text is too short or too long, in characters."""
    if not least <= len(text) <= most:
        yield f"{what} of {len(text)} characters, from {least} to {most}"


def repeated(what: str, values: Iterable[object]) -> Iterator[str]:
    """A problem for each value that occurs more than once."""
    yield from (f"{what} {value!r} {times} times" for value, times in Counter(values).items() if times > 1)


# ---------------------------------------------------------------------------------------- single components
def _row(node: Node) -> Iterator[str]:
    children = [child.get("type") for child in node.get("components") or []]
    if all(child == BUTTON for child in children):
        yield from count("buttons in a row", children, 1, 5)
    elif len(children) != 1:
        yield "a row holds up to 5 buttons or exactly 1 select"


def _button(node: Node) -> Iterator[str]:
    label, style = node.get("label") or "", node.get("style")
    yield from length("label", label, 0, 80)
    if style != PREMIUM and not label.strip() and not node.get("emoji"):
        yield "a button without a label or an emoji"
    if node.get("label") == "":
        yield "an empty label, which is left out"
    if style == LINK:
        if node.get("custom_id") or not node.get("url"):
            yield "a link button takes a url and no custom_id"
    elif style != PREMIUM:
        yield from length("custom_id", node.get("custom_id") or "", 1, 100)


def _select(node: Node) -> Iterator[str]:
    yield from length("custom_id", node.get("custom_id") or "", 1, 100)
    yield from length("placeholder", node.get("placeholder") or "", 0, 150)
    fewest, most = _or_one(node.get("min_values")), _or_one(node.get("max_values"))
    if not 0 <= fewest <= most <= 25 or most == 0:
        yield f"takes {fewest} to {most} values; 0 to 25 and at least 1 at most"
    if node.get("type") != STRING_SELECT:
        return
    options = node.get("options") or []
    yield from count("options", options, 1, 25)
    if options and most > len(options):
        yield f"takes up to {most} values of {len(options)} options"
    if sum(bool(option.get("default")) for option in options) > most:
        yield f"more than {most} options chosen beforehand"
    yield from repeated("option value", (option.get("value") for option in options))
    for index, option in enumerate(options):
        for key, least in (("label", 1), ("value", 1), ("description", 0)):
            yield from length(f"options/{index}/{key}", option.get(key) or "", least, 100)


def _or_one(value: int | None) -> int:
    return 1 if value is None else value


def _section(node: Node) -> Iterator[str]:
    yield from count("texts in a section", node.get("components") or [], 1, 3)
    if not node.get("accessory"):
        yield "a section without an accessory"


def _text(node: Node) -> Iterator[str]:
    if not str(node.get("content") or "").strip():
        yield "an empty text"


def _media(node: Node) -> Iterator[str]:
    if node.get("type") == GALLERY:
        yield from count("pictures", node.get("items") or [], 1, 10)
    for item in pictures(node):
        yield from length("alt text", item.get("description") or "", 0, 1024)


def _container(node: Node) -> Iterator[str]:
    yield from count("components in a container", node.get("components") or [], 1, 40)
    if any(child.get("type") == CONTAINER for child in node.get("components") or []):
        yield "a container in a container"


def _fine(_node: Node) -> Iterator[str]:
    yield from ()


_CHECKS: dict[int, Callable[[Node], Iterator[str]]] = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT: _text,
    THUMBNAIL: _media,
    GALLERY: _media,
    CONTAINER: _container,
    **dict.fromkeys(SELECTS, _select),
}
