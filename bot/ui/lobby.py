"""The lobby: who sits, what is agreed, and the buttons to change it."""

from __future__ import annotations

import discord
from discord.ui import LayoutView

from bot.engine.rules import PRESETS
from bot.tables.view import TableView
from bot.ui import lobby_items as items
from bot.ui.colours import FELT
from bot.ui.ending_items import CancelButton
from bot.ui.ids import Ref
from bot.ui.layout import box_of, line, row
from bot.ui.names import seat_name
from bot.ui.texts import Words
from bot.ui.wording import PRESET_NAMES, differences, refusal_of_seats, seating_name, summary


def lobby_layout(view: TableView, t: Words) -> LayoutView:
    """The lobby's public message."""
    config = view.config
    ref = Ref(view.id, view.version)
    full = len(view.seats) >= config.capacity
    why_not = refusal_of_seats(config, len(view.seats), t)
    opener = next(seat for seat in view.seats if seat.person_id == view.opener_id)
    title = t("## 🧹 {preset} · to {target} points", preset=t(PRESET_NAMES[config.preset]), target=config.rules.target)
    welcome = t("**{name}** opens a table. Press **Join** to take a seat.", name=seat_name(opener.name, computer=False))
    people = row(
        items.JoinButton.make(ref, t("Join"), style=discord.ButtonStyle.primary, disabled=full),
        items.LeaveButton.make(ref, t("Leave")),
        items.AddComputerButton.make(ref, t("Add computer"), emoji="🤖", disabled=full),
        items.AddEasyComputerButton.make(ref, t("Add easy computer"), emoji="🐣", disabled=full),
        items.RemoveComputerButton.make(
            ref, t("Remove computer"), disabled=not any(seat.is_computer for seat in view.seats)
        ),
    )
    last: list[items.GameButton] = [
        items.StartButton.make(ref, t("Start"), style=discord.ButtonStyle.success, disabled=why_not is not None)
    ]
    if len(view.seats) == items.PAIRS_OF:
        last.append(items.TeamsButton.make(ref, t("Each for themselves") if config.teams else t("Play in pairs")))
    last.append(items.RulesButton.make(ref, t("Change rules"), emoji="📜"))
    last.append(CancelButton.make(ref, t("Cancel")))
    return box_of(
        FELT,
        f"{title}\n{welcome}",
        line(),
        "\n".join(_seat_lines(view, t)),
        "\n".join(_rule_lines(view, t)),
        line(),
        people,
        row(items.target_select(ref, config.rules.target, t)),
        None if why_not is None else f"-# {why_not}",
        row(*last),
    )


def _seat_lines(view: TableView, t: Words) -> list[str]:
    lines: list[str] = []
    seating = view.config.seating(len(view.seats))
    for index, seat in enumerate(view.seats):
        name = f"{index + 1}. **{seat_name(seat.name, computer=seat.is_computer)}**"
        if seating is not None and seating.in_teams:
            name += " · " + t("pair {letter}", letter="ABC"[seating.side_of(index)])
        lines.append(name)
    if free := view.config.capacity - len(view.seats):
        lines.append("-# " + t.plural("{n} free seat", "{n} free seats", free))
    return lines


def _rule_lines(view: TableView, t: Words) -> list[str]:
    config = view.config
    preset = PRESETS[config.preset]
    lines = ["-# " + summary(config.rules, t)]
    if changed := differences(config.rules, preset.rules, t):
        lines.append("-# " + t("Differs from the preset: {changes}", changes=", ".join(changed)))
    seating = config.seating(len(view.seats))
    if seating is not None and seating not in preset.seatings:
        lines.append("-# " + t("Not usual in this system: {seating}", seating=seating_name(seating, t)))
    return lines
