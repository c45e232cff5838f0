"""The end of a match that people have left, on its table and panels: who has won it, and taking that win."""

from __future__ import annotations

from discord import ButtonStyle

from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, button, row
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence
from bot.tables.screens.pings import unseen_text
from bot.tables.words.scores import side_name


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
