"""What a clip shows, as a value: a moment of a finished match in a few steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.cantos import Canto
from bot.engine.cards import Card
from bot.engine.highlights import Feat
from bot.engine.match import Match
from bot.engine.replays.moments import Moment, MomentKind
from bot.engine.rules import Capture
from bot.tables.log.state import Seat
from bot.ui.words.cards import spoken
from bot.ui.words.faces import Deck
from bot.ui.words.names import plain
from bot.ui.words.texts import N_, Words

TITLES: Final = {
    MomentKind.CHORIZO: N_("A chorizo!"),
    MomentKind.ESCOBA: N_("The largest escoba"),
    MomentKind.TURNING_POINT: N_("The turn of the match"),
    MomentKind.CAPTURE: N_("The best capture"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """The points at a certain time: in full, and without the names where those don't fit."""

    full: str
    short: str


@dataclass(frozen=True, slots=True)
class ClipScene:
    """A moment: of a capture, or with no `card`, of cards that were sung.

    Attributes:
        deck: the deck it is drawn with.
        title: why it is shown.
        name: whose moment it was; `seat` is the number of their seat, from 1.
        word: what is called out, if anything is.
        places: the table cards before it, as they lie.
        hand: the player's cards before it.
        card: the card that was played; None if the hand was sung.
        taken: what it took.
        worth: the sum that made the capture, or the points of what was sung.
        then: the round, and each side's points at its beginning.
        end: each side's points at the end of the match.
    """

    deck: Deck
    title: str
    name: str
    seat: int
    word: str
    places: tuple[Card | None, ...]
    hand: tuple[Card, ...]
    card: Card | None
    taken: tuple[Card, ...]
    worth: str
    then: Standing
    end: Standing


def clip_scene(moment: Moment, seats: Sequence[Seat], t: Words) -> ClipScene:
    """The clip of a moment, with the names that people have at the table."""
    match, feat = moment.before, moment.feat
    now = match.round
    assert now is not None, "a moment is a move in a round"
    claimed = feat.card if feat is not None and feat.card in now.table else None  # laid earlier, without its capture
    if feat is None:
        word, worth = t("Chorizo!"), t.plural("+{n} point", "+{n} points", Canto.CHORIZO.points)
    else:
        word, worth = t("Escoba!") if feat.escoba else "", _sum(feat, now.rules.capture)
    return ClipScene(
        deck=t.faces.deck,
        title=t(TITLES[moment.kind]),
        name=plain(seats[moment.seat].name),
        seat=moment.seat + 1,
        word=word,
        places=tuple(None if card is claimed else card for card in match.places),
        hand=tuple(now.hands[moment.seat]) if claimed is None else (claimed,),
        card=None if feat is None else feat.card,
        taken=() if feat is None else tuple(feat.taken),
        worth=worth,
        then=_standing(t("Round {round}", round=len(match.scores) + 1), match, match.totals, seats),
        end=_standing(t("In the end"), match, moment.totals, seats),
    )


def clip_sentences(scene: ClipScene, t: Words) -> list[str]:
    """All that the clip shows, in words."""
    deck, table = scene.deck, [card for card in scene.places if card is not None]
    parts = [t("A short clip: {title}, {when}.", title=scene.title, when=scene.then.full)]
    parts.append(t("On the table: {cards}.", cards=_spoken(table, deck, t)) if table else t("The table is empty."))
    if scene.card is None:
        parts.append(t("{name} sings: {cards}.", name=scene.name, cards=_spoken(scene.hand, deck, t)))
    else:
        card, taken = spoken(scene.card, t, deck), _spoken(scene.taken, deck, t)
        parts.append(t("{name} played {card} and took {cards}.", name=scene.name, card=card, cards=taken))
    return [*parts, f"{scene.worth}.", *([scene.word] if scene.word else []), f"{scene.end.full}."]


def _spoken(cards: Iterable[Card], deck: Deck, t: Words) -> str:
    return ", ".join(spoken(card, t, deck) for card in cards)


def _standing(when: str, match: Match, totals: Sequence[int], seats: Sequence[Seat]) -> Standing:
    sides = range(match.seating.sides)
    names = (" & ".join(plain(seats[seat].name) for seat in match.seating.seats_of(side)) for side in sides)
    full = " – ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    return Standing(f"{when} · {full}", f"{when} · {' – '.join(map(str, totals))}")


def _sum(feat: Feat, capture: Capture) -> str:
    """How the cards add up: "7 + 5 + 3 = 15", or where a card takes its own worth "4 + 3 = 7"."""
    worths = " + ".join(str(each.worth) for each in feat.taken)
    if capture is Capture.FIFTEEN:
        return f"{feat.card.worth} + {worths} = {feat.cards.worth}"
    return f"{worths} = {feat.card.worth}"
