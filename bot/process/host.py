"""Builds what the handlers of clicks and commands use, from the bot's parts and its Discord client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord

from bot.process.parts import Parts
from bot.replays import replay
from bot.tables.server.erasure import DataRequests
from bot.tables.server.preferences import DayNotice
from bot.tables.table import Table
from bot.tournaments.director import TournamentDirector
from bot.tournaments.renaming import PresentNames
from bot.training.hints import Hints
from bot.training.library import Library
from bot.training.practice import Practice
from bot.ui.club.parts import ClubParts
from bot.ui.kit.background import Background
from bot.ui.kit.host import Host, InFlight, Responsibility
from bot.ui.kit.links import Links
from bot.ui.kit.throttle import Throttle
from bot.ui.kit.tools import Tools
from bot.ui.pictures.emojis import common_form
from bot.ui.replays.parts import ReplayParts
from bot.ui.server.parts import ServerParts
from bot.ui.tables.boards.digests import Digests
from bot.ui.tables.boards.presenter import Presenter
from bot.ui.tables.parts import TableParts
from bot.ui.tournaments.boards.board import TournamentBoards
from bot.ui.tournaments.boards.duplicate import DuplicateRounds
from bot.ui.tournaments.boards.events import TournamentEvents
from bot.ui.tournaments.boards.notices import WithdrawalNotices
from bot.ui.tournaments.boards.places import TournamentPlaces
from bot.ui.tournaments.parts import TournamentParts
from bot.ui.training.boards.day_channel import DayBoards
from bot.ui.training.boards.day_page import DayPages
from bot.ui.training.boards.reviewing import Reviews
from bot.ui.training.parts import TrainingParts
from bot.ui.transport.channels import Channels
from bot.ui.transport.gallery import Gallery
from bot.ui.transport.lateness import Lateness
from bot.ui.transport.members import Members


def build_host(
    client: discord.Client,
    parts: Parts,
    duty: Callable[[int], Awaitable[Responsibility]],
    luck_pending: Callable[[Table], bool],
) -> Host:
    """Make the parts that need a client, and gather them with those that handlers use of the others.

    Args:
        client: sends the messages and knows the servers.
        parts: the parts that were built before the client.
        duty: see `Host`.
        luck_pending: whether a finished match's luck is still being worked out.
    """
    settings = parts.settings
    clock = parts.clock
    store = parts.store
    manager = parts.manager
    background = Background()
    tools = Tools(
        manager,
        parts.preferences,
        parts.wording.display,
        store,
        clock,
        Channels(client, parts.pacer),
        Gallery(parts.pictures, clock.steady, manager.meter, parts.wording.emoji_refused, common_form),
        parts.pacer.follow_ups,
        background.spawn,
    )
    presenter = Presenter(tools, background, luck_pending=luck_pending)
    pages = DayPages(
        parts.days,
        store.answers,
        parts.guild_settings,
        parts.wording.display,
        lambda: parts.preferences.people(lambda each: each.day_notice is DayNotice.SERVER),
        client.get_guild,
    )
    places = TournamentPlaces(client, tools)
    tournaments = TournamentDirector(store, clock, manager, places, parts.away.of)
    tournaments.observe(places)
    tournaments.observe(WithdrawalNotices(tools))
    TournamentEvents(client, tools, tournaments)
    duplicate = DuplicateRounds(presenter, tournaments, store)  # it observes tournaments before their messages do
    throttle = Throttle(clock.steady, settings.clicks_per_10_seconds)
    reviews = Reviews(parts.thinker, store, clock.now, throttle.reviews.give_back)
    practice = Practice(store, Library(store, parts.days), clock.now)
    day_boards = DayBoards(tools, pages)

    def erased(person_id: int) -> None:
        reviews.forget(person_id)
        replay.forget()
        day_boards.look_again()

    subjects = (
        TableParts(presenter, Members(client, clock.steady), Digests(tools, parts.guild_settings.table_options)),
        ClubParts(settings.rate_matches, practice),
        TournamentParts(tournaments, TournamentBoards(tools, tournaments), duplicate),
        TrainingParts(Hints(parts.thinker), parts.advises, reviews, practice, parts.days, day_boards),
        ReplayParts(parts.advises, reviews.get, duplicate.is_open),
        ServerParts(parts.monitor.status, DataRequests(), day_boards, tournaments, erased),
    )
    return Host(
        duty=duty,
        met=PresentNames(store, manager, tournaments).note,
        in_flight=InFlight(),
        throttle=throttle,
        lateness=Lateness(clock.steady),
        meter=parts.monitor.meter,
        store=store,
        manager=manager,
        preferences=parts.preferences,
        guild_settings=parts.guild_settings,
        links=Links(settings.support_url, settings.privacy_url, settings.terms_url),
        tools=tools,
        subjects={type(each): each for each in subjects},
    )
