"""Has Discord list tournaments among their server's events, where that is wished, until they begin."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.links import channel_url
from bot.platform.kit.tools import Tools
from bot.platform.people.names import plain
from bot.platform.refusals import Refusal
from bot.platform.transport.guild_events import GuildEvent, GuildEvents
from bot.platform.transport.trouble import NETWORK, Trouble, trouble_of
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.rules.actions import ChangeSetup
from bot.tournaments.rules.setup import LONGEST_TITLE, rounds_for
from bot.tournaments.rules.tournament import TournamentStage
from bot.tournaments.words.formats import round_minutes, what_is_played

log = logging.getLogger(__name__)

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
        """What each event says, by tournament; nothing after a restart, so that it is said again."""
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
