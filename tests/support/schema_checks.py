"""Discord's published schema as functions: each checks a value in microseconds, and doesn't say what is wrong with it.

They know the words that this schema uses, and no others: whatever is new there has to be added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

JSON = Any
Check = Callable[[JSON], bool]
SAYS_NOTHING: Final = frozenset({"description", "title", "format", "contentEncoding", "x-discord-union"})
"""The words that refuse nothing; nobody checks these formats."""
_OF_OBJECTS: Final = frozenset({"properties", "additionalProperties", "required"})
_USUAL: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}
_TYPES: Final = _USUAL | {"integer": (int, float)}
"""The types with those of which some values are taken: 1.0 is an integer."""


class Checks:
    """The checks of a document's schemas. A word that isn't known is a KeyError: a schema that says more is judged by
    more."""

    def __init__(self, document: JSON) -> None:
        self._document = document
        self._targets: dict[str, Check | None] = {}
        """The checks of what references refer to; None while one is made."""

    def of(self, schema: JSON) -> Check:
        """The check of a schema."""
        words = [word for word in schema if word not in SAYS_NOTHING and word not in _OF_OBJECTS]
        checks = [self._of_word(word, schema[word]) for word in words]
        return _all(checks + [self._of_object(schema)] * (not _OF_OBJECTS.isdisjoint(schema)))

    def _of_word(self, word: str, said: JSON) -> Check:
        match word:
            case "$ref":
                return self._refers_to(said)
            case "allOf":
                return _all([self.of(each) for each in said])
            case "anyOf":
                return self._fits(said, any)
            case "oneOf":
                return self._fits(said, lambda found: sum(found) == 1)
            case "items":
                item = self.of(said)
                return lambda value: not isinstance(value, list) or all(map(item, value))
            case _:
                return _WORDS[word](said)

    def _refers_to(self, reference: str) -> Check:
        if reference not in self._targets:
            self._targets[reference] = None
            self._targets[reference] = self.of(self.target(reference))
        if (made := self._targets[reference]) is not None:
            return made

        def check(value: JSON) -> bool:
            """Check against a schema that contains itself."""
            return self._refers_to(reference)(value)

        return check

    def target(self, reference: str) -> JSON:
        """What a reference refers to."""
        node = self._document
        for step in reference.partition("#/")[2].split("/"):
            node = node[step.replace("~1", "/").replace("~0", "~")]
        return node

    def _of_object(self, schema: JSON) -> Check:
        required = frozenset(schema.get("required", ()))
        known = {name: self.of(each) for name, each in schema.get("properties", {}).items()}
        more = schema.get("additionalProperties", True)
        others: Check = (lambda _: more) if isinstance(more, bool) else self.of(more)

        def check(value: JSON) -> bool:
            if not isinstance(value, dict):
                return True
            if not required <= value.keys():
                return False
            return not any(not known.get(name, others)(each) for name, each in value.items())

        return check

    # ---------------------------------------------------------------------------------------------------- unions
    def _fits(self, branches: Sequence[JSON], enough: Callable[[Iterator[bool]], bool]) -> Check:
        """The check of a union: only those branches are tried that a value's type, or a body's `type`, leaves."""
        constants = [each["const"] for each in branches if "const" in each]
        if len(constants) == len(branches) == len(set(constants)):
            return _is_one_of(constants)
        checks = [self.of(each) for each in branches]
        kinds, types = [self._kinds_of(each) for each in branches], [self._types_of(each) for each in branches]

        @cache
        def among(kind: type, named: object) -> list[Check]:
            return [
                check
                for check, known, of in zip(checks, kinds, types, strict=True)
                if (known is None or named is None or named in known) and (of is None or issubclass(kind, of))
            ]

        def check(value: JSON) -> bool:
            named = value.get("type") if isinstance(value, dict) else None
            tried = among(type(value), named if isinstance(named, int | str) else None)
            return tried[0](value) if len(tried) == 1 else enough(each(value) for each in tried)

        return check

    def _types_of(self, schema: JSON) -> tuple[type, ...] | None:
        """The types of the values that a schema takes; None for any."""
        while "$ref" in schema:
            schema = self.target(schema["$ref"])
        if (said := schema.get("type")) is None:
            return None
        return tuple(each for name in ([said] if isinstance(said, str) else said) for each in _TYPES[name])

    def _kinds_of(self, schema: JSON) -> frozenset[object] | None:
        """The `type`s of the bodies that a schema takes; None for any."""
        while "$ref" in schema:
            schema = self.target(schema["$ref"])
        kind = schema.get("properties", {}).get("type")
        return self._constants(kind) if kind and "type" in schema.get("required", ()) else None

    def _constants(self, schema: JSON) -> frozenset[object] | None:
        if "$ref" in schema:
            return self._constants(self.target(schema["$ref"]))
        if "const" in schema:
            return frozenset([schema["const"]])
        if "enum" in schema:
            return frozenset(schema["enum"])
        if "oneOf" in schema:
            parts = [self._constants(branch) for branch in schema["oneOf"]]
            return None if None in parts else frozenset().union(*(part for part in parts if part))
        return None


def _all(checks: Sequence[Check]) -> Check:
    """A check that all of some checks pass."""
    if not checks:
        return lambda value: True
    first, *rest = checks
    if not rest:
        return first
    if len(rest) == 1:
        second = rest[0]
        return lambda value: first(value) and second(value)
    others = _all(rest)
    return lambda value: first(value) and others(value)


def _has_type(said: str | Sequence[str]) -> Check:
    names = [said] if isinstance(said, str) else said
    usual = frozenset(each for name in names for each in _USUAL[name])
    allowed, whole, flag = tuple(usual), int in usual, bool in usual

    def check(value: JSON) -> bool:
        if type(value) in usual:
            return True
        if isinstance(value, bool):
            return flag
        return isinstance(value, allowed) or (whole and isinstance(value, float) and value.is_integer())

    return check


def _is_one_of(values: Sequence[JSON]) -> Check:
    known = frozenset((type(each) is bool, each) for each in values)
    return lambda value: isinstance(value, int | str | float | None) and (type(value) is bool, value) in known


def _has_no_equals(wanted: bool) -> Check:
    if not wanted:
        return lambda value: True
    return lambda value: (
        not isinstance(value, list) or not any(each in value[:number] for number, each in enumerate(value))
    )


def _matches(pattern: str) -> Check:
    found = re.compile(pattern).search
    return lambda value: not isinstance(value, str) or found(value) is not None


def _size(kind: type, *, least: bool) -> Callable[[int], Check]:
    if least:
        return lambda limit: lambda value: not isinstance(value, kind) or len(value) >= limit
    return lambda limit: lambda value: not isinstance(value, kind) or len(value) <= limit


def _is_number(value: JSON) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_WORDS: Final[Mapping[str, Callable[[Any], Check]]] = {
    "type": _has_type,
    "const": lambda said: _is_one_of([said]),
    "enum": _is_one_of,
    "uniqueItems": _has_no_equals,
    "pattern": _matches,
    "minLength": _size(str, least=True),
    "maxLength": _size(str, least=False),
    "minItems": _size(list, least=True),
    "maxItems": _size(list, least=False),
    "minProperties": _size(dict, least=True),
    "maxProperties": _size(dict, least=False),
    "minimum": lambda limit: lambda value: not _is_number(value) or value >= limit,
    "maximum": lambda limit: lambda value: not _is_number(value) or value <= limit,
}
