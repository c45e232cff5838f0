"""What SimCord's in-process world lacks, added to one world at a time.

Other worlds of the same process aren't affected.
"""

import json
import marshal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import discord
import simcord
from simcord import BackendError, _dpy_internals, _runtime, actors, components, gateway, interactions, results
from simcord.backend import serializers
from simcord.backend.access import can_access_channel
from simcord.builders import ChannelHandle
from simcord.http import router

from tests.support.fake_discord import attachments, entry_point, refusing, shapes, threads
from tests.support.fake_discord.inputs import Where, permissions_in
from tests.support.fake_discord.refused import Refused
from tests.support.limits_components import BUTTON, ROW, STRING_SELECT, walk

Answered = Callable[[int, int, Any, bool], None]
"""Called when a request has ended: with its status, Discord's error code (0: none), the response's body, and whether
it was refused though it was valid."""

Hear = Callable[[str, str, Any, Sequence[Any]], Answered]
"""Called before a request takes effect: with its method, path, JSON body and files."""

# Attributes of a world's backend.
_HEAR, _LOCALES, _COMMUNITIES, _HALVES = "_tests_hear", "_tests_locales", "_tests_communities", "_tests_halves"
_ELSEWHERE = "_tests_elsewhere"
PRIVATE_CHANNEL = 2
"""The context of a command in a private chat between people."""
_GROUP = 3
_dispatch = router.dispatch
_base_payload = interactions.base_payload
_guild_payload = serializers.guild_create_payload


def tap(env: simcord.Env, hear: Hear) -> None:
    """Call `hear` for all requests of a world's bots; both transports call the router through its module.

    From then on the world is strict about files, too.
    """
    attachments.install(env.backend)
    setattr(env.backend, _HEAR, hear)
    router.dispatch = _tapped


def _tapped(backend: Any, method: str, path: str, **rest: Any) -> Any:
    hear: Hear | None = getattr(backend, _HEAR, None)
    if hear is None:
        return _dispatch(backend, method, path, **rest)
    body, files = _as_sent(rest.get("json")), rest.get("files") or ()
    answered = hear(method, path, body, files)
    try:
        if method == "GET" and path in [f"/guilds/{guild_id}" for guild_id in getattr(backend, _HALVES, ())]:
            raise Refused(403, 50001, "Missing Access")
        threads.check_active(backend, method, path, body)
        refusing.check(backend, method, path, body)
        body = attachments.rules_of(backend).check(backend, method, path, body, files)
        body = entry_point.check(backend, method, path, body)
        answer = _dispatch(backend, method, path, **{**rest, "json": body})
        if method == "POST" and (thread_id := threads.named_by(backend, threads.MESSAGES, path)):
            threads.reopen_by_post(backend, thread_id)
        answer = shapes.completed(method, path, entry_point.listed(backend, path, answer, rest.get("params")))
    except Refused as error:
        answered(error.status, error.code, None, error.meant)
        raise BackendError(error.status, error.code, error.message, errors=error.errors) from error
    except Exception as error:
        answered(getattr(error, "status", 500), getattr(error, "code", 0), None, False)
        raise
    answered(shapes.status_of(method, path, answer), 0, answer, False)
    return answer


def _as_sent(body: Any) -> Any:
    """A request's body as Discord reads it, without the bot's own kinds of strings and numbers, which no copy is quick
    to make of. One that isn't JSON is left to who hears of it."""
    try:
        return json.loads(json.dumps(body, allow_nan=False))
    except (TypeError, ValueError):
        return body


def localise(env: simcord.Env, locales: dict[int, str]) -> None:
    """Make interactions carry the users' locales and their server's preferred one; SimCord knows only en-US."""
    setattr(env.backend, _LOCALES, {**getattr(env.backend, _LOCALES, {}), **locales})
    interactions.base_payload = _localised


def _localised(backend: Any, **fields: Any) -> Any:
    record, payload = _base_payload(backend, **fields)
    locales = getattr(backend, _LOCALES, None)
    if locales is not None:
        payload["locale"] = locales.get(fields["user_id"], payload["locale"])
        if "guild_locale" in payload:
            payload["guild_locale"] = backend.get_guild(fields["guild_id"]).preferred_locale
            payload["authorizing_integration_owners"] = {"0": payload["guild_id"]}
        payload["attachment_size_limit"] = attachments.MOST_BYTES
        if fields["guild_id"] in getattr(backend, _HALVES, {}):
            payload["app_permissions"] = str(getattr(backend, _HALVES)[fields["guild_id"]])
        _come_from_elsewhere(backend, fields, payload)
    data = with_permissions(backend, fields)
    if "component_type" in data:
        data = {**data, "component_type": int(data["component_type"])}
    return record, {**payload, "type": int(payload["type"]), "data": data}


def _come_from_elsewhere(backend: Any, fields: dict[str, Any], payload: dict[str, Any]) -> None:
    """Make an interaction say how the bot was installed where it isn't in the server."""
    own = {"1": str(fields["user_id"])}
    if fields["guild_id"] is None:
        payload["authorizing_integration_owners"] = {"0": "0", **own}
    context = getattr(backend, _ELSEWHERE, {}).get(fields["channel_id"])
    if context is None:
        return
    payload["authorizing_integration_owners"], payload["context"] = own, context
    if context == PRIVATE_CHANNEL:
        payload["user"] = payload.pop("member")["user"]
        payload["channel"] = {"id": payload["channel_id"], "type": _GROUP, "recipients": [], "name": None, "icon": None}
        del payload["guild_id"], payload["guild_locale"]


def take_elsewhere(env: simcord.Env, channel: ChannelHandle, context: int = 0) -> None:
    """Let people use the bot in a channel because they have installed it for themselves: on a server without it, or in
    a `PRIVATE_CHANNEL`. SimCord knows no such channels, so it is one of the server's that the bot isn't told of."""
    setattr(env.backend, _ELSEWHERE, {**getattr(env.backend, _ELSEWHERE, {}), channel.id: context})


def with_permissions(backend: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """The data of an interaction, with the permissions that members chosen in it have in its channel, and the bot in
    channels chosen in it."""
    data: dict[str, Any] = fields["data"]
    resolved: dict[str, Any] = data.get("resolved", {})
    where = Where(fields["guild_id"], fields["channel_id"], fields["user_id"])
    members = {
        number: {**member, **permissions_in(backend, where, int(number))}
        for number, member in resolved.get("members", {}).items()
    }

    def bot_in(channel: str) -> str:
        return str(backend.compute_permissions(fields["guild_id"], backend.bot_user.id, int(channel)))

    channels = {
        number: {**channel, "app_permissions": bot_in(number)}
        for number, channel in resolved.get("channels", {}).items()
    }
    known = {key: value for key, value in (("members", members), ("channels", channels)) if value}
    return {**data, "resolved": {**resolved, **known}} if known else data


def leave_commands_behind(env: simcord.Env, guild_id: int, app_permissions: discord.Permissions) -> None:
    """Remove the bot's user from a server, which keeps its commands, as if the bot had been added with commands alone.

    Which `app_permissions` Discord sends in that case hasn't been verified.
    """
    setattr(env.backend, _HALVES, {**getattr(env.backend, _HALVES, {}), guild_id: app_permissions.value})
    env.backend.emit("GUILD_DELETE", {"id": str(guild_id)})


def make_community(env: simcord.Env, guild_id: int) -> None:
    """Make a server a Community, as only those have a language of their own; SimCord has only ordinary servers."""
    setattr(env.backend, _COMMUNITIES, {*getattr(env.backend, _COMMUNITIES, ()), guild_id})
    serializers.guild_create_payload = _with_features


def choose_language(env: simcord.Env, guild_id: int, locale: str) -> None:
    """Turn a server into a Community with this language while the bot is in it."""
    make_community(env, guild_id)
    env.backend.edit_guild(guild_id, {"preferred_locale": locale})
    told = serializers.guild_create_payload(env.backend, env.backend.get_guild(guild_id))
    env.backend.emit("GUILD_UPDATE", told)


def _with_features(backend: Any, guild: Any) -> Any:
    features = ["COMMUNITY"] if guild.id in getattr(backend, _COMMUNITIES, ()) else []
    return {**_guild_payload(backend, guild), "features": features}


def _copied(value: Any) -> Any:
    """A deep copy of JSON, in a twentieth of the time that `deepcopy` takes, or a fifth if it holds other objects."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - written a moment ago
    except ValueError:
        return _copied_by_hand(value)


def _copied_by_hand(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copied_by_hand(each) for key, each in value.items()}
    if type(value) is list:
        return [_copied_by_hand(each) for each in value]
    return value if value is None or type(value) in (str, int, bool, float) else deepcopy(value)


@lru_cache(maxsize=2_000)
def _validated(packed: bytes, flags: int) -> bytes:
    return marshal.dumps(_validate(marshal.loads(packed), flags=flags))  # noqa: S302 - written a moment ago


def _validate_once(found: Any, *, flags: int = 0) -> Any:
    """SimCord's check of components, with a cache: it runs twice for each request, and many layouts are sent often."""
    try:
        packed = marshal.dumps(found)
    except ValueError:
        return _validate(found, flags=flags)
    return marshal.loads(_validated(packed, flags))  # noqa: S302 - written a moment ago


def _is_sleep_waiter(waiter: Any, loop: Any, deadline: float) -> bool:
    """The same as SimCord's, but checks whom a timer of the loop wakes before the slower check of what it calls."""
    if waiter is None or waiter.done():
        return False
    return any(
        handle._args
        and handle._args[0] is waiter
        and handle.when() > deadline
        and getattr(_dpy_internals._original_callback(handle._callback), "__name__", "") == _WAKES
        for handle in loop._scheduled
    )


def _is_wait_for_listener(client: discord.Client, task: Any) -> bool:
    """The same as SimCord's, but only looks for a listener's future in a task's frames if there is any such future."""
    return bool(_dpy_internals.listener_futures(client)) and _waits_for_listener(client, task)


_WAKES = "_set_result_unless_cancelled"
_waits_for_listener = _dpy_internals.is_wait_for_listener
_validate = components.validate_components
components.validate_components = _validate_once
_dpy_internals.is_sleep_waiter = _is_sleep_waiter
_dpy_internals.is_wait_for_listener = _is_wait_for_listener
_runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign] - one is looked for in a list of all
components.deepcopy = results.deepcopy = _copied  # type: ignore[attr-defined]
router.copy = gateway.copy = SimpleNamespace(deepcopy=_copied)  # type: ignore[attr-defined]


def env_of(actor: simcord.MemberActor) -> simcord.Env:
    """The world that a member is in."""
    return actor._env


def as_bot(env: simcord.Env) -> AbstractContextManager[None]:
    """Context manager: what is done in the block counts as the bot's own work, and so do the timers set there."""
    return env._bot_scope()


def raise_errors(env: simcord.Env) -> None:
    """Raise the errors that the bot raised in a world, except those that the test has read from `env.errors`."""
    env._raise_errors_since(env._errors_acknowledged)


def timers(env: simcord.Env) -> list[str]:
    """The callbacks of the bot's pending timers."""
    records = env._work.callbacks
    pending = (r for r in records if r.when is not None and r.handle is not None and not r.handle.cancelled())
    return [record.label for record in pending]


def hurry(env: simcord.Env) -> None:
    """Make a world check every 2 ms, not every 50, whether a handler that never waits has finished."""
    env._settle_internal = partial(env._settle_internal, idle=0.002)  # type: ignore[method-assign]


def end_withdrawn_deferrals(env: simcord.Env) -> None:
    """End a deferral when its message is deleted; SimCord would try to edit the deleted message."""
    backend = env.backend
    delete = backend.delete_message

    def deleted(channel_id: int, message_id: int, **options: Any) -> Any:
        done = delete(channel_id, message_id, **options)
        for record in backend.interactions.values():
            if record.message_id == message_id and record.loading:
                record.complete_deferred()
        return done

    backend.delete_message = deleted  # type: ignore[method-assign]


def newest_first(actor: simcord.MemberActor, channel: ChannelHandle) -> Iterator[simcord.ResponseMessage]:
    """What a member sees of a channel, newest first, without the SDK objects of its history, which are slow."""
    env = env_of(actor)
    if not can_access_channel(env, channel.id, actor, history=True):
        raise simcord.SetupError("That viewer cannot read this channel's history")
    for _, message in sorted(env.backend.messages.get(channel.id, {}).items(), reverse=True):
        if message.visible_to(actor.id):
            yield simcord.ResponseMessage(env, message)


async def forge_click(
    actor: simcord.MemberActor,
    stored: Any,
    custom_id: str,
    values: Sequence[str] | None,
    among: list[dict[str, Any]] | None = None,
) -> simcord.InteractionResult:
    """Dispatch a click or a choice, even if the component isn't on the message or the message isn't visible.

    The component is added to the message that the bot receives, unless `among` gives that message's components.
    """
    env = env_of(actor)
    kind = BUTTON if values is None else STRING_SELECT
    payload: dict[str, Any] = {**serializers.message_payload(env.backend, stored)}
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind, "id": 9001}
    component: dict[str, Any] = {"type": kind, "custom_id": custom_id, "id": 9001}
    if values is None:
        component |= {"style": 1, "label": "forged"}
    else:
        data["values"] = list(values)
        component |= {"options": [{"label": value, "value": value} for value in values]}
    if among is not None:
        payload["components"] = among
    elif all(node.get("custom_id") != custom_id for _, node in walk(payload["components"])):
        payload["components"] = [*payload["components"], {"type": ROW, "id": 9000, "components": [component]}]
    return await forge_interaction(
        actor, discord.InteractionType.component, stored.channel_id, data, on=stored, message=payload
    )


async def forge_interaction(
    actor: simcord.MemberActor,
    kind: discord.InteractionType,
    channel_id: int,
    data: dict[str, Any],
    *,
    on: Any = None,
    message: dict[str, Any] | None = None,
) -> simcord.InteractionResult:
    """Dispatch an interaction with any data, and wait until the bot is done with it.

    `on`: the message that it is on, as stored; `message`: what the bot receives in place of that.
    """
    env = env_of(actor)
    if on is not None and message is None:
        message = {**serializers.message_payload(env.backend, on)}
    env._begin_operation("forge")
    try:
        return await actors._dispatch_actor_interaction(
            actor,
            kind.value,
            ChannelHandle(env, getattr(actor, "guild", None), env.backend.get_channel(channel_id)),
            data,
            extra=None if message is None else {"message": message},
            source_message_id=None if on is None else on.id,
        )
    finally:
        env._end_operation()
