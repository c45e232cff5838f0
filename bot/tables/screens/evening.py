"""The card of an evening, which takes the place of its results, and the buttons with which one goes on or ends."""

from bot.cards.words.cards import shown, shown_all
from bot.platform.kit.colours import TURN
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, menu, option, row
from bot.platform.people import plain
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.evening_card import Evening, ToldMatch
from bot.tables.log.seats import Seat
from bot.tables.screens.votes import first_names, first_of, seers_line
from bot.tables.words.evenings import in_series, score_text


def evening_layout(evening: Evening, t: Words) -> Layout:
    """The card: the score, whose night it was, and a menu that leads to each match's review and replay."""
    count = len(evening.matches)
    most_played = sorted(evening.scores, key=lambda each: -each[1].matches)
    scores = [score_text(score, [_joined(side) for side in sides], t) for sides, score in most_played]
    numbered = enumerate(evening.matches, 1)
    options = [option(_label(number, each), str(each.past.game_id), chosen=False) for number, each in numbered]
    return box_of(
        TURN,
        t.plural("## 🌙 An evening of {n} match", "## 🌙 An evening of {n} matches", count),
        "\n".join(first_of(scores, t)) or None,
        "\n".join(_facts(evening, t)) or None,
        row(menu(Ref(0).custom_id(Verb.OPEN_GAME), options, placeholder=t("Review or replay a match"))),
        "-# " + t("To play along next time: `/escoba play` opens a table, and **Join** seats you at one."),
    )


def _facts(evening: Evening, t: Words) -> list[str]:
    facts: list[str] = []
    if evening.kings:
        facts.append(t("👑 King of the night: {names}", names=_listed(evening.kings, t)))
    if evening.sweep is not None and evening.sweeper is not None:
        cards = f"{shown(evening.sweep.card, t)} + {shown_all(evening.sweep.taken, t)}"
        facts.append(t("✨ Best sweep: {cards}, {name}", cards=cards, name=holder_name(evening.sweeper)))
    if evening.sweepers:
        names = _listed(evening.sweepers, t)
        facts.append(t("🧹 Most escobas: **{n}**, {names}", names=names, n=evening.escobas))
    if evening.risen:
        text = t.plural(
            "🎢 Longest comeback: {names}, from {n} point behind",
            "🎢 Longest comeback: {names}, from {n} points behind",
            evening.behind,
            names=_joined(evening.risen),
        )
        facts.append(text)
    return [*facts, *filter(None, [seers_line(evening.seers, t)])]


def _label(number: int, each: ToldMatch) -> str:
    """Name a match in the menu: its number, and its points."""
    sides = sorted(range(each.match.seating.sides), key=lambda side: -each.match.totals[side])
    names = (" & ".join(plain(seat.name) for seat in each.holders(side)) for side in sides)
    points = (f"{name} {each.match.totals[side]}" for name, side in zip(names, sides, strict=True))
    return f"{number}. " + " – ".join(points)


def _joined(side: tuple[Seat, ...]) -> str:
    return " & ".join(map(holder_name, side))


def _listed(holders: tuple[Seat, ...], t: Words) -> str:
    return first_names([holder_name(seat) for seat in holders], t)


def winner_buttons(view: TableView, t: Words) -> list[Component]:
    """The button with which others play the winner next, unless a best of three isn't over."""
    if view.winner_to_play is None or in_series(view):
        return []
    return [button(Ref(view.id).custom_id(Verb.WINNER), t("I play the winner"), emoji="⚔️")]


def thats_all_button(view: TableView, t: Words) -> Component | None:
    """The button that ends an evening, below the result of a match that wasn't its first."""
    return button(Ref(view.id).custom_id(Verb.THATS_ALL), t("That's all"), emoji="🌙") if view.tonight else None
