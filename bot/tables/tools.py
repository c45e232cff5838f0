"""The tools of everything that shows a table."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.club.store.career import Careers
from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import Tools
from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.platform.settings.documents import PreferencesCache
from bot.platform.transport.reward_roles import Members
from bot.tables.live.manager import TableManager
from bot.tables.live.tonight import Tonight
from bot.tables.live.turn import QuietHours
from bot.tables.store.digests import OwedNotices
from bot.tables.store.evenings import EveningMatches
from bot.tables.store.logs import Games


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTools(Tools):
    """The tools of every message, and the tables' own.

    Attributes:
        manager: takes the news that a table's channel is gone.
        preferences: says who wants to be told of what.
        values: has the pings, and what messages show.
        owed: notes who is to be told of a turn in private.
        quiet: a person's quiet hours.
        games: has the logs, and the ids of messages.
        evenings: have the matches of the evenings that aren't over.
        tonight: tells what was played before a table in its evening.
        careers: tells what a match has brought its people.
        ratings: tells what a match is about.
        newcomers: tells who has never finished a match.
        lesson_due: whether somebody is new, and hasn't been offered a first lesson yet.
        lesson_offered: stores that it was offered to them.
        first_offers: the buttons below a match for one of its people, if it is the first that they have finished.
        members: tells who is still on a server.
    """

    manager: TableManager
    preferences: PreferencesCache
    values: KeyValues
    owed: OwedNotices
    quiet: QuietHours
    games: Games
    evenings: EveningMatches
    tonight: Tonight
    careers: Careers
    ratings: Ratings
    newcomers: Newcomers
    lesson_due: Callable[[int], Awaitable[bool]]
    lesson_offered: Callable[[int], Awaitable[None]]
    first_offers: Callable[[int, int, Words], Awaitable[list[Component]]]
    members: Members
