"""Builds what the handlers of clicks and commands use, from the bot's parts and its Discord client."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

import discord

from bot.cards.pictures.emojis import common_form
from bot.club.parts import ClubParts
from bot.platform.kit.host import Background, Host, InFlight, Responsibility
from bot.platform.kit.links import Links
from bot.platform.kit.throttle import Throttle
from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.platform.memories import Memories
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.platform.transport.channels import Channels
from bot.platform.transport.gallery import Gallery
from bot.platform.transport.reward_roles import Members
from bot.platform.transport.trouble import Lateness
from bot.privacy.live.erasure import DataRequests
from bot.privacy.live.renaming import PresentNames
from bot.privacy.live.tournament_erasure import erase
from bot.privacy.parts import PrivacyParts
from bot.process.parts import Parts
from bot.process.setting_pages import OWN_PAGES, SERVER_PAGES
from bot.replays.clicks.replay import games_page
from bot.replays.ids.replay import replay_button
from bot.replays.parts import ReplayParts
from bot.replays.screens.games import list_button
from bot.server.parts import ServerParts
from bot.tables.boards.digests import Digests
from bot.tables.boards.evenings import Evenings
from bot.tables.boards.presenter import Presenter
from bot.tables.live.tonight import Tonight
from bot.tables.parts import TableParts
from bot.tables.screens.questions import matches_waiting
from bot.tables.settings import quiet_of, takes_mentions
from bot.tables.store.digests import OwedNotices
from bot.tables.tools import TableTools
from bot.tournaments.boards.board import TournamentBoards
from bot.tournaments.boards.changes import WithdrawalNotices
from bot.tournaments.boards.duplicate import DuplicateRounds
from bot.tournaments.boards.places import TournamentEvents, TournamentPlaces
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.parts import TournamentParts
from bot.training.boards.day_channel import DayBoards
from bot.training.boards.day_page import DayPages
from bot.training.boards.reviewing import Reviews
from bot.training.live.days import Library
from bot.training.live.notices import PuzzleNotices
from bot.training.live.practice import Practice
from bot.training.live.progress import ProgressReader
from bot.training.live.review import Hints
from bot.training.parts import TrainingParts
from bot.training.rules.lesson_steps import FIRST
from bot.training.screens.day import today_button
from bot.training.settings import DayNotice, TrainingPreferences
from bot.training.store.rows import LessonRow
from bot.training.words.progress import own_lines


def build_host(
    client: discord.Client,
    parts: Parts,
    duty: Callable[[int], Awaitable[Responsibility]],
) -> Host:
    """Make the parts that need a client, and gather them with those that handlers use of the others.

    Args:
        client: sends the messages and knows the servers.
        parts: the parts that were built before the client.
        duty: see `Host`.
    """
    settings = parts.settings
    clock = parts.clock
    stores = parts.stores
    manager = parts.manager
    background = Background()
    preferences = parts.preferences

    async def lesson_due(person_id: int) -> bool:
        return bool(await stores.newcomers.among([person_id])) and not await stores.lessons.of(person_id)

    async def lesson_offered(person_id: int) -> None:
        await stores.lessons.offer(person_id, LessonRow(FIRST, 0, None, clock.now()))

    async def first_offers(game_id: int, person_id: int, t: Words) -> list[Component]:
        first = await stores.newcomers.has_only(person_id, game_id) and not await stores.answers.has_tried(person_id)
        return [today_button(clock.now().date(), t)] if first else []

    tools = TableTools(
        parts.wording.display,
        partial(takes_mentions, preferences),
        lambda person_id, t: matches_waiting(sum(not table.alone for table in manager.awaiting(person_id)), t),
        lambda: manager.closing,
        parts.monitor.meter,
        clock,
        Channels(client, parts.pacer),
        Gallery(parts.pictures, clock.steady, parts.monitor.meter, parts.wording.emoji_refused, common_form),
        parts.pacer.follow_ups,
        background.spawn,
        manager=manager,
        preferences=preferences,
        values=stores.values,
        owed=OwedNotices(stores.values),
        members=Members(client, clock.steady),
        quiet=partial(quiet_of, preferences, parts.guild_settings),
        games=stores.games,
        evenings=stores.evenings,
        tonight=Tonight(stores.evenings, clock),
        careers=stores.careers,
        ratings=stores.ratings,
        newcomers=stores.newcomers,
        lesson_due=lesson_due,
        lesson_offered=lesson_offered,
        first_offers=first_offers,
    )
    presenter = Presenter(tools, background)
    pages = DayPages(
        parts.days,
        stores.answers,
        parts.guild_settings,
        parts.wording.display,
        lambda: preferences.people(TrainingPreferences, lambda each: each.day_notice is DayNotice.SERVER),
        client.get_guild,
    )
    places = TournamentPlaces(client, tools)
    tournaments = TournamentDirector(stores.tournaments, stores.ratings, clock, manager, places, parts.away.of)
    tournaments.observe(places)
    tournaments.observe(WithdrawalNotices(tools))
    TournamentEvents(client, tools, tournaments)
    # It observes tournaments before their messages do.
    duplicate = DuplicateRounds(presenter, tournaments, stores.games)
    throttle = Throttle(clock.steady, settings.clicks_per_10_seconds)
    reviews = Reviews(parts.thinker, stores.reviews, clock.now, throttle.reviews.give_back)
    practice = Practice(stores.practice, Library(stores.days, stores.answers, parts.days), clock.now)
    progress = ProgressReader(stores.luck, stores.reviews, stores.answers, practice)
    day_boards = DayBoards(tools, stores.day_channels, pages, manager.shards)
    digests = Digests(tools, PuzzleNotices(preferences, stores.answers, clock.now), parts.options.of, list_button)

    async def language_on(guild_id: int | None) -> str | None:
        return (await parts.guild_settings.of(guild_id, LanguageSettings)).language

    async def own_progress(guild_id: int | None, person_id: int, at: datetime, t: Words) -> list[str]:
        return own_lines(await progress.of(guild_id, person_id, at), t)

    erasing = stores.personal_data, stores.tournaments, manager, tournaments
    names, memories = PresentNames(stores.names, manager, tournaments), Memories()
    memories.add(preferences.refresh, reviews.forget, names.forget, tools.members.forget, digests.forget)
    memories.add(tools.tonight.forget_people, tournaments.reread_finished, lambda _: day_boards.look_again())
    if parts.pictures is not None:
        memories.add(parts.pictures.forget)

    training = TrainingParts(
        Hints(parts.thinker), parts.advises, reviews, practice, parts.days, day_boards, replay_button
    )
    shared = (
        manager,
        preferences,
        parts.guild_settings,
        parts.options,
        SERVER_PAGES,
        OWN_PAGES,
        TableParts(presenter, tools.members, digests, games_page, Evenings(tools, presenter)),
        ClubParts(settings.rate_matches, own_progress),
        TournamentParts(tournaments, TournamentBoards(tools, tournaments), duplicate),
        training,
        ReplayParts(training.review_button, training.verdict_on, duplicate.is_open),
        ServerParts(parts.monitor.status),
        PrivacyParts(DataRequests(), partial(erase, *erasing, preferences, memories=memories), memories),
    )
    return Host(
        duty=duty,
        wake=manager.wake_at,
        met=names.note,
        language_of=lambda person_id: preferences.cached(person_id, LanguagePreference).language,
        language_on=language_on,
        in_flight=InFlight(),
        throttle=throttle,
        lateness=Lateness(clock.steady),
        links=Links(settings.support_url, settings.privacy_url, settings.terms_url),
        tools=tools,
        parts={type(part): part for part in (*shared, *stores.all())},
    )
