"""A press of a button, or a choice in a menu, of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Final, TypeVar

from bot.engine.cards import Card
from bot.engine.errors import NotationError
from bot.engine.views import SeatView
from bot.platform.kit.links import channel_url
from bot.platform.kit.press import Handling, Press
from bot.platform.kit.screen import Screen
from bot.platform.layout import notice
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import is_private
from bot.tables.clicks.answering import Answering
from bot.tables.clicks.door import turn_away
from bot.tables.ids.game import COUNTED, FROM_ANYWHERE, IN_CHANNELS, Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.actions import Action
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.picking import Picking
from bot.tables.store.logs import Games

SCREEN: Final = Screen("games", Ref)
"""The messages of a game."""


class GamePress(Press):
    """A press on a button or menu of a game; `ref` is what its custom_id refers to.

    `anywhere`: whether it may be pressed on a private message elsewhere, by somebody who sits at the table.
    """

    def __init__(self, press: Press, ref: Ref, *, anywhere: bool = False) -> None:
        self.interaction, self.host, self.person, self.t = press.interaction, press.host, press.person, press.t
        self.ref = ref
        self._anywhere = anywhere and is_private(press.interaction)

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
        row = next((each for each in running if each.id == self.ref.game), None)
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
            SCREEN.handlers[verb] = partial(_handle, verb, handler)
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
        SCREEN.forms[verb] = lambda press, ref, written: handler(GamePress(press, ref), written)
        return handler

    return add


async def _handle(verb: Verb, handler: GameHandler, press: Press, ref: Ref) -> None:
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
