"""The private panel: a player's cards as buttons, the choice of a capture, and the table.

A whole game can be played from it.
"""

from collections.abc import Sequence

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.cards import named, on_button, shown_all, worths
from bot.cards.words.items import sung_text
from bot.cards.words.rules import aim_text
from bot.engine.cards import Card, CardSet, canto_points, cantos_of
from bot.engine.moves import Play, Sing, Stage
from bot.engine.rules import Duty
from bot.engine.views import PublicView, SeatView
from bot.platform.kit.colours import QUIET, TURN
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import (
    BoxPart,
    Component,
    Either,
    Layout,
    box_of,
    button,
    layout_of,
    row,
    rows_ending,
)
from bot.tables.ids.game import Ref, Verb, pack
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence
from bot.tables.log.history import Happened
from bot.tables.pictures.table import hand_columns
from bot.tables.screens.board import (
    LONGEST_LABEL,
    captured_text,
    choice_rows,
    overdue_buttons,
    pictured_panel,
    small_print,
    sung_hands,
    table_cards,
    turn_text,
    worth_note,
)
from bot.tables.screens.picking import (
    Picking,
    choice_parts,
    claim_of,
    picking_row,
    stop_buttons,
    take_button,
    toggle_rows,
)
from bot.tables.screens.questions import left_lines, question_parts
from bot.tables.screens.score import round_layout
from bot.tables.screens.table import board_text
from bot.tables.words.scores import points_text, side_name
from bot.tables.words.telling import panel_lines

_EMOJI_ROOM = 3
"""The room that an emoji takes in a label, in characters."""


def panel_layout(
    view: TableView,
    seat: SeatView,
    display: Display,
    *,
    note: str | None = None,
    picking: Picking | None = None,
    another_waits: bool = False,
    missed: Sequence[Happened] = (),
    ahead: Sequence[BoxPart] = (),
) -> Layout:
    """A player's private panel.

    `note` is a line about the button just pressed, which the next update removes. `another_waits`: whether it is the
    player's turn in another match, too. `missed`: what has happened since the player's last look, if that may be more
    than the panel tells anyway. `ahead`: the menu of a card for the player's next turn, if they may name one.
    """
    t, match = display.words, seat.public
    ref = Ref(view.id, match.version)
    away = view.seats[seat.seat].presence is Presence.AWAY
    mine = seat.has_turn and not away
    colour = TURN if mine else QUIET
    if match.stage is not Stage.TO_PLAY:
        return round_layout(view, display, said=note, seat=seat.seat)
    moves = panel_lines(view, missed, t, most=len(view.seats))
    hint = [button(ref.custom_id(Verb.HINT), t.context("button", "Hint"), emoji="💡")] if mine and view.hints else []
    if away:
        back = button(ref.custom_id(Verb.PANEL), t("I'm back"), style=ButtonStyle.success, emoji="👋")
        parts = [*_waiting_hand(seat, t), note, row(back)]
    elif mine and match.laid is not None:
        parts = [*_choice(ref, match.laid, seat, picking, note, display), *([row(*hint)] if hint else [])]
    elif mine and picking is not None and picking.begun and match.rules.duty is not Duty.COMPULSORY:
        parts = [*choice_parts(ref, picking, match, t), note, picking_row(ref, picking, hint, t)]
    elif mine and match.rules.duty is not Duty.COMPULSORY:
        hand = _hand_to_match(ref, view, seat, picking or Picking(), hint, note, t)
        parts = [*_song(ref, seat, t), *hand]
    elif mine:
        hand = _hand(ref, view, seat, hint, display)
        parts = [note, *_song(ref, seat, t), *hand]
    else:
        nexts = _next_game(ref, view, another_waits, t)
        parts = [
            *_waiting_hand(seat, t),
            *ahead,
            note,
            row(_refresh(ref, t), *nexts, *overdue_buttons(ref, view, t, seat.seat), *stop_buttons(ref, view, t)),
        ]
    picture = pictured_panel(view, seat, display)
    worth = worth_note(match, t, seat.hand) if worths(seat.hand, t) else ""
    caption = (f"**{aim_text(match.rules.capture, t)}**", worth, _board(view, match, t))
    return box_of(
        colour,
        "\n".join((*moves, *(f"-# {each}" for each in left_lines(view, t)), _head(view, seat, away, t))),
        Either(_table_text(view, match, t), picture and picture.component),
        small_print(*caption),
        *parts,
        *question_parts(view, t, seat.seat),
        scene=picture and picture.scene,
    )


def stale_layout(game_id: int, t: Words) -> Layout:
    """Lay out a panel that can no longer follow the game by itself."""
    text = t("This panel has stopped updating. Press **Refresh** to see your cards.")
    return layout_of(text, row(_refresh(Ref(game_id), t)))


def _head(view: TableView, seat: SeatView, away: bool, t: Words) -> str:
    """Say whose turn it is and until when; for somebody who is away, what happens meanwhile."""
    if away and view.waiting:
        lines = [t("### ⏸️ The match is waiting for you"), t("Press **I'm back** to go on.")]
        if view.deadline is not None:
            until = t("Everyone's away. The match ends {time} unless someone comes back.", time=_when(view))
            lines.append(f"-# {until}")
        return "\n".join(lines)
    if away:
        return t("### 🤖 A robot is playing for you") + "\n" + t("Press **I'm back** to take over.")
    if not seat.has_turn:
        return turn_text(view, seat.public, t)
    if view.deadline is None:
        return t("### Your turn")
    return "\n-# ".join((t("### Your turn · ⏳ {time}", time=_when(view)), *_missed_lines(view, seat.seat, t)))


def _missed_lines(view: TableView, seat: int, t: Words) -> list[str]:
    """Say that slow turns were missed, and what becomes of the next one."""
    if view.day_spent:
        return [t("You let the deadline pass, so a day of your holidays was spent for it. Next, a robot plays.")]
    match view.missed.count(seat):
        case 0:
            return []
        case 1:
            return [t("You missed your last turn, so a robot played it.")]
        case _ if view.lost_by_misses:
            return [t("You missed two turns in a row. Miss this one, too, and you lose the match.")]
        case _:
            return [t("You missed two turns in a row. Miss this one, too, and a robot plays on for you.")]


def _when(view: TableView) -> str:
    assert view.deadline is not None, "only called with a deadline"
    return format_dt(view.deadline, "R")


def numbers_line(view: TableView, match: PublicView, t: Words) -> str:
    """The match in one line: each side's points, with its escobas, and its captured cards."""
    sides: list[str] = []
    for side in range(match.seating.sides):
        name = side_name(match, side, view.names)
        cards = t.plural("📥 {n} captured", "📥 {n} captured", match.pile_counts[side])
        sides.append(f"{name} {points_text(match, side, t)} {cards}")
    return "-# " + " · ".join(sides)


def _table_text(view: TableView, match: PublicView, t: Words) -> str:
    """Put into text what the picture shows above the hand."""
    open_cards = (f"-# {each}" for each in sung_hands(view, match, range(match.seating.seats), t))
    return "\n".join((table_cards(match, t), *open_cards, numbers_line(view, match, t)))


def _board(view: TableView, match: PublicView, t: Words) -> str:
    """Name the board that is played, where the public message may not; empty in other matches."""
    deal = t("deal {deal} of {deals}", deal=match.deal, deals=match.deals)
    return f"{board_text(match, t)} · {deal}" if view.boards else ""


def _refresh(ref: Ref, t: Words) -> Component:
    return button(ref.custom_id(Verb.PANEL), t.context("button", "Refresh"), emoji="🔄")


def _next_game(ref: Ref, view: TableView, another_waits: bool, t: Words) -> list[Component]:
    """The button that goes on with another match; none while a robot moves, as it would be gone in a moment."""
    turn = None if view.match is None else view.match.turn
    if not another_waits or turn is None or not view.seats[turn].human_here:
        return []
    return [button(ref.custom_id(Verb.NEXT_GAME), t("Next match"), style=ButtonStyle.primary, emoji="⏭️")]


def _song(ref: Ref, seat: SeatView, t: Words) -> list[BoxPart]:
    """Say what the hand may be sung for now, and what that shows to the others; nothing if it can't be sung."""
    if Sing() not in seat.moves:
        return []
    cantos = cantos_of(seat.hand)
    what = t.plural(
        "🎵 You hold **{cantos}**: {n} point if you sing before playing a card.",
        "🎵 You hold **{cantos}**: {n} points if you sing before playing a card.",
        canto_points(cantos),
        cantos=sung_text(cantos),
    )
    warning = t("Singing shows your three cards to everyone until you play them.")
    return [f"{what}\n-# {warning}", row(button(ref.custom_id(Verb.SING), sing_label(seat.hand, t), emoji="🎵"))]


def sing_label(hand: CardSet, t: Words) -> str:
    """The label of the button that sings a hand."""
    cantos = cantos_of(hand)
    label = t("Sing {cantos} (+{n})", cantos=sung_text(cantos), n=canto_points(cantos))
    return label if len(label) <= LONGEST_LABEL - _EMOJI_ROOM else t("Sing all of it (+{n})", n=canto_points(cantos))


def _last_buttons(ref: Ref, view: TableView, seat: SeatView, hint: list[Component], t: Words) -> list[Component]:
    """The buttons below the hand when it is its owner's turn. A hint shows the newest state, too."""
    last = [*(hint or [_refresh(ref, t)]), *stop_buttons(ref, view, t)]
    if claim_of(seat.public) is not None:
        last = [button(ref.custom_id(Verb.CLAIM), t.context("button", "Claim"), emoji="✋"), *last]
    return last


def _title(seat: SeatView, t: Words) -> str:
    if seat.hand:
        return t("**Your hand**")
    last_deal = seat.public.deal == seat.public.deals
    return t("You have no cards left.") if last_deal else t("**Your hand** is empty until the next deal.")


def _waiting_hand(seat: SeatView, t: Words) -> list[BoxPart]:
    """The hand while others play: as text, because disabled buttons are hard to read."""
    title = _title(seat, t)
    return [Either(f"{title}\n# {shown_all(seat.hand, t, '  ')}", None) if seat.hand else title]


def _hand(ref: Ref, view: TableView, seat: SeatView, hint: list[Component], display: Display) -> list[BoxPart]:
    """The hand where the bot finds the captures: each card's button says what it would do."""
    t = display.words
    cards = (_card_button(ref, card, seat, display) for card in seat.hand)
    last = _last_buttons(ref, view, seat, hint, t)
    heading = Either(_title(seat, t), None if seat.hand else _title(seat, t))  # a picture, if any, stands right above
    return [heading, *rows_ending(cards, last, hand_columns(len(seat.hand)))]


def _card_button(ref: Ref, card: Card, seat: SeatView, display: Display) -> Component:
    groups = [m.captured for m in seat.moves if isinstance(m, Play) and m.card is card and m.captured]
    text, emoji = on_button(card, display.words)
    text += " · "
    text += effect_text(groups, seat.public, display, LONGEST_LABEL - len(text) - (_EMOJI_ROOM if emoji else 0))
    style = ButtonStyle.success if groups else ButtonStyle.secondary
    return button(ref.with_args(card.notation).custom_id(Verb.CARD), text, style=style, emoji=emoji)


def effect_text(groups: Sequence[CardSet], match: PublicView, display: Display, room: int) -> str:
    """Say what a card would do: "to the table", "takes 5🏆 + 3🗡️", "escoba!", "takes 4 + 7 or 1 + rey (10)".

    Where there is no room for the cards, it says how many cards or captures there are.
    """
    t = display.words
    if not groups:
        return t("to the table")
    if tuple(groups) == (match.table,):
        return t.context("effect of a card", "escoba!") + " 🧹"
    between = t.context("captures", "or")
    cards = f" {between} ".join(captured_text(group, match, display, 0) for group in groups)
    named = t("takes {cards}", cards=cards)
    if len(named) <= room:
        return named
    if len(groups) > 1:
        return t.plural("{n} way", "{n} ways", len(groups))
    return t.plural("takes {n} card", "takes {n} cards", len(groups[0]))


def _hand_to_match(
    ref: Ref, view: TableView, seat: SeatView, picking: Picking, hint: list[Component], note: str | None, t: Words
) -> list[BoxPart]:
    """The hand where players find captures themselves: the table cards to choose, then the card that takes them."""
    match = seat.public
    toggles = toggle_rows(ref, picking, match, t, hand_buttons=len(seat.hand))
    how = "\n-# " + t("Press the table cards you want, then your own card.") if toggles else ""
    chosen = pack(picking.chosen)
    verb = Verb.TAKE if picking.chosen else Verb.CARD
    cards = [
        button(
            ref.with_args(card.notation, *([chosen] if picking.chosen else [])).custom_id(verb),
            text,
            emoji=emoji,
            style=ButtonStyle.success if picking.chosen else ButtonStyle.primary,
        )
        for card in seat.hand
        for text, emoji in (on_button(card, t),)
    ]
    above = choice_parts(ref, picking, match, t, hand_buttons=len(seat.hand)) if picking.chosen else toggles
    last = _last_buttons(ref, view, seat, hint, t)
    title = Either(_title(seat, t) + how, how.removeprefix("\n") or None)
    return [*above, note, title, *rows_ending(cards, last, hand_columns(len(seat.hand)))]


def _choice(
    ref: Ref, card: Card, seat: SeatView, picking: Picking | None, note: str | None, display: Display
) -> list[BoxPart]:
    """The captures of the laid card as buttons, or if there are more than twenty, as a choice of table cards."""
    t = display.words
    if buttons := choice_rows(ref, card, seat.public, display):
        return [t("What does **{card}** take?", card=named(card, t)), note, *buttons]
    picking = picking or Picking(card)
    return [*choice_parts(ref, picking, seat.public, t), note, row(take_button(ref, picking, t))]
