"""Reads a layout as a screen reader would: texts without their markup, emojis by name, pictures by their alt texts."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.platform.layout import Layout
from tests.support.limits_components import BUTTON, CONTAINER, GALLERY, LINK, ROW, SECTION, STRING_SELECT, TEXT

_OWN = re.compile(r"<:(\w+):\d+>")
_PERSON = re.compile(r"<@(\d+)>")
_TIME = re.compile(r"<t:\d+:R>")
_LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)|</([^:>]*):\d+>")
_MARKS = re.compile(r"^(?:#{1,3}|-#|>) +|^- |[*`\\]", re.MULTILINE)
_UNSEEN = re.compile("[\u2060\u200b\ufe0f]")
_LINES = re.compile(r"\n+")
_SENTENCES = re.compile(r"(?<=[.!]) (?=\S)")


def lines_of(layout: Layout, people: Mapping[int, str] | None = None, *, picture: bool = True) -> list[str]:
    """What a listener hears: a line for each text, each sentence about a picture, each button and menu.

    Args:
        people: the names of the people mentioned, by their ids.
        picture: whether the layout is read with its picture, if it can have one.
    """
    drawn = picture and layout.drawing is not None
    components = layout.drawing.components if drawn and layout.drawing else layout.components
    return list(_heard(components, people or {}))


def _heard(components: Sequence[Mapping[str, Any]], people: Mapping[int, str]) -> Iterator[str]:
    for node in components:
        kind = node["type"]
        if kind in (CONTAINER, ROW):
            yield from _heard(node["components"], people)
        elif kind == SECTION:
            yield from _heard([*node["components"], node["accessory"]], people)
        elif kind == TEXT:
            yield from filter(None, (spoken_text(line, people) for line in _LINES.split(str(node["content"]))))
        elif kind == GALLERY:
            for item in node["items"]:
                yield from (f"[picture] {sentence}" for sentence in _SENTENCES.split(item["description"]))
        elif kind == BUTTON:
            yield _control("link" if node["style"] == LINK else "button", [_emoji(node), node.get("label", "")], node)
        elif kind == STRING_SELECT:
            chosen = [option["label"] for option in node["options"] if option.get("default")]
            yield _control("menu", chosen or [node.get("placeholder", "")], node)


def _control(kind: str, said: Sequence[str], node: Mapping[str, Any]) -> str:
    text = spoken_text(" ".join(filter(None, said)), {})
    return f"[{kind}] {text}" + (" (disabled)" if node.get("disabled") else "")


def _emoji(node: Mapping[str, Any]) -> str:
    emoji = node.get("emoji")
    if emoji is None:
        return ""
    return f"<:{emoji['name']}:{emoji['id']}>" if "id" in emoji else emoji["name"]


def spoken_text(text: str, people: Mapping[int, str]) -> str:
    """A text without markup, with the names of emojis in brackets.

    >>> spoken_text("-# **Ana** plays <:as_de_copas:7> 🧹", {})
    'Ana plays (as de copas) (broom)'
    """
    text = _MARKS.sub("", _UNSEEN.sub("", text))
    text = _PERSON.sub(lambda found: people.get(int(found[1]), "somebody"), text)
    text = _LINKED.sub(lambda found: found[1] or f"/{found[2]}", _TIME.sub("(in a while)", text))
    text = _OWN.sub(lambda found: f" ({found[1].replace('_', ' ')}) ", text)
    text = "".join(f" ({unicodedata.name(c).lower()}) " if _is_picture(c) else c for c in text)
    return re.sub(r"\( +", "(", re.sub(r" +(?=[.,:;!)])", "", " ".join(text.split())))


def _is_picture(character: str) -> bool:
    """Whether a character is read out by its name."""
    return unicodedata.category(character) == "So"
