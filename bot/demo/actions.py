"""Carries out what a person does on the page in the simulated server: commands, buttons, menus, forms, chat."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import simcord
from simcord.builders import UserHandle

from bot.demo.people import Actor, Resident, choices
from bot.demo.simulated import Json
from bot.demo.snapshot import local_urls
from bot.demo.world import World
from bot.platform.database.errors import StoreError
from bot.platform.kit.codec import number_in
from bot.platform.refusals import Refusal

log = logging.getLogger(__name__)


LONGEST_TEXT = 2000
KEPT_MODALS = 8
USER_OPTION, CHANNEL_OPTION, ROLE_OPTION, MENTIONABLE_OPTION = 6, 7, 8, 9
SLOW = "slow"


class ActionError(Exception):
    """The action can't be done. The page turns `code` into words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def act(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    """Carry out what a resident does on the page. Returns ``{"ok": true}``, with a ``modal`` if the bot opened one.

    Raises `ActionError`: ``invalid`` (the page sends no such request), ``stale`` (the message or component has
    changed meanwhile), ``failed`` (the bot didn't answer), ``slow`` (the bot is still busy).
    """
    handler = _HANDLERS.get(str(request.get("kind")))
    if handler is None:
        raise ActionError("invalid")
    try:
        return await handler(world, resident, request) or {"ok": True}
    except simcord.OptionError as error:
        raise ActionError("invalid") from error
    except (Refusal, StoreError) as error:
        raise ActionError("failed") from error
    except (simcord.SetupError, simcord.BackendError) as error:
        log.info("%s could not %s: %s", resident.person.name, request.get("kind"), error)
        raise ActionError("stale") from error
    except TimeoutError as error:
        log.warning("The bot is still busy after %s's %s", resident.person.name, request.get("kind"))
        raise ActionError(SLOW) from error
    finally:
        world.touch()


def _text(request: Mapping[str, Any], key: str, longest: int = 100) -> str:
    value = request.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise ActionError("invalid")
    return value


def _snowflake(request: Mapping[str, Any], key: str) -> int:
    number = number_in(_text(request, key, 20))
    if number is None:
        raise ActionError("invalid")
    return number


def _channel(world: World, resident: Resident, request: Mapping[str, Any]) -> simcord.ChannelHandle:
    channel = world.channel_for(resident, _snowflake(request, "channel"))
    if channel is None:
        raise ActionError("invalid")
    return channel


def _message(world: World, resident: Resident, request: Mapping[str, Any]) -> tuple[Actor, simcord.ResponseMessage]:
    """A message to act on, and the person as they act there."""
    channel = _channel(world, resident, request)
    message = world.message(channel.id, _snowflake(request, "message"))
    if message is None:
        raise ActionError("stale")
    return resident.within(channel), message


def _mapping(request: Mapping[str, Any], key: str) -> Json:
    value: object = request.get(key) or {}
    if not isinstance(value, dict):
        raise ActionError("invalid")
    return cast(Json, value)


def _answer(resident: Resident, result: simcord.InteractionResult, actor: Actor) -> Json:
    if not result.acknowledged:
        raise ActionError("failed")
    modal = result.modal
    if modal is None:
        return {"ok": True}
    key = secrets.token_hex(8)
    resident.modals[key] = actor, result
    while len(resident.modals) > KEPT_MODALS:
        del resident.modals[next(iter(resident.modals))]
    return {"ok": True, "modal": {**local_urls(modal), "key": key}}


async def _command(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    channel = _channel(world, resident, request)
    path = _text(request, "path")
    if path not in resident.commands(channel):
        raise ActionError("stale")
    types = {
        option["name"]: option["type"]
        for command in world.setting(resident, set())["commands"]
        if command["path"] == path
        for option in command["options"]
    }
    actor, given = resident.within(channel), _mapping(request, "options").items()
    options = {name: _value(world, types.get(name), value, actor) for name, value in given}
    async with world.operation():
        direct = isinstance(actor, UserHandle)
        result = await (actor.slash(path, **options) if direct else actor.slash(channel, path, **options))
        return _answer(resident, result, actor)


async def _on_person(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    """Run one of the commands that the menu of a person has."""
    channel, name = _channel(world, resident, request), _text(request, "name")
    person, actor = world.member(_snowflake(request, "person")), resident.actor
    if person is None or actor is None:
        raise ActionError("invalid")
    async with world.operation():
        return _answer(resident, await actor.context_menu(channel, name, person), actor)


async def _autocomplete(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    """List what the bot offers for an option before anything is typed; the page narrows it down."""
    channel = _channel(world, resident, request)
    path = _text(request, "path")
    option = _text(request, "option")
    actor = resident.within(channel)
    async with world.operation():
        direct = isinstance(actor, UserHandle)
        choices = await (
            actor.autocomplete(path, option, "") if direct else actor.autocomplete(channel, path, option, "")
        )
    return {"ok": True, "choices": choices}


def _value(world: World, kind: int | None, value: Any, actor: Actor) -> Any:
    """An option's value: people, channels and roles come as ids."""
    if kind in (USER_OPTION, MENTIONABLE_OPTION, CHANNEL_OPTION, ROLE_OPTION):
        person = world.user if isinstance(actor, UserHandle) else world.member
        find = {CHANNEL_OPTION: world.channel, ROLE_OPTION: world.role}.get(kind, person)
        number = number_in(str(value))
        handle = None if number is None else find(number)
        if handle is None:
            raise ActionError("invalid")
        return handle
    return value


async def _click(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    custom_id = _text(request, "id")
    async with world.operation():
        actor, message = _message(world, resident, request)
        return _answer(resident, await actor.click(message, custom_id=custom_id), actor)


async def _select(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    custom_id = _text(request, "id")
    chosen = _strings(request.get("values"))
    async with world.operation():
        actor, message = _message(world, resident, request)
        kind = _ENTITY_SELECTS.get((_find(message.components, custom_id) or {}).get("type", 0))
        values = [_value(world, kind, value, actor) for value in chosen]
        return _answer(resident, await actor.select(message, values, custom_id=custom_id), actor)


def _strings(values: object) -> list[str]:
    if not isinstance(values, list) or len(cast("list[object]", values)) > 25:
        raise ActionError("invalid")
    return [str(value) for value in cast("list[object]", values)]


_ENTITY_SELECTS = {5: USER_OPTION, 6: ROLE_OPTION, 7: MENTIONABLE_OPTION, 8: CHANNEL_OPTION}
"""The select menus whose values are ids: their component type, and the type of a command option like it."""


def _find(value: Any, custom_id: str) -> Json | None:
    if isinstance(value, list):
        return next((hit for item in cast("list[Any]", value) if (hit := _find(item, custom_id))), None)
    if not isinstance(value, dict):
        return None
    node = cast(Json, value)
    if node.get("custom_id") == custom_id:
        return node
    nested = [node.get(key) for key in ("components", "component", "accessory")]
    return next((hit for item in nested if (hit := _find(item, custom_id))), None)


async def _modal(world: World, resident: Resident, request: Mapping[str, Any]) -> Json:
    opened = resident.modals.get(_text(request, "modal"))
    if opened is None:
        raise ActionError("stale")
    actor, shown = opened
    fields: list[Json] = (shown.modal or {}).get("components") or []
    values: Json = {}
    for custom_id, value in _mapping(request, "values").items():
        kind = _ENTITY_SELECTS.get((_find(fields, custom_id) or {}).get("type", 0))
        many = isinstance(value, list) and kind is not None
        values[custom_id] = [_value(world, kind, item, actor) for item in cast("list[Any]", value)] if many else value
    async with world.operation():
        return _answer(resident, await actor.submit_modal(shown, values), actor)


async def _say(world: World, resident: Resident, request: Mapping[str, Any]) -> None:
    text = _text(request, "text", LONGEST_TEXT).strip()
    if not text:
        raise ActionError("invalid")
    async with world.operation():
        channel = _channel(world, resident, request)
        actor = resident.within(channel)
        await (actor.send_dm(text) if isinstance(actor, UserHandle) else actor.send(channel, text))


async def _dismiss(world: World, resident: Resident, request: Mapping[str, Any]) -> None:
    resident.dismissed.add(_snowflake(request, "message"))


async def _locale(world: World, resident: Resident, request: Mapping[str, Any]) -> None:
    await world.languages.choose(resident, _tag(request))


async def _guild_locale(world: World, resident: Resident, request: Mapping[str, Any]) -> None:
    await world.languages.choose_for_guild(_tag(request))


def _tag(request: Mapping[str, Any]) -> str:
    tag = _text(request, "locale")
    if tag not in choices():
        raise ActionError("invalid")
    return tag


_HANDLERS: dict[str, Callable[[World, Resident, Mapping[str, Any]], Awaitable[Json | None]]] = {
    "command": _command,
    "on_person": _on_person,
    "autocomplete": _autocomplete,
    "click": _click,
    "select": _select,
    "modal": _modal,
    "say": _say,
    "dismiss": _dismiss,
    "locale": _locale,
    "guild_locale": _guild_locale,
}
