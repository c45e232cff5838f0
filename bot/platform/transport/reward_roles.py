"""Members, and roles as rewards: whether the bot may give a role, which must allow nothing that matters, and giving it.

The bot keeps neither roles nor members. It asks Discord when a role is chosen and again before it is given: the role
may have been changed since.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import discord
from cachetools import TTLCache

from bot.platform.transport.channels import Channels, Place
from bot.platform.transport.trouble import NETWORK, UNKNOWN_MEMBER, UNKNOWN_USER, Trouble, is_shut_out, trouble_of
from bot.platform.transport.turns import Priority

log = logging.getLogger(__name__)

KEPT: Final = timedelta(minutes=10)
"""The time for which Discord's answer is remembered."""
_ASK_SECONDS: Final = 0.8
"""Seconds to ask Discord: a click waits for that."""
_NOBODY: Final = (UNKNOWN_MEMBER, UNKNOWN_USER)
_MOST: Final = 10_000
"""Answers that are remembered at most."""


class Members:
    """The memberships of people on servers, as Discord tells them. In doubt somebody is one: it is their own seat."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime]) -> None:
        self._client = client
        self._known: TTLCache[tuple[int, int], bool, datetime] = TTLCache(_MOST, KEPT, now)

    async def has(self, guild_id: int | None, person_id: int) -> bool:
        """Whether a person is a member; a table without a server is open to whoever sits there."""
        if guild_id is None:
            return True
        known = self._known.get((guild_id, person_id))
        if known is not None:
            return known
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._client.http.get_member(guild_id, person_id)
        except NETWORK as error:
            if not (is_shut_out(error) or getattr(error, "code", 0) in _NOBODY):
                log.info("Could not ask for a member (%s)", type(error).__name__)
                return True
            belongs = False
        else:
            belongs = True
        self._known[guild_id, person_id] = belongs
        return belongs

    def forget(self, person_id: int) -> None:
        """Forget where a person, or for 0 anybody, is a member."""
        for key in [key for key in self._known if person_id in (0, key[1])]:
            self._known.pop(key, None)

    async def among(self, guild_ids: Iterable[int | None], person_id: int) -> set[int | None]:
        """Find out on which of some servers a person is a member."""
        each_once = list(dict.fromkeys(guild_ids))
        found = await asyncio.gather(*(self.has(guild_id, person_id) for guild_id in each_once))
        return {guild_id for guild_id, belongs in zip(each_once, found, strict=True) if belongs}


HARMLESS: Final = discord.Permissions(
    view_channel=True,
    read_message_history=True,
    send_messages=True,
    send_messages_in_threads=True,
    send_voice_messages=True,
    create_public_threads=True,
    add_reactions=True,
    attach_files=True,
    embed_links=True,
    use_external_emojis=True,
    use_external_stickers=True,
    use_application_commands=True,
    create_polls=True,
    change_nickname=True,
    connect=True,
    speak=True,
    stream=True,
    use_voice_activation=True,
    use_soundboard=True,
    use_embedded_activities=True,
    request_to_speak=True,
)
"""All that a reward may allow, and that only in channels that everybody sees.

A permission that Discord adds isn't allowed until somebody has thought about it.
"""
REASON: Final = "Podium of a season of Escoba"
"""The reason in the server's audit log."""


class RoleFlaw(StrEnum):
    """The reason why a role can't be a reward."""

    GONE = "gone"
    EVERYONE = "everyone"
    MANAGED = "managed"
    POWERFUL = "powerful"
    OPENING = "opening"
    """It opens channels that are hidden from everybody else."""
    NOT_YOURS = "not_yours"
    """The person who chooses it couldn't give it themselves."""
    NOT_ALLOWED = "not_allowed"
    """The bot may not manage roles."""
    TOO_HIGH = "too_high"


@dataclass(frozen=True, slots=True)
class UnfitRole:
    """A role that can't be a reward.

    Attributes:
        flaw: why not.
        powers: the permissions that rule it out, by discord.py's names.
        channels: the channels that rule it out.
    """

    flaw: RoleFlaw
    powers: tuple[str, ...] = ()
    channels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleFacts:
    """The facts about a role that matter for a reward.

    Attributes:
        allows: the permissions it gives, on the server or in any channel.
        managed: it belongs to an integration, to boosting or to a subscription.
        below_bot: it is below the bot's own highest role.
        opens: the channels that only it and others like it open.
        choosers: the person who chooses it may give it, or nobody is choosing it.
    """

    allows: discord.Permissions
    everyone: bool = False
    managed: bool = False
    below_bot: bool = True
    opens: tuple[int, ...] = ()
    choosers: bool = True


def judge(role: RoleFacts | None, *, bot_may: bool) -> UnfitRole | None:
    """Judge why a role can't be a reward; None if it can. `bot_may`: whether the bot may manage roles."""
    if role is None:
        return UnfitRole(RoleFlaw.GONE)
    if role.everyone:
        return UnfitRole(RoleFlaw.EVERYONE)
    if role.managed:
        return UnfitRole(RoleFlaw.MANAGED)
    beyond = discord.Permissions(role.allows.value & ~HARMLESS.value)
    if beyond.value:
        return UnfitRole(RoleFlaw.POWERFUL, tuple(name for name, allowed in beyond if allowed) or ("unknown",))
    if role.opens:
        return UnfitRole(RoleFlaw.OPENING, channels=role.opens)
    if not role.choosers:
        return UnfitRole(RoleFlaw.NOT_YOURS)
    if not bot_may:
        return UnfitRole(RoleFlaw.NOT_ALLOWED)
    return None if role.below_bot else UnfitRole(RoleFlaw.TOO_HIGH)


async def unfit_roles(
    client: discord.Client, guild_id: int, role_ids: Iterable[int], chooser_id: int | None = None
) -> dict[int, UnfitRole]:
    """Find which of some roles can't be rewards at present, and why.

    Args:
        client: the bot.
        guild_id: the server.
        role_ids: the roles.
        chooser_id: the person who is choosing them, if somebody is.

    Raises:
        what `reply.NETWORK` lists.
    """
    assert client.user is not None, "the bot has logged in"
    guild = await client.fetch_guild(guild_id, with_counts=False)
    channels = await guild.fetch_channels()
    bot = await guild.fetch_member(client.user.id)
    chooser = None if chooser_id is None else await guild.fetch_member(chooser_id)
    found: dict[int, UnfitRole] = {}
    for role_id in set(role_ids):
        role = guild.get_role(role_id)
        facts = None
        if role is not None:
            allowed = role.permissions.value
            for channel in channels:
                allowed |= channel.overwrites_for(role).pair()[0].value
            facts = RoleFacts(
                discord.Permissions(allowed),
                role.is_default(),
                role.managed,
                below_bot=role < bot.top_role,
                opens=_opened_by(role, guild.default_role, channels),
                choosers=chooser is None or _may_give(chooser, role),
            )
        if (unfit := judge(facts, bot_may=bot.guild_permissions.manage_roles)) is not None:
            found[role_id] = unfit
    return found


def _opened_by(
    role: discord.Role, everyone: discord.Role, channels: Sequence[discord.abc.GuildChannel]
) -> tuple[int, ...]:
    """Return the channels that somebody with a role sees, and somebody without any role doesn't."""
    view = discord.Permissions(view_channel=True).value
    found: list[int] = []
    for channel in channels:
        seen: list[bool] = []
        for held in ((everyone,), (everyone, role)):
            allowed = 0
            for each in held:
                allowed |= each.permissions.value
            for each in held:
                gives, takes = channel.overwrites_for(each).pair()
                allowed = (allowed & ~takes.value) | gives.value
            seen.append(bool(allowed & view))
        if seen == [False, True]:
            found.append(channel.id)
    return tuple(found)


def _may_give(person: discord.Member, role: discord.Role) -> bool:
    """Whether Discord would let somebody give a role to others."""
    owns = person.id == person.guild.owner_id
    return owns or (person.guild_permissions.manage_roles and role < person.top_role)


class RoleGiver:
    """A giver and taker of roles. Members who have left the server aren't an error.

    Args:
        client: the bot.
        channels: says when a request may be sent.
    """

    def __init__(self, client: discord.Client, channels: Channels) -> None:
        self._client = client
        self._channels = channels

    async def unfit(self, guild_id: int, role_ids: Iterable[int]) -> dict[int, UnfitRole]:
        return await unfit_roles(self._client, guild_id, role_ids)

    async def give(self, place: Place, role_id: int, user_id: int) -> bool:
        """Give somebody a role; return False if Discord won't. Doing it again changes nothing more.

        Raises:
            what `trouble.NETWORK` lists: if another attempt may succeed.
        """
        return await self._change(place, self._client.http.add_role, role_id, user_id)

    async def take(self, place: Place, role_id: int, user_id: int) -> bool:
        """Take a role from somebody; the rest is as in `give`."""
        return await self._change(place, self._client.http.remove_role, role_id, user_id)

    async def _change(self, place: Place, change: Callable[..., Awaitable[None]], role_id: int, user_id: int) -> bool:
        try:
            async with self._channels.turn(place, Priority.LEFT_BEHIND, edits=False) as ticket:
                await ticket.use()
                await change(place.guild_id, user_id, role_id, reason=REASON)
        except NETWORK as error:
            if trouble_of(error) is Trouble.PASSING:
                raise
            log.info("Could not give or take a role (%s)", type(error).__name__)
            return False
        return True
