"""A server's scheduled events as Discord has them: who may make them, when, and how many.

SimCord asks for Manage Events, as Discord did before Create Events was enough for one's own.
"""

import re
from datetime import datetime
from typing import Any, Final

import discord
from simcord.http import router

from tests.support.fake_discord.refused import Refused

MOST: Final = 100
"""The events that a server may have that aren't over."""
_EVENTS: Final = re.compile(r"/guilds/(\d+)/scheduled-events(?:/(\d+))?")
_OVER: Final = (3, 4)
_require = router.RequestContext.require_guild_permissions


def check(backend: Any, method: str, path: str, body: Any) -> None:
    """Check a request about events before it is carried out.

    Raises:
        Refused: if Discord would.
    """
    found = _EVENTS.fullmatch(path)
    guild = None if found is None else backend.guilds.get(int(found[1]))
    if found is None or guild is None or method == "GET":
        return
    allowed = discord.Permissions(backend.compute_permissions(guild.id, backend.bot_user.id, None))
    event = guild.scheduled_events.get(int(found[2] or 0))
    own = event is None or event.creator_id == backend.bot_user.id
    if not (allowed.manage_events or (own and allowed.create_events)):
        raise Refused(403, 50013, "Missing Permissions", meant=True)
    if method == "POST" and sum(each.status not in _OVER for each in guild.scheduled_events.values()) >= MOST:
        raise Refused(400, 30038, "Maximum number of guild scheduled events reached (100)", meant=True)
    if method in ("POST", "PATCH"):
        _check_times(backend, event, body or {})


def _check_times(backend: Any, event: Any, body: dict[str, Any]) -> None:
    start = body.get("scheduled_start_time") or (event and event.scheduled_start_time)
    end = body.get("scheduled_end_time") or (event and event.scheduled_end_time)
    now = datetime.fromisoformat(backend.now_iso())
    if "scheduled_start_time" in body and datetime.fromisoformat(start) <= now:
        _refuse("scheduled_start_time", "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST")
    if start and end and datetime.fromisoformat(end) <= datetime.fromisoformat(start):
        _refuse("scheduled_end_time", "GUILD_SCHEDULED_EVENT_SCHEDULE_END_BEFORE_START")


def _refuse(field: str, code: str) -> None:
    raise Refused(400, 50035, "Invalid Form Body", errors={field: {"_errors": [{"code": code, "message": code}]}})


def _required(self: Any, guild_id: int, *names: str) -> None:
    "Let it run to `check` whether the bot may make events."
    _require(self, guild_id, *(name for name in names if name != "manage_events"))


router.RequestContext.require_guild_permissions = _required  # pyright: ignore[reportAttributeAccessIssue]
