"""The travelling sheet: a round's boards, and what each table has done with one of them."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from babel.numbers import format_percent

from bot.cards.words.cards import shown, shown_all
from bot.cards.words.rules import item_name
from bot.engine.highlights import Feat
from bot.engine.rules import Rules
from bot.platform.kit.colours import FELT
from bot.platform.kit.paging import Paging
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Component, Layout, box_of, button, line, menu, option, row
from bot.platform.people import safe
from bot.tournaments.ids.tournament import SheetRef, SheetVerb
from bot.tournaments.live.sheet import BoardDeal, BoardSheet, Line, RoundSheet
from bot.tournaments.words.formats import entry_name, short_name

PAGE: Final = 4
"""Tables on a page: more might not fit in a message."""
_LONGEST: Final = 20
"""Characters of a name that a line has room for."""
_DASH: Final = "\u2060–\u2060"
"""The dash between the points of two sides, which keeps them on one line."""


def sheet_layout(sheet: RoundSheet, ref: SheetRef, t: Words, *, dealt: bool = False) -> Layout:
    """A round's boards for one person; if one is chosen, also the tables' results on it, or how it was `dealt`."""
    chosen = board_of(sheet, ref.board)
    ref = replace(ref, round=sheet.round, board=0 if chosen is None else chosen.number)
    parts: list[BoxPart] = [t("## 📋 Round {round}: the boards", round=sheet.round), _note(sheet, t)]
    if chosen is None:
        parts.append("\n".join(filter(None, (_summary(sheet, place, t) for place in range(len(sheet.boards))))) or None)
    else:
        ref = replace(ref, page=_paging(ref, chosen).page)
        parts += [
            line(),
            *_board(sheet, chosen, ref, t, dealt=dealt),
            row(*_buttons(sheet, chosen, ref, t, dealt=dealt)),
        ]
    return box_of(FELT, *parts, *_menus(sheet, ref, t))


def shown_sheet(sheet: RoundSheet, ref: SheetRef, name: str, t: Words, *, dealt: bool = False) -> Layout:
    """A board of a round that is over, for everybody in the channel; `name` is the person who shows it."""
    board = board_of(sheet, ref.board)
    assert board is not None, "the board is open"
    by = "-# " + t("Shown by {name}", name=safe(name))
    everybody = replace(sheet, entry=None)
    return box_of(FELT, *_board(everybody, board, ref, t, dealt=dealt), by)


def board_of(sheet: RoundSheet, number: int) -> BoardSheet | None:
    """The board with this number; None if it isn't open, or belongs to another round."""
    return next((board for board in sheet.boards if board is not None and board.number == number), None)


def percent_text(percent: Fraction, t: Words) -> str:
    """Matchpoints as a percentage of the most that could be had, as the language writes it."""
    return format_percent(round(percent) / 100, locale=t.language)


def _note(sheet: RoundSheet, t: Words) -> str:
    if sheet.over:
        return "-# " + t("All tables played the same cards. The % compares a result with all others of the same seat.")
    return "-# " + t("You see a board once you have played it; all of them, when the last table has finished.")


def _summary(sheet: RoundSheet, place: int, t: Words) -> str:
    """A line about a board: how the person has done on it, or that it is closed."""
    board = sheet.boards[place]
    if board is None:
        return "🔒 " + t("Board {n} of {boards}", n=place + 1, boards=len(sheet.boards))
    title = "**" + t("Board {n} of {boards}", n=place + 1, boards=len(sheet.boards)) + "**"
    own = next((each for each in board.lines if sheet.entry in each.entries), None)
    if own is None or sheet.entry is None:
        return title + " · " + t.plural("{n} table", "{n} tables", len(board.lines))
    seat = own.entries.index(sheet.entry)
    figures = [] if own.points is None else [f"{own.points[seat]} – {own.points[1 - seat]}"]
    if own.percents is not None:
        figures.append(percent_text(own.percents[seat], t))
    return " · ".join([title, *figures])


def _board(sheet: RoundSheet, board: BoardSheet, ref: SheetRef, t: Words, *, dealt: bool) -> list[BoxPart]:
    title = t("### Round {round}, board {n}", round=sheet.round, n=_place(sheet, board))
    if dealt:
        return [
            title,
            "\n".join(_deal_lines(board.deal, t)) if board.deal else t("How it was dealt is no longer kept."),
        ]
    how = "-# " + t("On the left who was dealt to first, on the right the dealer's side.")
    paging = _paging(ref, board)
    rules = sheet.state.setup.rules
    lines = ["\n".join(_lines(each, sheet, rules, t)) for each in paging.shown(board.lines)]
    return [f"{title}\n{how}", "\n".join(lines) or t("No table played it."), paging.note(t)]


def _lines(result: Line, sheet: RoundSheet, rules: Rules, t: Words) -> list[str]:
    """A table's result: who scored how much, from what, and the best capture."""
    names = [entry_name(sheet.state.entry(number), t, longest=_LONGEST) for number in result.entries]
    names = [
        f"__**{name}**__" if number == sheet.entry else f"**{name}**"
        for name, number in zip(names, result.entries, strict=True)
    ]
    points = "–" if result.points is None else f"{result.points[0]} – {result.points[1]}"
    head = f"{names[0]} {points} {names[1]}"
    if result.percents is not None:
        head += f" · {percent_text(result.percents[0], t)} – {percent_text(result.percents[1], t)}"
    if result.points is None:
        return [head, "-# " + t("not played")]
    lines = [head]
    if result.score is not None:
        left, right = result.sides
        items = [
            f"{item_name(item.item, rules, t)} {item.points[left]}{_DASH}{item.points[right]}"
            for item in result.score.items
            if any(item.points)
        ]
        lines.append("-# " + (" · ".join(items) or t("No points")))
    if result.best is not None:
        lines.append("-# " + _best(result.best, result, sheet, t))
    return lines


def _best(best: Feat, result: Line, sheet: RoundSheet, t: Words) -> str:
    """The best capture, and which of the seat's people made it."""
    side, place = best.seat % 2, best.seat // 2  # the sides' seats alternate
    people = sheet.state.entry(result.entries[result.sides.index(side)]).people
    name = short_name(people[place].name, _LONGEST) if place < len(people) else t.context("seat", "Nobody")
    cards = f"{shown(best.card, t)} + {shown_all(best.taken, t)}"
    if best.escoba:
        return t("💎 {cards}, escoba! {name}", name=name, cards=cards)
    return t("💎 {cards}, {name}", name=name, cards=cards)


def _deal_lines(deal: BoardDeal, t: Words) -> list[str]:
    lines = [t("**On the table**") + f" {shown_all(deal.table, t)}"] if deal.table else []
    for number, hands in enumerate(deal.hands, start=1):
        if len(hands) == 2:
            lines.append(f"**{number}.** {shown_all(hands[0], t)} ┃ {shown_all(hands[1], t)}")
            continue
        lines.append(t("**Deal {n}**", n=number))
        lines += [f"{seat}. {shown_all(hand, t)}" for seat, hand in enumerate(hands, start=1)]
    how = (
        t("Each line is a deal: on the left who was dealt to first, on the right the dealer.")
        if len(deal.hands[0]) == 2
        else t("In the order of dealing; the dealer's hand is the last one.")
    )
    return ["-# " + how, *lines]


def _buttons(sheet: RoundSheet, board: BoardSheet, ref: SheetRef, t: Words, *, dealt: bool) -> Sequence[Component]:
    buttons: list[Component] = []
    if dealt:
        buttons.append(
            button(replace(ref, page=0).custom_id(SheetVerb.BOARD), t.context("button", "Results"), emoji="📋")
        )
        share = SheetVerb.SHOW_DEAL
    else:
        share = SheetVerb.SHOW
        paging = _paging(ref, board)
        before, after = (replace(ref, page=page).custom_id(SheetVerb.BOARD) for page in (paging.before, paging.after))
        buttons += [each for each in paging.buttons(before, after, t) if not each.get("disabled")]
        buttons.append(button(ref.custom_id(SheetVerb.DEAL), t("The deal"), emoji="🎴"))
    if sheet.over:
        buttons.append(button(ref.custom_id(share), t("Show to everyone"), emoji="📣"))
    return buttons


def _menus(sheet: RoundSheet, ref: SheetRef, t: Words) -> list[BoxPart]:
    parts: list[BoxPart] = []
    boards = [
        option(
            t("Board {n} of {boards}", n=place, boards=len(sheet.boards)),
            str(board.number),
            chosen=board.number == ref.board,
        )
        for place, board in enumerate(sheet.boards, start=1)
        if board is not None
    ]
    if boards:
        choose = replace(ref, board=0, page=0)
        parts += [
            t("**Which board**"),
            row(menu(choose.custom_id(SheetVerb.CHOOSE), boards, placeholder=t("Choose a board"))),
        ]
    rounds = len(sheet.state.rounds)
    if rounds > 1:
        options = [
            option(t("Round {n}", n=number), str(number), chosen=number == sheet.round)
            for number in range(1, rounds + 1)
        ]
        other = SheetRef(sheet.tournament)
        parts += [t("**Which round**"), row(menu(other.custom_id(SheetVerb.ROUND), options))]
    return parts


def _paging(ref: SheetRef, board: BoardSheet) -> Paging:
    return Paging.of(ref.page, len(board.lines), PAGE)


def _place(sheet: RoundSheet, board: BoardSheet) -> int:
    """A board's number in its round."""
    return board.number - (sheet.round - 1) * len(sheet.boards)
