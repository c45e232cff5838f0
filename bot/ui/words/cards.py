"""Cards in words: what is printed on them, their suit as an emoji, and their worth where the two differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards import Card, Rank, Suit
from bot.ui.words.texts import N_, Words

SUIT_EMOJI: Final = {Suit.OROS: "🪙", Suit.COPAS: "🏆", Suit.ESPADAS: "🗡️", Suit.BASTOS: "🪵"}

_FIGURES: Final = {Rank.SOTA: N_("sota"), Rank.CABALLO: N_("caballo"), Rank.REY: N_("rey")}
_SUITS: Final = {Suit.OROS: N_("oros"), Suit.COPAS: N_("copas"), Suit.ESPADAS: N_("espadas"), Suit.BASTOS: N_("bastos")}


def face(card: Card) -> str:
    """The shortest form: the printed index and the suit, as "7🪙"."""
    return f"{card.printed}{SUIT_EMOJI[card.suit]}"


def faces(cards: Iterable[Card], glue: str = " ") -> str:
    """Several cards in their shortest form."""
    return glue.join(map(face, cards))


def label(card: Card, t: Words) -> str:
    """A card on a button: "7🪙", or "sota 10🗡️ (8)" with its worth where a player could be misled."""
    if card.rank not in _FIGURES:
        return face(card)
    return f"{t(_FIGURES[card.rank])} {face(card)} ({card.worth})"


def labels(cards: Iterable[Card], t: Words) -> str:
    """Several cards in a sentence, each with its worth where a player could be misled."""
    return ", ".join(label(card, t) for card in cards)


def worths(cards: Iterable[Card], t: Words) -> str:
    """What the figures among some cards are worth: "sota 10 = 8 · rey 12 = 10"; empty if there are none."""
    ranks = sorted({card.rank for card in cards} & _FIGURES.keys())
    return " · ".join(f"{t(_FIGURES[rank])} {rank.printed} = {rank.value}" for rank in ranks)


def sum_of(terms: Sequence[int], aim: int | None, t: Words) -> str:
    """Numbers as a sum, and whether it is what it is to be: "4 + 7 = 11, not 15"; without an aim the sum alone."""
    made, total = " + ".join(map(str, terms)), sum(terms)
    if aim is None:
        return f"{made} = **{total}**"
    if total == aim:
        return f"{made} = **{total}** ✓"
    return t("{sum} = **{total}**, not {aim}", sum=made, total=total, aim=aim)


def legend(t: Words) -> str:
    """What the suits' emojis mean."""
    return " · ".join(f"{SUIT_EMOJI[suit]} {t(name)}" for suit, name in _SUITS.items())
