"""The day's position: asking for it, answering it once, sharing it, catching up, and the month's leaderboard."""

import logging
from datetime import date, timedelta
from typing import Any, Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen
from bot.platform.layout import with_text
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import is_alone, may_manage, own_server
from bot.platform.transport.reply import private_words, reply_to
from bot.tables.live.manager import TableManager
from bot.training.ids.lesson import DayRef, DayVerb, day_of
from bot.training.live.days import source_of_day
from bot.training.parts import TrainingParts
from bot.training.refusals import TrainingRefusal
from bot.training.screens.day import (
    ON_A_PAGE,
    WEEK,
    DayPage,
    day_more,
    day_question,
    day_verdict,
    month_layout,
    shared_layout,
    week_layout,
)
from bot.training.screens.day_settings import offer_layout
from bot.training.screens.exercise import chosen
from bot.training.settings import offered_key
from bot.training.store.answers import Answers
from bot.training.store.rows import DayAnswer

log = logging.getLogger(__name__)

SCREEN: Final = Screen("days' positions", DayRef)


async def send_today(interaction: discord.Interaction[Any]) -> None:
    """Show today's position, or the verdict on the asker's answer to it, to the asker only."""
    await _show_day(interaction, host_of(interaction).of(TableManager).now().date())


@SCREEN.on(DayVerb.OPEN)
async def open_day(press: Press, ref: DayRef) -> None:
    await _show_day(press.interaction, ref.day)


@SCREEN.on(DayVerb.CHOOSE)
async def choose(press: Press, ref: DayRef) -> None:
    """Open the day that was chosen in the menu."""
    await _show_day(press.interaction, day_of(press.value) or ref.day)


@SCREEN.on(DayVerb.MOVE)
async def move(press: Press, ref: DayRef) -> None:
    """Store the answer, unless there is one already, and show what the stored answer was worth."""
    page = await _page(press.interaction, ref.day)
    if page.answer is None:
        played = chosen(page.exercise, press.value or str(ref.number))
        if played is None:
            raise Refusal(CommonRefusal.STALE)
        answer = DayAnswer(
            day=page.day,
            user_id=press.person.id,
            guild_id=press.server,
            name=press.person.name,
            move=page.exercise.name_of(played),
            lost=round(1000 * page.exercise.judged(played).lost),
            counted=page.day == page.today,
            at=press.host.of(TableManager).now(),
        )
        if await press.host.of(Answers).give(answer) == answer:
            await press.host.of(TrainingParts).practice.missed(
                press.person.id, source_of_day(page.day), page.exercise, played
            )
    await _show_day(press.interaction, ref.day)


@SCREEN.on(DayVerb.MORE)
async def more(press: Press, ref: DayRef) -> None:
    await _show_day(press.interaction, ref.day, more=True)


@SCREEN.on(DayVerb.WEEK)
async def week(press: Press, _: DayRef) -> None:
    today = press.host.of(TableManager).now().date()
    record = await press.host.of(Answers).record(press.person.id, today, today, WEEK + 1)
    await press.answer(week_layout(today, record, press.t))


@SCREEN.on(DayVerb.MONTH)
async def month(press: Press, ref: DayRef) -> None:
    today, first = press.host.of(TableManager).now().date(), ref.day.replace(day=1)
    user_id = press.person.id
    board = await press.host.of(Answers).month(press.guild_id, user_id, first, ON_A_PAGE)
    await press.answer(month_layout(board, first, today, user_id, press.t))


@SCREEN.on(DayVerb.SHARE)
async def share(press: Press, ref: DayRef) -> None:
    """Tell everybody in the channel how well the person did, in the language of the server; it pings nobody."""
    interaction = press.interaction
    page = await _page(interaction, ref.day)
    if page.answer is None or not page.answer.counted:
        raise Refusal(CommonRefusal.STALE)
    await press.show_to_all(lambda display: shared_layout(page, press.person.name, display.words))


async def _page(interaction: discord.Interaction[Any], day: date) -> DayPage:
    """A day's position for the person who asks. Raises Refusal if they can't have it, or can no longer solve it."""
    host = host_of(interaction)
    today = host.of(TableManager).now().date()
    if day > today:  # forged: nobody may see a position before its day
        raise Refusal(TrainingRefusal.NO_POSITION)
    record = await host.of(Answers).record(interaction.user.id, day, today, WEEK)
    if day not in record.answers and day < today - timedelta(days=WEEK):
        raise Refusal(TrainingRefusal.DAY_CLOSED)
    return DayPage(day, today, await host.of(TrainingParts).days.of(day), record)


async def _show_day(interaction: discord.Interaction[Any], day: date, *, more: bool = False) -> None:
    """Show the question; to somebody who has answered it the verdict, or if they want `more`, all about it."""
    host, page = host_of(interaction), await _page(interaction, day)
    display = host.tools.display_for(interaction)
    answer = page.answer
    if answer is None:
        layout = day_question(page, display)
    else:
        played = page.exercise.move_named(answer.move)
        if played is None:  # the position was another one when it was answered
            raise Refusal(TrainingRefusal.NO_POSITION)
        alone = is_alone(interaction)
        layout = day_verdict(page, played, answer, display, alone=alone)
        if more:
            layout = day_more(page, played, display.words)
    if (note := host.tools.waiting_note(interaction.user.id, display.words)) is not None:
        layout = with_text(layout, note)
    await host.tools.answer(interaction, layout)
    if (guild_id := own_server(interaction)) is None:
        return
    boards = host.of(TrainingParts).day_boards
    boards.clicked(guild_id)
    if answer is not None and may_manage(interaction) and boards.row_of(guild_id) is None:
        await _offer_to_post(interaction, guild_id)


async def _offer_to_post(interaction: discord.Interaction[Any], guild_id: int) -> None:
    """Ask whether to have the puzzle posted on the server, unless somebody was asked before."""
    values = host_of(interaction).of(KeyValues)
    try:
        asked = await values.add(offered_key(guild_id), "")
    except StoreError as error:
        log.info("Could not note that a server is offered the daily puzzle: %s", error)
        return
    if not asked:
        return
    try:
        await reply_to(interaction).send_private(offer_layout(private_words(interaction)))
    except Exception:
        await values.set(offered_key(guild_id), None)
        raise
