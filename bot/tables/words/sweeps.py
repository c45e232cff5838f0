"""An escoba, told large while it is news, and the one that decided a match.

It is news until a person moves, or its player moves again: robots don't push it away.
"""

from dataclasses import dataclass

from bot.cards.words.cards import named, oros_in
from bot.engine.cards import Card, CardSet
from bot.engine.facts import CantosSung, CaptureClaimed, CardLaid, CardPlayed, OpeningTaken
from bot.engine.moves import Stage
from bot.engine.rules import Capture
from bot.engine.scoring import SEVEN_OF_OROS
from bot.engine.views import PublicView
from bot.platform.language.texts import Words
from bot.tables.live.view import ROBOT, TableView


@dataclass(frozen=True, slots=True)
class Sweep:
    """An escoba that is news.

    Attributes:
        place: its fact's, among the recent ones.
        seat: whose it is.
        card: the card played, or claimed; None at the deal.
        taken: the other cards.
        escobas: its number of escobas, which can be more than one at the deal.
        forced: whether it was the only legal move.
        latest: whether nobody has moved since.
    """

    place: int
    seat: int
    card: Card | None
    taken: CardSet
    escobas: int = 1
    forced: bool = False
    latest: bool = True

    @property
    def cards(self) -> CardSet:
        return self.taken if self.card is None else self.taken.with_card(self.card)


def news_of(view: TableView) -> Sweep | None:
    """Find the escoba that is news, if there is one."""
    if view.match is None:
        return None
    moved = set[int]()
    latest = True
    for place, fact in reversed(list(enumerate(view.match.recent))):
        match fact:
            case CardPlayed(seat, card, taken, True, forced):
                found = Sweep(place, seat, card, taken, forced=forced, latest=latest)
            case CaptureClaimed(seat, card, taken, True):
                found = Sweep(place, seat, card, taken, latest=latest)
            case OpeningTaken(seat, taken, escobas):
                found = Sweep(place, seat, None, taken, escobas, latest=latest)
            case CardPlayed(forced=True):
                latest = False  # whose card it was hasn't looked
                continue
            case CardPlayed(seat) | CaptureClaimed(seat) | CardLaid(seat) | CantosSung(seat):
                stood_in = isinstance(fact, CardPlayed) and fact.card in view.stand_ins
                if view.seats[seat].human_here and not stood_in:
                    return None
                moved.add(seat)
                latest = False
                continue
            case _:
                continue
        return None if found.seat in moved else found
    return None


def sweep_text(sweep: Sweep, view: TableView, t: Words) -> str:
    """Say an escoba with its cards and their sum: large, until somebody moves; then in one line."""
    match = view.match
    assert match is not None, "somebody swept the table"
    name = view.names[sweep.seat]
    if sweep.card is not None and sweep.card in view.stand_ins:
        name = f"{name} {ROBOT}"
    brooms, call = "🧹" * min(2, sweep.escobas), _call(sweep, view, match, t)
    forced = " " + t.context("move", "*Forced.*") if sweep.forced else ""
    if sweep.latest:
        return f"# {brooms} {call} {name}\n{_sum(sweep, match, t)}{forced}"
    return f"{brooms} **{call}** {name} · {_sum(sweep, match, t)}{forced}"


def _call(sweep: Sweep, view: TableView, match: PublicView, t: Words) -> str:
    """The words for an escoba: the rarest thing about it."""
    in_a_row = view.highlights.in_a_row[sweep.seat] if view.highlights and view.highlights.in_a_row else 0
    if sweep.card is not None and sweep.latest and match.stage is not Stage.TO_PLAY:
        return t("Escoba with the last card!")
    if sweep.card is not None and in_a_row > 1:
        return t.plural("{n} escoba in a row!", "{n} escobas in a row!", in_a_row)
    if sweep.card is None:
        return t.plural("Escoba at the deal!", "{n} escobas at the deal!", sweep.escobas)
    if SEVEN_OF_OROS in sweep.cards:
        return t("Escoba with the seven {of_oros}!", **oros_in(t))
    return t.context("call", "Escoba!")


def _sum(sweep: Sweep, match: PublicView, t: Words) -> str:
    """Write the cards as a sum: "7🪙 + 5🏆 + 3🗡️ = **15**", or where a card takes its worth, "5🏆 + 2🗡️ = **7🪙**"."""
    cards = sorted(sweep.taken, key=lambda each: -each.worth)
    if sweep.card is not None and match.rules.capture is Capture.MATCH:
        total = named(sweep.card, t)
    else:
        total, cards = str(sweep.cards.worth), cards if sweep.card is None else [sweep.card, *cards]
    return " + ".join(named(each, t) for each in cards) + f" = **{total}**"


def decider_line(view: TableView, t: Words) -> str | None:
    """Name the escoba, or else the seven of oros, without which the match would have gone on; None if there is none.

    Not of a match that plays boards: what others do with them decides it.
    """
    if view.match is None or view.match.winner is None or view.boards or view.winner != view.match.winner:
        return None
    decider = view.story.decider
    if decider is None:
        return None
    name = view.names[decider.seat]
    if decider.escoba:
        cards = " + ".join(named(each, t) for each in sorted(decider.cards, key=lambda each: -each.worth))
        return t("🧹 **{name}**'s last escoba decided the match: {cards}.", name=name, cards=cards)
    return t("✨ **{name}** took the seven {of_oros}, and that point decided the match.", name=name, **oros_in(t))
