"""The latest move: whose it was, the card played and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import BADGE_HIGH, MARGIN, Canvas
from bot.cards.pictures.sprites import TABLE_HEIGHT, TABLE_WIDTH, face
from bot.cards.words.cards import spoken, spoken_all
from bot.engine.cards import Card
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.views import PublicView
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people.names import plain
from bot.tables.log.seats import Seat
from bot.tables.pictures.cloth import CLOTH, TRAY
from bot.tables.pictures.ornaments import RAISED, draw_raised
from bot.tables.words.telling import seat_before

_APART: Final = 2
"""Up to this many captured cards lie in a row with whole indices, if there are no more rows than `_ROWS`."""
_CLOSE: Final = 3
_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Taking:
    """The latest move: whose it was, the card played (None when the dealer took the first cards) and what it took.

    `player` is the player's place among those of the `side`. `laid_by` says who had laid a card that was claimed.
    """

    side: int
    player: int
    card: Card | None
    taken: tuple[Card, ...]
    escobas: int
    laid_by: str | None = None

    def sentence(self, name: str, deck: Deck, t: Words) -> str:
        """Say what the player, whose `name` is given, has done."""
        taken = spoken_all(self.taken, t, deck)
        if self.card is None:
            text = t("{name} took the first cards: {cards}.", name=name, cards=taken)
        else:
            card = spoken(self.card, t, deck)
            if self.laid_by is not None:
                text = t(
                    "{other} played {card}, {name} claimed it and took {cards}.",
                    other=self.laid_by,
                    card=card,
                    name=name,
                    cards=taken,
                )
            elif self.taken:
                text = t("{name} played {card} and took {cards}.", name=name, card=card, cards=taken)
            else:
                text = t("{name} played {card}.", name=name, card=card)
        return text + " " + t.context("call", "Escoba!") if self.escobas else text


def latest_of(match: PublicView, seats: Sequence[Seat]) -> Taking | None:
    """Find the latest move among the facts of the last event; None after a new round."""
    for fact in reversed(match.facts):
        match fact:
            case CardPlayed(seat, card, captured, escoba):
                return _taking(match, seat, card, tuple(captured), int(escoba))
            case CaptureClaimed(seat, card, captured, escoba):
                laid_by = plain(seats[seat_before(seat, seats)].name)
                return _taking(match, seat, card, tuple(captured), int(escoba), laid_by)
            case OpeningTaken(seat, cards, escobas):
                return _taking(match, seat, None, tuple(cards), escobas)
            case _:
                continue
    return None


def _taking(
    match: PublicView, seat: int, card: Card | None, taken: tuple[Card, ...], escobas: int, laid_by: str | None = None
) -> Taking:
    side = match.seating.side_of(seat)
    return Taking(side, match.seating.seats_of(side).index(seat), card, taken, escobas, laid_by)


def draw_taking(canvas: Canvas, deck: Deck, latest: Taking, top: float) -> None:
    """Draw the capture: the card played, and in rows across its lower part what it took."""
    upper = top + 36
    if latest.card is not None:
        draw_raised(canvas, deck, latest.card, 12, upper + RAISED, TABLE_WIDTH)
    in_a_row = _APART if len(latest.taken) <= _APART * _ROWS else _CLOSE
    rows = ceil(len(latest.taken) / in_a_row)
    above_badge = top + CLOTH - BADGE_HIGH
    y = above_badge - TABLE_HEIGHT if rows == 1 else upper + 40
    step = min(48.0, (above_badge - TABLE_HEIGHT * 0.4 - y) / max(1, rows - 1))
    apart = (TRAY - 2 * MARGIN - TABLE_WIDTH) / (in_a_row - 1)
    for first in range(0, len(latest.taken), in_a_row):
        row = latest.taken[first : first + in_a_row]
        for n, card in enumerate(row):
            canvas.put(face(deck, card, TABLE_WIDTH), TRAY - MARGIN - TABLE_WIDTH - apart * (len(row) - 1 - n), y)
        y += step
