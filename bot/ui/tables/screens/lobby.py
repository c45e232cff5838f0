"""The lobby: the seats, the agreed rules, and buttons to change them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from discord import ButtonStyle

from bot.club.stakes import Stakes
from bot.engine.rules import PRESETS, TARGETS, Seating
from bot.players.strength import rating_of
from bot.tables.log.events import LARGEST_CAPACITY, Config
from bot.tables.log.state import Seat
from bot.tables.result import is_practice
from bot.tables.view import TableView
from bot.ui.kit.choices import Choice
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.layout import Component, Layout, box_of, button, layout_of, line, menu, option, row
from bot.ui.tables.screens.guide import lost_hand
from bot.ui.words.club.ratings import points_text, stake_lines
from bot.ui.words.names import holder_name, plain, safe
from bot.ui.words.refusals import refusal_of_seats
from bot.ui.words.rules import differences, plain_rules_name, preset_name, rules_name, seating_name, summary
from bot.ui.words.tables.levels import level_of
from bot.ui.words.texts import N_, Words

FRIENDLY, RATED = "f", "r"
ON, OFF = "on", "off"
"""Arguments of the buttons for a rated or friendly match, and for hints."""
LONGEST_THREAD_NAME = 100
"""Discord's limit."""
_TARGETS = (11, 15, 21)
TARGET: Final = Choice("target", N_("**Points to play to**"), dict.fromkeys(TARGETS, N_("Play to {n} points")))
_PAIRS_OF = Seating.PAIRS.seats


def lobby_layout(view: TableView, t: Words, stakes: Stakes | None = None, *, seeks: bool = False) -> Layout:
    """The lobby, or the challenge that waits for an answer.

    `stakes`: those of its match, if they are known. `seeks`: whether it may mention the server's role for players.
    """
    if view.challenge and view.missing:
        return _challenge_layout(view, t, stakes)
    config = view.config
    ref = Ref(view.id, view.version)
    full = len(view.seats) >= config.capacity
    why_not = refusal_of_seats(config, len(view.seats), t)
    opener = next(seat for seat in view.seats if seat.person_id == view.opener_id)
    title = t("## 🧹 {preset} · to {target} points", preset=rules_name(config, t), target=config.rules.target)
    name = holder_name(opener)
    welcome = t("**{name}** opens a table. Press **Join** to take a seat.", name=name)
    if view.missing:
        people = " ".join(f"<@{person.id}>" for person in view.missing)
        welcome = t("**{name}** wants a rematch. It begins when all are here: {people}", name=name, people=people)
    thread = button(ref.custom_id(Verb.THREAD), t("Play in a thread"), emoji="🧵") if view.movable else None
    people = row(
        # Never disabled: of several people who press it at once, those who come too late are told that it is full.
        button(_join_id(ref, view), t("Join"), style=ButtonStyle.secondary if full else ButtonStyle.primary),
        button(ref.custom_id(Verb.LEAVE), t("Leave")),
        *([] if thread is None else [thread]),
    )
    computers = row(  # their labels are short, so that a phone shows them in one line
        button(ref.custom_id(Verb.ADD_EASY_COMPUTER), t("Easy"), emoji="🐣", disabled=full),
        button(ref.custom_id(Verb.ADD_COMPUTER), t("Normal"), emoji="🤖", disabled=full),
        button(ref.custom_id(Verb.ADD_HARD_COMPUTER), t("Hard"), emoji="🧠", disabled=full),
    )
    last = [button(ref.custom_id(Verb.START), t("Start"), style=ButtonStyle.success, disabled=why_not is not None)]
    if len(view.seats) == _PAIRS_OF:
        last.append(
            button(ref.custom_id(Verb.TEAMS), t("Everyone for themselves") if config.teams else t("Play in pairs"))
        )
    elif len(view.seats) == LARGEST_CAPACITY:
        last.append(button(ref.custom_id(Verb.TEAMS), t("Three pairs") if config.threes else t("Two sides of three")))
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
        "\n".join(_rating_lines(view, stakes, t)),
        "\n".join((*_rule_lines(view, t), f"-# {lost_hand(t)}", f"-# {_lesson(t)}")),
        line(),
        people,
        None if full else t("Add a computer:"),
        None if full else computers,
        *_target_menu(ref, config, t),
        *_partner_menu(ref, view, t),
        None if why_not is None else f"-# {why_not}",
        row(*last),
        *_rows_of(_rating_buttons(ref, view, t), [_seek_button(ref, t)] if seeks and not full else []),
    )


def _challenge_layout(view: TableView, t: Words, stakes: Stakes | None) -> Layout:
    """A challenge; the match begins when it is accepted."""
    ref = Ref(view.id)
    title = t(
        "## ⚔️ {preset} · to {target} points",
        preset=rules_name(view.config, t),
        target=view.config.rules.target,
    )
    opener, [challenged] = view.seats[0], view.missing
    text = t("**{name}** challenges {person} to a match.", name=holder_name(opener), person=f"<@{challenged.id}>")
    return box_of(
        FELT,
        f"{title}\n{text}",
        line(),
        "\n".join(_rating_lines(view, stakes, t)),
        "\n".join(_rule_lines(view, t)),
        row(
            button(_join_id(ref, view), t("Accept"), style=ButtonStyle.success),
            button(ref.custom_id(Verb.DECLINE), t("Decline")),
            button(ref.custom_id(Verb.CANCEL), t("Cancel")),
        ),
        *_rows_of(_rating_buttons(ref, view, t)),
    )


def _join_id(ref: Ref, view: TableView) -> str:
    """The id of Join. It marks a friendly match: whoever joins may begin it, and must get what they have agreed to."""
    return (ref if view.config.rated else ref.with_args(FRIENDLY)).custom_id(Verb.JOIN)


def _rows_of(*groups: list[Component]) -> list[Component]:
    items = [item for group in groups for item in group]
    return [row(*items)] if items else []


def _rating_lines(view: TableView, stakes: Stakes | None, t: Words) -> list[str]:
    """Whether the match counts, and its stakes."""
    config = view.config
    if is_practice(config, view.seats):
        return [t("🎯 **Practice** against computers: it counts for nothing.")]
    if not config.rated:
        hints = t("Hints are allowed.") if view.hints and config.hints else t("No hints.")
        return [t("🤝 **Friendly**: it counts for nothing.") + " " + hints]
    lines = [t("🏅 **Rated**: it counts for the leaderboard and ratings. No hints.")]
    if view.claim_days:
        lines.append(
            "-# "
            + t.plural(
                "No deadline: whoever doesn't move for {n} day can lose by time.",
                "No deadline: whoever doesn't move for {n} days can lose by time.",
                view.claim_days,
            )
        )
    if any(seat.is_computer for seat in view.seats):
        lines.append("-# " + t("With a computer at the table, nobody's rating moves."))
    people = (*view.seats, *(Seat(person.name, person.id) for person in view.missing))
    return lines + (stake_lines(stakes, people, t) if stakes is not None else [])


def _rating_buttons(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The buttons for a rated or a friendly match, and for hints in it."""
    config = view.config
    if is_practice(config, view.seats):
        return []
    if config.rated:
        return [button(ref.with_args(FRIENDLY).custom_id(Verb.RATED), t("Make it friendly"), emoji="🤝")]
    rated = button(ref.with_args(RATED).custom_id(Verb.RATED), t("Make it rated"), emoji="🏅")
    if not view.hints:
        return [rated]
    label = t("Hints: on") if config.hints else t("Hints: off")
    return [rated, button(ref.with_args(OFF if config.hints else ON).custom_id(Verb.HINTS), label, emoji="💡")]


def _seek_button(ref: Ref, t: Words) -> Component:
    return button(ref.custom_id(Verb.SEEK), t("Look for players"), emoji="📣")


def arrival_layout(view: TableView, t: Words, stakes: Stakes | None = None, *, seeks: bool = False) -> Layout:
    """The lobby's first message in its thread, which mentions its people so that Discord brings them there."""
    people = " ".join(f"<@{seat.person_id}>" for seat in view.seats if not seat.is_computer)
    lobby = lobby_layout(view, t, stakes, seeks=seeks)
    above = layout_of(t("{people} The table is here now.", people=people))
    return replace(lobby, components=above.components + lobby.components)


def table_ready_layout(view: TableView, layout: Layout, t: Words) -> Layout:
    """The first message of a tournament's table, which mentions its people so that Discord calls them there."""
    people = " ".join(f"<@{seat.person_id}>" for seat in view.seats)
    above = layout_of(
        t(
            "{people} Your table is ready: press **My hand** to see your cards and to show that you are there.",
            people=people,
        )
    )
    return replace(layout, components=above.components + layout.components)


def thread_name(view: TableView, t: Words) -> str:
    """The name of a lobby's thread: those who sit there, and what they play."""
    ending = " · " + plain_rules_name(view.config, t)
    names = "🧹 " + " · ".join(plain(seat.name) for seat in view.seats)
    room = LONGEST_THREAD_NAME - len(ending)
    return (names if len(names) <= room else names[: room - 1] + "…") + ending


def _lesson(t: Words) -> str:
    return t("New to the game? `/escoba learn` shows it to you in ten minutes.")


def _target_menu(ref: Ref, config: Config, t: Words) -> list[Component | str]:
    """The menu of targets, the preset's own among them, with the current one selected."""
    target = config.rules.target
    offered = sorted({*_TARGETS, PRESETS[config.preset].rules.target, target})
    return TARGET.parts(ref.custom_id(Verb.TARGET), target, t, only=offered)


def _partner_menu(ref: Ref, view: TableView, t: Words) -> list[Component | str]:
    """The menu in which each person chooses their partner; only where there are partners."""
    if not _in_pairs(view):
        return []
    options = [option(plain(seat.name), str(index), chosen=False) for index, seat in enumerate(view.seats)]
    threes = view.config.threes and len(view.seats) == LARGEST_CAPACITY
    heading, asked = (t("**Sides**"), t("On my side: …")) if threes else (t("**Pairs**"), t("My partner: …"))
    return [heading, row(menu(ref.custom_id(Verb.PARTNER), options, placeholder=asked))]


def _in_pairs(view: TableView) -> bool:
    seating = view.config.seating(len(view.seats))
    return seating is not None and seating.in_teams


def _seat_lines(view: TableView, t: Words) -> list[str]:
    """The seats in order; in pairs, a line for each pair."""
    held = [f"{index + 1}. {_holder(seat, view.config.preset, t)}" for index, seat in enumerate(view.seats)]
    seating = view.config.seating(len(view.seats))
    if seating is not None and seating.in_teams:
        sides = [" + ".join(held[seat] for seat in seating.seats_of(side)) for side in range(seating.sides)]
        lines = [
            t("Side {letter}: {players}", letter="AB"[side], players=players)
            if seating is Seating.TRIPLES
            else t("Pair {letter}: {players}", letter="ABC"[side], players=players)
            for side, players in enumerate(sides)
        ]
    else:
        lines = held
    if free := view.config.capacity - len(view.seats):
        lines.append("-# " + t.plural("{n} free seat", "{n} free seats", free))
    return lines


def _holder(seat: Seat, preset: str, t: Words) -> str:
    name = f"**{holder_name(seat)}**{level_of(seat, t)}"
    return f"{name} · ≈ {points_text(rating_of(preset, seat.level), t)}" if seat.is_computer else name


def _rule_lines(view: TableView, t: Words) -> list[str]:
    config = view.config
    preset = PRESETS[config.preset]
    lines = ["-# " + summary(config.rules, t)]
    usual = preset.rules if config.own is None else config.own.rules
    if changed := differences(config.rules, usual, t):
        lines.append("-# " + t("Differs from the preset: {changes}", changes=", ".join(changed)))
    if config.own is not None and config.rule_set is None:
        names = {"name": safe(config.own.name), "preset": preset_name(config.preset, t)}
        lines.append("-# " + t("With these changes it counts for {preset}, not for {name}.", **names))
    seating = config.seating(len(view.seats))
    if seating is not None and seating not in preset.seatings:
        lines.append("-# " + t("Unusual in this system: {seating}", seating=seating_name(seating, t)))
    return lines
