"""The page's web server, which serves only this computer and only its own page.

In a container it listens on all addresses, but still answers only to the names by which a computer calls itself.
"""

import asyncio
import mimetypes
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

from aiohttp import hdrs, web

from bot.demo.actions import ActionError, act
from bot.demo.live import Hub
from bot.demo.people import Resident
from bot.demo.simulated import Json
from bot.demo.snapshot import CARDS, match_json
from bot.demo.world import World
from bot.engine.match_file import LARGEST as LARGEST_MATCH
from bot.platform.language.catalogues import language_of, words
from bot.platform.outside import read_json

STATIC = Path(__file__).parent / "static"
LARGEST_BODY = 64 * 1024
SHOWABLE = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Uploads of these types are shown in the browser; others are only downloaded."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; connect-src 'self' ws://{host}; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}

_SENT = ("application/json", "application/octet-stream")
"""The content types that the page sends, which another site's form can't have."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

WORLD = web.AppKey("world", World)
HUB = web.AppKey("hub", Hub)
HOSTS = web.AppKey("hosts", frozenset[str])
"""The accepted ``Host`` headers. Any other name that leads here is a DNS rebinding attack."""


def make_app(world: World, hub: Hub, port: int) -> web.Application:
    """The web application, for a server that listens on `port`."""
    app = web.Application(middlewares=[_guard], client_max_size=LARGEST_BODY)
    app[WORLD], app[HUB] = world, hub
    app[HOSTS] = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
    app.router.add_get("/", _root)
    app.router.add_get("/as/{person}", _page)
    app.router.add_get("/live/{person}", _live)
    app.router.add_post("/act/{person}", _act)
    app.router.add_post("/match/{person}", _match)
    app.router.add_get("/cards/{card:[0-9]{1,2}[oceb]}.svg", _card)
    app.router.add_get("/cdn/emojis/{emoji:[0-9]{1,20}}.{extension}", _emoji)
    app.router.add_get("/cdn/{path:attachments/.+}", _file)
    app.router.add_static("/static", STATIC)
    app.on_response_prepare.append(_add_headers)
    return app


def listen(port: int, host: str = "127.0.0.1") -> socket.socket:
    """A socket at an address, on another free port if `port` is taken."""
    for candidate in (port, 0):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(128)
        except OSError:
            sock.close()
            if candidate == 0:
                raise
        else:
            sock.setblocking(False)
            return sock
    raise AssertionError("unreachable")


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    host = request.headers.get(hdrs.HOST, "").lower()
    for name, value in _HEADERS.items():
        known = host if host in request.app[HOSTS] else "127.0.0.1"
        response.headers.setdefault(name, value.replace("{host}", known))


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests from other sites: a foreign Host or Origin, or a form that poses as JSON."""
    host = request.headers.get(hdrs.HOST, "").lower()
    if host not in request.app[HOSTS]:
        return web.Response(status=403, text="This demo answers at its own address only.\n")
    writes = request.method not in (hdrs.METH_GET, hdrs.METH_HEAD)
    if writes or request.path.startswith("/live/"):
        if request.headers.get(hdrs.ORIGIN, "").lower() != f"http://{host}":
            return web.Response(status=403, text="Another site's page can't use this demo.\n")
        if writes and request.content_type not in _SENT:
            return web.Response(status=415, text="Send application/json.\n")
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return web.Response(status=404, text=_NOT_FOUND, content_type="text/html")


def _resident(request: web.Request) -> Resident:
    resident = request.app[WORLD].residents.get(request.match_info["person"])
    if resident is None:
        raise web.HTTPNotFound
    return resident


async def _root(request: web.Request) -> web.StreamResponse:
    """Redirect a newcomer to a person who speaks their browser's language; if nobody does, the first one learns it."""
    world = request.app[WORLD]
    first, *_ = residents = list(world.residents.values())
    asked = re.findall(r"(?:^|,)\s*([a-z]{2}(?:-\w+)?)", request.headers.get(hdrs.ACCEPT_LANGUAGE, "").lower())
    language = next(filter(None, map(language_of, asked)), None)
    speakers = (each for each in residents if world.languages.language(each) == language)
    resident = next(speakers, first)
    if language is not None:
        await world.languages.suggest(resident, language)
        world.touch()
    raise web.HTTPFound(f"/as/{resident.person.slug}")


async def _page(request: web.Request) -> web.StreamResponse:
    _resident(request)
    return web.FileResponse(STATIC / "index.html")


async def _live(request: web.Request) -> web.StreamResponse:
    return await request.app[HUB].serve(request, _resident(request))


async def _act(request: web.Request) -> web.StreamResponse:
    resident = _resident(request)
    try:
        body: object = read_json(await request.read())
    except ValueError:
        body = None
    if not isinstance(body, dict):
        return web.json_response({"ok": False, "error": "invalid"}, status=400)
    try:
        answer = await act(request.app[WORLD], resident, cast(Json, body))
    except ActionError as error:
        return web.json_response({"ok": False, "error": error.code}, status=400 if error.code == "invalid" else 200)
    return web.json_response(answer)


async def _match(request: web.Request) -> web.StreamResponse:
    """Show a match's file, which the server doesn't keep."""
    resident, content = _resident(request), bytearray()
    async for chunk in request.content.iter_any():
        content += chunk
        if len(content) > LARGEST_MATCH:  # the reader reports that
            break
    language = request.app[WORLD].languages.language(resident)
    return web.json_response(await asyncio.to_thread(match_json, bytes(content), words(language)))


async def _card(request: web.Request) -> web.StreamResponse:
    drawing = CARDS.get(request.match_info["card"])
    if drawing is None:
        raise web.HTTPNotFound
    return web.Response(text=drawing, content_type="image/svg+xml", headers={"Cache-Control": "private, max-age=86400"})


async def _file(request: web.Request) -> web.StreamResponse:
    path = request.match_info["path"]
    data = request.app[WORLD].file(path)
    if data is None:
        raise web.HTTPNotFound
    return _picture(data, mimetypes.guess_type(path)[0])


async def _emoji(request: web.Request) -> web.StreamResponse:
    found = request.app[WORLD].emoji(int(request.match_info["emoji"]))
    if found is None:
        raise web.HTTPNotFound
    return _picture(found[1], found[0])


def _picture(data: bytes, kind: str | None) -> web.Response:
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    if kind in SHOWABLE:
        return web.Response(body=data, content_type=kind, headers=headers)
    headers[hdrs.CONTENT_DISPOSITION] = "attachment"
    return web.Response(body=data, content_type="application/octet-stream", headers=headers)


_NOT_FOUND = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Nobody here</title>
<link rel="stylesheet" href="/static/css/base.css">
<main class="nobody"><h1>Nobody here · Aquí no hay nadie</h1>
<p>This demo has no such page. / Esta demo no tiene esa página.</p><p><a href="/">→ Club de Escoba</a></p></main>
"""
