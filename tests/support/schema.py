"""Checks request bodies and answers against Discord's published OpenAPI schema, where it is available.

The schema isn't part of the project: it is looked for beside it, in `../shared/discord`. The checker that
comes with it tries every branch of every union, which takes 15 to 60 ms a message. `schema_checks` takes a
hundredth of that. Only a refused body is given to the slow checker, for its error messages.
"""

import importlib.util
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.schema_checks import Check, Checks

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "discord"
JSON = Any


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


class Schema:
    """Discord's schema, ready to check bodies and answers."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.Spec()
        self._spec.find = lru_cache(maxsize=1_000)(self._spec.find)
        self._snowflakes = module._snowflakes
        self._checks = Checks(self._spec.doc)
        self._made: dict[str, Check] = {}

    def check(self, method: str, path: str, body: JSON) -> list[str]:
        """The schema's objections to the body, if any."""
        body = _with_text_mentions(body)
        try:
            template, _, schema = self._spec.body_schema(method, path)
        except LookupError as error:
            return [str(error)]
        if schema is None:
            return self.check_slowly(method, path, body)
        if self._check_of(schema)(self._snowflakes(body)):
            return []
        return self.check_slowly(method, path, body) or [f"{method} {template}: refused"]

    def _check_of(self, schema: JSON) -> Check:
        """The quick check of a part of the document."""
        reference = schema["$ref"]
        if reference not in self._made:
            self._made[reference] = self._checks.of(schema)
        return self._made[reference]

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
        escaped = template.replace("~", "~0").replace("/", "~1")
        at = f"paths/{escaped}/{method.lower()}/responses/{status}/content/application~1json/schema"
        schema = {"$ref": f"{self._module.URI}#/{at}"}
        if self._check_of(schema)(answer):
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
