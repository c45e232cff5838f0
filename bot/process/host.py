"""Builds what the handlers of clicks and commands use, from the bot's parts and its Discord client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord

from bot.process.parts import Parts
from bot.tables.data.erasure import DataRequests
from bot.tables.table import Table
from bot.tournaments.director import Tournaments
from bot.training.library import Library
from bot.training.practice import Practice
from bot.ui.boards.day_channel import DayBoards
from bot.ui.boards.day_page import DayPages
from bot.ui.boards.duplicate import DuplicateRounds
from bot.ui.boards.presenter import Presenter
from bot.ui.boards.reviewing import Reviews
from bot.ui.boards.tournament_board import TournamentBoards
from bot.ui.boards.tournament_places import TournamentPlaces
from bot.ui.clicks.host import Duty, Host, InFlight
from bot.ui.clicks.throttle import Throttle
from bot.ui.screens.links import Links
from bot.ui.transport.lateness import Lateness


def build_host(
    client: discord.Client,
    parts: Parts,
    duty: Callable[[int], Awaitable[Duty]],
    luck_pending: Callable[[Table], bool],
) -> Host:
    """Make the parts that need a client, and gather them with those that handlers use of the others.

    Args:
        client: sends the messages and knows the servers.
        parts: the parts that were built before the client.
        duty: see `Host`.
        luck_pending: whether a finished match's luck is still being worked out.
    """
    settings, clock, store, manager = parts.settings, parts.clock, parts.store, parts.manager
    presenter = Presenter(
        client,
        manager,
        parts.preferences,
        parts.wording.display,
        store=store,
        clock=clock,
        pacer=parts.pacer,
        emoji_refused=parts.wording.show_plain,
        pictures=parts.pictures,
        luck_pending=luck_pending,
    )
    pages = DayPages(parts.days, store.answers, parts.guild_settings, parts.wording.display, client.get_guild)
    places = TournamentPlaces(client, presenter.tools)
    tournaments = Tournaments(store, clock, manager, places)
    tournaments.observe(places)
    duplicate = DuplicateRounds(presenter, tournaments, store)  # it observes tournaments before their messages do
    return Host(
        duty=duty,
        in_flight=InFlight(),
        throttle=Throttle(clock.now, settings.clicks_per_10_seconds),
        lateness=Lateness(clock.now),
        meter=parts.monitor.meter,
        status=parts.monitor.status,
        store=store,
        manager=manager,
        presenter=presenter,
        preferences=parts.preferences,
        guild_settings=parts.guild_settings,
        data_requests=DataRequests(),
        links=Links(settings.support_url, settings.privacy_url, settings.terms_url),
        rate_matches=settings.rate_matches,
        analyst=parts.thinker,
        advises=parts.advises,
        reviews=Reviews(parts.thinker, store, clock.now),
        practice=Practice(store, Library(store, parts.days), clock.now),
        days=parts.days,
        day_boards=DayBoards(presenter.tools, pages),
        tournaments=tournaments,
        tournament_boards=TournamentBoards(presenter.tools, tournaments),
        duplicate=duplicate,
    )
