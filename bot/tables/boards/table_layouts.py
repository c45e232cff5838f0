"""The layouts of a table's public messages: its newest state, a round's score, or where the table is now."""

from __future__ import annotations

from datetime import datetime

from discord import AllowedMentions

from bot.club.rules.stakes import Stakes, stakes_of
from bot.club.store.career import Aftermath, Careers
from bot.club.store.ratings import Ratings
from bot.platform.database.errors import StoreError
from bot.platform.kit.display import Display
from bot.platform.kit.links import channel_url
from bot.platform.kit.tools import Tools
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.tables.boards.public_message import PublicMessage
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.screens.board import elsewhere_layout, moved_layout
from bot.tables.screens.lobby import arrival_layout, table_ready_layout
from bot.tables.screens.score import round_layout
from bot.tables.screens.table import is_counted, public_layout


def arrives(table: Table, message: PublicMessage) -> bool:
    """Whether a lobby has moved to a thread and has no message there yet: the first brings its people there."""
    return table.thread_id is not None and message.id is None and table.phase is Phase.LOBBY


def is_called(table: Table, message: PublicMessage) -> bool:
    """Whether a tournament's table has no message yet: the first calls its people."""
    return table.view().fixture is not None and message.id is None and table.phase is Phase.PLAYING


def arrival_mentions(table: Table, message: PublicMessage, tools: Tools) -> AllowedMentions:
    """Say whom a table's message pings, to bring them there: those who sit at the table, if it is the first in a
    thread or the first of a tournament's table."""
    brings = is_called(table, message) or arrives(table, message)
    return tools.willing(seat.person_id for seat in table.view().seats if brings)


async def newest_layout(
    view: TableView, table: Table, message: PublicMessage, tools: Tools, ratings: Ratings
) -> Layout:
    """Lay out what a table's message is to show; its first in a thread names the people whom it brings there."""
    display = tools.display(table.locale, table.guild_id)
    if arrives(table, message):
        return arrival_layout(view, display.words)
    stakes = await stakes_shown(view, ratings, tools.clock.now())
    layout = public_layout(view, display, stakes)
    return table_ready_layout(view, layout, display.words) if is_called(table, message) else layout


def score_left_on(message: PublicMessage, view: TableView, display: Display) -> Layout | None:
    """The score that a message keeps when the next replaces it; None if it isn't the last scored round's message."""
    match = view.match
    if match is None or len(match.scores) != message.page:
        return None
    return round_layout(view, display, paused=False)


def pointer_to(table: Table, message: PublicMessage, t: Words) -> Layout:
    """Lay out an older message: where the table is now."""
    return moved_layout(url_of(table, message), t)


def pointer_to_thread(table: Table, t: Words) -> Layout:
    """Lay out a lobby's message when the lobby has moved to a thread."""
    return elsewhere_layout(_url_of_channel(table), t)


def url_of(table: Table, message: PublicMessage) -> str:
    return f"{_url_of_channel(table)}/{message.id}"


def _url_of_channel(table: Table) -> str:
    return channel_url(table.spot.guild_id, table.spot.channel_id)


async def aftermath_of(view: TableView, careers: Careers) -> Aftermath:
    """Read what a match that was won or forfeited has brought its people.

    Empty if it counts for nobody or the store can't be read.
    """
    people = [seat.person_id for seat in view.seats if seat.person_id is not None]
    if view.phase not in (Phase.FINISHED, Phase.FORFEITED) or view.guild_id is None or not is_counted(view):
        return Aftermath()
    try:
        found = await careers.aftermath(view.guild_id, view.id, people)
    except StoreError:
        return Aftermath()
    return found if found.result_id else Aftermath()  # a match to which nobody came has no result


async def stakes_shown(view: TableView, ratings: Ratings, now: datetime) -> Stakes | None:
    """Compute the stakes that a table's message shows: those of a challenge; a lobby has them in its options."""
    return await stakes_in(view, ratings, now) if view.challenge else None


async def stakes_in(view: TableView, ratings: Ratings, now: datetime) -> Stakes | None:
    """Compute what the match of a lobby would bring, once people have all the seats that it needs.

    None if it is friendly or the store can't be read.
    """
    people = [seat.person_id for seat in view.seats] + [person.id for person in view.missing]
    seating = view.config.seating(len(people))
    if view.phase is not Phase.LOBBY or not view.config.rated or seating is None or None in people:
        return None
    if view.guild_id is None:
        return None
    if view.missing and seating.in_teams:
        return None  # who will be whose partner depends on where they sit down
    known = [person_id for person_id in people if person_id is not None]
    try:
        lineup = await ratings.lineup(view.guild_id, known, now)
    except StoreError:
        return None
    sides = [(person_id, seating.side_of(index)) for index, person_id in enumerate(known)]
    return stakes_of(sides, lineup.ratings, lineup.nth, lineup.gains)
