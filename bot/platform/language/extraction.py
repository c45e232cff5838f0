"""The extraction of texts for translators: Babel's method for `make texts`, and how complete each language is.

Babel's own method for Python would find the same texts. This one adds the comments that a translator needs: what each
placeholder stands for, and how long a text may be. Nothing of it runs with the bot.
"""

import ast
import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import IO, Final

from babel.messages.pofile import read_po

from bot.platform.language.catalogues import LOCALE_DIR, languages
from bot.platform.language.texts import DEMO_PAGE, SOURCE_LANGUAGE

Found = tuple[int, str, tuple[str, ...], list[str]]
"""A message as Babel takes it from a method: its line, the function called, its arguments, and comments."""

ROOM: Final = {
    "button": "On a button, of which a phone shows 34 characters, or 31 beside an emoji.",
    "_button": "On a button, of which a phone shows 34 characters, or 31 beside an emoji.",
    "_question": "On a button, of which a phone shows 34 characters.",
    "link": "On a button, of which a phone shows 34 characters.",
    "option": "In a menu: at most 100 characters, of which a phone shows some 40.",
    "Choice": "In a menu, or above it: at most 100 characters, of which a phone shows some 40.",
    "Modal": "The title of a form: at most 45 characters.",
    "Label": "The label of a field: at most 45 characters.",
    "Figure": "Below a figure in a picture: at most some 16 characters.",
    "describe": "The description of an option of a command: at most 100 characters.",
    "command": "The description of a command: at most 100 characters.",
    "Group": "The description of a command: at most 100 characters.",
    "ContextMenu": "In the menu of a right click: at most 32 characters.",
}
"""The limits of texts that are arguments of a function, by its name."""
NAME_OF_COMMAND: Final = "Typed by people: one word in small letters, with hyphens at most; up to 32 characters."
_TRANSLATORS: Final = re.compile(r"\s*(?:#|//) Translators: (.*)")
_IN_SCRIPT: Final = re.compile(r'\b(?:t|parts|N_)\(\s*("(?:[^"\\]|\\.)*")')
_PLACEHOLDER: Final = re.compile(r"\{(\w+)[^}]*\}")


@cache
def placeholders() -> dict[str, str]:
    return tomllib.loads((LOCALE_DIR / "placeholders.toml").read_text(encoding="utf-8"))


def extract(file: IO[bytes], keywords: Collection[str], tags: object, options: object) -> Iterator[Found]:
    """Extract a module's messages with comments for their translators; Babel gives these arguments.

    Args:
        file: the module.
        keywords: the names of the functions that translate or mark a message.
        tags: unused; comments that begin with "Translators:" are always taken.
        options: unused.
    """
    source = file.read().decode()
    lines = source.splitlines()
    for call, around in _calls(ast.parse(source), ()):
        name = _name(call)
        texts = tuple(arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        if name in keywords and texts:
            written = [*_written(lines, call.lineno)]
            comments = [*written, *_limits(name, texts, around), *_meanings(texts, written)]
            yield call.lineno, name, texts, comments


def extract_page(file: IO[bytes], keywords: object, tags: object, options: object) -> Iterator[Found]:
    """Extract the messages of a script of the demo's page: all of them have that context, and none has a plural."""
    source = file.read().decode()
    lines = source.splitlines()
    for found in _IN_SCRIPT.finditer(source):
        text: str = json.loads(found[1])
        number = source.count("\n", 0, found.start()) + 1
        written = [*_written(lines, number)]
        yield number, "NC_", (DEMO_PAGE, text), [*written, *_meanings((text,), written)]


def _calls(node: ast.AST, around: tuple[str, ...]) -> Iterator[tuple[ast.Call, tuple[str, ...]]]:
    """Yield the calls below a node, each with the names of the functions of whose arguments it is a part."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, around
            yield from _calls(child, (*around, _name(child)))
        else:
            yield from _calls(child, around)


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return "t"  # words(...)("…")


def _written(lines: list[str], number: int) -> Iterator[str]:
    """Yield the comment for translators above a line of the code."""
    above = _TRANSLATORS.match(lines[number - 2]) if number > 1 else None
    if above is not None:
        yield above[1]


def _limits(name: str, texts: tuple[str, ...], around: tuple[str, ...]) -> Iterator[str]:
    if name in ("context", "NC_") and texts[0] in ("command", "option"):
        yield NAME_OF_COMMAND
    yield from (ROOM[outer] for outer in around[-1:] if outer in ROOM)


def _meanings(texts: Iterable[str], written: list[str]) -> Iterator[str]:
    """Yield what the placeholders stand for, except those that a comment above the text tells of."""
    used = dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text))
    told = {name for text in written for name in _PLACEHOLDER.findall(text)}
    yield from (f"{{{name}}}: {placeholders()[name]}" for name in used if name in placeholders() and name not in told)


def coverage(language: str) -> tuple[int, int]:
    """Count a language's translated texts, and all there are."""
    with (LOCALE_DIR / language / "LC_MESSAGES" / "bot.po").open("rb") as file:
        texts = [message.string for message in read_po(file, locale=language) if message.id]
    return sum(all(text) if isinstance(text, tuple) else bool(text) for text in texts), len(texts)


if __name__ == "__main__":
    for code in languages():
        if code != SOURCE_LANGUAGE:
            done, whole = coverage(code)
            print(f"{code:6} {done} of {whole} texts, {done / whole:.0%}")  # noqa: T201 - a command's answer
