"""The quick checks of bodies judge as the checker does that comes with Discord's schema."""

from copy import deepcopy
from typing import Any

import pytest

from tests.support import schema

MESSAGE: dict[str, Any] = {
    "flags": 1 << 15,
    "allowed_mentions": {"parse": [], "users": ["1"]},
    "components": [
        {
            "type": 17,
            "accent_color": 1,
            "components": [
                {"type": 10, "content": "Escoba"},
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "a"}],
                    "accessory": {"type": 2, "style": 5, "url": "b"},
                },
                {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "c", "label": "d"}]},
                {"type": 1, "components": [{"type": 3, "custom_id": "e", "options": [{"label": "f", "value": "g"}]}]},
            ],
        }
    ],
}
VALUES: tuple[Any, ...] = (None, True, 0, -1, 1.0, 1.5, 2**40, "", "x", "x" * 5_000, [], ["1", "1"], {}, {"type": [1]})
"""What takes the place of each part of the message."""

pytestmark = pytest.mark.skipif(schema.missing() is not None, reason=str(schema.missing()))


def places(node: Any) -> list[tuple[Any, ...]]:
    """The way to every part of a body."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [way for key, each in inner for way in ((key,), *((key, *rest) for rest in places(each)))]


def changed(way: tuple[Any, ...], value: Any) -> Any:
    """The message with another value, or without one, at a place."""
    body = node = deepcopy(MESSAGE)
    *steps, last = way
    for step in steps:
        node = node[step]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return body


@pytest.mark.parametrize("value", [..., *VALUES], ids=repr)
def test_checks_agree(value: Any) -> None:
    known = schema.load()
    assert known is not None
    path = "/channels/1/messages"
    quick = known._check_of(known._spec.body_schema("POST", path)[2])
    for way in places(MESSAGE)[::3]:
        body = changed(way, value)
        assert quick(body) == (not known._spec.check("POST", path, body, lenient=False)), (way, value)
