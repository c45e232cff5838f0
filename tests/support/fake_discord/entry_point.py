"""The Entry Point command (type 4) of an application for which Activities were switched on in Discord's portal."""

import re
from collections.abc import Mapping
from typing import Any

from tests.support.fake_discord.refused import Refused

PRIMARY_ENTRY_POINT = 4
_COMMANDS = re.compile(r"/applications/\d+/commands")
_STORED = "_tests_entry_point"
_DEFAULTS: Mapping[str, Any] = {
    "name_localizations": None,
    "description": "",
    "default_member_permissions": None,
    "contexts": None,
    "integration_types": [0],
    "nsfw": False,
    "handler": 1,
}


def switch_activities_on(backend: Any, **command: Any) -> dict[str, Any]:
    """Give the application such a command, as the portal does; returns it."""
    made = {
        **_DEFAULTS,
        "id": str(backend.application_id + PRIMARY_ENTRY_POINT),
        "application_id": str(backend.application_id),
        "name": "launch",
        "type": PRIMARY_ENTRY_POINT,
        "handler": 2,
        "contexts": [0, 1, 2],
        "integration_types": [0, 1],
        **command,
    }
    setattr(backend, _STORED, made)
    return made


def stored(backend: Any) -> dict[str, Any] | None:
    """The application's Entry Point command as Discord has it now."""
    return getattr(backend, _STORED, None)


def check(backend: Any, method: str, path: str, body: Any) -> Any:
    """Overwrite the command if all commands are; returns the other commands.

    Raises:
        Refused: if it is left out.
    """
    before = stored(backend)
    if before is None or method != "PUT" or not _COMMANDS.fullmatch(path):
        return body
    given = [each for each in body if each.get("type") == PRIMARY_ENTRY_POINT]
    if [each.get("id", before["id"]) for each in given] != [before["id"]]:
        said = "You cannot remove this app's Entry Point command in a bulk update operation."
        raise Refused(400, 50240, said, meant=True)
    fixed = {key: before[key] for key in ("id", "application_id", "type")}
    setattr(backend, _STORED, {**_DEFAULTS, **given[0], **fixed})
    return [each for each in body if each not in given]


def listed(backend: Any, path: str, answer: Any, params: Mapping[str, Any] | None) -> Any:
    """The answer of Discord, which lists the command with the others."""
    command = stored(backend)
    if command is None or not _COMMANDS.fullmatch(path):
        return answer
    localised = (params or {}).get("with_localizations") == "true"
    shown = {key: each for key, each in command.items() if localised or key != "name_localizations"}
    return [*answer, shown]
