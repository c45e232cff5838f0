"""Tells the people at a tournament's table that somebody there has withdrawn."""

from __future__ import annotations

import logging

from bot.platform.kit.tools import Tools
from bot.platform.place import Spot
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.trouble import NETWORK
from bot.platform.transport.turns import Priority
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.rules.tournament import Entry
from bot.tournaments.words.tables import withdrawal_text

log = logging.getLogger(__name__)


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
        gone = frozenset(each.number for each in state.entries if each.withdrawn)
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
