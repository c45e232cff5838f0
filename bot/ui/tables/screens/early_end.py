"""The early end of a rated match, on its table and panels: the question to all players, and a win that can be taken."""

from __future__ import annotations

from datetime import UTC, datetime

from discord import ButtonStyle
from discord.utils import format_dt

from bot.tables.log.events import Presence
from bot.tables.view import TableView
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.layout import BoxPart, button, row
from bot.ui.words.names import holder_name
from bot.ui.words.tables.scores import side_name
from bot.ui.words.texts import Words


def early_end_parts(view: TableView, t: Words, seat: int | None = None) -> list[BoxPart]:
    """The question or the win, with its buttons; mostly nothing. `seat`: that of the only reader."""
    if view.default_winner is not None:
        return _win(view, t)
    return _question(view, t, seat)


def decided_text(view: TableView, t: Words) -> str:
    """Say who has left a rated match, or has let its time pass, and who has won because of that."""
    match, winner = view.match, view.default_winner
    assert match is not None, "it was won"
    assert winner is not None, "it was won"
    names = {"winner": side_name(match, winner, view.seats)}
    several = len(match.seating.seats_of(winner)) > 1
    if len(lost := sorted(view.forfeits - set(match.seating.seats_of(winner)))) > 1:
        if several:
            return t("🚪 Everyone else gave up, so {winner} win.", **names)
        return t("🚪 Everyone else gave up, so {winner} wins.", **names)
    names["name"] = holder_name(view.seats[lost[0]])
    if lost[0] in view.late:
        if several:
            return t("⏳ **{name}** ran out of time, so {winner} win.", **names)
        return t("⏳ **{name}** ran out of time, so {winner} wins.", **names)
    if several:
        return t("🚪 **{name}** left, so {winner} win.", **names)
    return t("🚪 **{name}** left, so {winner} wins.", **names)


def left_lines(view: TableView, t: Words) -> list[str]:
    """Say who has left, and what becomes of their cards; where that has decided the match, `decided_text` says so."""
    if view.default_winner is not None:
        return []
    left = [holder_name(seat) for seat in view.seats if seat.presence is Presence.LEFT]
    return [t("🚪 {name} left: a robot plays those cards to the end.", name=f"**{name}**") for name in left]


def _win(view: TableView, t: Words) -> list[BoxPart]:
    text = t("Take the win now, or play on against the robot: the win stays, whatever the score.")
    take = button(Ref(view.id).custom_id(Verb.TAKE_WIN), t("Take the win"), style=ButtonStyle.success, emoji="🏆")
    return [f"{decided_text(view, t)}\n-# {text}", row(take)]


def _question(view: TableView, t: Words, seat: int | None) -> list[BoxPart]:
    question = view.question
    if question is None:
        return []
    text = t(
        "🏳️ **{name}** proposes to end the match without a result. It ends if everyone who plays it agrees; the "
        "question closes {time}.",
        name=holder_name(view.seats[question.seat]),
        time=format_dt(datetime.fromtimestamp(question.until, UTC), "R"),
    )
    if others := sorted(question.agreed - {question.seat}):
        agreed = t("Agreed: {names}", names=", ".join(holder_name(view.seats[each]) for each in others))
        text += f"\n-# {agreed}"
    ref = Ref(view.id).with_args(str(question.number))
    agree = button(ref.custom_id(Verb.AGREE_TO_END), t("Agree"))
    play_on = button(ref.custom_id(Verb.PLAY_ON), t("Play on"))
    return [text, row(play_on) if seat in question.agreed else row(agree, play_on)]
