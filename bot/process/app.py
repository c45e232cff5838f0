"""The bot: a Discord client that brings the tables back and follows what happens on its servers."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.http import Route

from bot.club.boards.podiums import Podiums
from bot.platform.database.errors import StoreError
from bot.platform.database.ownership import Held
from bot.platform.kit.host import Hosting
from bot.platform.kit.interactions import EscobaCommandTree
from bot.platform.language.texts import Words
from bot.platform.people import NOBODY, Person
from bot.platform.transport.permissions import Listener
from bot.platform.transport.reply import Speaker
from bot.privacy.live.retention import Retention
from bot.privacy.live.tournament_erasure import erase_due
from bot.privacy.parts import PrivacyParts
from bot.process.belonging import application_of, belongs, claim
from bot.process.commands import CommandSync, add_commands
from bot.process.dispatch import dispatch
from bot.process.ending import CANCELLING_SECONDS
from bot.process.gateway import ShardedBot
from bot.process.host import build_host
from bot.process.parts import Parts, Simulation, build_parts
from bot.process.service import Service
from bot.process.stopping import finish, has_successor
from bot.process.wording import follow_language
from bot.settings import Settings, SettingsError
from bot.tables.live.between_people import MatchesBetweenPeople
from bot.tables.live.chance import Chance
from bot.tables.parts import TableParts
from bot.tournaments.parts import TournamentParts
from bot.training.live.luck import LuckOfMatches
from bot.training.parts import TrainingParts

log = logging.getLogger(__name__)

# The bot never speaks in voice channels, so discord.py needn't warn that it couldn't.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

LONGEST_LIMIT_SECONDS = 30
"""The longest rate limit that discord.py may sleep on by itself; longer ones are raised, and the bot retries later."""
GOODBYE_SECONDS: Final = 0.3
"""The time that Discord has to say goodbye before the connections are cut."""


class EscobaBot(ShardedBot):
    """The bot on Discord. It closes its parts when it is closed."""

    def __init__(self, parts: Parts) -> None:
        settings = parts.settings
        clock = parts.clock
        stores = parts.stores
        manager = parts.manager
        super().__init__(
            shards=None if settings.shards is None else settings.own_shards,
            gate=parts.owner if parts.owner.waits_for_turns else None,
            has_table=self._may_have_table,
            command_prefix=(),
            tree_cls=EscobaCommandTree,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=parts.pacer.trace(),
            max_ratelimit_timeout=LONGEST_LIMIT_SECONDS,
        )
        self.parts = parts
        self.service = Service(parts.owner, stores.values, settings.own_shards)
        self.luck = LuckOfMatches(parts.thinker, stores.games, stores.luck, parts.luck_games)
        self.host = host = build_host(self, parts, self.service.duty)
        presenter = host.of(TableParts).presenter
        clubs = (stores.values, stores.leaderboards, stores.given_roles, parts.guild_settings)
        self.podiums = podiums = Podiums(host.tools, *clubs, self, self.parent_of)
        memories = host.of(PrivacyParts).memories
        memories.add(lambda _: host.tools.spawn(podiums.take_due()))
        between_people = MatchesBetweenPeople(podiums.match_ended)
        evenings = host.of(TableParts).evenings
        for observer in (self.luck, presenter, between_people, evenings, host.of(TournamentParts).tournaments):
            manager.observe(observer)
        parts.news.erased = memories.forget
        parts.news.erase_due = partial(
            erase_due, stores.personal_data, stores.tournaments, manager, host.of(TournamentParts).tournaments
        )
        self.retention = Retention(
            stores.database,
            stores.kept,
            stores.alone,
            stores.tournaments,
            clock,
            manager,
            parts.guild_settings,
            parts.away,
            [host.of(TournamentParts).tournaments],
            idle=parts.options.usual.pace.idle,
            days=settings.keep_games_days,
            people_days=settings.keep_people_days,
            erases=lambda person_id: host.of(PrivacyParts).erase(Person(person_id, NOBODY)),
            here=lambda guild_id: self.get_guild(guild_id) is not None,
            finds=self.finds,
        )
        self.command_sync = CommandSync(
            self.tree,
            stores.values,
            clock,
            parts.wording,
            home=settings.home_server,
            sends=settings.own_shards.first,
            always=parts.forgets,
        )
        if parts.outages is not None:
            parts.outages.ask = lambda: self.http.request(Route("GET", "/gateway"))
        self._ended = False
        self._taking_over: asyncio.Task[None] | None = None
        self._bringing: asyncio.Task[None] | None = None

    def words(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Words:
        """The words of a language, with commands and cards as a server shows them, or as one person likes them."""
        return self.parts.wording.words(locale, guild_id, person_id)

    async def setup_hook(self) -> None:
        """Prepare to serve people, and begin if this process has its shards.

        Raises:
            SettingsError: if the database is another application's.
        """
        parts = self.parts
        if not parts.forgets:
            await belongs(parts.stores.values, application_of(self))
        await add_commands(self, parts.settings.home_server)
        parts.monitor.watch(self, parts.manager)
        if parts.owner.held is not Held.WAITING:
            await self._begin()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect to Discord, and take over from the process that has the shards, if there is one."""
        if not self.service.begun:
            self._taking_over = self.run_alongside(self._take_over())
        await super().connect(reconnect=reconnect)

    async def _take_over(self) -> None:
        """Wait for the shards, then serve them; the process that has them is told when this one is connected."""
        await self.parts.take_over(lambda: self.is_ready() and self.parts.monitor.connected())
        await self._begin(after_another=True)
        self.forget_idle_threads()
        self._bring_back()
        if self.is_ready():
            await self._compare_servers()

    def _may_have_table(self, channel_id: int) -> bool:
        return (
            not self.service.begun
            or self.parts.manager.has_table(channel_id)
            or self.host.of(TournamentParts).tournaments.has(channel_id)
        )

    async def _begin(self, *, after_another: bool = False) -> None:
        """Learn what the previous process left and which games are open, serve people, and sync the commands."""
        parts = self.parts
        await parts.wording.load(application_of(self))
        if not (parts.forgets or any(faces.emojis for faces in parts.wording.faces.values())):
            log.info("The cards have no emojis yet and are shown in plain text: the command `sync` uploads them")
        if parts.outages is not None:
            await parts.outages.read()
        await self.host.of(TableParts).presenter.recall(shown=not parts.forgets)
        await parts.manager.load(self.host.of(TableParts).presenter.adopt)
        await self.host.of(TournamentParts).tournaments.load()
        await self.host.of(TrainingParts).day_boards.start()
        await self.service.begin(after_another=after_another)
        parts.clock.start()
        await self.retention.start()
        parts.days.start()
        if parts.settings.own_shards.first:
            self.host.of(TableParts).digests.start()
            parts.news.on_notices = self.host.of(TableParts).digests.note_news
            self.host.tools.spawn(self.podiums.take_due())
        if parts.backups is not None:
            await parts.backups.start(lambda: parts.manager.closing)
            await parts.look_after_files()
        await self.command_sync.run()
        if parts.heartbeat is not None:
            await parts.heartbeat.beat()

    async def close(self) -> None:
        """Take no new moves, finish what has begun, and close everything. Calling it again does nothing."""
        if self._ended:
            return
        self._ended = True
        if self._bringing is not None:
            self._bringing.cancel()
        if self._taking_over is not None:  # or it would start what is closed here
            self._taking_over.cancel()
            await asyncio.wait([self._taking_over], timeout=CANCELLING_SECONDS)
        parts = self.parts
        await finish(self, handing=self.service.begun and await has_successor(parts.owner))
        closing = asyncio.create_task(super().close())
        await asyncio.wait([closing], timeout=GOODBYE_SECONDS)
        await self.http.close()  # nothing can be sent from here on, so another process may have the shards
        await parts.close()
        await asyncio.wait([closing], timeout=GOODBYE_SECONDS)
        if closing.done() and (error := closing.exception()) is not None:
            log.warning("Could not close the connection to Discord cleanly", exc_info=error)
        if parts.pictures is not None:
            await parts.pictures.close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Ignore what happens on the servers unless this process has the shards."""
        if self.service.begun or not event.startswith(("guild", "channel", "access", "raw", "thread")):
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle clicks and forms; discord.py handles the commands."""
        await dispatch(interaction)

    async def on_connect(self) -> None:
        """Start to bring the tables back, once. A table that somebody clicks in the meantime comes back at once."""
        if self.service.begun:
            self._bring_back()

    def _bring_back(self) -> None:
        if self._bringing is None and not self._ended:
            self._bringing = asyncio.create_task(self._bring_all_back())
            self._bringing.add_done_callback(_log_failure)

    async def _bring_all_back(self) -> None:
        self.host.of(TournamentParts).tournaments.begin()
        await self.parts.manager.bring_back()
        await self.host.of(TableParts).evenings.start()
        self.host.of(TournamentParts).tournaments.recheck_tables()
        await self.host.of(TournamentParts).duplicate.look_again()

    async def on_ready(self) -> None:
        await super().on_ready()
        if self.service.begun:
            await self._compare_servers()

    async def _compare_servers(self) -> None:
        """Note which servers the bot is in, and whose database this is. A server in an outage counts as well."""
        try:
            sure = self.parts.forgets or await belongs(self.parts.stores.values, application_of(self))
            if await self.retention.compare_guilds(self.served_shards.has, sure=sure) and not sure:
                await claim(self.parts.stores.values, application_of(self))
        except (StoreError, SettingsError) as error:
            if not self._ended:
                log.warning("Could not note whose database this is (%s)", error)

    async def on_guild_missing(self, guild_id: int) -> None:
        """Let a server sleep that a new session doesn't list."""
        await self.retention.guild_left(guild_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let a server sleep that removed the bot. Discord doesn't send this when a server is in an outage."""
        await self.retention.guild_left(guild.id)

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        await follow_language(before, after, self.parts.guild_settings, self.parts.manager)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with what a server has that had removed the bot and has added it again."""
        await self.retention.guild_joined(guild.id)

    on_guild_available = on_guild_join  # discord.py tells one from the other by a field that Discord may leave out

    async def on_channel_gone(self, channel_id: int) -> None:
        """Note that a channel or thread was deleted; see `GuildCache`."""
        self.host.of(TournamentParts).tournaments.lose(channel_id)
        await self.parts.manager.lose_channel(channel_id)

    async def on_access_changed(self, place_id: int) -> None:
        """Try again where a server's channels, or a thread, have refused messages; see `GuildCache`."""
        self.host.tools.refusing.look_again(place_id)


def _log_failure(bringing: asyncio.Task[None]) -> None:
    if not bringing.cancelled() and (error := bringing.exception()) is not None:
        log.error("Could not bring the tables back", exc_info=error)


if TYPE_CHECKING:

    def _(bot: EscobaBot) -> tuple[Hosting, Speaker, Listener]:
        """Type-checks that the bot is what handlers, texts and checks expect `interaction.client` to be."""
        return bot, bot, bot


async def create_bot(
    settings: Settings, simulation: Simulation | None = None, *, chance: Chance | None = None
) -> EscobaBot:
    """Build a bot that is ready to log in; the arguments and errors are those of `build_parts`."""
    return EscobaBot(await build_parts(settings, chance=chance, simulation=simulation))
