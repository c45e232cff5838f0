"""The internals of SimCord that the demo needs. No other module of the demo uses them.

Each function says why the public interface isn't enough. SimCord is pinned exactly: see `tests/README.md`.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, cast

import simcord
import simcord.interactions
from simcord.backend import serializers
from simcord.backend.cdn import CDN_BASE
from simcord.enums import AppCommandType, OptionType

_DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,")
_NESTING = (OptionType.SUBCOMMAND, OptionType.SUBCOMMAND_GROUP)

Json = dict[str, Any]


class Internals:
    """The internals of one environment."""

    def __init__(self, env: simcord.Env) -> None:
        self._env = env
        self._backend = env.backend
        self._commands_of: dict[int, str] = {}
        self._emoji_images: dict[str, tuple[str, bytes]] = {}

    def install_locales(self, locale_of: Callable[[int], str], guild_locale: Callable[[], str]) -> Callable[[], None]:
        """Put people's languages into interactions, which SimCord always sends as ``en-US``. Returns how to undo it.

        THE LOCALE SHIM. It also says that the bot is installed there, which SimCord leaves out, and notes the command
        of each interaction: Discord's message metadata names only the root command, and the page shows "used /escoba
        play".
        """
        original = simcord.interactions.base_payload

        def with_locales(backend: Any, **fields: Any) -> tuple[Any, Json]:
            record, payload = original(backend, **fields)
            if backend is self._backend:
                payload["locale"] = locale_of(fields["user_id"])
                payload["authorizing_integration_owners"] = {"0": str(fields["guild_id"] or 0)}
                if fields["guild_id"] is not None:
                    payload["guild_locale"] = guild_locale()
                if fields["type"] == 2:
                    self._commands_of[record.id] = " ".join(_path(fields["data"]))
            return record, payload

        simcord.interactions.base_payload = with_locales

        def restore() -> None:
            simcord.interactions.base_payload = original

        return restore

    def set_bot_name(self, name: str) -> None:
        """Name the bot's account: SimCord calls every bot TestBot and lets only the bot itself change that."""
        self._backend.edit_bot_profile(name)

    def set_clock(self, now: datetime) -> None:
        """Start the virtual clock at `now` instead of 2026-01-01, before the bot is there to notice.

        Ids made earlier keep the same creation time in every run. Messages get the real time, so their ids differ from
        those of earlier runs.
        """
        self._backend.advance_clock((now - self._env.now()).total_seconds())

    def open_thread(self, channel_id: int, thread_id: int, name: str) -> None:
        """Open a thread of the bot, as if on a message that has its id."""
        bot_id = self._backend.bot_user.id
        self._backend.create_thread(channel_id, name, bot_id, message_id=thread_id, broadcast=False)

    def make_community(self, guild_id: int, locale: str) -> None:
        """Make the server a Community with a language, as its owner would.

        SimCord has no actor for server settings, and only ordinary servers, which have no language of their own.
        """
        self._backend.edit_guild(guild_id, {"preferred_locale": locale})
        payload = serializers.guild_create_payload(self._backend, self._backend.get_guild(guild_id))
        self._backend.emit("GUILD_UPDATE", {**payload, "features": ["COMMUNITY"]})

    @property
    def bot_user(self) -> Json:
        """The bot's account as Discord describes users."""
        return cast(Json, serializers.user_payload(self._backend.bot_user))

    def drain(self) -> bool:
        """Whether the bot has made requests since the last call. Forgets them, or the logs would grow for ever.

        Keeps the emojis' images: SimCord stores application emojis without them.
        """
        requests = self._env.http_requests
        changed = bool(requests)
        for request in requests:
            body = cast(object, request.json)
            if request.method == "POST" and request.path.endswith("/emojis") and isinstance(body, dict):
                self._keep_emoji(cast(Json, body))
        requests.clear()
        self._backend.transcript.clear()
        return changed

    def _keep_emoji(self, body: Json) -> None:
        uri = str(body.get("image", ""))
        if match := _DATA_URI.match(uri):
            try:
                self._emoji_images[str(body.get("name"))] = match[1], base64.b64decode(uri[match.end() :])
            except binascii.Error:
                return

    def emoji(self, emoji_id: int) -> tuple[str, bytes] | None:
        """An application emoji's content type and picture."""
        emoji = self._backend.application_emojis.get(emoji_id)
        return self._emoji_images.get(emoji.name) if emoji is not None else None

    def file(self, path: str) -> bytes | None:
        """An uploaded file by its path on SimCord's fake CDN, which has no server."""
        return self._backend.cdn.get(f"{CDN_BASE}/{path}")

    def messages(self, channel_id: int, *, latest: int) -> Iterator[tuple[Json, int | None]]:
        """The latest messages of a channel as Discord sends them, oldest first, each with its only viewer, if any.

        `ChannelHandle.history(viewer=...)` gives the same (a test compares both), but builds discord.py objects for
        each viewer and message every time: too slow for pushing each change to every window.
        """
        stored = self._backend.messages.get(channel_id, {})
        for _, message in sorted(stored.items())[-latest:]:
            owner = None
            if message.is_ephemeral:
                metadata: Json = message.interaction_metadata or {}
                user: Json = metadata.get("user") or {}
                owner = int(user.get("id") or 0)
            yield cast(Json, serializers.message_payload(self._backend, message)), owner

    def message(self, channel_id: int, message_id: int) -> simcord.ResponseMessage | None:
        """A handle on a stored message, without building the channel's whole history."""
        stored = self._backend.messages.get(channel_id, {}).get(message_id)
        return None if stored is None else simcord.ResponseMessage(self._env, stored)

    def origin(self, interaction_id: int) -> tuple[str | None, int | None]:
        """Find where an interaction came from: the command, or the message with the clicked component."""
        record = self._backend.interactions.get(interaction_id)
        return self._commands_of.get(interaction_id), None if record is None else record.source_message_id

    def commands(self, user_id: int, channel_id: int) -> list[Json]:
        """The slash commands that somebody sees in a channel, with options and translations.

        `MemberActor.available_commands` gives only their names.
        """
        return self._backend.visible_commands(user_id=user_id, channel_id=channel_id)

    def commands_on_people(self, user_id: int, channel_id: int) -> list[Json]:
        """The commands that the menu of a person has, for somebody in a channel; no public method lists them."""
        return self._backend.visible_commands(user_id=user_id, channel_id=channel_id, type=AppCommandType.USER)


def _path(data: Json) -> Iterable[str]:
    """The words of a slash command's invocation, without its options."""
    yield str(data["name"])
    options: list[Json] = data.get("options") or []
    while options and options[0].get("type") in _NESTING:
        yield str(options[0]["name"])
        options = options[0].get("options") or []
