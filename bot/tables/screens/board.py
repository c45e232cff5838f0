"""The public table: its cards, players and last moves, whose turn it is, and what a laid card may capture.

Pictures are None where the display has no pictures. A public one is made once in each language, for everybody who sees
it.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.cards import faces, named, ranks, shown_all, worths
from bot.cards.words.items import sung_text
from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.facts import CantosSung, Fact
from bot.engine.rules import Capture
from bot.engine.scoring import Item
from bot.engine.views import PublicView, SeatView
from bot.platform.kit.colours import FELT, QUIET, TURN
from bot.platform.kit.host import Display
from bot.platform.kit.pictured import Pictured, pictured
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words, cached_by_language
from bot.platform.layout import Component, Either, Layout, box_of, button, layout_of, line, row, rows
from bot.platform.people import sign_of
from bot.tables.ids.game import Ref, Verb, pack
from bot.tables.live.result import is_practice
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence
from bot.tables.pictures.result import result_scene
from bot.tables.pictures.score import item_scene, round_scene
from bot.tables.pictures.table import panel_scene, table_scene
from bot.tables.screens.faces import face_buttons
from bot.tables.screens.questions import question_parts
from bot.tables.screens.votes import vote_parts
from bot.tables.words.characters import remark, swept_by
from bot.tables.words.names import level_of, own_rules_line
from bot.tables.words.scores import points_text
from bot.tables.words.telling import emphasised_lines


def pictured_table(view: TableView, display: Display) -> Pictured | None:
    """The table of a running round."""
    return _table(view, display.words) if display.pictures else None


def pictured_panel(view: TableView, seat: SeatView, display: Display) -> Pictured | None:
    """The table of a running round with a hand below it."""
    t = display.words
    return pictured(panel_scene(view, seat, t), t) if display.pictures else None


def pictured_round(view: TableView, display: Display) -> Pictured | None:
    """The score of the latest round."""
    return pictured(round_scene(view, display.words), display.words) if display.pictures else None


def pictured_item(view: TableView, item: Item, display: Display, *, points: bool) -> Pictured | None:
    """One item of the latest scored round, with its points or without."""
    t = display.words
    return pictured(item_scene(view, item, t, points=points), t) if display.pictures else None


def pictured_result(view: TableView, display: Display) -> Pictured | None:
    """Picture who won, and how. After a draw there is no picture."""
    if view.match is None or view.match.winner is None:
        return None
    return pictured(result_scene(view, display.words), display.words) if display.pictures else None


@cached_by_language
def _table(view: TableView, t: Words) -> Pictured:
    return pictured(table_scene(view, t), t)


MOST_BUTTONS = 20
"""With more captures than this, players choose from a menu of table cards instead."""
LONGEST_LABEL = 34
"""Characters of a button's label that a phone has room for."""
_LONGEST_SUM = 74
"""Characters of a label that Discord leaves for a sum, beside a circled number and a broom."""
_CIRCLED_ONE = ord("①")
_CARDS_A_LINE = 10


def board_layout(view: TableView, display: Display) -> Layout:
    """The public message of a running round."""
    t, match = display.words, view.match
    assert match is not None, "a board shows a match"
    ref = Ref(view.id, view.version)
    said = [] if (words := remark(view, t)) is None else [words]
    swept, sung = swept_by(match.facts), sung_in(match.facts)
    choices = choice_rows(ref, match.laid, match, display) if match.laid is not None else []
    hand = button(ref.custom_id(Verb.HAND), t("My hand"), style=ButtonStyle.primary, emoji="🎴")
    guide = button(ref.custom_id(Verb.GUIDE), t.context("button", "Rules"), emoji="📜")
    picture = pictured_table(view, display)
    return box_of(
        QUIET if view.waiting else FELT if swept is None and sung is None else TURN,
        None if sung is None else _song(view, sung, t),
        Either(_heading(view, match, t), _heading(view, match, t) if swept is None and sung is None else None),
        own_rules_line(view.config, t),
        "\n".join([*emphasised_lines(view, t, most=len(view.seats) + 1), *said]) or None,
        Either(line(), picture and picture.component),
        Either(_table_text(match, t), small_print(worth_note(match, t), *_beside_picture(view, match, t))),
        Either(line(), None),
        Either("\n".join(_player_lines(view, match, t)), None),
        turn_text(view, match, t) or None,
        *choices,
        row(hand, guide, *face_buttons(view)),
        *vote_parts(view, match, t),
        row(*late) if (late := overdue_buttons(ref, view, t)) else None,
        *question_parts(view, t),
        scene=picture and picture.scene,
    )


def sung_in(facts: Sequence[Fact]) -> CantosSung | None:
    """The singing among these facts; None if nobody sang."""
    return next((fact for fact in facts if isinstance(fact, CantosSung)), None)


def overdue_buttons(ref: Ref, view: TableView, t: Words, seat: int | None = None) -> list[Component]:
    """The buttons for those who have waited long enough: one that lets a computer play, later one that claims a rated
    match. None before that. `seat`: that of the only reader, whose partner doesn't lose to them."""
    match, buttons = view.match, list[Component]()
    if view.may_nudge and view.nudged_by is None and (seat is None or match is None or seat != match.turn):
        buttons.append(button(ref.custom_id(Verb.NUDGE), t.context("button", "Nudge"), emoji="👋"))
    if view.overdue:
        buttons.append(button(ref.custom_id(Verb.LET_COMPUTER_PLAY), t("Call a robot"), emoji="🤖"))
    if view.claimable and match is not None and match.turn is not None:
        side_of = match.seating.side_of
        if seat is None or side_of(seat) != side_of(match.turn):
            buttons.append(button(ref.custom_id(Verb.CLAIM_MATCH), t("Claim the match"), emoji="⏳"))
    return buttons


def moved_layout(url: str, t: Words) -> Layout:
    """Reduce a table's message to what is left after it has been posted afresh further down."""
    return layout_of("-# " + t("The table is [further down]({url}) now.", url=url))


def elsewhere_layout(url: str, t: Words) -> Layout:
    """Reduce a lobby's message to what is left after the lobby has moved to a thread."""
    return layout_of("🧵 " + t("This table is [in its thread]({url}) now.", url=url))


@cached_by_language
def _table_text(match: PublicView, t: Words) -> str:
    """The cards on the table, and what its figures are worth."""
    note = worth_note(match, t)
    return f"{table_cards(match, t)}\n{small_print(note)}" if note else table_cards(match, t)


def table_cards(match: PublicView, t: Words) -> str:
    """The cards on the table, large and in their places."""
    laid = match.laid
    lines = [t("**On the table**")]
    cards = [card for card in match.places if card is not None]
    if not cards:
        lines.append(t("# — empty —"))
    lines += [
        f"# {shown_all(cards[first : first + _CARDS_A_LINE], t, '  ')}" for first in range(0, len(cards), _CARDS_A_LINE)
    ]
    if laid is not None:
        lines.append(t("Card played: **{card}**", card=named(laid, t)))
    return "\n".join(lines)


def worth_note(match: PublicView, t: Words, hand: CardSet = EMPTY) -> str:
    """Explain what the figures on the table and in a hand are worth; empty without any."""
    return worths([*match.table, *([match.laid] if match.laid else []), *hand], t)


def small_print(*notes: str) -> str:
    """Notes in one line of small print, without the empty ones; the line begins with a capital letter."""
    return "-# " + capital(" · ".join(filter(None, notes)))


def choice_rows(ref: Ref, card: Card, match: PublicView, display: Display) -> list[Component]:
    """One button for each capture of the laid card; none past twenty, where a menu of table cards replaces them."""
    if len(match.choices) > MOST_BUTTONS:
        return []
    return rows(
        button(ref.with_args(card.notation, pack(group)).custom_id(Verb.TAKE), label, style=ButtonStyle.success)
        for group, label in zip(match.choices, choice_labels(match, display), strict=True)
    )


def choice_labels(match: PublicView, display: Display) -> list[str]:
    """The captures of the laid card, as labels of its buttons.

    With pictures, each begins with the number that marks its cards in the picture: in a circle, to set it apart from
    the sum.
    """

    def label(number: int, group: CardSet) -> str:
        equal = match.rules.capture is Capture.MATCH and len(group) == 1
        circled = f"{chr(_CIRCLED_ONE + number - 1)} " if display.pictures else ""
        room = LONGEST_LABEL - len(circled) - 2
        sweeps = " 🧹" if group == match.table else ""
        return circled + ("= " if equal else "") + captured_text(group, match, display, room) + sweeps

    return [label(number, group) for number, group in enumerate(match.choices, start=1)]


def captured_text(group: CardSet, match: PublicView, display: Display, room: int) -> str:
    """Captured cards in a label: spelled out if that fits in `room` characters, otherwise in brief.

    The table shows the suits, in its picture or by the application's emojis. Where it has neither, the label has the
    same common emojis as the text.
    """
    t = display.words
    if not display.pictures and not t.faces.emojis:
        return faces(group, t)
    text = ranks(group, match.table, t)
    if len(text) > room:
        text = ranks(group, match.table, t, brief=True)
    return text if len(text) <= _LONGEST_SUM else faces(group, t)


def turn_text(view: TableView, match: PublicView, t: Words) -> str:
    """Say whose turn it is and until when, or that the player is on holiday."""
    text = _turn_text(view, match, t)
    if view.holiday is None:
        return text
    day = format_dt(view.holiday - timedelta(hours=12), "D")  # noon of the last day: it is that day nearly everywhere
    return f"{text}\n-# " + t("🌴 On holiday until {day}: until then the clock stands still.", day=day)


def _turn_text(view: TableView, match: PublicView, t: Words) -> str:
    if view.waiting:
        return t("⏸️ Everyone's away. The match is waiting: click anything to come back.")
    if match.turn is None:
        return ""
    seat = view.seats[match.turn]
    name = f"**{view.names[match.turn]}**"
    if not seat.human_here:
        return (
            t("{name} is playing…", name=name) if seat.is_computer else t("A robot is playing for {name}…", name=name)
        )
    person = f"{sign_of(seat.name)}<@{seat.person_id}>"
    notes = [t("I was away from this server, and the clock stood still.")] if view.returned else []
    if view.deadline is not None:
        text = t("👉 {person}'s turn. Time runs out {time}.", person=person, time=format_dt(view.deadline, "R"))
        return "\n-# ".join((text, *notes))
    if view.claimable:
        days = t.plural("{n} day", "{n} days", view.claim_days)
        notes.append(t("{name} hasn't moved for {days}: the others may claim the match.", name=name, days=days))
    elif view.overdue:
        notes.append(
            t(
                "{name} hasn't moved for over 10 minutes. Anyone at the table can let a robot play until they're back.",
                name=name,
            )
        )
    return "\n-# ".join((t("👉 {person}'s turn.", person=person), *notes))


def _song(view: TableView, sung: CantosSung, t: Words) -> str:
    return t("# 🎵 {cantos}! {name}", cantos=capital(sung_text(sung.cantos)), name=view.names[sung.seat])


def _heading(view: TableView, match: PublicView, t: Words) -> str:
    if view.boards:
        return t(
            "### 🧹 Board {round} of {rounds} · deal {deal} of {deals}",
            round=match.round_number,
            rounds=match.rules.rounds,
            deal=match.deal,
            deals=match.deals,
        )
    heading = t(
        "### 🧹 Round {round} · deal {deal} of {deals} · to {target} points",
        round=match.round_number,
        deal=match.deal,
        deals=match.deals,
        target=match.rules.target,
    )
    if match.rules.rounds:
        deal = t("deal {deal} of {deals}", deal=match.deal, deals=match.deals)
        heading = "### 🧹 " + " · ".join((t("One round"), deal))
    if view.config.rated or is_practice(view.config, view.seats):
        return heading
    return heading + " · " + t.context("kind of match", "friendly")


def _player_lines(view: TableView, match: PublicView, t: Words) -> list[str]:
    lines: list[str] = []
    seating = match.seating
    for side in range(seating.sides):
        seats = seating.seats_of(side)
        names = " & ".join(_player(view, seat, match, t) for seat in seats)
        numbers = [
            t("🎴 {hands} in hand", hands="+".join(str(match.hand_counts[seat]) for seat in seats)),
            t.plural("📥 {n} captured", "📥 {n} captured", match.pile_counts[side]),
            points_text(match, side, t),
        ]
        if match.seating.side_of(match.dealer) == side:
            numbers.append(
                t.context("seat", "dealer")
                if not seating.in_teams
                else t("deals: {name}", name=view.names[match.dealer])
            )
        lines.append(f"{names}\n-# {' · '.join(numbers)}")
        lines += [f"-# {each}" for each in sung_hands(view, match, seats, t)]
    return lines


def sung_hands(view: TableView, match: PublicView, seats: Iterable[int], t: Words) -> list[str]:
    """The cards of these seats that have lain open since they were sung: a text for each player who has any."""
    return [
        t("🎵 {name} sang and still holds {cards}", name=view.names[seat], cards=shown_all(match.shown[seat], t))
        for seat in seats
        if match.shown[seat]
    ]


def _beside_picture(view: TableView, match: PublicView, t: Words) -> list[str]:
    """Say what the picture doesn't show: how well computers play, who is away, and who deals."""
    players = [
        _player(view, index, match, t)
        for index, seat in enumerate(view.seats)
        if seat.is_computer or seat.presence is not Presence.HERE
    ]
    return [*players, t("deals: {name}", name=view.names[match.dealer])]


def _player(view: TableView, index: int, match: PublicView, t: Words) -> str:
    seat, mark = view.seats[index], "👉 " if match.turn == index else ""
    left = t.context("seat", "left")
    absent = {Presence.HERE: "", Presence.AWAY: " 💤", Presence.LEFT: f" 🚪 {left}"}[seat.presence]
    return f"{mark}**{view.names[index]}**{level_of(seat, t)}{absent}"
