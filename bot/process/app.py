"""Puts the parts together: store, clock, tables, presenter and commands make one bot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import discord

from bot import __version__
from bot.operating.monitor import Monitor
from bot.process.commands import keep_told, tell_commands, told_before
from bot.process.emojis import known_faces, sync_emojis
from bot.process.gateway import ShardedBot
from bot.settings import Settings
from bot.store import News, Store, StoreError
from bot.store.ownership import Held, Owner, Unowned, owner_of
from bot.tables.chance import Chance
from bot.tables.clock import Clock, Hold, utc_now
from bot.tables.data.erasure import DataRequests, erase_due
from bot.tables.data.guild_settings import GuildSettingsCache
from bot.tables.data.preferences import PreferencesCache
from bot.tables.data.retention import Retention
from bot.tables.errors import Refusal
from bot.tables.manager import TableManager
from bot.tables.options import LobbyLimits, TableOptions
from bot.tables.pace import Pace
from bot.thinking import Analyst, InlineThinker, ProcessThinker
from bot.ui.boards.presenter import Presenter
from bot.ui.boards.reviewing import Reviews
from bot.ui.clicks.dispatch import dispatch
from bot.ui.clicks.interactions import Work
from bot.ui.clicks.opening import COMMUNITY
from bot.ui.clicks.throttle import Throttle
from bot.ui.clicks.tree import Tree
from bot.ui.pictures.studio import Pictures
from bot.ui.screens.display import Display
from bot.ui.screens.links import Links
from bot.ui.transport.pacer import NO_LIMIT, Budget, Pacer
from bot.ui.transport.reply import NETWORK
from bot.ui.words.commands import Translator
from bot.ui.words.faces import CardFaces, Deck
from bot.ui.words.mentions import NO_IDS
from bot.ui.words.texts import Words, words
from cogs.admin import Admin
from cogs.escoba import Escoba

log = logging.getLogger(__name__)

# The bot never speaks in voice channels: that it couldn't is nothing to warn its operator of.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

SYNC_SECONDS = 20
"""How long telling Discord the commands may take: before a daily limit is over discord.py would wait for hours."""
SYNC_AGAIN_SECONDS = 600
LOOK_AGAIN_SECONDS = 30
SURE_SECONDS = 1.0
"""How long a click waits for its process to be certain that it is its own to answer."""
LONGEST_LIMIT_SECONDS = 30
"""How long discord.py may sleep on a rate limit by itself; what takes longer is begun anew when Discord has said."""
HEARTBEAT_SECONDS = 30
BEGUN_SECONDS = 3
"""How long what people have begun may take to end when the bot is stopped."""
CLOSING_SECONDS = 2
"""How long after that the edits under way may take."""


class EscobaBot(ShardedBot):
    """The bot on Discord. Made by `create_bot`; its parts exist once it has logged in."""

    store: Store
    manager: TableManager
    preferences: PreferencesCache
    guild_settings: GuildSettingsCache
    presenter: Presenter
    retention: Retention
    analyst: Analyst
    reviews: Reviews
    faces: dict[Deck, CardFaces]

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        chance: Chance | None,
        *,
        always_sync: bool,
        heartbeat: bool,
        serves: bool = True,
        thinks_apart: bool = False,
        with_emojis: bool = False,
        owner: Owner | None = None,
    ) -> None:
        self.pacer = Pacer(budget_of(settings))
        super().__init__(
            shards=None if settings.shards is None else settings.own_shards,
            command_prefix=(),
            tree_cls=Tree,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=self.pacer.trace(),
            max_ratelimit_timeout=LONGEST_LIMIT_SECONDS,
        )
        self.settings = settings
        self.owner = owner or Unowned()
        self.clock = clock
        self.rate_matches = settings.rate_matches
        self.throttle = Throttle(clock.now, settings.clicks_per_10_seconds)
        self.work = Work()
        self.command_ids = NO_IDS
        self.links = Links(settings.support_url, settings.privacy_url, settings.terms_url)
        self.data_requests = DataRequests()
        address = settings.health_host_and_port if heartbeat else None
        self.monitor = Monitor(self, version=__version__, now=clock.now, address=address)
        self.monitor.watch_requests(self.pacer.requests)
        self.monitor.watch_owner(lambda: self.owner.held)
        self.meter = self.monitor.meter
        self.thinker: ProcessThinker | InlineThinker = (
            ProcessThinker(settings.thinkers, self.meter) if thinks_apart else InlineThinker()
        )
        self.advises = settings.thinkers > 0 or not thinks_apart
        self.pictures = Pictures() if settings.pictures and serves else None
        self._chance = chance
        self._always_sync = always_sync
        self._heartbeat = heartbeat
        self._serves = serves
        self._with_emojis = with_emojis
        self._ended = False
        self._bringing: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None

    def words(self, locale: str, guild_id: int | None) -> Words:
        """The words of a language, with commands and a server's cards as they are shown."""
        deck = Deck(self.guild_settings.cached(guild_id or 0).deck)
        return words(locale, self.command_ids, self.faces[deck])

    def display(self, locale: str, guild_id: int | None) -> Display:
        """How a server's tables are shown in a language: with its deck, and with pictures unless it has them off."""
        pictures = self.pictures is not None and self.guild_settings.cached(guild_id or 0).pictures
        return Display(self.words(locale, guild_id), pictures)

    async def setup_hook(self) -> None:
        """Open the store, wait until no other process has these shards, learn which games are open in them, and tell
        Discord the commands if they have changed."""
        self.store = await Store.open(self.settings.database)
        await self.store.list_rates_from(self.settings.rate_matches)
        if self._serves:
            await self.monitor.start(self.store)
        await self.tree.set_translator(Translator())
        await self.add_cog(Escoba())
        await self.add_cog(Admin())
        if not self._serves:
            await self.sync_commands(always=self._always_sync)
            await sync_emojis(self, self.store)
            return
        await self.owner.acquire(self._heard)
        self.store.fence(self.owner.confirm)
        if self.owner.waits_for_turns:
            self.take_turns(self.owner)
        if self._with_emojis:
            await sync_emojis(self, self.store)
        self.faces = await known_faces(self.store)
        self.presenter = Presenter(self.store, self.clock, self.pacer, self.pictures)
        self.preferences = PreferencesCache(self.store)
        defaults = TableOptions(pace_of(self.settings), hints=self.advises)
        self.guild_settings = GuildSettingsCache(self.store, defaults)
        self.manager = TableManager(
            self.store,
            self.clock,
            self.guild_settings.table_options,
            self.preferences.turn_notice,
            self._chance,
            self.meter,
            self.thinker,
            limits=LobbyLimits(self.settings.lobbies_per_guild, self.settings.lobbies_per_person),
            shards=self.settings.own_shards,
        )
        self.analyst = self.thinker
        self.reviews = Reviews(self.analyst, self.store, self.clock.now)
        self.presenter.bind(self, self.manager, self.preferences)
        self.manager.observe(self.presenter)
        await self.presenter.recall(shown=not self._always_sync)  # a simulation forgets its messages, too
        await self.preferences.load()
        await self.manager.load(self.presenter.adopt)
        self.retention = Retention(
            self.store,
            self.clock,
            self.manager,
            self.guild_settings,
            days=self.settings.keep_games_days,
            here=lambda guild_id: self.get_guild(guild_id) is not None,
        )
        self.monitor.watch(self.manager)
        if self.pictures is not None and not self._always_sync:  # a simulation would wait for it
            self._warming = asyncio.create_task(self.pictures.start())
        self.clock.start()
        self.retention.start()
        self._heard(News.ERASURES, 0)
        await self._tell_commands()
        if self._heartbeat:
            await self._beat()

    async def sync_commands(self, *, always: bool) -> bool:
        """Tell Discord the commands if they aren't those it was told last; returns whether it was told."""
        if not always and await self._knows_commands():
            return False
        self.command_ids = await tell_commands(self.tree)
        await keep_told(self.tree, self.store, self.command_ids)
        return True

    async def _knows_commands(self) -> bool:
        """Whether Discord was told these very commands; the ids that are known are taken in any case."""
        self.command_ids, known = await told_before(self.tree, self.store)
        return known

    async def _tell_commands(self) -> None:
        """Sync the commands; games go on whatever Discord says to that, and it is told again later.

        Of several processes the one with shard 0 does it, and the others look for what Discord has said.
        """
        try:
            if not self.settings.own_shards.first:
                if not await self._knows_commands():
                    self.clock.after("sync", LOOK_AGAIN_SECONDS, self._tell_commands)
                return
            async with asyncio.timeout(SYNC_SECONDS):
                await self.sync_commands(always=self._always_sync)
        except (*NETWORK, TimeoutError, StoreError) as error:
            log.warning("The commands could not be synced, and will be later (%s)", error or type(error).__name__)
            self.clock.after("sync", SYNC_AGAIN_SECONDS, self._tell_commands)

    # ------------------------------------------------------------------------------ other processes

    def _heard(self, what: News, about: int) -> None:
        """Another process has changed something, about a person or, if that is 0, about anybody."""
        if hasattr(self, "manager") and not self._ended:
            self.clock.after(("news", what, about), 0, partial(self._learn, what, about))

    async def _learn(self, what: News, about: int) -> None:
        try:
            match what:
                case News.CHOICES if about:
                    await self.preferences.refresh(about)
                case News.CHOICES:
                    await self.preferences.load()
                case News.ERASURES:
                    if count := await erase_due(self.store, self.manager):
                        log.info("Somebody was forgotten in %s games on the word of another process", count)
        except (StoreError, Refusal) as error:
            if not self._ended:
                log.warning("What another process has told can't be looked up now (%s)", type(error).__name__)
                self.clock.after(("news", what, about), LOOK_AGAIN_SECONDS, partial(self._learn, what, about))

    async def still_serves(self) -> bool:
        """Whether a click is this process's to answer: not that of one that was stopped until another took over."""
        with suppress(StoreError, TimeoutError):  # one that isn't certain answers, and writes nothing
            async with asyncio.timeout(SURE_SECONDS):
                await self.owner.confirm()
        return self.owner.held is not Held.LOST

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Serve clicks and forms."""
        await dispatch(interaction)

    async def on_connect(self) -> None:
        """Begin to bring the tables back, once. People can click already, and what is clicked comes back at once."""
        if self._bringing is None and not self._ended:
            self._bringing = asyncio.create_task(self.manager.bring_back())
            self._bringing.add_done_callback(_report)

    async def on_ready(self) -> None:
        """End the games of servers that the bot was removed from while it was away; one that is down is not one."""
        await super().on_ready()
        for guild_id in self.manager.guild_ids():
            if self.has_shard_of(guild_id) and self.get_guild(guild_id) is None:
                await self.manager.lose_all(guild_id=guild_id)
        await self.retention.compare(self.has_shard_of)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot has left a server: its games end quietly. One that is only down for a while isn't told of so."""
        await self.manager.lose_all(guild_id=guild.id)
        await self.retention.left([guild.id])

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """A Community may have chosen another language: lobbies follow."""
        chosen = (after.preferred_locale, COMMUNITY in after.features)
        if chosen[1] and chosen != (before.preferred_locale, COMMUNITY in before.features):
            await self._follow_language(after.id, after.preferred_locale.value)

    async def _follow_language(self, guild_id: int, locale: str) -> None:
        """Show a server's lobbies in its new language, unless it has chosen one for the public messages."""
        try:
            if (await self.guild_settings.get(guild_id)).language is None:
                await self.manager.set_locale(guild_id, locale)
        except StoreError as error:
            log.warning("Lobbies could not follow their server's language (%s)", type(error).__name__)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot has come to a server, perhaps back."""
        await self.retention.back([guild.id])

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and its game with it."""
        await self.manager.lose_all(channel_id=channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, and its game with it."""
        await self.manager.lose_all(channel_id=payload.thread_id)

    async def close(self) -> None:
        """Take no new moves, finish what was begun, and close everything. Safe to call twice."""
        if self._ended:
            return
        self._ended = True
        if hasattr(self, "manager"):
            self.manager.close()
            if self._bringing is not None:
                self._bringing.cancel()
            await self.reviews.close()
            await self.thinker.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(BEGUN_SECONDS):
                    await self.work.finished()
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self.clock.close()
                    await self.presenter.close()
                    self.work.closed = True
                    await self.work.finished()
            self.work.closed = True
        if self.pictures is not None:
            await self.pictures.close()
        await super().close()
        await self.monitor.close()
        if hasattr(self, "store"):
            await self.store.close()
        await self.owner.close()
        if self._heartbeat:
            with suppress(OSError):  # a disk that can't be written is told of by whoever noticed it first
                self.settings.heartbeat_path.unlink(missing_ok=True)

    async def _beat(self) -> None:
        """Touch the heartbeat file while the gateway is connected."""
        connected = self.monitor.reachable()
        try:
            if connected:
                await asyncio.to_thread(Path.touch, self.settings.heartbeat_path)
        except OSError as error:
            log.warning("The heartbeat file can't be written: %s", error)
        finally:
            self.clock.after("heartbeat", HEARTBEAT_SECONDS if connected else 1, self._beat)


def _report(bringing: asyncio.Task[None]) -> None:
    """Say what kept tables from coming back."""
    if not bringing.cancelled() and (error := bringing.exception()) is not None:
        log.error("Tables could not be brought back", exc_info=error)


def budget_of(settings: Settings) -> Budget:
    """How many requests may be sent, by the settings: of those of all processes the part of these shards."""
    share = settings.own_shards.share
    return Budget(settings.requests_per_second * share) if settings.requests_per_second else NO_LIMIT


def pace_of(settings: Settings) -> Pace:
    """How long things wait, by the settings."""
    return Pace(
        turn=settings.turn_seconds,
        warning=settings.warn_seconds,
        nudge=settings.nudge_seconds,
        computer=settings.computer_seconds,
        next_round=settings.round_seconds,
        abandon=settings.abandon_minutes * 60,
        lobby=settings.lobby_minutes * 60,
        idle=settings.idle_days * 24 * 60 * 60,
    )


def create_bot(
    settings: Settings,
    *,
    now: Callable[[], datetime] = utc_now,
    hold: Hold | None = None,
    chance: Chance | None = None,
    always_sync: bool = False,
    heartbeat: bool = False,
    thinks_apart: bool = False,
    with_emojis: bool = False,
    owned: bool = False,
) -> EscobaBot:
    """The bot, ready to log in.

    Args:
        settings: every knob.
        now: the present instant, for a simulation.
        hold: wraps the scheduler's waiting, for a simulation (see `Clock`).
        chance: where decks and dealers come from; the system's random source unless given.
        always_sync: tell Discord the commands even if they seem unchanged (a simulation forgets them).
        heartbeat: let the operator see how it does: keep the file fresh that `python -m bot health` looks at, and serve
            the health endpoint if the settings have one.
        thinks_apart: let hard computer players think in processes of their own; at once otherwise.
        with_emojis: upload the cards' emojis before anything else, for a simulation, which forgets them.
        owned: keep other processes off these shards, and wait for those that have them; a simulation has none.
    """
    return EscobaBot(
        settings,
        Clock(now, hold),
        chance,
        always_sync=always_sync,
        heartbeat=heartbeat,
        thinks_apart=thinks_apart,
        with_emojis=with_emojis,
        owner=owner_of(settings.database, settings.own_shards if settings.shards else None) if owned else None,
    )
