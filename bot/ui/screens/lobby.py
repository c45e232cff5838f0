"""The lobby: the seats, the agreed rules, and buttons to change them."""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle

from bot.engine.rules import PRESETS, Seating
from bot.tables.log.state import Seat
from bot.tables.view import TableView
from bot.ui.screens.colours import FELT
from bot.ui.screens.guide import lost_hand
from bot.ui.screens.ids import Ref, Verb
from bot.ui.screens.layout import Component, Layout, box_of, button, layout_of, line, menu, option, row
from bot.ui.words.levels import level_of
from bot.ui.words.names import holder_name, plain
from bot.ui.words.refusals import refusal_of_seats
from bot.ui.words.rules import PRESET_NAMES, differences, seating_name, summary
from bot.ui.words.texts import Words

LONGEST_THREAD_NAME = 100
"""Discord's limit."""
_TARGETS = (11, 15, 21)
_PAIRS_OF = Seating.PAIRS.seats


def lobby_layout(view: TableView, t: Words) -> Layout:
    config = view.config
    ref = Ref(view.id, view.version)
    full = len(view.seats) >= config.capacity
    why_not = refusal_of_seats(config, len(view.seats), t)
    opener = next(seat for seat in view.seats if seat.person_id == view.opener_id)
    title = t("## 🧹 {preset} · to {target} points", preset=t(PRESET_NAMES[config.preset]), target=config.rules.target)
    name = holder_name(opener)
    welcome = t("**{name}** opens a table. Press **Join** to take a seat.", name=name)
    if view.missing:
        people = " ".join(f"<@{person.id}>" for person in view.missing)
        welcome = t("**{name}** wants a rematch. It begins when all are here: {people}", name=name, people=people)
    thread = button(ref.custom_id(Verb.THREAD), t("Play in a thread"), emoji="🧵") if view.movable else None
    people = row(
        # Never disabled: of several people who press it at once, those who come too late are told that it is full.
        button(ref.custom_id(Verb.JOIN), t("Join"), style=ButtonStyle.secondary if full else ButtonStyle.primary),
        button(ref.custom_id(Verb.LEAVE), t("Leave")),
        *([] if thread is None else [thread]),
    )
    computers = row(  # their labels are short, so that a phone has them in one line
        button(ref.custom_id(Verb.ADD_EASY_COMPUTER), t("Easy"), emoji="🐣", disabled=full),
        button(ref.custom_id(Verb.ADD_COMPUTER), t("Normal"), emoji="🤖", disabled=full),
        button(ref.custom_id(Verb.ADD_HARD_COMPUTER), t("Hard"), emoji="🧠", disabled=full),
    )
    last = [button(ref.custom_id(Verb.START), t("Start"), style=ButtonStyle.success, disabled=why_not is not None)]
    if len(view.seats) == _PAIRS_OF:
        last.append(
            button(ref.custom_id(Verb.TEAMS), t("Everyone for themselves") if config.teams else t("Play in pairs"))
        )
    last.append(button(ref.custom_id(Verb.RULES), t("Change rules"), emoji="📜"))
    computer = next((seat for seat in reversed(view.seats) if seat.is_computer), None)
    if computer is not None:  # the one added last
        text = t("Remove {name}", name=plain(computer.name))
        last.append(button(ref.custom_id(Verb.REMOVE_COMPUTER), text))
    last.append(button(ref.custom_id(Verb.CANCEL), t("Cancel")))
    return box_of(
        FELT,
        f"{title}\n{welcome}",
        line(),
        "\n".join(_seat_lines(view, t)),
        "\n".join((*_rule_lines(view, t), f"-# {lost_hand(t)}", f"-# {_lesson(t)}")),
        line(),
        people,
        None if full else t("Add a computer:"),
        None if full else computers,
        *_target_menu(ref, config.rules.target, t),
        *_partner_menu(ref, view, t),
        None if why_not is None else f"-# {why_not}",
        row(*last),
    )


def arrival_layout(view: TableView, t: Words) -> Layout:
    """The lobby's first message in its thread, which names its people so that Discord brings them there."""
    people = " ".join(f"<@{seat.person_id}>" for seat in view.seats if not seat.is_computer)
    lobby = lobby_layout(view, t)
    above = layout_of(t("{people} The table is here now.", people=people))
    return replace(lobby, components=above.components + lobby.components)


def thread_name(view: TableView, t: Words) -> str:
    """The name of a lobby's thread: those who sit there, and what they play."""
    ending = " · " + t(PRESET_NAMES[view.config.preset])
    names = "🧹 " + " · ".join(plain(seat.name) for seat in view.seats)
    room = LONGEST_THREAD_NAME - len(ending)
    return (names if len(names) <= room else names[: room - 1] + "…") + ending


def _lesson(t: Words) -> str:
    return t("New to the game? `/escoba learn` shows it to you in ten minutes.")


def _target_menu(ref: Ref, target: int, t: Words) -> list[Component | str]:
    """The menu of targets, with the present one selected."""
    options = [option(t("Play to {n} points", n=n), str(n), chosen=n == target) for n in sorted({*_TARGETS, target})]
    return [t("**Points to play to**"), row(menu(ref.custom_id(Verb.TARGET), options))]


def _partner_menu(ref: Ref, view: TableView, t: Words) -> list[Component | str]:
    """The menu in which each person chooses their partner; only where there are any."""
    if not _in_pairs(view):
        return []
    options = [option(plain(seat.name), str(index), chosen=False) for index, seat in enumerate(view.seats)]
    return [t("**Pairs**"), row(menu(ref.custom_id(Verb.PARTNER), options, placeholder=t("My partner: …")))]


def _in_pairs(view: TableView) -> bool:
    seating = view.config.seating(len(view.seats))
    return seating is not None and seating.in_teams


def _seat_lines(view: TableView, t: Words) -> list[str]:
    """The seats in order; in pairs, a line for each pair."""
    held = [f"{index + 1}. {_holder(seat, t)}" for index, seat in enumerate(view.seats)]
    seating = view.config.seating(len(view.seats))
    if seating is not None and seating.in_teams:
        lines = [
            t(
                "Pair {letter}: {players}",
                letter="ABC"[side],
                players=" + ".join(held[seat] for seat in seating.seats_of(side)),
            )
            for side in range(seating.sides)
        ]
    else:
        lines = held
    if free := view.config.capacity - len(view.seats):
        lines.append("-# " + t.plural("{n} free seat", "{n} free seats", free))
    return lines


def _holder(seat: Seat, t: Words) -> str:
    return f"**{holder_name(seat)}**{level_of(seat, t)}"


def _rule_lines(view: TableView, t: Words) -> list[str]:
    config = view.config
    preset = PRESETS[config.preset]
    lines = ["-# " + summary(config.rules, t)]
    if changed := differences(config.rules, preset.rules, t):
        lines.append("-# " + t("Differs from the preset: {changes}", changes=", ".join(changed)))
    seating = config.seating(len(view.seats))
    if seating is not None and seating not in preset.seatings:
        lines.append("-# " + t("Unusual in this system: {seating}", seating=seating_name(seating, t)))
    return lines
