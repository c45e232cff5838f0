"""An exercise as somebody sees it: the position from their seat with a menu of its moves, and the verdict on a move.

Moves are numbered in the order in which the rules list them. Nothing before the verdict is made from the ratings.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.cards.words.cards import on_button, shown_all
from bot.cards.words.rules import aim_text, preset_name
from bot.coach.grading import Grade
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, Fact, OpeningTaken, RoundBegan
from bot.engine.moves import Claim, Move, Sing
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import PublicView, SeatView
from bot.platform.drawing.scenes import Scene
from bot.platform.kit.codec import number_in
from bot.platform.kit.colours import FELT, TURN
from bot.platform.kit.host import Display
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Either, Layout, box_of, menu, option, row
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Seat
from bot.tables.screens.board import captured_text, pictured_panel, sung_hands, table_cards, worth_note
from bot.tables.screens.panel import effect_text, numbers_line, sing_label
from bot.tables.words.scores import side_name
from bot.tables.words.telling import tell
from bot.training.live.finding import Exercise
from bot.training.screens.review import claimable_note
from bot.training.words.coaching import brief_verdict

_LONGEST: Final = 80
"""Characters that Discord allows in a label."""
_IN_A_MENU: Final = 25

CustomId = Callable[[int], str]
"""Gives the custom_id of the menu that begins with the move of this number."""


def question_layout(
    exercise: Exercise,
    display: Display,
    custom_id: CustomId,
    head: str,
    *below: BoxPart,
    note: str | None = None,
    tried: Move | None = None,
) -> Layout:
    """A position, with a menu of its moves; see `chosen`.

    Args:
        exercise: the position.
        display: how it is shown.
        custom_id: gives that of a menu by the number of the first move in it.
        head: the title.
        below: what comes below the moves; at most four components.
        note: what stands above the moves, instead of the question.
        tried: a move that can't be chosen again.
    """
    t, view = display.words, exercise.view
    position, scene = position_parts(view, display)
    return box_of(
        TURN,
        head if tried is not None else f"{head}\n-# {where_text(view.public, t)}",
        *position,
        _remembered(view, _table_of(view, t), t),
        note or t("**What do you play?**"),
        *_menus(view, display, custom_id, tried),
        *below,
        scene=scene,
    )


def verdict_layout(exercise: Exercise, move: Move, display: Display, head: str, *below: BoxPart) -> Layout:
    """Lay out what a move was worth, and what was better and why, beside the position."""
    judged = exercise.judged(move)
    colour = FELT if judged.grade in (Grade.GOOD, Grade.SMALL) else TURN
    position, scene = position_parts(exercise.view, display)
    return box_of(colour, head, *position, brief_verdict(judged, display.words), *below, scene=scene)


def chosen(exercise: Exercise, value: str) -> Move | None:
    """The move that was chosen in a menu. None if there is no such move."""
    moves, number = exercise.view.moves, number_in(value)
    return moves[number] if number is not None and 0 <= number < len(moves) else None


def position_parts(seat: SeatView, display: Display) -> tuple[list[BoxPart], Scene | None]:
    """A position as its player sees it, and the scene of its picture."""
    t, public = display.words, seat.public
    table = _table_of(seat, t)
    picture = pictured_panel(table, seat, display)
    before = [f"-# {text}" for fact in _since_own(seat) if (text := tell(fact, table.names, t)) is not None]
    hand = t("**Your hand**") + f"\n# {shown_all(seat.hand, t, '  ')}\n" if seat.hand else ""
    others = [other for other in range(public.seating.seats) if other != seat.seat]
    sung = "".join(f"-# {each}\n" for each in sung_hands(table, public, others, t))
    cards = f"{table_cards(public, t)}\n{sung}{hand}{numbers_line(table, public, t)}"
    # A picture shows the latest move; in words it is told.
    parts: list[BoxPart] = [Either("\n".join((*before, cards)), picture and picture.component)]
    return parts, picture and picture.scene


def _menus(seat: SeatView, display: Display, custom_id: CustomId, tried: Move | None) -> list[BoxPart]:
    """The moves in a menu, or in several. Below a picture, a phone has no room for a button each."""
    t = display.words
    options = [
        option(label, str(number), chosen=False, emoji=emoji)
        for number, move in enumerate(seat.moves)
        if move != tried
        for label, emoji in (move_label(move, seat, display),)
    ]
    parts: list[BoxPart] = []
    for first in range(0, len(options), _IN_A_MENU):
        parts.append("-# " + t("other moves") if first else None)
        parts.append(row(menu(custom_id(first), options[first : first + _IN_A_MENU], placeholder=t("Choose a move"))))
    return parts


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


def where_text(match: PublicView, t: Words) -> str:
    """The variant, how captures are made in it, which deal it is, and what the figures on the table are worth."""
    rules = match.rules
    usual = replace(rules, target=0, rounds=0, lead=1)
    names = [preset_name(name, t) for name, preset in PRESETS.items() if replace(preset.rules, target=0) == usual]
    deal = t("deal {deal} of {deals}", deal=match.deal, deals=match.deals)
    return " · ".join(filter(None, [*names, aim_text(rules.capture, t), deal, worth_note(match, t)]))


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


def _remembered(seat: SeatView, table: TableView, t: Words) -> str | None:
    """Tell what a player with a good memory would know of the round; the reader hasn't seen it played."""
    public, memory = seat.public, seat.memory
    lines = [note for note in (claimable_note(seat, t),) if note is not None]
    if any(memory.piles):
        piles = [
            f"{side_name(public, side, table.names)}{t.colon}{shown_all(pile, t) or '—'}"
            for side, pile in enumerate(memory.piles)
        ]
        if public.deal == public.deals and memory.last_taker is not None:
            last = public.seating.side_of(memory.last_taker)
            piles.append(t("Latest capture: {name}", name=side_name(public, last, table.names)))
        lines.append("-# 📥 " + " · ".join(piles))
    return "\n".join(lines) or None


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
    names = {own: t.context("seat", "You")} | {
        seat: t("Your partner") for seat in seating.seats_of(side) if seat != own
    }
    if len(others) == 1:
        names[others[0]] = t("Your opponent")
    else:
        names |= {seat: t("Opponent {n}", n=number) for number, seat in enumerate(others, 1)}
    return [names[seat] for seat in range(seating.seats)]
