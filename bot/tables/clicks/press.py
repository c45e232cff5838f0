"""A press at a table, and the answer to it.

A click in the lobby with which the match begins, or before which somebody has begun it, is answered with its person's
panel instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Final, TypeVar

import discord

from bot.engine.cards import Card
from bot.engine.errors import NotationError
from bot.engine.views import SeatView
from bot.platform.kit.links import channel_url
from bot.platform.kit.screen import Handling, Press, Screen
from bot.platform.layout import notice
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import is_private, private_words
from bot.tables.boards.board import Board
from bot.tables.boards.presenter import Presenter
from bot.tables.clicks.door import turn_away
from bot.tables.ids.game import COUNTED, FROM_ANYWHERE, IN_CHANNELS, Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.actions import Action
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import MoveRefusal, TableRefusal
from bot.tables.screens.picking import Picking
from bot.tables.screens.table import is_dealt
from bot.tables.store.logs import Games

_KEEP_CHOICE: Final = (MoveRefusal.NOT_A_CAPTURE, MoveRefusal.NOTHING_TO_CLAIM)
"""The refusals after which a choice of cards goes on: a wrong sum costs nothing."""


class Answering:
    """Context manager for acting on a click; at its end the clicked message shows the newest state.

    A refusal becomes a note on the player's own panel, and a stale click gets the newest state wherever it was made;
    the block raises every other refusal.

    Attributes:
        note: a line for this moment only, on a private panel.
        picking: the choice of cards to show there.

    Args:
        presenter: answers the click.
        interaction: the click.
        table: the table that it is about.
        refused: the choice of cards to go back to if the table refuses just that choice.
    """

    # A class, not a generator: simulations follow what a click waits for through coroutines only.

    def __init__(
        self, presenter: Presenter, interaction: discord.Interaction[Any], table: Table, refused: Picking | None
    ) -> None:
        self.note: str | None = None
        self.picking: Picking | None = None
        self._presenter = presenter
        self._interaction = interaction
        self._table = table
        self._refused = refused
        self._begins = table.phase is Phase.LOBBY and not is_private(interaction)
        self._board: Board | None = None
        self._held = ExitStack()

    async def __aenter__(self) -> Answering:
        self._board = await self._presenter.board_for(self._interaction, self._table)
        self._held.enter_context(self._board.held(self._interaction))
        if self._begins:
            self._board.panels.forget_waiting(self._interaction.user.id)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        with self._held:
            assert self._board is not None, "it was entered"
            late = isinstance(error, Refusal) and error.code is TableRefusal.LOBBY_OVER
            if late:
                self._board.show_again()
            if (late or (error is None and self._begins)) and self._plays:
                await self._board.panels.open(self._interaction)  # the table's message is edited after it
                return True
            if self._begins:
                self._board.follow_deal(self._interaction)
            if error is not None and not self._explains(error):
                return False
            await self._board.answer(self._interaction, self.note, self.picking)
        return True

    @property
    def _plays(self) -> bool:
        """Whether the person, who has clicked on the table's message, has cards by now."""
        return not is_private(self._interaction) and self._seated and is_dealt(self._table.view())

    @property
    def _seated(self) -> bool:
        return self._table.seat_of(self._interaction.user.id) is not None

    def _explains(self, error: BaseException) -> bool:
        """Whether the answer says why the table refused."""
        if not isinstance(error, Refusal):
            return False
        own_panel = is_private(self._interaction) and self._seated
        if not own_panel and error.code is not CommonRefusal.STALE:
            return False
        self.note = error.reason(private_words(self._interaction))
        self.picking = self._refused if error.code in _KEEP_CHOICE else None
        return True


SCREEN: Final = Screen("games", Ref)
"""The messages of a game."""


class GamePress(Press):
    """A press on a button or menu of a game; `ref` is what its custom_id refers to.

    `anywhere`: whether it may be pressed on a private message elsewhere, also in a private chat, by somebody who sits
    at the table.
    """

    def __init__(self, press: Press, ref: Ref, *, anywhere: bool = False) -> None:
        self.interaction, self.host, self.person, self.t = press.interaction, press.host, press.person, press.t
        self.ref = ref
        self._anywhere = anywhere and (is_private(press.interaction) or press.interaction.guild_id is None)

    @cached_property
    def found(self) -> Table | None:
        """The open table that the item belongs to; None if it is over, or has never been here."""
        table = self.host.of(TableManager).get(self.ref.game)
        if table is not None and table.alone:
            return table if table.opener_id == self.person.id else None
        if table is None or table.is_at(self.server, self.interaction.channel_id):
            return table
        return table if self._anywhere and table.seat_of(self.person.id) is not None else None

    async def check_member(self) -> None:
        """Check that the person still belongs to the server of a table that they play from elsewhere.

        Raises:
            Refusal: if they don't.
        """
        table = self.found
        if table is None or table.guild_id in (None, self.server):
            return
        if not await self.host.of(TableParts).members.has(table.guild_id, self.person.id):
            raise Refusal(TableRefusal.LEFT_SERVER)

    async def point_to_table(self) -> bool:
        """Answer with a link if another process has the table, and the person plays there; returns whether it does."""
        manager = self.host.of(TableManager)
        if not self._anywhere or manager.get(self.ref.game) is not None:
            return False
        running = await self.host.of(Games).running(self.person.id)
        row = next((match for match in running if match.id == self.ref.game), None)
        if row is None or row.guild_id is None or row.channel_id is None or manager.shards.has(row.guild_id):
            return False
        url = channel_url(row.guild_id, row.channel_id, row.message_id)
        text = self.t("You can play this match in its own channel only: [Go to the table]({url})", url=url)
        await self.reply.send_private(notice(text))
        return True

    @property
    def table(self) -> Table:
        """The open table that the item belongs to.

        Raises:
            Refusal: if the table is over.
        """
        if self.found is None:
            raise Refusal(TableRefusal.GAME_OVER)
        return self.found

    def argument(self, index: int = 0) -> str:
        """An argument of the custom_id.

        Raises:
            Refusal: if there is none at that place.
        """
        if index >= len(self.ref.args):
            raise Refusal(CommonRefusal.STALE)
        return self.ref.args[index]

    def card(self, index: int = 0) -> Card:
        """An argument of the custom_id that names a card.

        Raises:
            Refusal: if it doesn't.
        """
        return card_of(self.argument(index))

    def seat_view(self) -> SeatView | None:
        """Return what the person sees of the match as a player; None without a seat or a match."""
        seat = self.table.seat_of(self.person.id)
        return None if seat is None else self.table.seat_view(seat)

    def answering(self, *, picking: Picking | None = None) -> Answering:
        """Context manager for acting on the press; see `Answering`. `picking`: the choice of cards being played.

        Raises:
            Refusal: if the table is over.
        """
        return Answering(self.host.of(TableParts).presenter, self.interaction, self.table, picking)


GameHandler = Callable[[GamePress], Handling]
H = TypeVar("H", bound=GameHandler)
Form = TypeVar("Form", bound=Callable[[GamePress, Sequence[str]], Handling])


def at_table(*verbs: Verb) -> Callable[[H], H]:
    """Decorate the handler of these buttons or menus of a game."""

    def add(handler: H) -> H:
        for verb in verbs:
            SCREEN.handlers[verb] = partial(handle, verb, handler)
        return handler

    return add


def submits(verb: Verb, action: Callable[[GamePress], Action]) -> None:
    """Have a press only do something at the table, and answer with what comes of it."""

    @at_table(verb)
    async def _(press: GamePress) -> None:
        async with press.answering():
            await press.table.submit(action(press))


def form_at_table(verb: Verb) -> Callable[[Form], Form]:
    """Decorate the handler of a form of a game."""

    def add(handler: Form) -> Form:
        SCREEN.forms[verb] = lambda press, ref, written: handle(verb, lambda game: handler(game, written), press, ref)
        return handler

    return add


async def handle(verb: Verb, handler: GameHandler, press: Press, ref: Ref) -> None:
    """Have a press on a button or menu of a game handled at its table."""
    if COUNTED in verb.marks:
        press.count_change()
    # It may sleep in a thread of the channel, or be played by this person alone.
    await press.host.of(TableManager).wake(ref.game, press.person.id)
    game = GamePress(press, ref, anywhere=FROM_ANYWHERE in verb.marks)
    if IN_CHANNELS in verb.marks and game.found is not None and game.found.alone:
        raise Refusal(CommonRefusal.STALE)
    await game.check_member()
    try:
        await handler(game)
    except Refusal as error:
        if error.code is TableRefusal.GAME_OVER and await game.point_to_table():
            return
        if error.code is not TableRefusal.NOT_SEATED or game.found is None:
            raise
        await turn_away(press.interaction, game.found)


def card_of(text: str) -> Card:
    """The card of an argument or a menu's value.

    Raises:
        Refusal: if the text names none.
    """
    try:
        return Card.parse(text)
    except NotationError:
        raise Refusal(CommonRefusal.STALE) from None
