"""What Discord offers to people: buttons and menus, commands, and whom or what they can choose in its menus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.support.fake_discord.realm import Realm
from tests.support.limits_components import BUTTON, SELECTS, walk

USER_MENU: Final = 2
"""The type of the commands in the menu of a person."""


@dataclass(frozen=True, slots=True)
class Control:
    """Something to press that somebody sees."""

    message: Any
    custom_id: str
    kind: int
    options: tuple[str, ...]
    fewest: int
    most: int
    private: bool

    @property
    def verb(self) -> str:
        """What it does."""
        return (*self.custom_id.split(":"), "")[1]

    @property
    def action(self) -> str:
        """What it does, and to what kind of thing."""
        return ":".join(self.custom_id.split(":")[:2])


def controls_of(message: Any) -> list[Control]:
    """The enabled buttons and menus of a message."""
    private = message.is_ephemeral
    return [
        control_of(message, node, private=private)
        for _, node in walk(message.components)
        if node.get("custom_id") and not node.get("disabled") and (node["type"] == BUTTON or node["type"] in SELECTS)
    ]


def control_of(message: Any, node: Mapping[str, Any], *, private: bool) -> Control:
    """A button or menu of a message, or a field of a form."""
    return Control(
        message,
        node["custom_id"],
        node["type"],
        tuple(option["value"] for option in node.get("options") or ()),
        node.get("min_values", 1),
        node.get("max_values", 1),
        private,
    )


class Offers:
    """What is offered on the servers of a town.

    Args:
        realm: the Discord.
        channels: the channels by server.
        roles: the role that people can choose, by server.
    """

    def __init__(self, realm: Realm, channels: dict[int, list[int]], roles: dict[int, int]) -> None:
        self._realm = realm
        self._channels = channels
        self._roles = roles
        self._commands: list[tuple[str, Any, int]] = []
        self.people: list[int] = []
        """The ids of those who may be on the servers."""

    def commands(self, *, manages: bool) -> list[tuple[str, Any]]:
        """The commands for somebody, each with its name and declaration. `manages`: whether they may manage servers."""
        if not self._commands:
            self._commands = _commands_of(self._realm)
        return [(name, leaf) for name, leaf, needs in self._commands if not needs or manages]

    def pool(self, kind: int, guild: int) -> list[str]:
        """Whom or what somebody can choose in a menu of a kind on a server."""
        if kind in (5, 7):
            known = self._realm.backend.guilds
            return [str(each) for each in self.people if each in known[guild].members] if guild in known else []
        return [str(self._roles[guild])] if kind == 6 else [str(each) for each in self._channels[guild]]


def _commands_of(realm: Realm) -> list[tuple[str, Any, int]]:
    """The commands that the bot has registered: each one's name, its declaration, and the permissions it takes."""
    roots = [each for each in realm.backend.commands.get(None, {}).values() if each.get("type", 1) in (1, USER_MENU)]
    needs = [(root, int(root.get("default_member_permissions") or 0)) for root in roots]
    return [(name, leaf, permissions) for root, permissions in needs for name, leaf in _leaves(root)]


def _leaves(root: Any) -> list[tuple[str, Any]]:
    def walk(node: Any, name: str) -> list[tuple[str, Any]]:
        inner = [each for each in node.get("options") or [] if each["type"] in (1, 2)]
        if not inner:
            return [(name, node)]
        return [leaf for each in inner for leaf in walk(each, f"{name} {each['name']}")]

    return walk(root, root["name"])
