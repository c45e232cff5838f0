"""Asking those who play about an early end, a pause or a vacant seat, and answering that."""

from __future__ import annotations

from functools import partial

from bot.platform.kit.codec import number_in
from bot.platform.layout import notice
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.clicks.press import GamePress, at_table, submits
from bot.tables.ids.game import Verb
from bot.tables.log.actions import Answer, Ask, Resume, TakeSeat
from bot.tables.log.topics import Topic


@at_table(Verb.PROPOSE_END)
async def propose_end(press: GamePress) -> None:
    """Ask the others whether to end a rated match without a result."""
    await press.table.submit(Ask(press.person))
    text = press.t(
        "The others are asked, on the table and on their panels. Until all of them agree, the match goes on."
    )
    await press.reply.update_private(notice(text))


@at_table(Verb.TAKE_SEAT)
async def take_seat(press: GamePress) -> None:
    """Ask those who play for a vacant seat."""
    if (seat := number_in(press.argument())) is None:
        raise Refusal(CommonRefusal.STALE)
    await press.table.submit(TakeSeat(press.person, seat))
    text = press.t("Those who play are asked. Once they agree, the seat is yours, and **My hand** shows its cards.")
    await press.reply.update_private(notice(text))


async def answer(agrees: bool, press: GamePress) -> None:
    """Answer a question, or take one's own back."""
    if (question := number_in(press.argument())) is None:
        raise Refusal(CommonRefusal.STALE)
    async with press.answering():
        await press.table.submit(Answer(press.person, question, agrees))


at_table(Verb.AGREE)(partial(answer, True))
at_table(Verb.DISAGREE)(partial(answer, False))
submits(Verb.PAUSE, lambda press: Ask(press.person, Topic.PAUSE, press.number))
submits(Verb.RESUME, lambda press: Resume(press.person))
