"""A press of a button, or a choice in a menu, of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from bot.engine.cards import Card
from bot.engine.errors import NotationError
from bot.engine.views import SeatView
from bot.platform.kit.links import channel_url
from bot.platform.kit.press import Handling, Press, RefHandler
from bot.platform.layout import notice
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.transport.reply import is_private
from bot.store.tables.logs import Games
from bot.tables.errors import TableRefusal
from bot.tables.log.actions import Action
from bot.tables.manager import TableManager
from bot.tables.table import Table
from bot.ui.ids.game import Ref, Verb
from bot.ui.tables.clicks.answering import Answering
from bot.ui.tables.clicks.door import turn_away
from bot.ui.tables.parts import TableParts
from bot.ui.tables.screens.picking import Picking

_CHANGES: Final = frozenset(
    {
        *(Verb.JOIN, Verb.ADD_COMPUTER, Verb.COMPUTER, Verb.RATED, Verb.HINTS),
        *(Verb.TARGET, Verb.TEMPO, Verb.TEAMS, Verb.PARTNER, Verb.PRESET, Verb.CAPTURE, Verb.DUTY),
        *(Verb.GUESTS, Verb.TAKE_OFF),
        *(Verb.OPENING, Verb.PRIME, Verb.DEAL, Verb.SWITCH, Verb.SEATS),
    }
)
"""The verbs that change a lobby and can be pressed again and again: each person has so many of them. Nobody is kept
from leaving."""
_IN_CHANNELS: Final = frozenset(
    {Verb.AWAIT_NEXT, Verb.ASIDE, Verb.CONFIRM_CLEAR, Verb.THREAD, Verb.SEEK, Verb.SAVE_RULES, Verb.REPLACE_RULES}
)
"""The verbs that mean nothing where somebody plays alone."""
FROM_ANYWHERE: Final = frozenset(
    {
        *(Verb.HAND, Verb.PANEL, Verb.NEXT_GAME, Verb.GUIDE, Verb.HINT, Verb.LEARN, Verb.NO_LESSON),
        *(Verb.CARD, Verb.TAKE, Verb.LAY, Verb.CLAIM, Verb.SING, Verb.PICK, Verb.CHOOSE, Verb.REACT),
        *(Verb.LET_COMPUTER_PLAY, Verb.NEXT_ROUND),
        *(Verb.AGREE, Verb.DISAGREE, Verb.PAUSE, Verb.RESUME, Verb.TAKE_WIN, Verb.CLAIM_MATCH),
    }
)
"""The verbs of a panel, which its player may open in another channel or on another server. None of them depends on what
the person may do there."""


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


def submitting(action: Callable[[GamePress], Action]) -> GameHandler:
    """The handler of a press that only does something at the table, and answers with what comes of it."""

    async def submit(press: GamePress) -> None:
        async with press.answering():
            await press.table.submit(action(press))

    return submit


def at_table(handlers: Mapping[Verb, GameHandler]) -> dict[str, RefHandler[Ref]]:
    """The handlers of a screen, from those of presses in a game."""

    def handling(verb: Verb, handler: GameHandler) -> RefHandler[Ref]:
        async def handle(press: Press, ref: Ref) -> None:
            if verb in _CHANGES:
                press.count_change()
            # It may sleep in a thread of the channel, or be played by this person alone.
            await press.host.of(TableManager).wake(ref.game, press.person.id)
            game = GamePress(press, ref, anywhere=verb in FROM_ANYWHERE)
            if verb in _IN_CHANNELS and game.found is not None and game.found.alone:
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

        return handle

    return {verb: handling(verb, handler) for verb, handler in handlers.items()}


def card_of(text: str) -> Card:
    """The card of an argument or a menu's value.

    Raises:
        Refusal: if the text names none.
    """
    try:
        return Card.parse(text)
    except NotationError:
        raise Refusal(CommonRefusal.STALE) from None
