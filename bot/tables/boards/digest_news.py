"""Finds what is new for somebody in their unhurried matches, for the private message about them."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.platform.refusals import Refusal
from bot.tables.live.running import RunningMatch, running_matches
from bot.tables.live.view import TableView
from bot.tables.log.codec import decode
from bot.tables.log.events import Presence, PresenceChanged
from bot.tables.log.pace import is_unhurried
from bot.tables.options import TableOptions
from bot.tables.screens.digest import Digest
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

Options = Callable[[int], Awaitable[TableOptions]]
"""Finds how tables are run on a server."""


async def turns_of(tools: TableTools, options: Options, person_id: int) -> Digest:
    """Find the matches in which it is somebody's turn. Raises StoreError."""
    found = await _running(tools, person_id)
    return Digest(turns=[match for match in found if _is_turn(match) and await _is_unhurried(match, options)])


async def news_of(tools: TableTools, options: Options, person_id: int, since: datetime, until: datetime) -> Digest:
    """Find all that concerns somebody: turns, robots in their place, invitations, and the matches that ended in a time.

    Raises StoreError.
    """
    turns: list[RunningMatch] = []
    played_for: list[tuple[RunningMatch, datetime | None]] = []
    invitations: list[RunningMatch] = []
    for match in await _running(tools, person_id):
        if match.own is None and match.guild_id is not None:
            invitations.append(match)
        elif _is_turn(match) and await _is_unhurried(match, options):
            turns.append(match)
        elif _is_played_for(match) and await _is_unhurried(match, options):
            played_for.append((match, await _away_since(tools, match)))
    return Digest(turns, played_for, invitations, await _ended(tools, person_id, since, until))


async def _running(tools: TableTools, person_id: int) -> list[RunningMatch]:
    """Find somebody's open matches, without those on servers that they have left."""
    found = await running_matches(tools.games, tools.manager, await tools.games.running(person_id), person_id)
    there = await tools.members.among([match.guild_id for match in found], person_id)
    return [match for match in found if match.guild_id in there]


def _is_turn(match: RunningMatch) -> bool:
    return match.own is not None and match.waits


def _is_played_for(match: RunningMatch) -> bool:
    return match.begun and match.own is not None and not match.seats[match.own].human_here


async def _is_unhurried(match: RunningMatch, options: Options) -> bool:
    """Whether people play a match who come when they can."""
    if match.guild_id is None or not any(seat.may_return for seat in match.others):
        return False
    pace = (await options(match.guild_id)).pace.at(match.tempo)
    return is_unhurried(match.tempo, slow=pace.slow)


async def _away_since(tools: TableTools, match: RunningMatch) -> datetime | None:
    """Find in the log since when a robot plays for somebody."""
    for entry in reversed(await tools.games.log(match.game_id)):
        event = decode(entry.kind, entry.body)
        if isinstance(event, PresenceChanged) and event.seat == match.own and event.presence is Presence.AWAY:
            return entry.at
    return None


async def _ended(tools: TableTools, person_id: int, since: datetime, until: datetime) -> list[TableView]:
    """Read the unhurried matches that somebody sat at and that ended in a time, the latest first."""
    found: list[TableView] = []
    for game_id in await tools.games.ended(person_id, since, until):
        try:
            table = await tools.manager.past(game_id)
        except Refusal:
            log.info("Game %s was written by a newer version, and nobody is told how it ended", game_id)
            continue
        view = None if table is None else table.view()
        if view is None or view.match is None or view.guild_id is None or view.sealed or not view.unhurried:
            continue
        if any(seat.person_id == person_id and seat.may_return for seat in view.seats):
            found.append(view)
    there = await tools.members.among([view.guild_id for view in found], person_id)
    return [view for view in found if view.guild_id in there]
