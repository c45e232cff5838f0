"""Pushes changes to every open window over a websocket."""

import asyncio
import json
import logging
from dataclasses import dataclass, field

from aiohttp import web

from bot.demo.people import Resident, page_texts
from bot.demo.simulated import Json
from bot.demo.world import World

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.03
"""The interval at which the hub checks for changes; a check without changes costs next to nothing."""
HEARTBEAT_SECONDS = 20.0
CLOSING_SECONDS = 1.0
"""The time that a window has to close its websocket."""
SHOWN = 80
"""The number of a channel's latest messages that a window shows."""

Messages = dict[int, list[tuple[str, str, int | None]]]
"""Each channel's messages: id, JSON, and the viewer's id if only one person sees it."""


@dataclass(slots=True, eq=False)
class Window:
    """An open page, and what has been sent to it."""

    resident: Resident
    socket: web.WebSocketResponse
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    language: str = ""
    """The language of the texts that the page has."""
    setting: str = ""
    channels: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])
    """The ids of the messages shown in each channel, in order, with a hash of each message."""

    def news(self, setting: Json, messages: Messages) -> list[str]:
        """Collect the news for this window as texts to send; it counts as known from now on."""
        news: list[str] = []
        if setting["language"] != self.language:
            self.language = setting["language"]
            texts = json.dumps(page_texts(self.language), ensure_ascii=False)
            news.append(f'{{"type":"texts","texts":{texts}}}')
        moment = setting.pop("now")
        text = json.dumps(setting, ensure_ascii=False)
        if text != self.setting:
            self.setting = text
            news.append(f'{{"type":"setting","now":{moment},"setting":{text}}}')
        shown = (int(channel["id"]) for channel in setting["channels"])
        news.extend(filter(None, (self._channel_news(each, messages.get(each, [])) for each in shown)))
        return news

    def _channel_news(self, channel_id: int, messages: list[tuple[str, str, int | None]]) -> str:
        """A channel's message ids, and its new and changed messages; empty if nothing has changed."""
        viewer, dismissed = self.resident.user.id, self.resident.dismissed
        visible = [
            (message_id, text)
            for message_id, text, owner in messages
            if owner in (None, viewer) and int(message_id) not in dismissed
        ][-SHOWN:]
        current = {message_id: hash(text) for message_id, text in visible}
        known = self.channels.get(channel_id)
        if known == current:
            return ""
        self.channels[channel_id] = current
        changed = [text for message_id, text in visible if (known or {}).get(message_id) != current[message_id]]
        return (
            f'{{"type":"channel","id":"{channel_id}","first":{json.dumps(known is None)},'
            f'"ids":{json.dumps(list(current))},"messages":[{",".join(changed)}]}}'
        )


class Hub:
    """All open windows. Each is served independently, so a stalled one doesn't hold up the others."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._windows: set[Window] = set()
        self._messages: tuple[int, Messages] = (-1, {})

    async def run(self) -> None:
        """Wake the windows whenever something changes, until cancelled."""
        seen = -1
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._world.version != seen:
                seen = self._world.version
                for window in self._windows:
                    window.changed.set()

    async def serve(self, request: web.Request, resident: Resident) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_SECONDS, timeout=CLOSING_SECONDS, max_msg_size=1024, compress=False
        )  # large messages are compressed in a task of their own, which fails unseen when the page closes
        try:
            await socket.prepare(request)
        except ConnectionResetError:
            return socket  # the page was closed or loaded again meanwhile
        await self._world.languages.welcome(resident)
        window = Window(resident, socket)
        self._windows.add(window)
        self._world.touch()
        window.changed.set()
        sender = asyncio.create_task(self._send(window))
        try:
            async for _ in socket:
                pass  # Windows only listen; actions come by POST.
        finally:
            sender.cancel()
            self._windows.discard(window)
            self._world.touch()
        return socket

    async def close(self) -> None:
        """Close every window's websocket because the demo stops."""
        closing = [window.socket.close(code=1001, message=b"the demo was stopped") for window in self._windows]
        await asyncio.gather(*closing, return_exceptions=True)

    async def _send(self, window: Window) -> None:
        """Keep a window up to date; changes during a slow send go out together."""
        try:
            while True:
                await window.changed.wait()
                window.changed.clear()
                online = {other.resident.person.slug for other in self._windows}
                setting = self._world.setting(window.resident, online)
                for text in window.news(setting, self._current()):
                    await window.socket.send_str(text)
        except ConnectionError:
            log.debug("%s's window went away", window.resident.person.name)
        except Exception:
            log.exception("Could not update a window")
            await window.socket.close(code=1011)

    def _current(self) -> Messages:
        """All messages, built once for each version of the world."""
        version = self._world.version
        if self._messages[0] != version:
            places = [place for place, _ in self._world.places()]
            places += [resident.direct for resident in self._world.residents.values()]
            self._messages = version, {place.id: list(self._world.messages(place)) for place in places}
        return self._messages[1]
