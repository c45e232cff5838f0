"""Messages about what somebody has changed: to those who signed up, and to a table."""

import asyncio
import logging
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import discord
from discord.utils import snowflake_time

from bot.platform.kit.host import Tools
from bot.platform.kit.live_message import is_old
from bot.platform.place import Spot
from bot.platform.transport.channels import NOBODY, Place
from bot.platform.transport.trouble import NETWORK, UNKNOWN_MESSAGE, trouble_of
from bot.platform.transport.turns import Priority
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.rules.tournament import Entry
from bot.tournaments.words.formats import withdrawal_text

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 60.0
"""Seconds until a change is told after Discord couldn't be reached."""


class Changed(StrEnum):
    """A kind of change to a tournament: of what is played, or of when it starts."""

    SETUP = "c"
    START = "d"


@dataclass(slots=True)
class _Notice:
    """The message of a kind: what it is to say, and what it says."""

    text: str = ""
    said: str = ""
    message_id: int | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ChangeNotices:
    """The messages about a tournament's changes. One that is edited notifies nobody, and takes no room.

    Args:
        tools: sends them.
        place: the tournament's channel.
        number: the tournament's id.
    """

    def __init__(self, tools: Tools, place: Place, number: int) -> None:
        self._tools = tools
        self._place = place
        self._number = number
        self._notices = {kind: _Notice() for kind in Changed}

    def tell(self, kind: Changed, text: str) -> None:
        """Tell of a change. If an earlier one of the kind isn't told yet, this one is told instead."""
        notice = self._notices[kind]
        notice.text = text
        self._tools.spawn(self._send(kind, notice))

    async def _send(self, kind: Changed, notice: _Notice) -> None:
        key = ("change", self._number, kind)
        try:
            async with notice.lock:
                while notice.said != notice.text:
                    try:
                        await self._bring_up_to_date(kind, notice)
                    except discord.HTTPException as error:
                        if notice.message_id is None or error.code != UNKNOWN_MESSAGE:
                            raise
                        notice.message_id = None
        except NETWORK as error:
            log.info("Tournament %s: a change isn't told (%s)", self._number, type(error).__name__)
            if trouble_of(error).passes:
                self._tools.clock.after(key, AGAIN_SECONDS, lambda: self._send(kind, notice))

    async def _bring_up_to_date(self, kind: Changed, notice: _Notice) -> None:
        channels, place, now = self._tools.channels, self._place, self._tools.clock.now()
        if notice.message_id is not None and is_old(snowflake_time(notice.message_id), now):
            notice.message_id = None
        priority = Priority.POST if notice.message_id is None else Priority.LEFT_BEHIND
        async with channels.turn(place, priority) as ticket:
            text = notice.text
            if notice.message_id is None:
                nonce = f"{kind}{self._number}-{now.timestamp():.0f}"
                notice.message_id = await channels.post_text(ticket, place, text, nonce=nonce, allowed_mentions=NOBODY)
            else:
                await channels.edit_text(ticket, place, notice.message_id, text, allowed_mentions=NOBODY)
            notice.said = text


class WithdrawalNotices(TournamentObserver):
    """Compares each tournament with what it was before; a withdrawal made while the bot was away isn't told."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._gone: dict[int, frozenset[int]] = {}
        """The entries that have withdrawn, by tournament."""
        self._told: dict[int, set[tuple[int, int]]] = {}
        """The round and the entry of each notice, by tournament: whoever comes and goes is told of once a round."""

    def tournament_changed(self, tournament: LiveTournament) -> None:
        state = tournament.state
        if not tournament.open:
            self.tournament_lost(tournament)
            return
        gone = frozenset(entry.number for entry in state.entries if entry.withdrawn)
        before = self._gone.get(tournament.id, gone)
        self._gone[tournament.id] = gone
        for number in gone - before:
            self._tell_table(tournament, state.entry(number))

    def tournament_lost(self, tournament: LiveTournament) -> None:
        self._gone.pop(tournament.id, None)
        self._told.pop(tournament.id, None)

    def _tell_table(self, tournament: LiveTournament, entry: Entry) -> None:
        """Tell an entry's opponent, if their table is open."""
        state = tournament.state
        pairing = state.open_pairing(entry)
        if pairing is None or state.round is None:
            return
        view = tournament.view()
        link = view.link(state.round.number, pairing.table)
        if link is None or not link.open:
            return
        other = state.entry(pairing.second if pairing.first == entry.number else pairing.first)
        told_of = self._told.setdefault(tournament.id, set())
        if other.withdrawn or (state.round.number, entry.number) in told_of:
            return
        told_of.add((state.round.number, entry.number))
        words = self._tools.display(tournament.locale, tournament.guild_id).words
        table = Spot(link.channel_id, tournament.guild_id)
        nonce = f"w{tournament.id}.{state.round.number}.{entry.number}"
        self._tools.spawn(self._send(table, withdrawal_text(view.state.entry(entry.number), words), nonce))

    async def _send(self, table: Spot, text: str, nonce: str) -> None:
        channels = self._tools.channels
        try:
            async with channels.turn(table, Priority.POST) as ticket:
                await channels.post_text(ticket, table, text, nonce=nonce, allowed_mentions=NOBODY)
        except NETWORK as error:
            log.info("A withdrawal isn't told at its table (%s)", type(error).__name__)
