"""Ending or leaving a game, after asking first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import AnswerEnd, Cancel, ClaimMatch, Leave, ProposeEnd, TakeWin, Touch
from bot.tables.log.events import Phase
from bot.tables.table import Table
from bot.ui.kit.ids.game import Verb
from bot.ui.kit.numbers import number_in
from bot.ui.layout import Layout, notice
from bot.ui.tables.clicks.press import GameHandler, GamePress
from bot.ui.tables.screens.ending import cancel_question, leave_question, propose_question
from bot.ui.transport.permissions import may_moderate
from bot.ui.words.texts import Words


def end_question(interaction: discord.Interaction[Any], table: Table, t: Words) -> Layout:
    """Asks the person to confirm ending the game for everybody or, where they can't do that alone, asking the others.

    Raises:
        Refusal: if they can do neither.
    """
    view, seat = table.view(), table.seat_of(interaction.user.id)
    try:
        table.check_may_cancel(interaction.user.id, moderator=may_moderate(interaction))
        return cancel_question(view, t)
    except Refusal:
        if seat is None or not table.contested:
            raise
    if view.default_winner is not None:
        return leave_question(view, seat, t)
    if not table.may_propose_end(seat):
        raise Refusal(RefusalCode.ASKED_BEFORE)
    return propose_question(view, t)


async def ask_to_cancel(press: GamePress) -> None:
    """Ask before ending a game; a lobby where nobody else sits is closed at once."""
    view = press.table.view()
    others = [seat for seat in view.seats if seat.person_id not in (None, press.person.id)]
    if view.phase is Phase.LOBBY and not others and not view.missing:
        await cancel(press)
    else:
        await press.reply.update_private(end_question(press.interaction, press.table, press.t))


async def cancel(press: GamePress) -> None:
    await press.table.submit(Cancel(press.person, moderator=may_moderate(press.interaction)))
    await press.reply.update_private(notice(press.t("The table was closed.")))


async def leave(press: GamePress) -> None:
    await press.table.submit(Leave(press.person))
    await press.reply.update_private(notice(press.t("You left the table.")))


async def propose_end(press: GamePress) -> None:
    """Ask the others whether to end a rated match without a result."""
    await press.table.submit(ProposeEnd(press.person))
    text = press.t(
        "The others are asked, on the table and on their panels. Until all of them agree, the match goes on."
    )
    await press.reply.update_private(notice(text))


async def answer_end(agrees: bool, press: GamePress) -> None:
    """Answer that question, or take one's own back."""
    if (question := number_in(press.argument())) is None:
        raise Refusal(RefusalCode.STALE)
    async with press.answering():
        await press.table.submit(AnswerEnd(press.person, question, agrees))


async def take_win(press: GamePress) -> None:
    """End a rated match that is won because everybody else has left."""
    async with press.answering():
        await press.table.submit(TakeWin(press.person))


async def claim_match(press: GamePress) -> None:
    """Have somebody lose a rated match by time."""
    async with press.answering():
        await press.table.submit(ClaimMatch(press.person, press.ref.version))


async def keep(press: GamePress) -> None:
    """The answer was no: say that nothing happened."""
    table = press.found
    if table is not None and table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None:
        await table.submit(Touch(press.person))
    over = table is None and press.t("This match is over.")
    await press.reply.update_private(notice(over or press.t("Nothing changed: the match goes on.")))


HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    Verb.CANCEL: ask_to_cancel,
    Verb.CONFIRM_CANCEL: cancel,
    Verb.CONFIRM_LEAVE: leave,
    Verb.KEEP: keep,
    Verb.PROPOSE_END: propose_end,
    Verb.AGREE_TO_END: partial(answer_end, True),
    Verb.PLAY_ON: partial(answer_end, False),
    Verb.TAKE_WIN: take_win,
    Verb.CLAIM_MATCH: claim_match,
}
