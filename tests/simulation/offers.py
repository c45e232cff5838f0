"""The commands that Discord offers to people."""

from __future__ import annotations

from typing import Any

from tests.support.fake_discord.realm import Realm


def commands_of(realm: Realm) -> list[tuple[str, Any, int]]:
    """The commands that the bot has registered: each one's name, its declaration, and the permissions it takes."""
    roots = [each for each in realm.backend.commands.get(None, {}).values() if each.get("type", 1) == 1]
    needs = [(root, int(root.get("default_member_permissions") or 0)) for root in roots]
    return [(name, leaf, permissions) for root, permissions in needs for name, leaf in _leaves(root)]


def _leaves(root: Any) -> list[tuple[str, Any]]:
    def walk(node: Any, name: str) -> list[tuple[str, Any]]:
        inner = [each for each in node.get("options") or [] if each["type"] in (1, 2)]
        if not inner:
            return [(name, node)]
        return [leaf for each in inner for leaf in walk(each, f"{name} {each['name']}")]

    return walk(root, root["name"])
