"""Gives a tournament's tables their threads."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import discord

from bot.platform.kit.tools import Tools
from bot.platform.place import Spot
from bot.platform.transport.permissions import may_have_threads
from bot.platform.transport.trouble import NETWORK, TOO_MANY_THREADS, Trouble, trouble_of
from bot.platform.transport.turns import Priority
from bot.tournaments.live.places import NoThreads, TryLater
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.live.view import NoThreadsReason, TournamentView
from bot.tournaments.rules.tournament import Entry
from bot.tournaments.words.tables import MENTIONED, NO_THREADS, check_in_call, table_thread_name

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
            if not await may_have_threads(self._client, view.guild_id, view.channel_id):
                raise NoThreads(NoThreadsReason.NO_PERMISSION)
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
                await channels.archive_thread_soon(ticket, thread)
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
