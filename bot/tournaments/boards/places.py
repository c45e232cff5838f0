"""The places of a tournament on Discord: threads, channels, and its event."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Tools
from bot.platform.kit.links import channel_url
from bot.platform.people import plain
from bot.platform.place import Spot
from bot.platform.refusals import Refusal
from bot.platform.transport.channels import QUIET_MINUTES_AFTERWARDS
from bot.platform.transport.guild_events import GuildEvent, GuildEvents
from bot.platform.transport.permissions import may_have_threads
from bot.platform.transport.trouble import NETWORK, TOO_MANY_THREADS, Trouble, trouble_of
from bot.platform.transport.turns import Priority
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.live.view import NoThreads, NoThreadsReason, TournamentView, TryLater
from bot.tournaments.rules.log import ChangeSetup
from bot.tournaments.rules.setup import LONGEST_TITLE, rounds_for
from bot.tournaments.rules.tournament import Entry, TournamentStage
from bot.tournaments.words.formats import (
    MENTIONED,
    NO_THREADS,
    check_in_call,
    round_minutes,
    table_thread_name,
    what_is_played,
)

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 10.0
_REASONS: Final = {TOO_MANY_THREADS: NoThreadsReason.TOO_MANY_THREADS, 50024: NoThreadsReason.NO_PLACE}
"""Discord's codes for too many active threads in a server, and for a channel that can have none."""


class TournamentPlaces(TournamentObserver):
    """Opens threads, after asking Discord once a round whether the bot may, and which threads it has left there.

    Must observe the tournaments, to forget the threads of those that are over.
    """

    def __init__(self, client: discord.Client, tools: Tools) -> None:
        self._client = client
        self._tools = tools
        self._there: dict[int, tuple[int, dict[str, int]]] = {}
        """By tournament: the round for which Discord was asked, and the threads that were there, by name."""

    def tournament_changed(self, tournament: LiveTournament) -> None:
        if not tournament.open:
            self._there.pop(tournament.id, None)

    def tournament_lost(self, tournament: LiveTournament) -> None:
        self._there.pop(tournament.id, None)

    async def thread(self, view: TournamentView, round: int, table: int, entries: tuple[Entry, Entry]) -> int:
        """Open a thread for a table, or find the one that a stopped bot has opened for it; returns its id.

        Raises NoThreads if its channel can't have any, TryLater if Discord doesn't answer, or has been asked too often.
        """
        name = table_thread_name(round, table, entries, self._tools.display(view.locale, view.guild_id).words)
        channels = self._tools.channels
        try:
            threads = await self._threads(view, round)
            if name in threads:
                return threads[name]
            async with channels.turn(view, Priority.POST) as ticket:
                threads[name] = await channels.start_thread(ticket, view, name)
                return threads[name]
        except discord.RateLimited as error:
            raise TryLater(error.retry_after) from error
        except NETWORK as error:
            reason = _reason(error)
            log.info("Tournament %s: could not create a thread (%s)", view.id, type(error).__name__)
            if reason is None:
                raise TryLater(AGAIN_SECONDS) from error
            raise NoThreads(reason) from error

    async def _threads(self, view: TournamentView, round: int) -> dict[str, int]:
        """The tournament's threads by name, without those of earlier tournaments in the channel."""
        asked, threads = self._there.get(view.id, (0, {}))
        if asked != round:
            allowed = await may_have_threads(self._client, view.guild_id, view.channel_id)
            if not allowed:
                raise NoThreads(NoThreadsReason.NO_PLACE if allowed is None else NoThreadsReason.NO_PERMISSION)
            since = 0 if view.opened_at is None else discord.utils.time_snowflake(view.opened_at)
            threads = await self._tools.channels.own_threads(view, since)
            self._there[view.id] = (round, threads)
        return threads

    def archive_soon(self, guild_id: int, channel_id: int) -> None:
        """Have Discord archive the thread of a finished game before long."""
        self._tools.spawn(self._archive_soon(Spot(channel_id, guild_id)))

    async def _archive_soon(self, thread: Spot) -> None:
        channels = self._tools.channels
        try:
            async with channels.turn(thread, Priority.LEFT_BEHIND, edits=False) as ticket:
                await channels.archive_thread_after(ticket, thread, QUIET_MINUTES_AFTERWARDS)
        except NETWORK as error:
            log.debug("Could not archive a tournament's thread (%s)", type(error).__name__)

    def call_to_check_in(self, view: TournamentView, people: Sequence[int]) -> None:
        """Mention these people, now that check-in has begun at its time, but none who chose never to be."""
        if called := self._tools.tellable(people):
            self._tools.spawn(self._call(view, called))

    async def _call(self, view: TournamentView, people: Sequence[int]) -> None:
        words = self._tools.display(view.locale, view.guild_id).words
        channels = self._tools.channels
        try:
            for first in range(0, len(people), MENTIONED):
                some, nonce = people[first : first + MENTIONED], f"c{view.id}.{first}"
                text, mentions = check_in_call(some, None, words), self._tools.willing(some)
                async with channels.turn(view, Priority.POST) as ticket:
                    await channels.post_text(ticket, view, text, nonce=nonce, allowed_mentions=mentions)
        except NETWORK as error:
            log.info("Tournament %s: people aren't called to check in (%s)", view.id, type(error).__name__)

    def tell_no_threads(self, view: TournamentView, reason: NoThreadsReason) -> None:
        """Tell the organiser that tables are played one after the other in the channel, and why."""
        self._tools.spawn(self._tell(view, reason))

    async def _tell(self, view: TournamentView, reason: NoThreadsReason) -> None:
        words, organiser = self._tools.display(view.locale, view.guild_id).words, view.state.organiser
        channels = self._tools.channels
        text = words(NO_THREADS[reason])
        if organiser.id > 0:
            text = f"<@{organiser.id}> {text}"
        try:
            async with channels.turn(view, Priority.POST) as ticket:
                await channels.post_text(
                    ticket, view, text, nonce=f"g{view.id}", allowed_mentions=self._tools.willing([organiser.id])
                )
        except NETWORK as error:
            log.info("Tournament %s: could not tell its organiser about threads (%s)", view.id, type(error).__name__)


def _reason(error: BaseException) -> NoThreadsReason | None:
    """Find why there are no threads; None if another attempt may succeed."""
    code = getattr(error, "code", 0)
    if code in _REASONS:
        return _REASONS[code]
    return NoThreadsReason.NO_PERMISSION if trouble_of(error) is Trouble.SILENCED else None


EVENT_AGAIN_SECONDS: Final = 60.0
"""Seconds until trying again after Discord couldn't be reached."""
_USUAL_ENTRIES: Final = 8
"""Entries by which it is estimated when a tournament ends."""


class TournamentEvents(TournamentObserver):
    """An observer of tournaments that compares each with its event, one request at a time."""

    def __init__(self, client: discord.Client, tools: Tools, tournaments: TournamentDirector) -> None:
        self._tools = tools
        self._tournaments = tournaments
        tournaments.observe(self)
        self._events = GuildEvents(client, tools.channels)
        self._shown: dict[int, GuildEvent] = {}
        """The texts of the events, by tournament; none after a restart, so that they are written again."""
        self._locks: dict[int, asyncio.Lock] = {}

    def tournament_changed(self, tournament: LiveTournament) -> None:
        if tournament.row.event_id is not None or self._wanted(tournament) is not None:
            self._tools.spawn(self._match(tournament))

    def tournament_lost(self, tournament: LiveTournament) -> None:
        self._shown.pop(tournament.id, None)
        self._locks.pop(tournament.id, None)

    def _wanted(self, tournament: LiveTournament) -> GuildEvent | None:
        state = tournament.state
        start, waits = state.setup.start, state.stage in (TournamentStage.SIGN_UP, TournamentStage.CHECK_IN)
        if start is None or not start.event or not waits or start.moment <= self._tools.clock.now():
            return None
        t = self._tools.display(tournament.locale, tournament.guild_id).words
        minutes = rounds_for(state.setup, _USUAL_ENTRIES) * round_minutes(state.setup)
        name, played = plain(state.setup.title, LONGEST_TITLE), what_is_played(state.setup, t)
        where = channel_url(tournament.guild_id, tournament.channel_id)
        name = name or t("Escoba tournament")
        return GuildEvent(name, where, played, start.moment, start.moment + timedelta(minutes=minutes))

    async def _match(self, tournament: LiveTournament) -> None:
        async with self._locks.setdefault(tournament.id, asyncio.Lock()):
            try:
                await self._update(tournament)
            except NETWORK as error:
                log.info("Tournament %s: its event isn't up to date (%s)", tournament.id, type(error).__name__)
                trouble = trouble_of(error)
                if trouble.passes or trouble is Trouble.GONE:  # a lost server takes its tournaments along
                    self._tools.clock.after(
                        ("event", tournament.id), EVENT_AGAIN_SECONDS, lambda: self._match(tournament)
                    )
                else:  # the permission or the event was taken away, or there is no room for another
                    await self._give_up(tournament)
            except (StoreError, Refusal) as error:
                log.warning("Tournament %s: its event could not be noted: %s", tournament.id, error)

    async def _update(self, tournament: LiveTournament) -> None:
        """Make, change or delete the event, whichever is needed. One that has begun is left to its end."""
        wanted, event_id = self._wanted(tournament), tournament.row.event_id
        if wanted is None and event_id is not None:
            if not tournament.state.rounds:
                await self._events.delete(tournament, event_id)
            await tournament.set_event(None)
            self._shown.pop(tournament.id, None)
            self._tournaments.release(tournament)
        elif wanted is not None and event_id is None:
            await tournament.set_event(await self._events.make(tournament, wanted))
            self._shown[tournament.id] = wanted
        elif wanted is not None and event_id is not None and self._shown.get(tournament.id) != wanted:
            await self._events.change(tournament, event_id, wanted)
            self._shown[tournament.id] = wanted

    async def _give_up(self, tournament: LiveTournament) -> None:
        """Wish for no event any more, so that the organiser sees that there is none and can try again."""
        try:
            await tournament.set_event(None)
            self._tournaments.release(tournament)
            setup = tournament.state.setup
            if setup.start is not None and setup.start.event and tournament.open and not tournament.state.rounds:
                changed = replace(setup, start=replace(setup.start, event=False))
                await tournament.submit(ChangeSetup(tournament.state.organiser, changed), manages=True)
        except (StoreError, Refusal) as error:
            log.warning("Tournament %s: that it has no event could not be noted: %s", tournament.id, error)
