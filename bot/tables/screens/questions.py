"""Questions at a table, and the messages that call people to it."""

from datetime import UTC, datetime
from typing import Final

from discord import ButtonStyle
from discord.utils import TimestampStyle, format_dt

from bot.platform.language.texts import N_, Words
from bot.platform.layout import BoxPart, Component, button, menu, option, row
from bot.platform.people import plain, safe
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence
from bot.tables.log.questions import PAUSES
from bot.tables.log.seats import Question
from bot.tables.log.topics import Topic
from bot.tables.words.scores import side_name


def ping_text(person_id: int, deadline: datetime | None, url: str | None, t: Words, *, loses: bool = False) -> str:
    """Tells a player that it's their turn.

    Args:
        person_id: the player.
        deadline: when a computer takes over, if soon.
        url: of the table.
        t: the table's words.
        loses: the match is lost at the deadline, as in a tournament, and no computer plays.
    """
    person = f"<@{person_id}>"
    if deadline is None:
        text = t("{person}, it's your turn", person=person)
    else:
        time = format_dt(deadline, "R")
        text = t("⏰ {person}, it's your turn. A robot takes over {time}", person=person, time=time)
        if loses:
            text = t("⏰ {person}, it's your turn. Play, or the match is lost {time}", person=person, time=time)
    return _with_link(text, url, t)


def nudge_text(person_id: int, name: str, url: str | None, t: Words) -> str:
    """Tells a player that somebody, who has pressed *Nudge*, waits for their move."""
    return _with_link(t("👋 {person}, {name} is waiting for your move", person=f"<@{person_id}>", name=name), url, t)


def past_text(person_id: int, url: str | None, t: Words, *, over: bool, waiting: bool) -> str:
    """Tells a player who didn't click that it was their turn. `over`: the game has ended; `waiting`: it only waits."""
    person = f"<@{person_id}>"
    if over:
        return _with_link(t("{person}, it was your turn when the match ended", person=person), url, t)
    if waiting:
        return _with_link(t("{person}, you missed your turn, and the match is waiting for you", person=person), url, t)
    return _with_link(t("{person}, you missed your turn, so a robot played for you", person=person), url, t)


def unseen_text(channel_id: int | None, t: Words) -> str:
    """Tells a player where a match goes on while its channel takes no message."""
    if channel_id is not None and channel_id < 0:
        return t("A moderator took this table out of the channel. The match goes on: `/escoba games` shows it.")
    channel = f"<#{channel_id}>"
    return t("I can't write in {channel} right now. Your match goes on: `/escoba games` shows it.", channel=channel)


def _with_link(text: str, url: str | None, t: Words) -> str:
    return text if url is None else f"{text} · " + t("[jump to the table]({url})", url=url)


def matches_waiting(count: int, t: Words) -> str | None:
    """Say how many matches wait for somebody's move; None if none does."""
    if not count:
        return None
    waiting = t.plural("{n} match is waiting for you.", "{n} matches are waiting for you.", count)
    return f"-# 👉 {waiting} " + t("`/escoba games` shows your matches.")


def decided_text(view: TableView, t: Words) -> str:
    """Say who has left a rated match, or has let its time pass, and who has won because of that."""
    match, winner = view.match, view.default_winner
    assert match is not None, "it was won"
    assert winner is not None, "it was won"
    names = {"winner": side_name(match, winner, view.names)}
    several = len(match.seating.seats_of(winner)) > 1
    if len(lost := sorted(view.forfeits - set(match.seating.seats_of(winner)))) > 1:
        if several:
            return t("🚪 Everyone else gave up, so {winner} win.", **names)
        return t("🚪 Everyone else gave up, so {winner} wins.", **names)
    names["name"] = view.names[lost[0]]
    if lost[0] in view.late:
        if several:
            return t("⏳ **{name}** ran out of time, so {winner} win.", **names)
        return t("⏳ **{name}** ran out of time, so {winner} wins.", **names)
    if several:
        return t("🚪 **{name}** left, so {winner} win.", **names)
    return t("🚪 **{name}** left, so {winner} wins.", **names)


def left_lines(view: TableView, t: Words) -> list[str]:
    """Say where the match goes on if its channel takes no message, and who has left, and what becomes of their cards;
    where that has decided the match, `decided_text` says so."""
    elsewhere = [f"⚠️ {unseen_text(view.channel_id, t)}"] if view.unseen else []
    if view.default_winner is not None:
        return elsewhere
    left = [name for name, seat in zip(view.names, view.seats, strict=True) if seat.presence is Presence.LEFT]
    return elsewhere + [t("🚪 {name} left: a robot plays those cards to the end.", name=f"**{name}**") for name in left]


def win_parts(view: TableView, t: Words) -> list[BoxPart]:
    """The win that can be taken, with its button; nothing while there is none."""
    if view.default_winner is None:
        return []
    text = t("Take the win now, or play on against the robot: the win stays, whatever the score.")
    take = button(Ref(view.id).custom_id(Verb.TAKE_WIN), t("Take the win"), style=ButtonStyle.success, emoji="🏆")
    return [f"{decided_text(view, t)}\n-# {text}", row(take)]


_NO: Final = {Topic.END: N_("Play on"), Topic.PAUSE: N_("No pause"), Topic.SEAT: N_("Keep the robot")}
"""The label of the button that doesn't agree."""


def question_parts(view: TableView, t: Words, seat: int | None = None) -> list[BoxPart]:
    """The open question, the pause, or what may be asked now; mostly nothing. `seat`: that of the only reader, on
    whose turn there is no room for what can be asked after it."""
    if view.default_winner is not None:
        return win_parts(view, t)
    parts = _pause(view, t, seat)
    if view.question is not None:
        return [*parts, *_question(view, view.question, t, seat)]
    if seat is None:
        return parts if view.vacant is None else [*parts, row(seat_button(view, view.vacant, t))]
    if seat in view.may_pause and view.pause is None and not _is_at_turn(view, seat):
        days = [option(t.plural("{n} day", "{n} days", each), str(each), chosen=False) for each in PAUSES]
        parts.append(row(menu(Ref(view.id).custom_id(Verb.PAUSE), days, placeholder=t("Propose a pause"))))
    return parts


def _is_at_turn(view: TableView, seat: int) -> bool:
    return view.match is not None and view.match.turn == seat and view.seats[seat].human_here


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
