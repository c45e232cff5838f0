"""The buttons and menus of a match, on the public table and on the private panel."""

from __future__ import annotations

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.errors import NotationError
from bot.engine.round import Claim, Play
from bot.engine.rules import Duty
from bot.tables.actions import LayCard, NextRound, PlayMove, TakeCardBack, Touch
from bot.tables.errors import Refusal, RefusalCode
from bot.ui.ids import unpack
from bot.ui.items import GameButton, GameSelect, Press
from bot.ui.picking import CLAIM, Picking, menu_of


class HandButton(GameButton, verb="hand"):
    """My hand: opens one's private panel."""

    async def press(self, press: Press) -> None:
        """Show the panel."""
        await press.table.submit(Touch(press.person))
        await press.host.presenter.open_panel(press.interaction, press.table)


class PanelButton(GameButton, verb="panel"):
    """Shows the panel afresh: Refresh, or Back from a choice that isn't public."""

    async def press(self, press: Press) -> None:
        """Show the panel where it was."""
        await press.table.submit(Touch(press.person))
        await press.host.presenter.answer(press, press.table)


class CardButton(GameButton, verb="card"):
    """A card of one's hand: plays it, shows it when it has several captures, or begins the choice of what it takes."""

    async def press(self, press: Press) -> None:
        """Play the card as far as the rules decide by themselves."""
        table, card = press.table, _card(press.argument())
        seat = table.seat_of(press.person.id)
        view = None if seat is None else table.seat_view(seat)
        if view is not None and view.at_turn and view.public.rules.duty is not Duty.COMPULSORY:
            await table.submit(Touch(press.person))
            if view.public.version == press.ref.version and card in view.hand:
                return await press.host.presenter.answer(press, table, picking=Picking(card))
            return await press.host.presenter.answer(press, table)
        groups = [] if view is None else [m.captured for m in view.moves if isinstance(m, Play) and m.card is card]
        if len(groups) > 1 and any(groups):
            return await press.act(table, LayCard(press.person, press.ref.version, card))
        move = Play(card, groups[0] if groups else EMPTY)
        return await press.act(table, PlayMove(press.person, press.ref.version, move))


class TakeButton(GameButton, verb="take"):
    """A capture: of the laid card, or of the table cards chosen in a menu."""

    async def press(self, press: Press) -> None:
        """Take it; a wrong sum costs nothing, and the choice stays as it is."""
        what, cards = press.argument(0), unpack(press.argument(1))
        if cards is None:
            raise Refusal(RefusalCode.STALE)
        move = Claim(cards) if what == CLAIM else Play(_card(what), cards)
        picking = Picking(None if what == CLAIM else _card(what), cards)
        await press.act(press.table, PlayMove(press.person, press.ref.version, move), picking=picking)


class LayButton(GameButton, verb="lay"):
    """Lays a card on the table without capturing, where that is the player's own decision."""

    async def press(self, press: Press) -> None:
        """Lay it."""
        move = Play(_card(press.argument()))
        await press.act(press.table, PlayMove(press.person, press.ref.version, move))


class ClaimButton(GameButton, verb="claim"):
    """Begins the choice of a capture that was missed. It is there on every turn, so that it tells nothing."""

    async def press(self, press: Press) -> None:
        """Show the choice."""
        await press.table.submit(Touch(press.person))
        await press.host.presenter.answer(press, press.table, picking=Picking(None))


class PickSelect(GameSelect, verb="pick"):
    """Table cards to be taken. What other menus hold is in the custom_id."""

    async def press(self, press: Press) -> None:
        """Show the choice as it stands now."""
        table = press.table
        what, before = press.argument(0), unpack(press.argument(1))
        number = press.argument(2)
        await table.submit(Touch(press.person))
        seat = table.seat_of(press.person.id)
        view = None if seat is None else table.seat_view(seat)
        if before is None or view is None or view.public.version != press.ref.version or not number.isdigit():
            raise Refusal(RefusalCode.STALE)
        chunk = menu_of(view.public.table, int(number))
        chosen = (before - chunk) | CardSet.of(map(_card, press.values))
        picking = Picking(None if what == CLAIM else _card(what), chosen & view.public.table)
        await press.host.presenter.answer(press, table, picking=picking)


class TakeBackButton(GameButton, verb="back"):
    """Back: takes the laid card in hand again."""

    async def press(self, press: Press) -> None:
        """Take it back."""
        await press.act(press.table, TakeCardBack(press.person, press.ref.version))


class NextRoundButton(GameButton, verb="next"):
    """Deals the next round without waiting."""

    async def press(self, press: Press) -> None:
        """Deal."""
        await press.act(press.table, NextRound(press.person, press.ref.version))


class RematchButton(GameButton, verb="rematch"):
    """Opens a lobby with the rules of the match that is over."""

    async def press(self, press: Press) -> None:
        """Open it, with the one who asked and the computers seated."""
        await press.host.presenter.rematch(press)


def _card(argument: str) -> Card:
    try:
        return Card.parse(argument)
    except NotationError:
        raise Refusal(RefusalCode.STALE) from None
