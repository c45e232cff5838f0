"""What a server costs the bot: the bytes it keeps and the CPU it takes when Discord sends everything about it.

A session starts with one GUILD_CREATE for each server. The payloads here have all the parts that Discord sends to a
bot with the `guilds` intent, in three sizes: with discord.py alone, the servers take about 16, 72 and 470 KB.
"""

from __future__ import annotations

import gc
import json
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

import discord
from discord.ext import commands

from bench.match import escoba
from bench.standin import BOT, WHEN

FEWEST: Final = 3
"""With fewer servers a figure means nothing: the memory that the process happens to free exceeds that of a server."""
_FEATURES: Final = (
    "ANIMATED_BANNER ANIMATED_ICON AUTO_MODERATION BANNER CHANNEL_ICON_EMOJIS_GENERATED COMMUNITY DISCOVERABLE"
    " ENABLED_DISCOVERABLE_BEFORE FEATURABLE GUILD_ONBOARDING INVITE_SPLASH MEMBER_VERIFICATION_GATE_ENABLED NEWS"
    " PREVIEW_ENABLED PRIVATE_THREADS ROLE_ICONS SEVEN_DAY_THREAD_ARCHIVE SOUNDBOARD THREE_DAY_THREAD_ARCHIVE"
    " WELCOME_SCREEN_ENABLED"
).split()
_TOPIC: Final = "What this channel is for, what its members should know before they write here, and whom to ask. "


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is in a server: the numbers that decide how large its payload is."""

    channels: int
    roles: int
    overwrites: int
    threads: int
    expressions: int
    """Emojis, and half as many stickers and sounds."""
    voices: int
    features: int


SIZES: Final = {
    "small": Size(channels=14, roles=12, overwrites=1, threads=0, expressions=4, voices=0, features=0),
    "median": Size(channels=55, roles=45, overwrites=2, threads=4, expressions=34, voices=2, features=6),
    "large": Size(channels=215, roles=150, overwrites=6, threads=80, expressions=205, voices=28, features=20),
}


@dataclass(frozen=True, slots=True)
class GuildCost:
    """What one server of a size costs.

    Attributes:
        text: the bytes of the JSON that Discord sends.
        kept: the bytes that Python holds for it afterwards, garbage collected; `plain_kept` with discord.py alone.
        parse: CPU milliseconds for parsing the decoded payload; `plain_parse` with discord.py alone.
        decode: CPU milliseconds for decoding the JSON, which both need.
    """

    text: int
    kept: float
    plain_kept: float
    parse: float
    plain_parse: float
    decode: float


async def measure(guilds: int) -> dict[str, GuildCost]:
    """Give that many servers of each size to the bot, and to a plain discord.py bot with the same settings."""
    with tempfile.TemporaryDirectory() as folder:
        async with escoba(Path(folder)) as (bot, _):
            return {name: _cost(bot, size, guilds) for name, size in SIZES.items()}


def _cost(bot: commands.AutoShardedBot, size: Size, guilds: int) -> GuildCost:
    texts = [guild_create(size, number) for number in range(1, guilds + 1)]
    kept, parse, decode = _given(bot, texts)
    plain_kept, plain_parse, _ = _given(plain(), texts)
    return GuildCost(len(texts[0]), kept, plain_kept, parse, plain_parse, decode)


def plain() -> commands.AutoShardedBot:
    """A bot with the real one's settings for caching, and with discord.py's own cache."""
    bot = commands.AutoShardedBot(
        command_prefix=(),
        help_command=None,
        intents=discord.Intents(guilds=True),
        max_messages=None,
        member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
        shard_count=1,
    )
    state: Any = bot._connection
    state.user = discord.ClientUser(state=state, data=BOT)  # pyright: ignore[reportArgumentType] - it has all it needs
    return bot


def _given(bot: commands.AutoShardedBot, texts: list[str]) -> tuple[float, float, float]:
    """Give a bot these servers; returns the bytes kept of one, and the CPU milliseconds of parsing and decoding it."""
    state: Any = bot._connection
    parser = state.parsers["GUILD_CREATE"]
    parsing: list[float] = []
    decoding: list[float] = []
    for text in texts:
        began = time.process_time()
        payload = json.loads(text)
        decoded = time.process_time()
        parser(payload)
        parsing.append(time.process_time() - decoded)
        decoding.append(decoded - began)
    _leave(bot)
    tracemalloc.start()
    try:
        before = _held()
        for text in texts:
            parser(json.loads(text))
        kept = _held() - before
    finally:
        tracemalloc.stop()
    _leave(bot)
    return kept / len(texts), 1000 * median(parsing), 1000 * median(decoding)


def _leave(bot: commands.AutoShardedBot) -> None:
    state: Any = bot._connection
    for guild in list(bot.guilds):
        state._remove_guild(guild)


def _held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


# ------------------------------------------------------------------------------------------------ payloads


def guild_create(size: Size, number: int) -> str:
    """Everything about a server of that size, in the gateway's format; servers with different numbers share no ids."""
    guild_id = number << 22
    ids = count(1_100_000_000_000_000_000 + number * 100_000)
    roles = [str(guild_id), *(str(next(ids)) for _ in range(size.roles - 1))]
    channels = [str(next(ids)) for _ in range(size.channels)]
    people = [str(next(ids)) for _ in range(size.voices)]
    payload: dict[str, Any] = {
        "id": str(guild_id),
        "name": f"A server of friends, number {number}",
        "icon": "a" * 32,
        "banner": None,
        "splash": None,
        "discovery_splash": None,
        "description": None,
        "home_header": None,
        "owner_id": "101",
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": channels[0],
        "system_channel_flags": 0,
        "rules_channel_id": channels[0],
        "public_updates_channel_id": channels[0],
        "safety_alerts_channel_id": None,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 1,
        "default_message_notifications": 1,
        "explicit_content_filter": 2,
        "mfa_level": 0,
        "nsfw": False,
        "nsfw_level": 0,
        "premium_tier": 1,
        "premium_subscription_count": 3,
        "premium_progress_bar_enabled": True,
        "preferred_locale": "es-ES",
        "vanity_url_code": None,
        "max_members": 500000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "features": _FEATURES[: size.features],
        "incidents_data": None,
        "joined_at": WHEN,
        "large": size.voices > 0,
        "lazy": True,
        "unavailable": False,
        "member_count": 20 * size.channels,
        "version": 1,
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "application_command_counts": {"1": 3},
        "roles": [_role(role, place) for place, role in enumerate(roles)],
        "channels": [_channel(channel, place, roles, size) for place, channel in enumerate(channels)],
        "threads": [_thread(str(next(ids)), channels[place % len(channels)]) for place in range(size.threads)],
        "members": [_member(BOT["id"], roles[:2]), *(_member(person, roles[:8]) for person in people)],
        "voice_states": [_voice(person, channels[-1]) for person in people],
        **_expressions(size.expressions, ids, guild_id),
    }
    return json.dumps(payload)


def _role(role: str, place: int) -> dict[str, Any]:
    return {
        "id": role,
        "name": f"role number {place}",
        "permissions": "1071698660929",
        "position": place,
        "color": 3447003,
        "colors": {"primary_color": 3447003, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
        "description": None,
        "version": 1,
    }


def _channel(channel: str, place: int, roles: list[str], size: Size) -> dict[str, Any]:
    """Every eighth channel is a category, every fifth a voice channel, the others are text channels."""
    kind = 4 if place % 8 == 0 else 2 if place % 5 == 0 else 0
    overwrites = [
        {"id": role, "type": 0, "allow": "1024", "deny": "2048"} for role in roles[: min(size.overwrites, len(roles))]
    ]
    common = {
        "id": channel,
        "type": kind,
        "name": f"channel-number-{place}",
        "position": place,
        "flags": 0,
        "parent_id": None,
        "permission_overwrites": overwrites,
        "version": 1,
    }
    if kind == 4:
        return common
    rest = {"last_message_id": channel, "rate_limit_per_user": 0, "nsfw": False, "icon_emoji": {"name": "🃏"}}
    if kind == 2:
        return {**common, **rest, "bitrate": 64000, "user_limit": 0, "rtc_region": None, "theme_color": None}
    return {**common, **rest, "topic": _TOPIC if place % 2 else None, "last_pin_timestamp": WHEN, "theme_color": None}


def _thread(thread: str, parent: str) -> dict[str, Any]:
    return {
        "id": thread,
        "type": 11,
        "guild_id": "1",
        "name": f"a thread about {thread}",
        "parent_id": parent,
        "owner_id": "101",
        "last_message_id": thread,
        "rate_limit_per_user": 0,
        "message_count": 12,
        "member_count": 4,
        "total_message_sent": 12,
        "member_ids_preview": ["101", "102"],
        "flags": 0,
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 4320,
            "archive_timestamp": WHEN,
            "create_timestamp": WHEN,
            "locked": False,
        },
    }


def _member(person: str, roles: list[str]) -> dict[str, Any]:
    user = {"id": person, "username": f"person{person}", "global_name": "A person", "discriminator": "0"}
    return {
        "user": {
            **user,
            "avatar": "b" * 32,
            "bot": person == BOT["id"],
            "public_flags": 0,
            "avatar_decoration_data": None,
        },
        "roles": roles,
        "nick": None,
        "avatar": None,
        "banner": None,
        "joined_at": WHEN,
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }


def _voice(person: str, channel: str) -> dict[str, Any]:
    flags = dict.fromkeys(("deaf", "mute", "self_deaf", "self_mute", "self_video", "suppress"), False)
    return {
        "user_id": person,
        "channel_id": channel,
        "session_id": "c" * 32,
        "request_to_speak_timestamp": None,
        **flags,
    }


def _expressions(number: int, ids: Iterator[int], guild_id: int) -> dict[str, Any]:
    """Emojis, stickers and sounds."""
    emojis = [
        {"id": str(next(ids)), "name": f"emoji{place}", "roles": [], "require_colons": True, "managed": False}
        | {"animated": False, "available": True}
        for place in range(number)
    ]
    stickers = [
        {"id": str(next(ids)), "name": f"sticker{place}", "tags": "🃏", "type": 2, "format_type": 1, "available": True}
        | {"description": "", "guild_id": str(guild_id), "asset": ""}
        for place in range(number // 2)
    ]
    sounds = [
        {"sound_id": str(next(ids)), "name": f"sound{place}", "volume": 1.0, "emoji_id": None, "emoji_name": "🃏"}
        | {"guild_id": str(guild_id), "available": True, "user_id": "101"}
        for place in range(number // 2)
    ]
    return {"emojis": emojis, "stickers": stickers, "soundboard_sounds": sounds}
