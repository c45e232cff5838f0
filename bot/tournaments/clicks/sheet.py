"""The travelling sheet: the boards that a person has played, and what others have done with them."""

from dataclasses import replace
from functools import partial
from typing import Final

from bot.platform.kit.screen import Press, Screen
from bot.platform.refusals import Refusal
from bot.tables.refusals import TableRefusal
from bot.tournaments.ids.tournament import SheetRef, SheetVerb
from bot.tournaments.live.sheet import RoundSheet
from bot.tournaments.parts import TournamentParts
from bot.tournaments.screens.sheet import board_of, sheet_layout, shown_sheet

SCREEN: Final = Screen("travelling sheets", SheetRef)


@SCREEN.on(SheetVerb.OPEN, SheetVerb.BOARD)
async def show_to_one(press: Press, ref: SheetRef, *, dealt: bool = False) -> None:
    """Show the boards to the person alone; if only they see the clicked message, change it."""
    sheet = await _sheet(press, ref, press.person.id)
    await press.answer(sheet_layout(sheet, ref, press.t, dealt=dealt))


@SCREEN.on(SheetVerb.ROUND)
async def choose_round(press: Press, ref: SheetRef) -> None:
    await show_to_one(press, SheetRef(ref.tournament, press.number))


@SCREEN.on(SheetVerb.CHOOSE)
async def choose_board(press: Press, ref: SheetRef) -> None:
    await show_to_one(press, replace(ref, board=press.number, page=0))


async def _show_to_all(press: Press, ref: SheetRef, *, dealt: bool) -> None:
    """Show a board to everybody in the channel, in the language of the server, once its round is over."""
    sheet = await _sheet(press, ref, None)
    if board_of(sheet, ref.board) is None:
        raise Refusal(TableRefusal.BOARD_CLOSED)
    await press.show_to_all(lambda display: shown_sheet(sheet, ref, press.person.name, display.words, dealt=dealt))


async def _sheet(press: Press, ref: SheetRef, person_id: int | None) -> RoundSheet:
    return await press.host.of(TournamentParts).duplicate.sheet(ref.tournament, press.guild_id, ref.round, person_id)


SCREEN.on(SheetVerb.DEAL)(partial(show_to_one, dealt=True))
SCREEN.on(SheetVerb.SHOW)(partial(_show_to_all, dealt=False))
SCREEN.on(SheetVerb.SHOW_DEAL)(partial(_show_to_all, dealt=True))
