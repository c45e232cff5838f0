"""The Discord for a bot in a process of its own: SimCord's world and its routes, without SimCord's event loop.

SimCord's `Backend` holds the server, its channels, members, messages and interactions, and its router answers requests;
here they run by the wall clock, so that three seconds to answer are really three seconds.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

import discord
from simcord import BackendError, interactions
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible
from simcord.backend.models import Interaction, Message, Overwrite
from simcord.enums import AppCommandType, InteractionType, OverwriteType
from simcord.http import router
from simcord.intents import prune_guild_create, required_intent

from tests.support import schema
from tests.support.fake_discord import attachments, entry_point, refusing, shapes
from tests.support.fake_discord.clicks import check_click
from tests.support.fake_discord.inputs import Inputs, Where, Written
from tests.support.fake_discord.person import Person
from tests.support.fake_discord.refused import Refused
from tests.support.fake_discord.threads import MESSAGES, Threads

JSON = Any
Listener = Callable[[str, Mapping[str, Any]], None]

_SUB_COMMANDS = (1, 2)
_LOADING = 1 << 7
NONCE_SECONDS = 300.0
"""Seconds for which Discord remembers a nonce, even if the message is deleted; how many exactly isn't documented."""
INVITED = ("view_channel", "send_messages", "send_messages_in_threads", "attach_files", "create_public_threads")
"""The permissions that the README's invitation asks for."""


@dataclass(slots=True)
class Upload:
    """A file that came with a request, as the router reads it."""

    filename: str
    fp: io.BytesIO
    description: str | None = None


class WallClock(Clock):
    """The time that the bot sees too: the real one, or what `told` says."""

    def __init__(self, told: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__()
        self._told = told

    def now(self) -> datetime:
        """The time."""
        return self._told()


class Realm:
    """What Discord knows: one server with channels and people, their messages and interactions.

    `community`: the server is a Community and has this language; otherwise it is en-US, whatever people speak. `clock`:
    the real time if None.
    """

    def __init__(
        self, people: Sequence[str], channels: int, *, community: str | None = None, clock: WallClock | None = None
    ) -> None:
        self.backend = Backend(clock=clock or WallClock())
        self.files = attachments.install(self.backend)
        self.threads = Threads(self)
        self.inputs = Inputs(self.backend, self._partial)
        self.communities: set[int] = set()
        self.last_messages: dict[int, int] = {}
        """The newest message of each channel that everybody sees, deleted or not."""
        self.locales: dict[int, str] = {}
        """The languages of people's clients by user id; en-US for everybody else."""
        self.listen(self._heard)
        self.guild_id = self.add_guild("Casa", community)
        self.channels = [self.add_channel(f"mesa-{number}") for number in range(1, channels + 1)]
        self.people = [self.add_person(name) for name in people]
        self.answer_seconds = 3.0
        """How long the bot has for the first answer to an interaction."""
        self.token_seconds = 15 * 60.0
        """How long an interaction's token lives."""
        self.nonces: dict[tuple[str, str], tuple[float, JSON]] = {}
        """By path and nonce: until when it is remembered, and the message that was posted under it."""
        self.ignored: list[str] = []
        """The fields of the bot's requests that Discord doesn't know, such as "/data/colour"."""
        self.owner: Person | None = None
        """The application's owner, if a test has set one."""

    # ------------------------------------------------------------------------------------------------ the world
    @property
    def bot_id(self) -> int:
        """The id of the bot's user."""
        return self.backend.bot_user.id

    def add_guild(self, name: str, community: str | None = None, *, shard: tuple[int, int] = (0, 1)) -> int:
        """Add a server that the bot is in. `community`: see the class; `shard`: its number and how many there are."""
        guild = self.backend.create_guild(
            name, preferred_locale=community or "en-US", shard_id=shard[0], shard_count=shard[1]
        )
        if community is not None:
            self.communities.add(guild.id)
        return guild.id

    def add_channel(self, name: str, guild_id: int | None = None) -> int:
        """Add a text channel."""
        return self.backend.create_channel(guild_id or self.guild_id, name).id

    def add_person(self, name: str, guild_id: int | None = None) -> Person:
        """Add a member."""
        user = self.backend.make_user(name, global_name=name)
        self.backend.add_member(guild_id or self.guild_id, user.id)
        return Person(user.id, name)

    def give_server(self, person: Person) -> None:
        """Make somebody the server's owner, who may do everything there."""
        self.backend.get_guild(self.guild_id).owner_id = person.id

    def invite_bot(self, *permissions: str) -> None:
        """Limit the bot in every server to the permissions that its invitation asks for and those of all members.

        SimCord gives it nearly everything.
        """
        value = discord.Permissions(**dict.fromkeys(permissions or INVITED, True)).value
        for guild in self.backend.guilds.values():
            for role_id in guild.members[self.bot_id].role_ids:
                self.backend.edit_role(guild.id, role_id, {"permissions": value})

    def forbid(self, permission: str) -> None:
        """Take a permission from the bot, and from all members."""
        for guild in self.backend.guilds.values():
            for role in list(guild.roles.values()):
                less = discord.Permissions(int(role.permissions))
                less.update(**{permission: False, "administrator": False})
                self.backend.edit_role(guild.id, role.id, {"permissions": less.value})

    def permissions(self, channel_id: int, user_id: int | None = None) -> discord.Permissions:
        """Somebody's permissions in a channel or in a thread's channel; the bot's without a `user_id`."""
        guild_id = self.backend.get_channel(channel_id).guild_id
        assert guild_id is not None
        return discord.Permissions(self.backend.compute_permissions(guild_id, user_id or self.bot_id, channel_id))

    def bot_sees(self, channel_id: int) -> bool:
        """Whether the bot may read a channel, or is in a private thread."""
        return channel_accessible(self.backend, channel_id, self.bot_id)

    def say(self, person: Person, channel_id: int, text: str) -> int:
        """A person writes something; returns the message's id."""
        return self.backend.create_message(channel_id, person.id, text).id

    def age(self, channel_id: int, message_id: int) -> float:
        """The age of a message in seconds; 0 if there is no such message."""
        message = self.backend.messages.get(channel_id, {}).get(message_id)
        if message is None:
            return 0.0
        return (self.backend.clock.now() - datetime.fromisoformat(message.timestamp)).total_seconds()

    def make_old(self, channel_id: int, message_id: int, seconds: float = 3700.0) -> None:
        """Make Discord treat a message as this old; its id still tells when it was posted."""
        posted = self.backend.clock.now() - timedelta(seconds=seconds)
        self.backend.get_message(channel_id, message_id).timestamp = posted.isoformat()

    def remove_channel(self, channel_id: int) -> None:
        """Delete a channel with its messages and threads. As on Discord, there is no event about its threads."""
        self.threads.remove_those_of(channel_id)
        self.backend.delete_channel(channel_id)

    def remove_guild(self, guild_id: int | None = None) -> None:
        """Remove the bot from a server."""
        self.backend.remove_guild(guild_id or self.guild_id)

    def guild_outage(self, *, over: bool = False) -> None:
        """Make the server unavailable, or available again; the bot stays in it."""
        if over:
            guild = self.backend.get_guild(self.guild_id)
            self.backend.emit("GUILD_CREATE", self.guild_payload(guild.id))
        else:
            self.backend.emit("GUILD_DELETE", {"id": str(self.guild_id), "unavailable": True})

    def delete_message(self, channel_id: int, message_id: int) -> None:
        """A moderator deletes a message."""
        self.backend.delete_message(channel_id, message_id)

    def deny(self, channel_id: int, *permissions: str) -> None:
        """Take permissions from the bot in a channel and its threads; called with none, give all back."""
        value = discord.Permissions(**dict.fromkeys(permissions, True)).value
        self.backend.set_overwrite(channel_id, Overwrite(self.bot_id, OverwriteType.MEMBER, deny=value))

    def stored(self, channel_id: int, viewer: int | None) -> list[Message]:
        """The messages of a channel that a person sees (None: everybody), oldest first."""
        found = sorted(self.backend.messages.get(channel_id, {}).items())
        return [message for _, message in found if message.visible_to(viewer)]

    def still_thinking(self) -> list[int]:
        """The messages that still say "is thinking"."""
        messages = [message for channel in self.backend.messages.values() for message in channel.values()]
        return [message.id for message in messages if message.flags & _LOADING]

    def has(self, channel_id: int, message_id: int | str) -> bool:
        """Whether a message exists."""
        return int(message_id) in self.backend.messages.get(channel_id, {})

    def payload_of(self, message: Message) -> dict[str, Any]:
        """A message as Discord sends it."""
        return dict(serializers.message_payload(self.backend, message))

    def channel_payload(self, channel_id: int) -> dict[str, Any]:
        """A channel as Discord sends it."""
        return dict(serializers.channel_payload(self.backend, self.backend.get_channel(channel_id)))

    # --------------------------------------------------------------------------------------------- interactions
    def slash(
        self, person: Person, channel_id: int, name: str, options: dict[str, Any], *, typing: str = ""
    ) -> tuple[Interaction, JSON]:
        """A person sends a slash command such as "escoba play", or is still `typing` one of its options."""
        first, *rest = name.split()
        root = self.backend.find_command(first, self.guild_id)
        assert root is not None, f"the bot has registered no command /{first}"
        leaf, nesting = interactions.walk_to_subcommand(root, rest)
        declared = {option["name"]: option for option in leaf.get("options") or []}
        where = self._where(person, channel_id)
        given = [self.inputs.option(where, declared[key], value) for key, value in options.items()]
        for option, _ in given:
            if option["name"] == typing:
                option["focused"] = True
        nested = interactions.nest_options(root, nesting, [option for option, _ in given])
        data = {"id": root["id"], "name": first, "type": 1, "options": nested}
        for _, resolved in given:
            for group, found in resolved.items():
                data.setdefault("resolved", {}).setdefault(group, {}).update(found)
        kind = InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE if typing else InteractionType.APPLICATION_COMMAND
        return self._begun(kind, person, channel_id, data)

    def menu_of(self, person: Person, channel_id: int, name: str, target: int) -> tuple[Interaction, JSON]:
        """A person chooses a command in the menu of somebody."""
        root = self.backend.find_command(name, self.guild_id, AppCommandType.USER)
        assert root is not None, f"the bot has registered no {name}"
        resolved = self.inputs.resolved(self._where(person, channel_id), [str(target)])
        data = {
            "id": root["id"],
            "name": name,
            "type": int(AppCommandType.USER),
            "target_id": str(target),
            "resolved": resolved,
        }
        return self._begun(InteractionType.APPLICATION_COMMAND, person, channel_id, data)

    def component(
        self,
        person: Person,
        message: dict[str, Any],
        custom_id: str,
        values: Sequence[str] | None,
        *,
        checked: bool = True,
    ) -> tuple[Interaction, JSON]:
        """A person clicks a button of a message as they saw it, or with `values` chooses from a menu.

        `checked`: Discord checks that the message still has the component; the bot gets the message as it is now.
        Otherwise the click is forged, or was checked some time ago and arrives late.

        Raises:
            Refused: if the check fails; no interaction begins.
        """
        if checked:
            now = check_click(self.backend, int(message["channel_id"]), int(message["id"]), custom_id)
            message = self.payload_of(now)
        channel_id = int(message["channel_id"])
        data = self.inputs.click(self._where(person, channel_id), message, custom_id, values)
        record, payload = self._begun(InteractionType.MESSAGE_COMPONENT, person, channel_id, data)
        payload["message"] = message
        record.source_message_id = int(message["id"])
        return record, payload

    def modal(self, person: Person, channel_id: int, custom_id: str, values: Written) -> tuple[Interaction, JSON]:
        """A person submits the modal that they opened last; if it is another, that is forged."""
        opened = (each for each in reversed(self.backend.interactions.values()) if each.user_id == person.id)
        asked = next((each for each in opened if each.modal is not None and each.modal["custom_id"] == custom_id), None)
        data = self.inputs.form(self._where(person, channel_id), asked and asked.modal, custom_id, values)
        record, payload = self._begun(InteractionType.MODAL_SUBMIT, person, channel_id, data)
        clicked = None if asked is None else asked.source_message_id
        if clicked is not None and self.has(channel_id, clicked):
            payload["message"] = self.payload_of(self.backend.get_message(channel_id, clicked))
            record.source_message_id = clicked
        return record, payload

    def _where(self, person: Person, channel_id: int) -> Where:
        guild_id = self.backend.get_channel(channel_id).guild_id
        assert guild_id is not None
        return Where(guild_id, channel_id, person.id)

    def _begun(self, kind: int, person: Person, channel_id: int, data: JSON) -> tuple[Interaction, JSON]:
        record, payload = interactions.base_payload(
            self.backend,
            type=int(kind),
            channel_id=channel_id,
            guild_id=self.backend.get_channel(channel_id).guild_id,
            user_id=person.id,
            data=data,
        )
        guild = self.backend.get_guild(int(payload["guild_id"]))
        payload["guild_locale"] = guild.preferred_locale
        payload["guild"] = {"id": str(guild.id), "locale": guild.preferred_locale, "features": self._features(guild.id)}
        payload["authorizing_integration_owners"] = {"0": str(guild.id)}
        payload["attachment_size_limit"] = attachments.MOST_BYTES
        payload["locale"] = self.locales.get(person.id, "en-US")
        payload["channel"] = self._partial(channel_id, person.id)
        now = self.backend.clock.now()
        record.initial_response_deadline = (now + timedelta(seconds=self.answer_seconds)).isoformat()
        record.expires_at = (now + timedelta(seconds=self.token_seconds)).isoformat()
        return record, payload

    def _partial(self, channel_id: int, user_id: int) -> dict[str, Any]:
        """A channel in an interaction's payload, with the person's permissions but nobody else's."""
        channel = self.channel_payload(channel_id)
        last = self.last_messages.get(channel_id)
        rest = {"last_message_id": str(last) if last else None, "last_pin_timestamp": None, "nsfw": False, "flags": 0}
        channel.pop("permission_overwrites", None)
        return {**channel, **rest, "permissions": str(self.permissions(channel_id, user_id).value)}

    def _seconds(self) -> float:
        return self.backend.clock.now().timestamp()

    def by_token(self, token: str) -> Interaction | None:
        """The interaction with this token."""
        return self.backend.interactions.get(self.backend.interaction_tokens.get(token, 0))

    def expired(self, token: str) -> bool:
        """Whether an interaction's token has expired."""
        record = self.by_token(token)
        return record is not None and record.expires_at is not None and self.backend.now_iso() >= record.expires_at

    # ----------------------------------------------------------------------------------------- requests, events
    def request(self, method: str, path: str, body: JSON, params: dict[str, Any], files: list[Upload]) -> JSON:
        """Carry out a request of the bot.

        Raises:
            Refused: if Discord would.
        """
        nonce = (path, body["nonce"]) if isinstance(body, dict) and body.get("enforce_nonce") else None
        if nonce in self.nonces and self.nonces[nonce][0] > self._seconds():
            known = self.nonces[nonce][1]
            if int(known["id"]) not in self.backend.messages.get(int(known["channel_id"]), {}):
                raise Refused(404, 10008, "Unknown Message", meant=True)
            return known
        self.threads.check(method, path, body)
        refusing.check(self.backend, method, path, body)
        if files and (found := MESSAGES.fullmatch(path)) and not self.permissions(int(found[1])).attach_files:
            raise Refused(403, 50013, "Missing Permissions")
        if (answer := self.threads.carry_out(method, path, body)) is not None:
            return answer
        body = self.files.check(self.backend, method, path, body, files)
        body = entry_point.check(self.backend, method, path, body)
        if path == "/applications/@me":
            path = "/oauth2/applications/@me"
        try:
            answer = self._dispatched(method, path, body, params, files)
        except BackendError as error:
            raise Refused(error.status, error.code, error.message) from error
        if nonce is not None:
            self.nonces[nonce] = self._seconds() + NONCE_SECONDS, answer
        if path == "/oauth2/applications/@me" and self.owner is not None:
            answer["owner"] = dict(serializers.user_payload(self.backend.get_user(self.owner.id)))
        return shapes.completed(method, path, entry_point.listed(self.backend, path, answer, params))

    def _dispatched(self, method: str, path: str, body: JSON, params: dict[str, Any], files: list[Upload]) -> JSON:
        """Have SimCord carry out a request, without fields that Discord doesn't know: it ignores them."""
        try:
            return router.dispatch(self.backend, method, path, json=body, params=params, files=files)
        except router.UnsupportedField:
            known = schema.load()
            unknown = known.unknown(method, path, body) if known is not None else []
            if not unknown:
                raise
        self.ignored += unknown
        body = deepcopy(body)
        for where in unknown:
            *steps, name = where.split("/")[1:]
            del reduce(lambda node, step: node[int(step) if isinstance(node, list) else step], steps, body)[name]
        return router.dispatch(self.backend, method, path, json=body, params=params, files=files)

    def forget_history(self) -> None:
        """Drop SimCord's own record of requests and events, which nobody reads here and which only grows."""
        self.backend.http_requests.clear()
        self.backend.transcript.clear()

    def listen(self, listener: Listener) -> None:
        """Call `listener` with every event of the world."""
        self.backend.subscribers.append(listener)

    def wanted(self, event: str, payload: Mapping[str, Any], intents: int) -> bool:
        """Whether a bot with these intents receives an event."""
        if self.threads.hidden(event, payload):
            return False
        gate = required_intent(event, payload)
        return gate is None or bool(getattr(discord.Intents._from_value(intents), gate))

    def ready(self, session_id: str, url: str) -> dict[str, Any]:
        """The first event of a session."""
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in self.backend.guilds],
            "session_id": session_id,
            "resume_gateway_url": url,
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }

    def guilds(self, intents: int) -> list[dict[str, Any]]:
        """The servers, as a session receives them one by one after it is ready."""
        found = []
        for guild_id in self.backend.guilds:
            payload = self.guild_payload(guild_id)
            prune_guild_create(payload, discord.Intents._from_value(intents), self.bot_id)
            found.append(payload)
        return found

    def guild_payload(self, guild_id: int) -> dict[str, Any]:
        """A server as the bot is told of it."""
        payload: dict[str, Any] = dict(serializers.guild_create_payload(self.backend, self.backend.get_guild(guild_id)))
        return payload | {"features": self._features(guild_id), "threads": self.threads.listed(guild_id)}

    def _features(self, guild_id: int) -> list[str]:
        return ["COMMUNITY"] if guild_id in self.communities else []

    def _heard(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":  # private messages cause no events
            channel_id, message_id = int(payload["channel_id"]), int(payload["id"])
            self.last_messages[channel_id] = message_id
            self.threads.posted(channel_id, self.backend.get_message(channel_id, message_id).ping_user_ids)

    def has_sub_commands(self) -> bool:
        """Whether the bot has registered its commands."""
        roots = self.backend.commands.get(None, {}).values()
        return any(option["type"] in _SUB_COMMANDS for root in roots for option in root["options"])
