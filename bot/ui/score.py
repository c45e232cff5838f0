"""The score of a round item by item, and the result of a match."""

from __future__ import annotations

import discord
from discord.ui import LayoutView
from discord.utils import format_dt

from bot.engine.captures import FIFTEEN
from bot.engine.rules import Capture, Prime, Rules
from bot.engine.scoring import Item, ItemScore, RoundScore
from bot.engine.views import PublicView
from bot.tables.state import Phase, Seat
from bot.tables.view import TableView
from bot.ui import play_items as items
from bot.ui.cards import faces
from bot.ui.colours import FELT, QUIET, TURN
from bot.ui.ids import Ref
from bot.ui.layout import box_of, line, row
from bot.ui.names import seat_name
from bot.ui.telling import recent_lines
from bot.ui.texts import Words
from bot.ui.wording import item_name


def round_layout(view: TableView, t: Words, *, paused: bool) -> LayoutView:
    """A round's score; with the button for the next round while the table pauses for it."""
    match = _scored(view)
    last = recent_lines(match.recent, view.seats, t, most=1) if paused else []
    note = None
    if paused and (view.waiting or view.deadline is None):
        note = "-# " + t("⏸️ Everybody is away. The game waits: any click brings you back.")
    elif paused and view.deadline is not None:
        note = "-# " + t("The next round is dealt {time}.", time=format_dt(view.deadline, "R"))
    button = items.NextRoundButton.make(Ref(view.id, view.version), t("Next round"), style=discord.ButtonStyle.success)
    return box_of(
        FELT,
        t("## Round {round}: the score", round=len(match.scores)),
        "-# " + last[0] if last else None,
        "\n".join(score_lines(match.scores[-1], match, view.seats, t)),
        line(),
        "\n".join(total_lines(match, view.seats, t)),
        note,
        row(button) if paused else None,
    )


def result_layout(view: TableView, standings: list[str], t: Words) -> LayoutView:
    """The end of a match: its last round, the totals, the winner, the standings and the rematch."""
    match = _scored(view)
    winner = match.winner
    assert winner is not None, "the match was won"
    names = side_name(match, winner, view.seats)
    alone = len(match.seating.seats_of(winner)) == 1
    button = items.RematchButton.make(
        Ref(view.id, view.version), t("Rematch"), style=discord.ButtonStyle.primary, emoji="🔁"
    )
    return box_of(
        TURN,
        t("## 🏆 {names} wins!", names=names) if alone else t("## 🏆 {names} win!", names=names),
        "\n".join(total_lines(match, view.seats, t)),
        line(),
        t("**Round {round}: the score**", round=len(match.scores)),
        "\n".join(score_lines(match.scores[-1], match, view.seats, t)),
        line() if standings else None,
        "\n".join(standings) or None,
        row(button),
    )


def ended_layout(view: TableView, t: Words) -> LayoutView:
    """A table that ended without a result."""
    text = {
        Phase.CANCELLED: t("The game was cancelled. It counts for nobody."),
        Phase.ABANDONED: t("Nobody was left at the table: the game was abandoned. It counts for nobody."),
        Phase.EXPIRED: t("Nobody began, so the table was cleared. `/escoba play` opens another."),
    }.get(view.phase, t("This game is over."))
    scored = view.match is not None and view.match.scores
    return box_of(
        QUIET, text, "\n".join(total_lines(view.match, view.seats, t)) if view.match is not None and scored else None
    )


def _scored(view: TableView) -> PublicView:
    assert view.match is not None, "a score is of a match"
    return view.match


def side_name(match: PublicView, side: int, seats: tuple[Seat, ...]) -> str:
    """The names of a side's players."""
    return " & ".join(
        seat_name(seats[seat].name, computer=seats[seat].is_computer) for seat in match.seating.seats_of(side)
    )


def score_lines(score: RoundScore, match: PublicView, seats: tuple[Seat, ...], t: Words) -> list[str]:
    """A line an item: what each side has, and who gets the points."""
    lines = [_item_line(item, match, seats, t) for item in score.items]
    gained = " · ".join(f"{side_name(match, side, seats)} **+{n}**" for side, n in enumerate(score.points))
    lines.append(t("➡️ This round: {points}", points=gained))
    if score.leftovers_to is not None and score.leftovers:
        seat = seats[score.leftovers_to]
        name = seat_name(seat.name, computer=seat.is_computer)
        text = t("Left on the table: {cards}, for {name}, who took last.", cards=faces(score.leftovers), name=name)
        lines.append("-# " + text)
    elif score.leftovers:
        lines.append("-# " + t("Left on the table: {cards}. Nobody took anything.", cards=faces(score.leftovers)))
    if match.rules.capture is Capture.FIFTEEN:
        lines.append("-# " + _proof(score, t))
    return lines


def _proof(score: RoundScore, t: Words) -> str:
    worth = score.leftovers.worth
    fifteens = worth // FIFTEEN
    if not fifteens:
        return t("The proof: they are worth 10, as they must. ✓")
    return t("The proof: they are worth {sum} = 10 + {n} × 15, as they must. ✓", sum=worth, n=fifteens)


def total_lines(match: PublicView, seats: tuple[Seat, ...], t: Words) -> list[str]:
    """The totals of all sides, highest first, with the target."""
    order = sorted(range(match.seating.sides), key=lambda side: -match.totals[side])
    lines = [t("**Total** (to {target})", target=match.rules.target)]
    lines += [
        f"{'🥇' if match.winner == side else '▫️'} {side_name(match, side, seats)}: **{match.totals[side]}**"
        for side in order
    ]
    return lines


def _item_line(item: ItemScore, match: PublicView, seats: tuple[Seat, ...], t: Words) -> str:
    name = item_name(item.item, match.rules, t)
    gains = [f"{side_name(match, side, seats)} **+{n}**" for side, n in enumerate(item.points) if n]
    who = ", ".join(gains) if gains else t("nobody")
    amounts = " – ".join(_amount(item, side, match.rules) for side in range(match.seating.sides))
    if item.item in (Item.SEVEN_OF_OROS, Item.ESCOBAS):
        return f"**{name}**: {who}"
    return f"**{name}** {amounts}: {who}"


def _amount(item: ItemScore, side: int, rules: Rules) -> str:
    if item.item is not Item.PRIME:
        return str(item.amounts[side])
    cards = sorted(item.cards[side], key=lambda card: -card.worth)
    made = "-".join(str(card.printed) for card in cards) or "∅"
    return str(item.amounts[side]) if rules.prime is Prime.POINTS else made
