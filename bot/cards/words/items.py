"""The words of each item of the score, and of each switch of the rules that decides what is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.cards.words.cards import oros_in
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, Item
from bot.platform.language.spelling import capital
from bot.platform.language.texts import N_, NC_, Words


@dataclass(frozen=True, slots=True)
class ItemWords:
    """The words about an item of the score.

    Attributes:
        name: its name on the score sheet; empty for oros, which are named like the suit.
        line: its line in `/escoba rules`.
        larger: how that line goes on where the larger value is played.
        alone: its line where only the larger value brings a point.
    """

    name: str = ""
    line: str = ""
    larger: str = ""
    alone: str = ""


@dataclass(frozen=True, slots=True)
class SwitchWords:
    """The words about a switch of the rules: its name, and what a lobby's caption has room for on a phone."""

    name: str
    brief: str


_ITEMS: Final[Mapping[Item, ItemWords]] = {
    Item.ESCOBAS: ItemWords(name=NC_("item of a score", "Escobas"), line=N_("- each escoba: 1")),
    Item.CANTOS: ItemWords(name=NC_("item of a score", "Cantos"), line=N_("- cantos: what was sung")),
    Item.CARDS: ItemWords(
        name=NC_("item of a score", "Cards"), line=N_("- most cards: 1"), larger=N_(", or 2 with more than 30")
    ),
    Item.OROS: ItemWords(line=N_("- most {oros}: 1"), larger=N_(", or 2 with all ten")),
    Item.SEVEN_OF_OROS: ItemWords(name=N_("Seven {of_oros}"), line=N_("- the seven {of_oros}: 1")),
    Item.SEVENS: ItemWords(
        name=NC_("item of a score", "Sevens"),
        line=N_("- most sevens: 1"),
        larger=N_(", or 2 with all four"),
        alone=N_("- all four sevens: 1"),
    ),
    Item.PRIME: ItemWords(name=NC_("item of a score", "Prime")),
}
_PRIMES: Final[Mapping[Prime, str]] = {
    Prime.SETENTA: N_(
        "- the setenta: 1. The best card of each suit, compared highest first: 7, 6, 1, 5, 4, 3, 2, face cards."
    ),
    Prime.POINTS: N_(
        "- the prime: 1. Your four best cards by 7 = 21, 6 = 18, 1 = 16, 5 = 15, 4 = 14, 3 = 13, 2 = 12, face cards "
        "= 10."
    ),
    Prime.SUITS: N_(
        "- the prime: 1. Your best card of each suit, added up by 7 = 21, 6 = 18, 1 = 16, 5 = 15, 4 = 14, 3 = 13, 2 "
        "= 12, face cards = 10: 7, 7, 6 and a face card make 70. Without a card of each suit you have none."
    ),
    Prime.SEVENS: N_(
        "- the setenta: 1, for most sevens. If they are tied, most sixes; then aces, then fives: 2 sevens and 3 "
        "sixes beat 2 sevens and 1 six."
    ),
}
"""The line of each prime in `/escoba rules`."""
_SWITCHES: Final[Mapping[str, SwitchWords]] = {
    "most_sevens": SwitchWords(N_("a point for most sevens"), brief=NC_("extra", "sevens")),
    "many_cards": SwitchWords(N_("2 for more than 30 cards"), brief=N_("over 30 cards: 2")),
    "all_oros": SwitchWords(N_("2 for all ten {oros}"), brief=N_("ten {oros}: 2")),
    "four_sevens": SwitchWords(N_("one more for all four sevens"), brief=N_("four sevens: +1")),
    "cantos": SwitchWords(NC_("extra", "cantos"), brief=NC_("extra", "cantos")),
}


def item_name(item: Item, rules: Rules | None, t: Words) -> str:
    """The name of an item of the score; the prime is called setenta where the rules, if there are any, score it so."""
    if item is Item.PRIME and rules is not None and rules.prime in (Prime.SETENTA, Prime.SEVENS):
        return t.context("item of a score", "Setenta")
    oros = oros_in(t)
    return capital(oros["oros"]) if item is Item.OROS else t(_ITEMS[item].name, **oros)


def item_lines(rules: Rules, t: Words) -> list[str]:
    """Say what each item brings by these rules, a line each."""
    oros = oros_in(t)
    lines = [t(_ITEMS[Item.ESCOBAS].line)]
    for item in Item:
        if item not in MOST_OF:
            continue
        point, more = MOST_OF[item].point(rules), MOST_OF[item].more(rules)
        if point:
            line = t(_ITEMS[item].line, **oros)
            lines.append(line + t(_ITEMS[item].larger, **oros) if more else line)
        elif more:
            lines.append(t(_ITEMS[item].alone, **oros))
    if rules.prime is not Prime.NONE:
        lines.append(t(_PRIMES[rules.prime]))
    if rules.cantos:
        lines.append(t(_ITEMS[Item.CANTOS].line))
    return lines


def switch_name(switch: str, t: Words) -> str:
    """A switch of the rules, in a few words."""
    return t(_SWITCHES[switch].name, **oros_in(t))


def switch_brief(switch: str, t: Words) -> str:
    """A switch of the rules, in as few words as there is room for in a lobby's caption."""
    return t(_SWITCHES[switch].brief, **oros_in(t))
