"""A table's public message on Discord: edited while it is young, posted afresh when it must be."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.ui import LayoutView

from bot.meter import Showing
from bot.store import Store, StoreError
from bot.tables.clock import Clock
from bot.tables.view import TableView
from bot.ui.board import moved_layout
from bot.ui.messages import Board
from bot.ui.notices import notice
from bot.ui.render import mentions, public_layout
from bot.ui.reply import NETWORK, is_passing
from bot.ui.score import round_layout
from bot.ui.texts import words

if TYPE_CHECKING:
    from bot.tables.manager import TableManager

log = logging.getLogger(__name__)

MESSAGE_LIFE: Final = timedelta(minutes=50)
"""Discord throttles edits of messages over an hour old; a table is posted afresh before that."""
RETRY_SECONDS: Final = 5.0
_LONGEST_WAIT: Final = 300.0
_MOST_DOUBLINGS: Final = 10
_UNKNOWN_MESSAGE: Final = 10008
_GONE: Final = (10003, 10004)
"""The channel, or the server, is unknown."""
_ARCHIVED: Final = 50083
"""The thread is archived: nothing is written there until somebody opens it again."""


def left_score(board: Board, view: TableView) -> LayoutView | None:
    """What stays of the table's message when that of the next round takes its place; None if its score is past."""
    match = view.match
    if match is None or len(match.scores) != board.round:
        return None
    return round_layout(view, words(view.locale), paused=False)


def _warning_key(board: Board) -> str:
    return f"warning:{board.table.id}"


def _is_vague(error: BaseException) -> bool:
    """Whether it isn't found, but nothing is said to be unknown: so says what stands before Discord on a bad day."""
    return isinstance(error, discord.NotFound) and not error.code


class Publisher:
    """Shows tables in their channels through a client.

    Args:
        client: through whom to speak.
        store: where the message's id is noted.
        clock: says how old a message is, and when to try again.
        manager: is told of a table whose channel or guild is no more.
        spawn: does what nobody need wait for.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        clock: Clock,
        manager: TableManager,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._manager = manager
        self._meter = manager.meter
        self._spawn = spawn

    async def show(self, board: Board) -> None:
        """Edit the table's message to the newest state, or post it afresh; never raises."""
        if board.muted:
            return
        view = board.table.view()
        try:
            if board.message_id is None:
                await self._send(board, view)
            elif board.begins_round(view):
                await self._replace(board, view, left_score(board, view))
            elif self._old(board):
                await self._replace(board, view, None)
            else:
                await self._edit(board, view)
        except NETWORK as error:
            await self._failed(board, error)
        except Exception:
            log.exception("Table %s could not be shown", board.table.id)
        else:
            board.failures = 0
            if view.over:  # as it was shown; the table may be over by now, and that is to be shown yet
                await self.ended(board)

    async def _failed(self, board: Board, error: BaseException) -> None:
        """What to do about a table that could not be shown."""
        table = board.table
        if board.over and not is_passing(error) and not _is_vague(error):
            log.info("Table %s is over, and can't be shown any more (%s)", table.id, type(error).__name__)
            await self.ended(board)
        elif isinstance(error, discord.Forbidden) or getattr(error, "code", 0) == _ARCHIVED:
            log.info("Table %s: the bot may not speak in its channel, so its game waits", table.id)
            board.muted = True
            table.suspend()
        elif getattr(error, "code", 0) in _GONE:
            log.info("Table %s: its channel is gone", table.id)
            await self._manager.lose(table)
        elif is_passing(error) or _is_vague(error):
            board.failures += not board.retrying
            if board.retrying:
                return  # it was a move between two tries: the next try comes when it was to come
            doubled = min(board.failures - 1, _MOST_DOUBLINGS)
            wait = min(RETRY_SECONDS * 2**doubled, _LONGEST_WAIT)
            log.warning("Table %s could not be shown (%s); trying again", table.id, type(error).__name__)
            board.retrying = True
            self._clock.after(("show", table.id), wait, self._again(board))
        else:
            log.error("Table %s could not be shown: Discord refused it (%s)", table.id, error)

    async def found(self, board: Board, message: discord.Message) -> None:
        """Somebody clicked on a public message of the table.

        It is another one than the bot knows if the bot ended, or lost the store, before it could note the message. The
        newest is the table, because people see that at the bottom of the channel; the other loses its buttons.
        """
        known = board.message_id
        if known is None or board.over or board.in_post or message.id in (known, board.scored_id):
            return
        if message.id < known:
            self._spawn(self.leave_behind(board, message.id))
            return
        await self.posted(board, message.id, at=message.created_at)
        board.surface.invalidate()
        self._spawn(self.leave_behind(board, known))

    async def posted(self, board: Board, message_id: int | None, *, at: datetime | None = None) -> None:
        """The table's public message is another one from now on, posted now if nothing else is said."""
        board.message_id, board.posted_at = message_id, at or self._clock.now()
        try:
            await self._store.set_message(board.table.id, message_id, board.posted_at)
        except StoreError as error:
            log.warning("Table %s: its message could not be noted (%s)", board.table.id, type(error).__name__)

    async def ended(self, board: Board) -> None:
        """The table's end was shown, or never can be: a restart need not show it."""
        board.ended = True
        try:
            await self._store.set_message(board.table.id, None, None)
        except StoreError as error:
            log.warning("Table %s: that its end is shown could not be noted (%s)", board.table.id, type(error).__name__)

    async def leave_behind(self, board: Board, message_id: int, layout: LayoutView | None = None) -> None:
        """Take the buttons off a message that another has replaced; it doesn't matter if it is gone."""
        layout = layout or moved_layout(board.url, words(board.table.locale))
        try:
            await self._message(board, message_id).edit(view=layout, allowed_mentions=discord.AllowedMentions.none())
        except NETWORK as error:
            log.debug("An old table message stays as it is (%s)", type(error).__name__)

    async def warn(self, board: Board) -> None:
        """Ping the player at turn: the deadline is near."""
        view = board.table.view()
        turn = None if view.match is None else view.match.turn
        if board.muted or turn is None or view.deadline is None:
            return
        await self.unwarn(board)
        t = words(board.table.locale)
        person = f"<@{view.seats[turn].person_id}>"
        time = discord.utils.format_dt(view.deadline, "R")
        text = t("⏰ {person}, it's your turn! A computer steps in {time}.", person=person, time=time)
        try:
            message = await self._channel(board).send(view=notice(text), allowed_mentions=mentions(view))
        except NETWORK as error:
            log.info("Table %s: a warning could not be sent (%s)", board.table.id, type(error).__name__)
            return
        board.warning_id = message.id
        await self._note_warning(board)
        if board.table.view().version != view.version:
            await self.unwarn(board)

    async def unwarn(self, board: Board) -> None:
        """Delete the warning: the turn is over."""
        message_id, board.warning_id = board.warning_id, None
        if message_id is None:
            return
        try:
            await self._message(board, message_id).delete()
        except NETWORK as error:
            log.debug("A warning stays (%s)", type(error).__name__)
        await self._note_warning(board)

    async def recall_warning(self, board: Board) -> None:
        """Delete the warning that a bot which was stopped has left: the deadline begins anew."""
        try:
            noted = await self._store.get_value(_warning_key(board))
        except StoreError as error:
            log.warning("Table %s: its warning can't be looked up (%s)", board.table.id, type(error).__name__)
            return
        if noted:
            board.warning_id = int(noted)
            await self.unwarn(board)

    async def _note_warning(self, board: Board) -> None:
        value = None if board.warning_id is None else str(board.warning_id)
        try:
            await self._store.set_value(_warning_key(board), value)
        except StoreError as error:
            log.warning("Table %s: its warning could not be noted (%s)", board.table.id, type(error).__name__)

    async def _edit(self, board: Board, view: TableView) -> None:
        assert board.message_id is not None, "there is a message to edit"
        layout = await public_layout(view, self._store)
        try:
            board.shows(view)
            with self._meter.showing(Showing.EDIT):
                await self._message(board, board.message_id).edit(view=layout, allowed_mentions=mentions(view))
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            await self._send(board, view)

    async def _send(self, board: Board, view: TableView) -> None:
        layout = await public_layout(view, self._store)
        nonce = board.nonce
        tried, board.tried = board.tried, nonce
        with self._meter.showing(Showing.POST), board.posting():
            message = await self._channel(board).send(view=layout, nonce=nonce, allowed_mentions=mentions(view))
        board.shows(view)
        await self.posted(board, message.id)
        if tried == nonce:
            board.surface.invalidate()  # Discord gave back what an earlier try had made, as it was then

    async def _replace(self, board: Board, view: TableView, left: LayoutView | None) -> None:
        older = board.message_id
        if left is not None:
            board.scored_id = older  # before a late click on it can pass for one on a message that was forgotten
        await self._send(board, view)
        if older is not None:
            # Discord may let an edit of an old message wait for long; the new one must not.
            self._spawn(self.leave_behind(board, older, left))

    def _old(self, board: Board) -> bool:
        return board.posted_at is not None and self._clock.now() - board.posted_at > MESSAGE_LIFE

    def _again(self, board: Board) -> Callable[[], Awaitable[None]]:
        async def again() -> None:
            board.retrying = False
            board.surface.invalidate()

        return again

    def _channel(self, board: Board) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(board.table.channel_id, guild_id=board.table.guild_id)

    def _message(self, board: Board, message_id: int) -> discord.PartialMessage:
        return self._channel(board).get_partial_message(message_id)
