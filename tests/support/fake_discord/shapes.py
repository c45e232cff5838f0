"""Completes what SimCord answers, and takes away what Discord sends over the gateway alone.

Discord's published schema says which fields a response has; `Wiretap` checks each answer against it.
"""

import re
from typing import Any

from simcord.backend import serializers
from simcord.enums import InteractionType

from tests.support.limits_components import CONTAINER, FILE, SELECTS, pictures, walk

JSON = Any

CREATED, NO_CONTENT = 201, 204
_SEPARATOR = 14
_EXTERNAL = 3
_CREATING = re.compile(r"/applications/\d+/emojis|/channels/\d+(?:/messages/\d+)?/threads|/guilds/\d+/channels")
_APPLICATION = {
    "type": None,
    "flags_new": "0",
    "redirect_uris": [],
    "interactions_endpoint_url": None,
    "role_connections_verification_url": None,
    "approximate_guild_count": 1,
    "approximate_user_install_count": 0,
    "approximate_user_authorization_count": 0,
    "explicit_content_filter": 0,
    "eligible_oauth2_scopes": ["bot", "applications.commands"],
}
_GUILD = {
    "home_header": None,
    "region": "deprecated",
    "widget_enabled": False,
    "widget_channel_id": None,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "safety_alerts_channel_id": None,
    "nsfw": False,
    "nsfw_level": 0,
    "incidents_data": None,
    "premium_progress_bar_enabled": False,
}
_GATEWAY_ALONE = frozenset(
    "joined_at large unavailable member_count members channels threads presences voice_states stage_instances"
    " guild_scheduled_events soundboard_sounds".split()
)
"""The fields of a server that only its GUILD_CREATE has."""
_DEFAULTS: dict[int, JSON] = {
    CONTAINER: {"accent_color": None, "spoiler": False},
    FILE: {"spoiler": False},
    _SEPARATOR: {"spacing": 1, "divider": True},
    **{key: {"min_values": 1, "max_values": 1} for key in SELECTS},
}
"""The fields that Discord adds to a component without them."""
_user, _member, _channel, _message, _event = (
    serializers.user_payload,
    serializers.member_payload,
    serializers.channel_payload,
    serializers.message_payload,
    serializers.scheduled_event_payload,
)


def status_of(method: str, path: str, answer: JSON) -> int:
    """The status of a response to a request that was carried out."""
    if answer is None:
        return NO_CONTENT
    return CREATED if method == "POST" and _CREATING.fullmatch(path) else 200


def completed(method: str, path: str, answer: JSON) -> JSON:
    """SimCord's answer to a request as Discord gives it."""
    if path.endswith("/applications/@me"):
        return {**_APPLICATION, **answer}
    if method == "GET" and re.fullmatch(r"/guilds/\d+", path):
        return {**_GUILD, **{key: value for key, value in answer.items() if key not in _GATEWAY_ALONE}}
    if path.endswith("/threads/active"):
        return {"has_more": False, **answer}
    if path.endswith("/callback"):
        known = {key: value for key, value in answer["interaction"].items() if value is not None}
        return {**answer, "interaction": known}
    if re.fullmatch(r"/applications/\d+(?:/guilds/\d+)?/commands", path):
        return [_command(each) for each in answer] if isinstance(answer, list) else _command(answer)
    return answer


def _command(command: JSON) -> JSON:
    allowed = command.get("default_member_permissions")
    given = {key: value for key, value in command.items() if value is not None}
    return {
        **given,
        "version": command["id"],
        "default_member_permissions": None if allowed is None else str(allowed),
    }


def _user_payload(*args: Any) -> JSON:
    return {**_user(*args), "primary_guild": None}


def _member_payload(*args: Any, **how: Any) -> JSON:
    return {**_member(*args, **how), "banner": None}


def _channel_payload(*args: Any) -> JSON:
    payload: JSON = {"flags": 0, **_channel(*args)}
    payload["type"] = int(payload["type"])  # SimCord's own kind of number, which takes long to copy; so below
    return payload


def _message_payload(backend: Any, message: Any, **how: Any) -> JSON:
    payload: JSON = {**_message(backend, message, **how)}
    del payload["nonce"]
    payload["mention_roles"] = list(dict.fromkeys(payload["mention_roles"]))
    payload["attachments"] = [
        {key: value for key, value in file.items() if value is not None} for file in payload["attachments"]
    ]
    nodes: list[JSON] = [node for _, node in walk(payload["components"])]
    for node in nodes:
        for name, value in _DEFAULTS.get(node["type"], {}).items():
            node.setdefault(name, value)
        shown: list[JSON] = pictures(node)
        for picture in shown:
            picture.setdefault("description", None)
            picture.setdefault("spoiler", False)
        for media in [each["media"] for each in shown] + ([node["file"]] if node["type"] == FILE else []):
            media.setdefault("id", media.get("attachment_id", payload["id"]))
    if metadata := payload.get("interaction_metadata"):
        payload["interaction_metadata"] = _origin(backend, {**metadata, "type": int(metadata["type"])})
    return payload


def _event_payload(*args: Any) -> JSON:
    payload: JSON = {**_event(*args), "recurrence_rule": None, "guild_scheduled_event_exceptions": []}
    if payload["entity_type"] == _EXTERNAL:
        payload["entity_metadata"] = payload["entity_metadata"] or {"location": ""}
    return payload


def _origin(backend: Any, metadata: JSON) -> JSON:
    """The interaction that a message answers, with the message that was clicked, or with what opened the form."""
    record = backend.interactions.get(int(metadata["id"]))
    if record is None or record.type == InteractionType.APPLICATION_COMMAND:
        return metadata
    if record.type == InteractionType.MESSAGE_COMPONENT:
        return {**metadata, "interacted_message_id": str(record.source_message_id)}
    before = (each for each in reversed(backend.interactions.values()) if each.id < record.id)
    opener = next((each for each in before if each.user_id == record.user_id and each.modal is not None), None)
    opened = {**metadata, "type": InteractionType.APPLICATION_COMMAND.value}
    if opener is not None:
        opened = _origin(backend, {**metadata, "id": str(opener.id), "type": int(opener.type)})
    return {**metadata, "triggering_interaction_metadata": opened}


serializers.user_payload = _user_payload
serializers.member_payload = _member_payload
serializers.channel_payload = _channel_payload
serializers.message_payload = _message_payload
serializers.scheduled_event_payload = _event_payload
