"""The questions to all who play a match and what they lead to, on its table and panels."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from discord.utils import TimestampStyle, format_dt

from bot.platform.language.texts import N_, Words
from bot.platform.layout import BoxPart, Component, button, menu, option, row
from bot.platform.people.names import plain, safe
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.questions import PAUSES
from bot.tables.log.seats import Question
from bot.tables.log.topics import Topic
from bot.tables.screens.early_end import win_parts

_NO: Final = {Topic.END: N_("Play on"), Topic.PAUSE: N_("No pause"), Topic.SEAT: N_("Keep the robot")}
"""The label of the button that doesn't agree."""


def question_parts(view: TableView, t: Words, seat: int | None = None) -> list[BoxPart]:
    """The open question, the pause, or what may be asked now; mostly nothing. `seat`: that of the only reader."""
    if view.default_winner is not None:
        return win_parts(view, t)
    parts = _pause(view, t, seat)
    if view.question is not None:
        return [*parts, *_question(view, view.question, t, seat)]
    if seat is None:
        return parts if view.vacant is None else [*parts, row(seat_button(view, view.vacant, t))]
    if view.may_pause and view.pause is None:
        days = [option(t.plural("{n} day", "{n} days", each), str(each), chosen=False) for each in PAUSES]
        parts.append(row(menu(Ref(view.id).custom_id(Verb.PAUSE), days, placeholder=t("Propose a pause"))))
    return parts


def seat_button(view: TableView, vacant: int, t: Words) -> Component:
    """The button that asks for a vacant seat."""
    label = t("Take {name}'s seat", name=plain(view.seats[vacant].name))
    return button(Ref(view.id).with_args(str(vacant)).custom_id(Verb.TAKE_SEAT), label, emoji="🪑")


def _pause(view: TableView, t: Words, seat: int | None) -> list[BoxPart]:
    pause = view.pause
    if pause is None:
        return []
    text = t("⏸️ **Paused until {time}.** No clock is running, but anyone may play on.", time=_time(pause.until, "f"))
    if seat is None or (seat != pause.seat and view.seats[pause.seat].human_here):
        return [text]
    return [text, row(button(Ref(view.id).custom_id(Verb.RESUME), t("End the pause"), emoji="▶️"))]


def _question(view: TableView, question: Question, t: Words, seat: int | None) -> list[BoxPart]:
    text = _asked(view, question, t)
    if others := sorted(question.agreed - {question.seat}):
        agreed = t("Agreed: {names}", names=", ".join(view.names[each] for each in others))
        text += f"\n-# {agreed}"
    ref = Ref(view.id).with_args(str(question.number))
    agree = button(ref.custom_id(Verb.AGREE), t.context("button", "Agree"))
    disagree = button(ref.custom_id(Verb.DISAGREE), t(_NO[question.topic]))
    return [text, row(disagree) if seat in question.agreed else row(agree, disagree)]


def _asked(view: TableView, question: Question, t: Words) -> str:
    names = {"name": view.names[question.seat], "time": _time(question.until, "R")}
    match question.topic:
        case Topic.END:
            return t(
                "🏳️ **{name}** proposes to end the match without a result. It ends if everyone who plays it agrees; the "
                "question closes {time}.",
                **names,
            )
        case Topic.PAUSE:
            return t(
                "⏸️ **{name}** proposes a pause of {days}. All clocks stop once everyone who plays agrees; the question "
                "closes {time}.",
                **names,
                days=t.plural("{n} day", "{n} days", question.days),
            )
        case Topic.SEAT:
            return t(
                "🪑 **{person}** would like to play on in **{name}**'s seat. Everyone who plays has to agree; the "
                "question closes {time}.",
                **names,
                person="" if question.by is None else safe(question.by.name),
            )


def _time(seconds: int, style: TimestampStyle) -> str:
    return format_dt(datetime.fromtimestamp(seconds, UTC), style)
