"""Scores, results and the dealing of decks in words."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from bot.cards.words.cards import index, shown_all
from bot.cards.words.items import sung_text
from bot.cards.words.rules import item_name
from bot.coach.luck import Luck
from bot.engine.moves import FIFTEEN
from bot.engine.proofs import DealFault
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, Item, ItemScore, RoundScore, setenta_place
from bot.engine.views import PublicView
from bot.platform.language.texts import N_, Words
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from bot.tables.words.names import level_of


def side_name(match: PublicView, side: int, names: Sequence[str]) -> str:
    """Name a side's players. `names`: those of all seats."""
    return " & ".join(names[seat] for seat in match.seating.seats_of(side))


def against_text(view: TableView) -> str:
    """Name the sides of a match that has begun: "**Ana** – **Bea**"."""
    assert view.match is not None, "it has begun"
    return " – ".join(f"**{side_name(view.match, side, view.names)}**" for side in range(view.match.seating.sides))


def points_text(match: PublicView, side: int, t: Words) -> str:
    """Write a side's points in the match and, apart, those that its escobas of the running round will be: a point each
    under all rules: "**19** points (+2 escobas)"."""
    points, escobas = t.plural("**{n}** point", "**{n}** points", match.totals[side]), match.escobas[side]
    gained = t.plural("{n} escoba", "{n} escobas", escobas)
    return f"{points} (+{gained})" if escobas else points


def _side_with_levels(match: PublicView, side: int, seats: tuple[Seat, ...], t: Words) -> str:
    return " & ".join(holder_name(seats[seat]) + level_of(seats[seat], t) for seat in match.seating.seats_of(side))


def score_lines(score: RoundScore, match: PublicView, seats: tuple[Seat, ...], t: Words) -> list[str]:
    """Write for each item what each side has and the points it gets. The sides are in the order of their totals."""
    names = [holder_name(seat) for seat in seats]
    lines = [_item_line(item, score, match, names, t) for item in score.items]
    gained = " · ".join(f"{side_name(match, side, names)} **+{score.points[side]}**" for side in ranked_sides(match))
    lines.append(t("➡️ This round: {points}", points=gained))
    return lines + closing_lines(score, seats, t)


def closing_lines(score: RoundScore, seats: tuple[Seat, ...], t: Words) -> list[str]:
    """Write in small print what became of the leftover cards."""
    lines: list[str] = []
    if score.leftovers_to is not None and score.leftovers:
        seat = seats[score.leftovers_to]
        name = holder_name(seat)
        text = t(
            "Left on the table: {cards}. They go to {name}, who took last.",
            cards=shown_all(score.leftovers, t),
            name=name,
        )
        lines.append("-# " + text)
    elif score.leftovers:
        lines.append(
            "-# " + t("Left on the table: {cards}. Nobody took anything.", cards=shown_all(score.leftovers, t))
        )
    return lines


def check_line(score: RoundScore, t: Words) -> str:
    """Prove in small print that nothing was miscounted where captures make fifteen."""
    left = score.leftovers.worth
    return "-# " + t(
        "Check: the deck adds up to 220, less {n} times 15 taken: {left} left ✓", n=(220 - left) // FIFTEEN, left=left
    )


def ranked_sides(match: PublicView) -> list[int]:
    """Put the sides in order, highest total first."""
    return sorted(range(match.seating.sides), key=lambda side: -match.totals[side])


def plays_on_text(match: PublicView, t: Words) -> str | None:
    """Explain why the match goes on although a side has reached its target; None while none has, or when it is over."""
    if match.rules.rounds or match.winner is not None or max(match.totals) < match.rules.target:
        return None
    if match.rules.lead > 1:
        return t(
            "{target} points reached, but a win needs a lead of {n}. One more round.",
            target=match.rules.target,
            n=match.rules.lead,
        )
    return t("{target} points reached, but it's a tie at the top. One more round.", target=match.rules.target)


def total_lines(match: PublicView, seats: tuple[Seat, ...], t: Words, winner: int | None = None) -> list[str]:
    """Write the totals of all sides, highest first, with the target or the number of boards. `winner`: the side that
    has won."""
    rounds = match.rules.rounds
    aim = t.plural("**Total** ({n} board)", "**Total** ({n} boards)", rounds) if rounds else None
    aim = "**" + t("One round") + "**" if rounds == 1 else aim
    lines = [aim or t("**Total** (to {target})", target=match.rules.target)]
    if match.rules.lead > 1 and not rounds:
        lines = [t("**Total** (to {target}, by two points)", target=match.rules.target)]
    lines += [
        f"{'🥇' if winner == side else '▫️'} {_side_with_levels(match, side, seats, t)}{t.colon}**{match.totals[side]}**"
        for side in ranked_sides(match)
    ]
    return lines


def cards_text(luck: Luck, t: Words) -> str:
    """Write the lead that a side's cards were worth, and how far a single match strays from it."""
    return f"{signed_tenths(luck.cards, t)} ± {tenths_text(luck.spread, t)}"


def signed_tenths(tenths: int, t: Words) -> str:
    """Write points with their sign and one decimal, as the language does.

    >>> from bot.platform.language.texts import words
    >>> signed_tenths(-21, words("es"))
    '−2,1'
    """
    sign = "+" if tenths > 0 else "−" if tenths < 0 else ""
    return sign + tenths_text(abs(tenths), t)


def tenths_text(tenths: int, t: Words) -> str:
    """Write points with one decimal."""
    return t.number(Decimal(tenths) / 10, "#,##0.0")


def _item_line(item: ItemScore, score: RoundScore, match: PublicView, names: Sequence[str], t: Words) -> str:
    name = item_name(item.item, match.rules, t)
    parts: list[str] = []
    for side in ranked_sides(match):
        gain = item.points[side]
        amount = sung_text(score.cantos[side]) if item.item is Item.CANTOS else _amount(item, side, match.rules, t)
        if amount or gain:
            parts.append(f"{side_name(match, side, names)} {amount}".rstrip() + (f" **+{gain}**" if gain else ""))
    if not any(item.points):
        parts.append(t.context("points", "nobody"))
    return f"**{name}**{t.colon}{' · '.join(parts)}"


def _amount(item: ItemScore, side: int, rules: Rules, t: Words) -> str:
    if item.item is Item.ESCOBAS or (item.item in MOST_OF and MOST_OF[item.item].single):
        return ""  # the points say it
    if item.item is not Item.PRIME:
        return str(item.amounts[side])
    cards = sorted(item.cards[side], key=lambda card: -setenta_place(card.rank))
    made = "-".join(index(card, t) for card in cards) or "∅"
    return str(item.amounts[side]) if rules.prime in (Prime.POINTS, Prime.SUITS) and cards else made


SHOWN: Final = 24
"""The number of characters of a commitment that a table shows: 144 bits; see docs/FAIRNESS.md."""
FAULTS: Final[Mapping[DealFault, str]] = {
    DealFault.UNOPENED: N_("its key is missing, so nothing can be said about its deck"),
    DealFault.LINK: N_("its key doesn't fit the seal"),
    DealFault.DECK: N_("its deck isn't the one that the seal and the message's number give"),
    DealFault.DEALER: N_("the first dealer isn't the one that the seal and the message's number give"),
}
"""The faults of a round."""


def seal_text(view: TableView, t: Words) -> str | None:
    """Write the beginning of the commitment to a table's decks, in a line of small print; None if there is none, or the
    match is over: *Verify* in `/escoba games` says the rest."""
    if view.commitment is None or view.phase not in (Phase.LOBBY, Phase.PLAYING):
        return None
    seal = f"`{view.commitment[:SHOWN]}`"
    seal = "-# 🔒 " + (t("Seal of the decks: {seal}", seal=seal) if view.phase is Phase.LOBBY else seal)
    return seal if view.posted <= 1 else f"{seal} · " + t("posted {n} times before the first deal", n=view.posted)
