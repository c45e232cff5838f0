"""Checks request bodies and answers against Discord's published OpenAPI schema, where it is available.

The schema isn't part of the project: it is looked for beside it, in `../shared/discord`. The checker that
comes with it tries every branch of every union, which takes 15 to 60 ms a message. Here a union goes straight
to the branches with the body's `type`, and a part that was checked before isn't checked again, which takes
less than 1 ms. Only a refused body is given to the slow checker, for its error messages.
"""

import importlib.util
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "discord"
JSON = Any
_WORDS = {"custom_id": 100, "content": 2000, "label": 45, "placeholder": 64, "description": 50}
"""Properties whose wording doesn't matter to the schema, each with the greatest length allowed wherever it occurs."""
_CODES = {"locale", "guild_locale", "preferred_locale", "type", "features", "eligible_oauth2_scopes"}
"""Properties of answers that have one of a list of texts."""
_PLAIN = frozenset({int, bool, float, type(None)})
_MOMENT = "2026-01-01T00:00:00+00:00"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00\Z")


def _with_text_mentions(body: JSON) -> JSON:
    """The body with the ids in its `allowed_mentions` as text: Discord accepts numbers too, the schema only text.

    A message has them at the top, an interaction's response in its `data`, the start of a post in its `message`.
    """
    if not isinstance(body, dict):
        return body
    changed = {key: _with_text_mentions(body[key]) for key in ("data", "message") if key in body}
    if isinstance(allowed := body.get("allowed_mentions"), dict):
        ids = {name: [*map(str, allowed[name])] for name in ("users", "roles") if name in allowed}
        changed["allowed_mentions"] = allowed | ids
    return body | changed if changed else body


def _without_words(body: JSON) -> JSON:
    """The body with that wording replaced: by one x if its length is allowed, else by as many x's.

    Bodies of the same shape are then equal.
    """
    if isinstance(body, dict):
        return {key: _word(key, value) if key in _WORDS else _without_words(value) for key, value in body.items()}
    return [_without_words(each) for each in body] if isinstance(body, list) else body


def _word(key: str, value: JSON) -> JSON:
    if not isinstance(value, str):
        return _without_words(value)
    return "x" if 0 < len(value) <= _WORDS[key] else "x" * len(value)


def _shape_of(key: str, value: JSON) -> JSON:
    """A part of an answer with its texts replaced by others of the same kind: answers of the same shape are equal."""
    if isinstance(value, dict):
        return {name: each if type(each) in _PLAIN else _shape_of(name, each) for name, each in value.items()}
    if isinstance(value, list):
        return [_shape_of(key, each) for each in value]
    if not isinstance(value, str) or key in _CODES:
        return value
    return "1" if value.isdecimal() else _MOMENT if _TIME.match(value) else "x"


class Schema:
    """Discord's schema, ready to check bodies and answers."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.Spec()
        self._spec.find = lru_cache(maxsize=1_000)(self._spec.find)
        self._snowflakes = module._snowflakes
        self._targets: dict[str, JSON] = {}
        self._types: dict[int, frozenset[object] | None] = {}
        self._validators: dict[str, Any] = {}
        self._known: dict[tuple[int, str], bool] = {}
        self._accepted: set[tuple[str, str]] = set()
        self._make = self._compile()

    def check(self, method: str, path: str, body: JSON) -> list[str]:
        """The schema's objections to the body, if any."""
        body = _with_text_mentions(body)
        try:
            template, _, schema = self._spec.body_schema(method, path)
        except LookupError as error:
            return [str(error)]
        if schema is None:
            return self.check_slowly(method, path, body)
        key = f"{method} {template}"
        if key not in self._validators:
            self._validators[key] = self._make(schema)
        shape = _without_words(self._snowflakes(body))
        known = key, json.dumps(shape)
        if known not in self._accepted:
            if not self._validators[key].is_valid(shape):
                return self.check_slowly(method, path, body) or [f"{key}: refused"]
            self._accepted.add(known)
        return []

    def check_answer(self, method: str, path: str, status: int, answer: JSON) -> list[str]:
        """The schema's objections to the answer to a request that was carried out, if any."""
        try:
            template, operation = self._spec.find(method, path)
        except LookupError as error:
            return [str(error)]
        name = operation["operationId"]
        if str(status) not in operation["responses"]:
            return [f"{name}: Discord doesn't answer {status}"]
        if "content" not in operation["responses"][str(status)]:
            return [] if answer is None else [f"{name}: {status} has no body"]
        key, shape = f"{method} {template} {status}", _shape_of("", answer)
        known = key, json.dumps(shape)
        if known in self._accepted:
            return []
        escaped = template.replace("~", "~0").replace("/", "~1")
        at = f"paths/{escaped}/{method.lower()}/responses/{status}/content/application~1json/schema"
        schema = {"$ref": f"{self._module.URI}#/{at}"}
        if key not in self._validators:
            self._validators[key] = self._make(schema)
        if self._validators[key].is_valid(shape):
            self._accepted.add(known)
            return []
        slow = self._module.Draft202012Validator(schema, registry=self._spec.registry)
        found = map(self._module._deepest, slow.iter_errors(answer))
        return [f"{name}: at {'/'.join(map(str, e.absolute_path)) or '(root)'}: {self._module._say(e)}" for e in found]

    def unknown(self, method: str, path: str, body: JSON) -> list[str]:
        """The paths of the fields in the body that Discord doesn't know, such as "/data/colour"; it ignores them."""
        schema = self._spec.body_schema(method, path)[2]
        return [] if schema is None else self._spec.unknown(schema, self._snowflakes(body))

    def check_slowly(self, method: str, path: str, body: JSON) -> list[str]:
        """The same, by the checker that comes with the schema."""
        return self._spec.check(method, path, body)

    def _compile(self) -> Any:
        from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators

        def valid(validator: Any, schema: JSON, body: JSON) -> bool:
            key = (id(schema), json.dumps(body))
            if key not in self._known:
                self._known[key] = validator.evolve(schema=schema).is_valid(body)
            return self._known[key]

        def ref(validator: Any, target: str, body: JSON, _schema: JSON) -> Iterator[Any]:
            yield from validator.descend(body, self._target(target))

        def any_of(validator: Any, branches: list[JSON], body: JSON, _schema: JSON) -> Iterator[Any]:
            if not any(valid(validator, branch, body) for branch in self._fitting(branches, body)):
                yield ValidationError("no branch fits")

        def one_of(validator: Any, branches: list[JSON], body: JSON, _schema: JSON) -> Iterator[Any]:
            if sum(valid(validator, branch, body) for branch in self._fitting(branches, body)) != 1:
                yield ValidationError("not exactly one branch fits")

        fast = validators.extend(Draft202012Validator, {"$ref": ref, "anyOf": any_of, "oneOf": one_of})
        formats = FormatChecker()
        return lambda schema: fast(schema, format_checker=formats)

    def _fitting(self, branches: list[JSON], body: JSON) -> Iterator[JSON]:
        """The branches that the body's `type`, or a plain value itself, doesn't rule out."""
        kind = body.get("type") if isinstance(body, dict) else None
        for branch in branches:
            if "const" in branch and branch["const"] != body:
                continue
            types = self._types_of(branch) if kind is not None else None
            if types is None or kind in types:
                yield branch

    def _types_of(self, schema: JSON) -> frozenset[object] | None:
        key = id(schema)
        if key not in self._types:
            found = schema
            while "$ref" in found:
                found = self._target(found["$ref"])
            kind = found.get("properties", {}).get("type")
            self._types[key] = self._constants(kind) if kind and "type" in found.get("required", ()) else None
        return self._types[key]

    def _constants(self, schema: JSON) -> frozenset[object] | None:
        if "$ref" in schema:
            return self._constants(self._target(schema["$ref"]))
        if "const" in schema:
            return frozenset([schema["const"]])
        if "enum" in schema:
            return frozenset(schema["enum"])
        if "oneOf" in schema:
            parts = [self._constants(branch) for branch in schema["oneOf"]]
            return None if None in parts else frozenset().union(*(part for part in parts if part))
        return None

    def _target(self, ref: str) -> JSON:
        if ref not in self._targets:
            node = self._spec.doc
            for step in ref.partition("#/")[2].split("/"):
                node = node[step.replace("~1", "/").replace("~0", "~")]
            self._targets[ref] = node
        return self._targets[ref]


def missing() -> str | None:
    """Why there is no schema, as the reason of a skipped test; None if there is one."""
    if not (FOLDER / "validate.py").is_file() or not (FOLDER / "openapi.json").is_file():
        return "Discord's published schema isn't beside the project (../shared/discord)"
    if importlib.util.find_spec("jsonschema") is None:
        return "jsonschema isn't installed"
    return None


@lru_cache(maxsize=1)
def load() -> Schema | None:
    """The schema, read once; None if it is missing."""
    if missing():
        return None
    spec = importlib.util.spec_from_file_location("discord_schema_validate", FOLDER / "validate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Schema(module)
