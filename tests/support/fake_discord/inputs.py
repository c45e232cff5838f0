"""The data that people's clients send with a click, a choice in a menu, a form or a command's options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from simcord.backend import Backend, serializers

from tests.support.limits_components import BUTTON, LABEL, ROW, SELECTS, STRING_SELECT, TEXT, TEXT_INPUT, walk

JSON = Any
Written = Mapping[str, str | Sequence[str]]
"""The entries of somebody in a form, by custom_id: a text, or the values chosen in a menu."""

_CHECKBOX_GROUP, _CHECKBOX = 22, 23
_ENTITY_OPTIONS = (6, 7, 8, 9)


class Where(NamedTuple):
    """The server and channel of an interaction, and the person."""

    guild_id: int
    channel_id: int
    user_id: int


class Inputs:
    """The inputs of the people in one fake Discord. `partial`: a channel as an interaction has it, for a person."""

    def __init__(self, backend: Backend, partial: Callable[[int, int], JSON]) -> None:
        self._backend = backend
        self._partial = partial

    def option(self, where: Where, declared: JSON, value: Any) -> tuple[JSON, JSON]:
        """An option of a command with a value, and what Discord tells of the people, roles or channel in it."""
        ids = [str(value)] if declared["type"] in _ENTITY_OPTIONS else []
        option = {"name": declared["name"], "type": declared["type"], "value": ids[0] if ids else value}
        return option, self.resolved(where, ids)

    def click(self, where: Where, message: JSON, custom_id: str, values: Sequence[str] | None) -> JSON:
        """The data of a click on a message's button, or of a choice in its menu. If it has none, that is forged."""
        shown = (node for _, node in walk(message["components"]) if node.get("custom_id") == custom_id)
        node = next(shown, {"type": BUTTON if values is None else STRING_SELECT})
        data: JSON = {"custom_id": custom_id, "component_type": node["type"]}
        if "id" in node:
            data["id"] = node["id"]
        if values is not None:
            data["values"] = list(values)
        if node["type"] in SELECTS - {STRING_SELECT}:
            data["resolved"] = self.resolved(where, values or ())
        return data

    def form(self, where: Where, shown: JSON | None, custom_id: str, values: Written) -> JSON:
        """The data of a submitted form. `shown`: the form as the bot opened it; None if it is forged."""
        forged = [{"type": LABEL, "component": {"type": TEXT_INPUT, "custom_id": each}} for each in values]
        chosen: list[str] = []
        nodes = forged if shown is None else shown["components"]
        data: JSON = {"custom_id": custom_id, "components": [_submitted(node, values, chosen) for node in nodes]}
        if resolved := self.resolved(where, chosen):
            data["resolved"] = resolved
        return data

    def resolved(self, where: Where, ids: Iterable[str]) -> JSON:
        """Describe people, roles and channels as Discord does."""
        found: dict[str, dict[str, JSON]] = {}
        guild = self._backend.get_guild(where.guild_id)
        for each in ids:
            number = int(each)
            if number in guild.roles:
                found.setdefault("roles", {})[each] = dict(serializers.role_payload(guild.roles[number]))
            elif number in self._backend.channels:
                found.setdefault("channels", {})[each] = self._partial(number, where.user_id)
            else:
                user = serializers.user_payload(self._backend.get_user(number))
                found.setdefault("users", {})[each] = dict(user)
            if number in guild.members:
                found.setdefault("members", {})[each] = self._member(where, number)
        return found

    def _member(self, where: Where, number: int) -> JSON:
        guild = self._backend.get_guild(where.guild_id)
        member = dict(serializers.member_payload(self._backend, guild, guild.members[number], with_user=False))
        del member["deaf"], member["mute"]
        return member | permissions_in(self._backend, where, number)


def permissions_in(backend: Backend, where: Where, user_id: int) -> JSON:
    """The permissions that a chosen member has in the channel of the interaction, as its data has them."""
    return {"permissions": str(backend.compute_permissions(where.guild_id, user_id, where.channel_id))}


def _submitted(node: JSON, values: Written, chosen: list[str]) -> JSON:
    """A component of a form as it is submitted; the people, roles and channels in it are added to `chosen`."""
    kind = node["type"]
    sent: JSON = {"type": kind} | ({"id": node["id"]} if "id" in node else {})
    if kind == LABEL:
        return sent | {"component": _submitted(node["component"], values, chosen)}
    if kind == ROW:
        return sent | {"components": [_submitted(each, values, chosen) for each in node["components"]]}
    if kind == TEXT:
        return sent
    custom_id = node["custom_id"]
    sent["custom_id"] = custom_id
    if kind in SELECTS or kind == _CHECKBOX_GROUP:
        sent["values"] = list(values.get(custom_id, ()))
        chosen += sent["values"] if kind in SELECTS - {STRING_SELECT} else ()
    elif kind == TEXT_INPUT:
        sent["value"] = values.get(custom_id, node.get("value") or "")
    else:
        sent["value"] = values.get(custom_id, node.get("default", False) if kind == _CHECKBOX else None)
    return sent
