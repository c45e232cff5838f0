"""An exercise as somebody sees it: the position from their seat with a button for each move, and the verdict on a move.

Moves are numbered in the order in which the rules list them. Nothing before the verdict is made from the ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from discord import ButtonStyle

from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, Fact, OpeningTaken, RoundBegan
from bot.engine.round import Claim, Move, Sing
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import PublicView, SeatView
from bot.players.training.grading import Grade
from bot.tables.log.events import Config, Phase
from bot.tables.log.state import Seat
from bot.tables.view import TableView
from bot.training.exercise import Exercise
from bot.ui.kit.colours import FELT, TURN
from bot.ui.kit.display import Display
from bot.ui.kit.numbers import number_in
from bot.ui.layout import (
    BoxPart,
    Component,
    Either,
    Layout,
    box_of,
    button,
    line,
    menu,
    option,
    row,
    rows,
)
from bot.ui.pictures.scenes import Scene
from bot.ui.tables.screens.board import MOST_BUTTONS, captured_text, small_print, sung_hands, table_cards, worth_note
from bot.ui.tables.screens.panel import effect_text, numbers_line, sing_label
from bot.ui.tables.screens.pictured import pictured_panel
from bot.ui.training.screens.review import claimable_note
from bot.ui.words.cards import on_button, shown_all
from bot.ui.words.items import capital
from bot.ui.words.rules import aim_text, preset_name, seating_name
from bot.ui.words.tables.scores import side_name
from bot.ui.words.tables.telling import tell
from bot.ui.words.texts import Words
from bot.ui.words.training.coaching import verdict_lines

_LONGEST: Final = 80
"""Characters that Discord allows in a label."""
_IN_A_MENU: Final = 25

CustomId = Callable[[int], str]
"""Gives the custom_id of the button that chooses the move with this number."""


def question_layout(
    exercise: Exercise, display: Display, custom_id: CustomId, head: str, *below: BoxPart, note: str | None = None
) -> Layout:
    """A position, with a button for each move, or menus if there are many moves; see `chosen`.

    Args:
        exercise: the position.
        display: how it is shown.
        custom_id: gives that of each move's button; a menu has that of the first move in it.
        head: the title.
        below: what comes below the buttons; at most four components.
        note: a line above the buttons.
    """
    t, view = display.words, exercise.view
    return _layout(
        exercise,
        display,
        TURN,
        head,
        note,
        t("**What do you play?**"),
        *_choices(view, display, custom_id),
        *below,
    )


def verdict_layout(exercise: Exercise, move: Move, display: Display, head: str, *below: BoxPart) -> Layout:
    """Lay out what a move was worth, and what was better and why, beside the position."""
    judged = exercise.judged(move)
    colour = FELT if judged.grade in (Grade.GOOD, Grade.SMALL) else TURN
    return _layout(exercise, display, colour, head, line(), "\n".join(verdict_lines(judged, display.words)), *below)


def chosen(exercise: Exercise, number: int, value: str) -> Move | None:
    """The move that a click chose: by a button's `number`, or by a menu's `value`. None if there is no such move."""
    moves = exercise.view.moves
    chosen_number = number_in(value)
    number = number if chosen_number is None else chosen_number
    return moves[number] if 0 <= number < len(moves) else None


def position_parts(seat: SeatView, display: Display) -> tuple[list[BoxPart], Scene | None]:
    """A position as its player sees it, and the scene of its picture."""
    t, public = display.words, seat.public
    table = _table_of(seat, t)
    picture = pictured_panel(table, seat, display)
    before = [f"-# {text}" for fact in _since_own(seat) if (text := tell(fact, table.seats, t)) is not None]
    hand = t("**Your hand**") + f"\n# {shown_all(seat.hand, t, '  ')}\n" if seat.hand else ""
    caption = (f"**{aim_text(public.rules.capture, t)}**", worth_note(public, t, seat.hand))
    others = [other for other in range(public.seating.seats) if other != seat.seat]
    sung = "".join(f"-# {each}\n" for each in sung_hands(table, public, others, t))
    cards = f"{table_cards(public, t)}\n{sung}{hand}{numbers_line(table, public, t)}"
    parts: list[BoxPart] = [
        "\n".join(before) or None,
        Either(cards, picture and picture.component),
        small_print(*caption),
        "\n".join(_remembered(seat, table, t)) or None,
    ]
    return parts, picture and picture.scene


def _layout(exercise: Exercise, display: Display, colour: int, head: str, *parts: BoxPart) -> Layout:
    position, scene = position_parts(exercise.view, display)
    title = "\n".join((head, f"-# {where_text(exercise.view.public, display.words)}"))
    return box_of(colour, title, *position, *parts, scene=scene)


def _choices(seat: SeatView, display: Display, custom_id: CustomId) -> list[Component]:
    """A button for each move, or menus if there are too many moves for a message."""
    t = display.words
    labels = [move_label(move, seat, display) for move in seat.moves]
    if len(labels) <= MOST_BUTTONS:
        return rows(
            button(custom_id(number), label, emoji=emoji, style=_style(move))
            for number, (move, (label, emoji)) in enumerate(zip(seat.moves, labels, strict=True))
        )
    options = [option(label, str(number), chosen=False, emoji=emoji) for number, (label, emoji) in enumerate(labels)]
    return [
        row(menu(custom_id(first), options[first : first + _IN_A_MENU], placeholder=t("Choose a move")))
        for first in range(0, len(options), _IN_A_MENU)
    ]


def move_label(move: Move, seat: SeatView, display: Display) -> tuple[str, str | None]:
    """A move's label on a button or in a menu, and the emoji beside it."""
    t, public = display.words, seat.public
    if isinstance(move, Claim):
        return capital(t("claim {cards}", cards=captured_text(move.captured, public, display, 0))), "✋"
    if isinstance(move, Sing):
        return sing_label(seat.hand, t), "🎵"
    card, emoji = on_button(move.card, t)
    effect = effect_text([move.captured] if move.captured else [], public, display, _LONGEST - len(card) - 3)
    return f"{card} · {effect}", emoji


def _style(move: Move) -> ButtonStyle:
    if isinstance(move, Claim | Sing):
        return ButtonStyle.primary
    return ButtonStyle.success if move.captured else ButtonStyle.secondary


def where_text(match: PublicView, t: Words) -> str:
    """The rule system, how many play, and how far the match has got."""
    rules = match.rules
    usual = replace(rules, target=0, rounds=0, lead=1)
    names = [name for name, preset in PRESETS.items() if replace(preset.rules, target=0) == usual]
    when = t("round {round}, deal {deal} of {deals}", round=match.round_number, deal=match.deal, deals=match.deals)
    if rules.rounds:
        aim = t.plural("{n} round in all", "{n} rounds in all", rules.rounds)
    else:
        aim = t.plural("to {n} point", "to {n} points", rules.target)
    return " · ".join([*(preset_name(name, t) for name in names), seating_name(match.seating, t), when, aim])


def _since_own(seat: SeatView) -> list[Fact]:
    """Tell what has happened since the player's own latest move."""
    found: list[Fact] = []
    for fact in reversed(seat.public.recent):
        if isinstance(fact, RoundBegan):
            break
        if isinstance(fact, CardPlayed | CaptureClaimed | CantosSung | OpeningTaken) and fact.seat == seat.seat:
            break
        found.append(fact)
    return found[::-1]


def _remembered(seat: SeatView, table: TableView, t: Words) -> list[str]:
    """Tell what a player with a good memory would know of the round; the reader hasn't seen it played."""
    public, memory = seat.public, seat.memory
    lines = [note for note in (claimable_note(seat, t),) if note is not None]
    for side, pile in enumerate(memory.piles if any(memory.piles) else ()):
        lines.append(f"-# 📥 {side_name(public, side, table.seats)}: {shown_all(pile, t) or '—'}")
    if public.deal == public.deals and memory.last_taker is not None:
        last = public.seating.side_of(memory.last_taker)
        lines.append("-# " + t("Latest capture: {name}", name=side_name(public, last, table.seats)))
    return lines


def _table_of(seat: SeatView, t: Words) -> TableView:
    """A table without anybody's name: the reader, their partner and their opponents."""
    public = seat.public
    return TableView(
        id=0,
        guild_id=0,
        channel_id=0,
        opener_id=0,
        locale=t.language,
        phase=Phase.PLAYING,
        config=Config(),
        seats=tuple(Seat(name, person_id=0) for name in _names(public.seating, seat.seat, t)),
        version=public.version,
        match=replace(public, turn=None),  # "It's your turn" can't be made from the name "You"
        deadline=None,
        waiting=False,
        restored=False,
    )


def _names(seating: Seating, own: int, t: Words) -> Sequence[str]:
    side = seating.side_of(own)
    others = [seat for seat in range(seating.seats) if seating.side_of(seat) != side]
    # In the playing order after the reader. A single opponent has no number.
    others.sort(key=lambda seat: (seat - own) % seating.seats)
    names = {own: t("You")} | {seat: t("Your partner") for seat in seating.seats_of(side) if seat != own}
    if len(others) == 1:
        names[others[0]] = t("Your opponent")
    else:
        names |= {seat: t("Opponent {n}", n=number) for number, seat in enumerate(others, 1)}
    return [names[seat] for seat in range(seating.seats)]
