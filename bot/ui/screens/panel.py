"""The private panel: a player's cards as buttons, the choice of a capture, and the table.

A whole game can be played from it.
"""

from __future__ import annotations

from discord import ButtonStyle
from discord.utils import format_dt

from bot.engine.cards import Card, CardSet
from bot.engine.match import Stage
from bot.engine.round import Play
from bot.engine.rules import Duty
from bot.engine.views import PublicView, SeatView
from bot.tables.log.events import Presence
from bot.tables.view import TableView
from bot.ui.screens.board import choice_rows, overdue_buttons, small_print, table_text, turn_text, worth_note
from bot.ui.screens.colours import QUIET, TURN
from bot.ui.screens.display import Display
from bot.ui.screens.ids import Ref, Verb, pack
from bot.ui.screens.layout import BoxPart, Component, Either, Layout, box_of, button, layout_of, line, row, rows_ending
from bot.ui.screens.picking import Picking
from bot.ui.screens.pictured import pictured_panel
from bot.ui.screens.toggles import choice_parts, take_button, toggle_rows
from bot.ui.words.cards import faces, on_button, ranks, shown, shown_all
from bot.ui.words.scores import side_name, total_lines
from bot.ui.words.telling import recent_lines
from bot.ui.words.texts import Words

_LONGEST_EFFECT = 40
"""In characters: a button that would be longer says how many cards or captures instead of naming them."""


def panel_layout(
    view: TableView, seat: SeatView, display: Display, *, note: str | None = None, picking: Picking | None = None
) -> Layout:
    """A player's private panel. `note` is a line that the next update removes."""
    t, match = display.words, seat.public
    ref = Ref(view.id, match.version)
    away = view.seats[seat.seat].presence is Presence.AWAY
    mine = seat.at_turn and not away
    colour = TURN if mine else QUIET
    if match.stage is not Stage.TO_PLAY:
        over = t("The round is over. Your cards come with the next deal.")
        next_round = button(ref.custom_id(Verb.NEXT_ROUND), t("Next round"), style=ButtonStyle.success)
        totals = "\n".join(total_lines(match, view.seats, t))
        return box_of(colour, note, over, totals, row(next_round, _refresh(ref, t)))
    moves = recent_lines(view, t, most=len(view.seats))
    hint = [button(ref.custom_id(Verb.HINT), t("Hint"), emoji="💡")] if mine and view.hints else []
    if away:
        parts = [*_waiting_hand(seat, t), row(_back_again(ref, t))]
    elif mine and match.laid is not None:
        parts = [*_choice(ref, match.laid, seat, picking, display), *([row(*hint)] if hint else [])]
    elif mine and picking is not None and picking.begun and match.rules.duty is not Duty.COMPULSORY:
        parts = [*choice_parts(ref, picking, match, t), _picking_row(ref, picking, hint, t)]
    elif mine and match.rules.duty is not Duty.COMPULSORY:
        parts = _hand_to_match(ref, seat, picking or Picking(), hint, t)
    elif mine:
        parts = _hand(ref, seat, hint, display)
    else:
        parts = [*_waiting_hand(seat, t), row(*_last_buttons(ref, seat, t), *overdue_buttons(ref, view, t))]
    picture = pictured_panel(view, seat, display)
    return box_of(
        colour,
        "\n".join((*(f"-# {move}" for move in moves), _head(view, seat, away, t))),
        Either(f"{table_text(match, t)}\n{_numbers(view, match, t)}", picture and picture.component),
        Either(line(), small_print(worth_note(match, t), _deal(match, t))),
        note,  # next to the buttons it is about: anything above a picture may be out of sight
        *parts,
        scene=picture and picture.scene,
    )


def stale_layout(game_id: int, t: Words) -> Layout:
    """What a panel shows once it can no longer follow the game by itself."""
    text = t("This panel has stopped following the game. Press **Refresh** to see your cards.")
    return layout_of(text, row(_refresh(Ref(game_id), t)))


def _head(view: TableView, seat: SeatView, away: bool, t: Words) -> str:
    """Whose turn it is and until when, or that a computer has taken over the seat."""
    if away:
        lines = [t("### 🤖 A computer plays for you"), t("Press **I'm back** to take over again.")]
        if view.waiting and view.deadline is not None:
            until = t("Everybody is away. The game ends {time} unless somebody comes back.", time=_when(view))
            lines.append(f"-# {until}")
        return "\n".join(lines)
    if not seat.at_turn:
        return turn_text(view, seat.public, t)
    if view.deadline is None:
        return t("### Your turn!")
    return t("### Your turn!") + "\n-# " + t("Time is up {time}.", time=_when(view))


def _when(view: TableView) -> str:
    assert view.deadline is not None, "only called with a deadline"
    return format_dt(view.deadline, "R")


def _numbers(view: TableView, match: PublicView, t: Words) -> str:
    """The match in one line: each side's points, captured cards and escobas, and the number of the deal."""
    sides: list[str] = []
    for side in range(match.seating.sides):
        name = side_name(match, side, view.seats)
        sides.append(f"{name} **{match.totals[side]}** 🎴 {match.pile_counts[side]} 🧹 {match.escobas[side]}")
    return "-# " + " · ".join((*sides, _deal(match, t)))


def _deal(match: PublicView, t: Words) -> str:
    return t("deal {deal} of {deals}", deal=match.deal, deals=match.deals)


def _refresh(ref: Ref, t: Words) -> Component:
    return button(ref.custom_id(Verb.PANEL), t("Refresh"), emoji="🔄")


def _back_again(ref: Ref, t: Words) -> Component:
    return button(ref.custom_id(Verb.PANEL), t("I'm back"), style=ButtonStyle.success, emoji="👋")


def _last_buttons(ref: Ref, seat: SeatView, t: Words) -> list[Component]:
    """The buttons below the hand. A claim is always offered, so that the button gives nothing away."""
    last = [_refresh(ref, t)]
    if seat.public.rules.duty is Duty.CLAIMABLE:
        last.append(button(ref.custom_id(Verb.CLAIM), t("Claim"), emoji="✋", disabled=not seat.at_turn))
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


def _hand(ref: Ref, seat: SeatView, hint: list[Component], display: Display) -> list[BoxPart]:
    """The hand where the bot finds the captures: each card's button says what it would do."""
    t = display.words
    cards = (_card_button(ref, card, seat, display) for card in seat.hand)
    return [_title(seat, t), *rows_ending(cards, [*_last_buttons(ref, seat, t), *hint])]


def _card_button(ref: Ref, card: Card, seat: SeatView, display: Display) -> Component:
    groups = [m.captured for m in seat.moves if isinstance(m, Play) and m.card is card and m.captured]
    text, emoji = on_button(card, display.words)
    text = f"{text} · {_effect(groups, seat.public.table, display)}"
    style = ButtonStyle.success if groups else ButtonStyle.secondary
    return button(ref.with_args(card.notation).custom_id(Verb.CARD), text, style=style, emoji=emoji)


def _effect(groups: list[CardSet], table: CardSet, display: Display) -> str:
    """What a card would do: "to the table", "takes 5🏆 3🗡️", "escoba!", "2 captures: 12🗡️ 1🪙 / 7🏆".

    Pictures show the suits, so beside one ranks are enough: "takes 5 + 3".
    """
    t = display.words
    if not groups:
        return t("to the table")
    if len(groups) > 1:
        text = t.plural("{n} capture", "{n} captures", len(groups))
        named = f"{text}: {' / '.join(_captured(group, table, display) for group in groups)}"
        return named if len(named) <= _LONGEST_EFFECT else text
    if groups[0] == table:
        return t("escoba!") + " 🧹"
    named = t("takes {cards}", cards=_captured(groups[0], table, display))
    if len(named) <= _LONGEST_EFFECT:
        return named
    return t.plural("takes {n} card", "takes {n} cards", len(groups[0]))


def _captured(group: CardSet, table: CardSet, display: Display) -> str:
    t = display.words
    return ranks(group, table, t) if display.pictures else faces(group, t)


def _hand_to_match(ref: Ref, seat: SeatView, picking: Picking, hint: list[Component], t: Words) -> list[BoxPart]:
    """The hand where players find captures themselves: the table cards to choose, then the card that takes them."""
    match = seat.public
    toggles = toggle_rows(ref, picking, match, t, beside=len(seat.hand))
    how = "\n-# " + t("Press the cards you take on the table, then your card.") if toggles else ""
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
    above = choice_parts(ref, picking, match, t, beside=len(seat.hand)) if picking.chosen else toggles
    return [*above, _title(seat, t) + how, *rows_ending(cards, [*_last_buttons(ref, seat, t), *hint])]


def _choice(ref: Ref, card: Card, seat: SeatView, picking: Picking | None, display: Display) -> list[BoxPart]:
    """The captures of the laid card as buttons, or with more than twenty as a choice of table cards."""
    t = display.words
    if buttons := choice_rows(ref, card, seat.public, display):
        return [t("What does **{card}** take?", card=shown(card, t)), *buttons]
    picking = picking or Picking(card)
    return [*choice_parts(ref, picking, seat.public, t), row(take_button(ref, picking, t))]


def _picking_row(ref: Ref, picking: Picking, hint: list[Component], t: Words) -> Component:
    buttons = [take_button(ref, picking, t)]
    if picking.card is not None:
        laid = ref.with_args(picking.card.notation)
        buttons.append(button(laid.custom_id(Verb.LAY), t("Lay it on the table")))
    return row(*buttons, button(ref.custom_id(Verb.PANEL), t("Back")), *hint)
