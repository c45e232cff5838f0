"""What Discord refuses and SimCord accepts, for both kinds of worlds."""

import re
from typing import Any

import discord

from tests.support.fake_discord import scheduled_events
from tests.support.fake_discord.refused import Refused
from tests.support.limits import kind_and_body
from tests.support.limits_components import walk

_MESSAGES = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
_COMMANDS = re.compile(r"/applications/\d+/guilds/(\d+)/commands")
_VOICE = (discord.ChannelType.voice.value, discord.ChannelType.stage_voice.value)
_NO_ACCESS = (403, 50001, "Missing Access")


def check(backend: Any, method: str, path: str, body: Any) -> None:
    """Check a request of the bot before it is carried out.

    Raises:
        Refused: if Discord would.
    """
    if (found := _COMMANDS.fullmatch(path)) and int(found[1]) not in backend.guilds:
        raise Refused(*_NO_ACCESS, meant=True)
    if (found := _MESSAGES.fullmatch(path)) and method in ("POST", "PATCH"):
        _check_connects(backend, int(found[1]))
    scheduled_events.check(backend, method, path, body)
    if isinstance(message := kind_and_body(method, path, body)[1], dict):
        _check_emojis(backend, message)


def _check_connects(backend: Any, channel_id: int) -> None:
    """The chat of a voice or stage channel takes messages only from those who may connect to it."""
    channel = backend.channels.get(channel_id)
    if channel is None or channel.type not in _VOICE:
        return
    if not discord.Permissions(backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel_id)).connect:
        raise Refused(*_NO_ACCESS, meant=True)


def _check_emojis(backend: Any, message: dict[str, Any]) -> None:
    """Buttons and menus take no emojis of other applications; texts show them by their names.

    On a bad day Discord refuses valid ones, too: the next `backend._tests_emoji_refusals` messages with emojis.
    """
    for at, node in walk(message.get("components") or []):
        for where, item in ((at, node), *((f"{at}/options", each) for each in node.get("options") or [])):
            number = (item.get("emoji") or {}).get("id")
            if number is None:
                continue
            known = int(number) in backend.application_emojis
            passing = getattr(backend, "_tests_emoji_refusals", 0)
            if not known or passing:
                backend._tests_emoji_refusals = max(0, passing - 1)
                wrong: Any = {"_errors": [{"code": "COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}]}
                for key in reversed([*where.split("/"), "emoji", "id"]):
                    wrong = {key: wrong}
                raise Refused(400, 50035, "Invalid Form Body", meant=True, errors=wrong)
