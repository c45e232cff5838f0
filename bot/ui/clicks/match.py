"""The buttons and menus of a match, on the public table and on the private panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.cards import EMPTY, CardSet
from bot.engine.round import Claim, Play
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.tables.actions import LayCard, NextRound, PlayMove, TakeCardBack, Touch
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import Person
from bot.tables.table import Table
from bot.ui.clicks.press import GameHandler, GamePress, card_of
from bot.ui.delivery.permissions import check_may_speak
from bot.ui.screens.ids import Verb, unpack
from bot.ui.screens.picking import CLAIM, Picking, menu_of


async def open_hand(press: GamePress) -> None:
    """My hand: open one's private panel."""
    table = press.table
    await table.submit(Touch(press.person))
    await press.host.presenter.open_panel(press.interaction, table)


async def refresh_panel(press: GamePress) -> None:
    """Show the panel afresh: Refresh, or Back from a choice that isn't public."""
    table = press.table
    await table.submit(Touch(press.person))
    await press.answer(table)


async def play_card(press: GamePress) -> None:
    """Play a card as far as the rules decide: show one with several captures, or begin the choice of what it takes."""
    table, card = press.table, press.card()
    view = _seat_view(table, press.person)
    if view is not None and view.at_turn and view.public.rules.duty is not Duty.COMPULSORY:
        await table.submit(Touch(press.person))
        held = view.public.version == press.ref.version and card in view.hand
        return await press.answer(table, picking=Picking(card) if held else None)
    groups = [] if view is None else [m.captured for m in view.moves if isinstance(m, Play) and m.card is card]
    if len(groups) > 1 and any(groups):
        return await press.act(LayCard(press.person, press.ref.version, card))
    move = Play(card, groups[0] if groups else EMPTY)
    return await press.act(PlayMove(press.person, press.ref.version, move))


async def take(press: GamePress) -> None:
    """A capture: of the laid card, or of the table cards chosen in a menu. A wrong sum costs nothing, and the choice
    stays as it is."""
    what, cards = press.argument(0), unpack(press.argument(1))
    if cards is None:
        raise Refusal(RefusalCode.STALE)
    picking = Picking(None if what == CLAIM else card_of(what), cards)
    move = Claim(cards) if picking.card is None else Play(picking.card, cards)
    await press.act(PlayMove(press.person, press.ref.version, move), picking=picking)


async def lay(press: GamePress) -> None:
    """Lay a card on the table without capturing, where that is the player's own decision."""
    await press.act(PlayMove(press.person, press.ref.version, Play(press.card())))


async def begin_claim(press: GamePress) -> None:
    """Begin the choice of a capture that was missed. The button is there on every turn, so that it tells nothing."""
    table = press.table
    await table.submit(Touch(press.person))
    await press.answer(table, picking=Picking(None))


async def pick(press: GamePress) -> None:
    """Choose table cards to be taken. What other menus hold is in the custom_id."""
    table = press.table
    what, before, number = press.argument(0), unpack(press.argument(1)), press.argument(2)
    await table.submit(Touch(press.person))
    view = _seat_view(table, press.person)
    if before is None or view is None or view.public.version != press.ref.version or not number.isdigit():
        raise Refusal(RefusalCode.STALE)
    chosen = (before - menu_of(view.public.table, int(number))) | CardSet.of(map(card_of, press.values))
    picking = Picking(None if what == CLAIM else card_of(what), chosen & view.public.table)
    await press.answer(table, picking=picking)


async def take_back(press: GamePress) -> None:
    """Back: take the laid card in hand again."""
    await press.act(TakeCardBack(press.person, press.ref.version))


async def deal_next_round(press: GamePress) -> None:
    """Deal the next round without waiting."""
    await press.act(NextRound(press.person, press.ref.version))


async def open_rematch(press: GamePress) -> None:
    """Open a lobby with the rules of the match that is over, with the one who asked and the computers seated."""
    check_may_speak(press.interaction)
    table = await press.host.manager.rematch(press.ref.game, press.person)
    await press.host.presenter.post(press.interaction, table)


def _seat_view(table: Table, person: Person) -> SeatView | None:
    """What somebody sees of the match as a player; None without a seat or a match."""
    seat = table.seat_of(person.id)
    return None if seat is None else table.seat_view(seat)


HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    Verb.HAND: open_hand,
    Verb.PANEL: refresh_panel,
    Verb.CARD: play_card,
    Verb.TAKE: take,
    Verb.LAY: lay,
    Verb.CLAIM: begin_claim,
    Verb.PICK: pick,
    Verb.TAKE_BACK: take_back,
    Verb.NEXT_ROUND: deal_next_round,
    Verb.REMATCH: open_rematch,
}
