"""The handlers of what ends a table, and of what its people ask each other."""

from functools import partial
from typing import Any

import discord

from bot.platform.kit.codec import number_in
from bot.platform.kit.host import host_of
from bot.platform.layout import Component, notice
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import may_moderate
from bot.platform.transport.reply import person_of, private_words, reply_to
from bot.tables.clicks.press import GamePress, at_table, submits
from bot.tables.ids.game import Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.log.actions import Answer, Ask, Cancel, ClaimMatch, Leave, Resume, TakeOut, TakeSeat, TakeWin, Touch
from bot.tables.log.events import Phase
from bot.tables.log.topics import Topic
from bot.tables.refusals import TableRefusal
from bot.tables.screens.ending import (
    LOBBY,
    cancel_question,
    end_button,
    leave_question,
    lobby_question,
    take_out_button,
)
from bot.tables.store.logs import Games


def may_end(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Whether the person may end the game for everybody."""
    try:
        table.check_may_cancel(interaction.user.id, moderator=may_moderate(interaction))
    except Refusal:
        return False
    return True


def moderators_button(interaction: discord.Interaction[Any], table: Table) -> Component | None:
    """The button that ends the game for everybody, or takes a rated match out of the channel; None for whoever may do
    neither."""
    t, view = private_words(interaction), table.view()
    if may_end(interaction, table):
        return end_button(view, t)
    takes = may_moderate(interaction) and table.may_take_out(interaction.user.id)
    return take_out_button(view, t) if takes else None


@at_table(Verb.TAKE_OUT)
async def take_out(press: GamePress) -> None:
    """Take a rated match out of the channel."""
    if not may_moderate(press.interaction):
        raise Refusal(TableRefusal.NEEDS_EVERYBODY)
    await press.table.submit(TakeOut(press.person))
    text = press.t("The match goes on without this channel: `/escoba games` shows it to those who play.")
    await press.reply.update_private(notice(text))


@at_table(Verb.CANCEL)
async def ask_to_end(press: GamePress) -> None:
    """Ask before ending a game; a lobby where nobody else sits is closed at once."""
    view = press.table.view()
    if view.phase is Phase.LOBBY and not _others(view, press.person.id) and not view.missing:
        await cancel(press)
        return
    press.table.check_may_cancel(press.person.id, moderator=may_moderate(press.interaction))
    ask = press.reply.send_private if view.alone else press.reply.update_private  # the panel stays as it is
    await ask(cancel_question(view, press.t))


async def ask_to_leave(interaction: discord.Interaction[Any], table: Table) -> None:
    """Free the person's seat in a lobby; where they may mean something else by leaving, ask first."""
    t, view, seat = private_words(interaction), table.view(), table.seat_of(interaction.user.id)
    if seat is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    if view.phase is not Phase.LOBBY:
        may_propose, ends = table.may_propose_end(interaction.user.id), may_end(interaction, table)
        layout = leave_question(view, seat, t, may_propose=may_propose, may_end=ends)
    elif may_end(interaction, table) and _others(view, interaction.user.id):
        layout = lobby_question(view, t)
    else:
        await table.submit(Leave(person_of(interaction), lobby_only=True))
        layout = notice(t("You left the table."))
    await reply_to(interaction).update_private(layout)


async def taken_out_match(interaction: discord.Interaction[Any]) -> Table | None:
    """Find the latest of somebody's matches on a server that go on without a channel; None if they have none."""
    host, person_id = host_of(interaction), interaction.user.id
    manager = host.of(TableManager)
    for row in await host.of(Games).running(person_id):
        out = row.guild_id == interaction.guild_id and (row.channel_id or 0) < 0
        table = await manager.find(row.id) if out else None  # this wakes it
        if table is not None and table.seat_of(person_id) is not None:
            return table
    return None


def _others(view: TableView, person_id: int) -> bool:
    """Whether anybody else sits at the table."""
    return any(seat.person_id not in (None, person_id) for seat in view.seats)


@at_table(Verb.CONFIRM_CANCEL)
async def cancel(press: GamePress) -> None:
    alone = press.table.alone
    await press.table.submit(Cancel(press.person, moderator=may_moderate(press.interaction)))
    text = press.t("You ended the match. It doesn't count.") if alone else press.t("The table was closed.")
    await press.reply.update_private(notice(text))


@at_table(Verb.CONFIRM_LEAVE)
async def leave(press: GamePress) -> None:
    await press.table.submit(Leave(press.person, lobby_only=LOBBY in press.ref.args))
    await press.reply.update_private(notice(press.t("You left the table.")))


@at_table(Verb.KEEP)
async def keep(press: GamePress) -> None:
    """The answer was no: say that nothing happened."""
    table = press.found
    if table is not None and table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None:
        await table.submit(Touch(press.person))
    text = press.t("Nothing changed: the match goes on.")
    if table is None:
        text = press.t("This match is over.")
    elif table.phase is Phase.LOBBY:
        text = press.t("Nothing changed.")
    await press.reply.update_private(notice(text))


submits(Verb.TAKE_WIN, lambda press: TakeWin(press.person))
submits(Verb.CLAIM_MATCH, lambda press: ClaimMatch(press.person, press.ref.version))


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
