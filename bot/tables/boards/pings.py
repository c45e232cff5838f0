"""The short messages that ping a table's players: carries out what `next_ping` decides."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.channel_access import Backoff
from bot.platform.language.catalogues import words
from bot.platform.operating.meter import Showing
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.trouble import ARCHIVED, NETWORK, Trouble, trouble_of
from bot.platform.transport.turns import Priority
from bot.tables.boards.digests import is_told_by
from bot.tables.boards.next_ping import (
    Due,
    DueStep,
    Ping,
    PingStep,
    due_step,
    next_ping_step,
    noted,
    ping_of_turn,
    read_noted,
    told_in_private,
    updated_ping,
)
from bot.tables.boards.public_message import ended_quietly
from bot.tables.boards.table_message import TableMessage
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.screens.questions import nudge_text, past_text, ping_text
from bot.tables.settings import TablePreferences, TurnNotice, in_private, turn_notice
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

REFUSED_AGAIN: Final = timedelta(minutes=10)
"""For so long no ping is sent where one was refused, though edits may still work there."""
NOTED: Final = "pings:"
"""The key under which a table's pings are noted, followed by its id."""


class Pings:
    """A table's pings: at most one for the present turn, besides those of people who are away and haven't clicked.

    They are noted, so that a bot finds those that a stopped one has left.

    Args:
        table: says whose turn it is.
        tools: sends.
        message: the table's message, which they lead to.
    """

    __slots__ = (
        "_backoff",
        "_busy",
        "_clicked_at",
        "_closed_for",
        "_due",
        "_message",
        "_pings",
        "_posting",
        "_refused_at",
        "_refused_for",
        "_table",
        "_tools",
    )

    def __init__(self, table: Table, tools: TableTools, message: TableMessage) -> None:
        self._table = table
        self._tools = tools
        self._message = message
        self._pings: list[Ping] = []
        self._due: Due | None = None
        self._posting = False
        self._busy: list[int] = []
        """The messages that are being edited or deleted."""
        self._clicked_at: dict[int, datetime] = {}
        """The times of people's last clicks."""
        self._backoff = Backoff(table.id)
        self._refused_for: str | None = ""
        """The address of the table's message when Discord refused a ping: none is tried again for a while, unless it
        changes."""
        self._refused_at = tools.clock.now()
        self._closed_for: str | None = ""
        """The same for edits and deletions of pings, which Discord may refuse where it takes new messages."""

    @property
    def message_ids(self) -> list[int]:
        return [ping.message_id for ping in self._pings]

    def ping(self, *, warns: bool = False, pressed: bool = False) -> None:
        """Ping the player whose turn it is. `warns`: their deadline is near; `pressed`: somebody nudges them."""
        self._due = Due.at(self._table.view(), warns=warns, pressed=pressed)
        self._backoff.reset()
        self._begin_post()

    def bring_up_to_date(self) -> None:
        """See what a change of the table means for its pings."""
        if self._pings and self._closed_for == self._message.url:
            if self._table.view().over:
                self.forget()
            return
        for ping in self._pings:
            if ping.message_id not in self._busy and next_ping_step(self._table.view(), ping) is not PingStep.KEEP:
                self._busy.append(ping.message_id)
                self._tools.spawn(self._update_ping(ping.message_id))

    def seen_by(self, person_id: int) -> None:
        """Note that somebody has clicked: they don't have to be pinged any more, and their ping may go."""
        self._clicked_at[person_id] = self._tools.clock.now()
        if self._due is not None and self._due.person_id == person_id:
            self._due = None
        seats = self._table.view().seats
        theirs = [not ping.done and seats[ping.seat].person_id == person_id for ping in self._pings]
        if any(theirs):
            self._pings = [replace(ping, done=ping.done or own) for ping, own in zip(self._pings, theirs, strict=True)]
            self.bring_up_to_date()

    def recall(self, text: str) -> bool:
        """Take over the pings that a stopped bot has left; returns whether one is for the current turn."""
        self._pings = read_noted(text)
        self.bring_up_to_date()
        return any(ping.is_of_turn(self._table.view()) for ping in self._pings)

    def forget(self) -> None:
        """Forget all pings: they are gone with the channel, or nothing more can be done about them."""
        self._due = None
        if self._pings:
            self._pings = []
            self._tools.spawn(self._note())

    # -------------------------------------------------------------------- sending

    def _begin_post(self) -> None:
        if not self._posting and self._due is not None:
            self._posting = True
            self._tools.spawn(self._post())

    async def _post(self) -> None:
        """Post the ping that is due, unless it is no longer needed when the request's turn has come."""
        channels, table = self._tools.channels, self._table
        try:
            while self._wants_post():
                async with channels.turn(table.spot, Priority.POST) as ticket:
                    view, due = table.view(), self._due
                    if due is None or not self._wants_post():
                        return
                    silent = self._is_silent(due, view)
                    told = view.deadline if due.warns else None
                    text = self._turn_text(due.person_id or 0, told, view)
                    text = self._nudge_text(due.person_id or 0, view, table.locale) if due.pressed else text
                    with self._tools.meter.showing(Showing.PING):
                        message_id = await channels.post_text(
                            ticket,
                            table.spot,
                            text,
                            nonce=self._nonce(due, view),
                            allowed_mentions=self._tools.willing([due.person_id]),
                        )
                await self._sent(due, view, message_id, rings=not silent)
        except NETWORK as error:
            self._failed(error)
        finally:
            self._posting = False

    def _wants_post(self) -> bool:
        """Whether a message is to be posted for what is due; if not, nothing is due any more."""
        if self._due is None:
            return False
        view = self._table.view()
        clicked_at = self._clicked_at.get(self._due.person_id or 0)
        now = self._tools.clock.now()
        step = due_step(view, self._due, self._pings, now, clicked_at)
        unwanted = view.unhurried and self._is_silent(self._due, view)
        refused = self._message.url == self._refused_for and now < self._refused_at + REFUSED_AGAIN
        if step is DueStep.POST and view.unhurried and in_private(self._tools.preferences, self._due.person_id):
            self._tell_privately(self._due, view, now)
        elif step is DueStep.POST and not refused and not unwanted:
            return not self._waits_for_morning(self._due, view, now)
        self._due = None
        if step is DueStep.WARN and (earlier := ping_of_turn(view, self._pings)) is not None:
            self._replace(earlier, replace(earlier, warns_of=view.deadline))
            self.bring_up_to_date()
        return False

    def _is_silent(self, due: Due, view: TableView) -> bool:
        """Whether the ping would notify nobody: it would only tell the others that the deadline is near."""
        notice = turn_notice(self._tools.preferences, due.person_id, unhurried=view.unhurried)
        return notice is TurnNotice.NEVER

    def _waits_for_morning(self, due: Due, view: TableView, now: datetime) -> bool:
        """Whether the player of a slow turn has quiet hours now; then they are pinged at their end."""
        quiet = self._tools.quiet(due.person_id, view.guild_id) if view.unhurried else None
        seconds = 0.0 if quiet is None else (quiet.after(now) - now).total_seconds()
        if seconds:
            self._tools.clock.after(("ping", self._table.id), seconds, self._try_again)
        return seconds > 0

    def _tell_privately(self, due: Due, view: TableView, now: datetime) -> None:
        """Have the player told in a private message instead, and remember that as a ping that is gone."""
        assert due.person_id is not None, "it was a person's turn"
        told = told_in_private(view, due, now)
        self._pings = [*(ping for ping in self._pings if not ping.deleted), told]
        chosen = self._tools.preferences.cached(due.person_id, TablePreferences)
        soon = told.warns_of is not None and is_told_by(chosen, due.person_id, now, told.warns_of)
        self._tools.spawn(self._note() if soon else self._owe(due.person_id, now))

    async def _owe(self, person_id: int, now: datetime) -> None:
        try:
            await self._tools.owed.add(person_id, now, {f"{NOTED}{self._table.id}": noted(self._pings)})
        except StoreError as error:
            log.warning("Table %s: could not note that its player is to be told: %s", self._table.id, error)

    async def _sent(self, due: Due, view: TableView, message_id: int, *, rings: bool) -> None:
        """Record a ping that was posted; if its player has clicked meanwhile, it is done already."""
        earlier = ping_of_turn(view, self._pings)
        if earlier is not None:
            self._replace(earlier, replace(earlier, done=True))
        told, turn = view.deadline if due.warns else None, None if view.match is None else view.match.turn
        assert turn is not None, "it was somebody's turn"
        now, done = self._tools.clock.now(), self._due is None
        self._pings = [ping for ping in self._pings if not ping.deleted]
        self._pings.append(Ping(message_id, turn, due.version, now, rings, told, told, done=done))
        if self._due == due:
            self._due = None
        self._refused_for = ""
        self.bring_up_to_date()
        await self._note()

    def _nonce(self, due: Due, view: TableView) -> str:
        """A ping's nonce, the same in every attempt of every process, but different for a warning and each deadline.

        For some minutes Discord would answer a nonce used before with its earlier message, which may be deleted.
        """
        if due.pressed:
            return f"p{self._table.id}-{due.version}"
        if due.warns and view.deadline is not None:
            return f"w{self._table.id}-{view.deadline.timestamp():.0f}"
        if view.sealed and view.match is not None:  # the version would tell how often somebody had a choice of captures
            match = view.match
            return f"n{self._table.id}-{match.round_number}.{match.deal}.{sum(match.hand_counts)}"
        return f"n{self._table.id}-{due.version}"

    def _failed(self, error: BaseException) -> None:
        """Try again later to send a ping, if that may help."""
        trouble = trouble_of(error)
        if trouble is Trouble.REFUSED:
            log.error("Table %s: Discord refused a ping (%s)", self._table.id, error)
        else:
            log.info("Table %s: a ping could not be sent (%s)", self._table.id, type(error).__name__)
        if not (trouble.passes or trouble is Trouble.GONE):  # which one answer doesn't prove
            self._due, self._refused_for = None, self._message.url
            self._refused_at = self._tools.clock.now()
            if trouble is Trouble.SILENCED:  # the player may not know of their turn
                self._message.access.note_refused()
                self._message.fall_silent()
                self._table.set_unseen(True)
            return
        self._tools.clock.after(("ping", self._table.id), self._backoff.seconds_after(error), self._try_again)

    async def _try_again(self) -> None:
        self._begin_post()

    # -------------------------------------------------------------------- editing and deleting

    async def _update_ping(self, message_id: int) -> None:
        """Edit or delete a ping as it needs; what it needs may change while the request waits for its turn."""
        channels = self._tools.channels
        place = self._table.spot
        url = self._message.url
        try:
            while (step := self._step(message_id)) not in (PingStep.KEEP, PingStep.FORGET):
                async with channels.turn(place, Priority.LEFT_BEHIND, edits=step is PingStep.EDIT) as ticket:
                    if self._step(message_id) is not step:
                        continue
                    url = self._message.url
                    try:
                        await self._carry_out(step, message_id, ticket)
                    except discord.HTTPException as error:
                        if error.code != ARCHIVED or ended_quietly(self._table.view()):
                            raise
                        await channels.unarchive(ticket, place)
                        await self._carry_out(step, message_id, ticket)
        except NETWORK as error:
            self._update_failed(message_id, url, error)
        finally:
            self._busy.remove(message_id)
        if self._step(message_id) is PingStep.FORGET:
            self._drop(message_id)
        await self._note()

    async def _carry_out(self, step: PingStep, message_id: int, ticket: Ticket) -> None:
        if step is PingStep.DELETE:
            await self._tools.channels.delete(ticket, self._table.spot, message_id)
            self._remember_or_drop(message_id)
        else:
            await self._edit(ticket, self._find(message_id))

    async def _edit(self, ticket: Ticket, ping: Ping) -> None:
        """Edit a ping to say what it should say now."""
        view = self._table.view()
        newer, person_id = updated_ping(view, ping), view.seats[ping.seat].person_id
        await self._tools.channels.edit_text(
            ticket,
            self._table.spot,
            ping.message_id,
            self._text(newer, view, person_id or 0),
            allowed_mentions=self._tools.willing([person_id] if ping.rings else ()),
        )
        self._pings = [
            replace(old, past=newer.past, tells=newer.tells) if old.message_id == ping.message_id else old
            for old in self._pings
        ]

    def _update_failed(self, message_id: int, url: str | None, error: BaseException) -> None:
        """Leave a ping as it is after a failed request; try again when the table next changes, if that may help.

        `url`: the address of the table's message at the time of the request.
        """
        log.debug("Could not edit or delete a ping (%s)", type(error).__name__)
        trouble = trouble_of(error)
        if trouble is Trouble.SILENCED:
            self._closed_for = url
        if self._table.view().over or trouble in (Trouble.GONE, Trouble.REFUSED):
            self._remember_or_drop(message_id)

    def _step(self, message_id: int) -> PingStep:
        ping = next((ping for ping in self._pings if ping.message_id == message_id), None)
        return PingStep.KEEP if ping is None else next_ping_step(self._table.view(), ping)

    def _text(self, ping: Ping, view: TableView, person_id: int) -> str:
        t, url = words(self._table.locale), self._message.url
        if ping.past:
            return past_text(person_id, url, t, over=view.over, waiting=view.waiting)
        return self._turn_text(person_id, ping.tells, view)

    def _turn_text(self, person_id: int, deadline: datetime | None, view: TableView) -> str:
        loses, url = view.fixture is not None, self._message.url
        return ping_text(person_id, deadline, url, words(self._table.locale), loses=loses)

    def _nudge_text(self, person_id: int, view: TableView, locale: str) -> str:
        name = "" if view.nudged_by is None else view.names[view.nudged_by]
        return nudge_text(person_id, name, self._message.url, words(locale))

    def _find(self, message_id: int) -> Ping:
        return next(ping for ping in self._pings if ping.message_id == message_id)

    def _drop(self, message_id: int) -> None:
        self._pings = [ping for ping in self._pings if ping.message_id != message_id]

    def _remember_or_drop(self, message_id: int) -> None:
        """Take note that a ping was deleted; where its person is notified twice a turn at most, remember it."""
        ping, view = self._find(message_id), self._table.view()
        if view.unhurried and ping.rings and ping.is_of_turn(view):
            self._replace(ping, replace(ping, done=True, deleted=True))
        else:
            self._drop(message_id)

    def _replace(self, older: Ping, newer: Ping) -> None:
        self._pings = [newer if ping is older else ping for ping in self._pings]

    async def _note(self) -> None:
        try:
            await self._tools.values.set(f"{NOTED}{self._table.id}", noted(self._pings))
        except StoreError as error:
            log.warning("Table %s: could not note its pings: %s", self._table.id, error)
