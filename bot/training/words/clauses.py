"""A reason for a move in words, as the end of a sentence that begins with the move."""

from typing import Final

from babel import Locale

from bot.cards.words.cards import named, named_all
from bot.cards.words.items import sung_text
from bot.cards.words.rules import item_name
from bot.coach.analysis import Others
from bot.coach.reasons import (
    AllSafe,
    AtMost,
    Brings,
    Chances,
    EndsBetter,
    Farther,
    FewCollect,
    FewSweep,
    Gains,
    Guards,
    Keeps,
    LeavesRest,
    MostCards,
    NothingBetter,
    OutOfReach,
    Prepares,
    Reason,
    Sings,
    Sweeps,
    TakesLast,
    Trap,
    Unswept,
    Waits,
)
from bot.engine.cards import CardSet, canto_points
from bot.engine.rules import Rules
from bot.engine.scoring import MOST_OF, SEVEN_OF_OROS, Item
from bot.platform.language.texts import Words

_LEAST_SHOWN: Final = 0.1


def clause(reason: Reason, rules: Rules, t: Words) -> str:
    """Write a reason as the end of a sentence that begins with the move."""
    match reason:
        case Sweeps():
            return t("sweeps the table: an escoba, and a point at once")
        case Sings(cantos):
            points, sung = canto_points(cantos), sung_text(cantos)
            return t.plural("is worth {n} point ({cantos})", "is worth {n} points ({cantos})", points, cantos=sung)
        case TakesLast(certain):
            if certain:
                return t("lets you take last, and so get what is left on the table")
            return t("makes it likelier that you take last, and get what is left on the table")
        case Brings(items, cards):
            return _brings(items, cards, rules, t)
        case MostCards(count):
            return t("takes more cards than any other move: {n}", n=count)
        case Keeps(card):
            return t("keeps your {card} off the table", card=named(card, t))
        case OutOfReach(total):
            return t("leaves {total} on the table, from which nobody else can take anything", total=total)
        case Unswept(total, None):
            return t("leaves {total} on the table, which no single card can sweep", total=total)
        case Unswept(total, need, in_hand=True):
            return t("leaves {total} on the table, and the open hand has no {need} to sweep it", total=total, need=need)
        case Unswept(total, need):
            return t("leaves {total} on the table, and no {need} is out any more to sweep it", total=total, need=need)
        case AllSafe():
            return t("leaves nothing that a card can sweep, like every other move")
        case FewSweep(total, out, least=True):
            return t.plural(
                "leaves {total} on the table, which {n} card still out could sweep: no move leaves fewer",
                "leaves {total} on the table, which {n} cards still out could sweep: no move leaves fewer",
                out,
                total=total,
            )
        case FewSweep(total, out):
            return t.plural(
                "leaves {total} on the table, where only {n} card that is still out makes an escoba",
                "leaves {total} on the table, where only {n} cards that are still out make an escoba",
                out,
                total=total,
            )
        case LeavesRest(rest, need, card):
            if card is None:
                return t("sets a trap: any capture leaves {rest}, so any {need} sweeps", rest=rest, need=need)
            return t("sets a trap: any capture leaves {rest}, which your {card} sweeps", rest=rest, card=named(card, t))
        case Trap(worth, group, rest, card):
            return t(
                "sets a trap: a card worth {worth} takes {cards} and leaves {rest}, for your {card}",
                worth=worth,
                cards=named_all(group, t),
                rest=rest,
                card=named(card, t),
            )
        case Guards():
            return _guards(reason, t)
        case AtMost(most, None):
            return t.plural(
                "lets the next player take {n} card of the table at most: no move leaves less",
                "lets the next player take {n} cards of the table at most: no move leaves less",
                most,
            )
        case AtMost(most, against):
            return t.plural(
                "lets the next player take {n} card of the table at most, instead of {against}",
                "lets the next player take {n} cards of the table at most, instead of {against}",
                most,
                against=against,
            )
        case Waits(worth, card):
            return t("waits for a card worth {worth}: once it's laid, your {card} sweeps", worth=worth,
                     card=named(card, t))  # fmt: skip
        case Chances(out, None):
            return t.plural(
                "gives you a capture if {n} of the cards still out is laid next: no move gives you more chances",
                "gives you a capture if any of {n} cards still out is laid next: no move gives you more chances",
                out,
            )
        case Chances(out, against):
            return t.plural(
                "gives you a capture if {n} of the cards still out is laid next, instead of {against}",
                "gives you a capture if any of {n} cards still out is laid next, instead of {against}",
                out,
                against=against,
            )
        case FewCollect():
            return _few_collect(reason, item_name(reason.item, rules, t), t)
        case Farther(total, against):
            return t("leaves {total} on the table instead of {against}, further from an escoba", total=total,
                     against=against)  # fmt: skip
        case Prepares(card, escoba=True):
            return t("prepares an escoba with your {card}", card=named(card, t))
        case Prepares(card, cards):
            return t("leaves {cards} for your {card}", cards=named_all(cards, t), card=named(card, t))
        case Gains():
            return _gains(reason, rules, t)
        case EndsBetter(points):
            return t.plural(
                "ends the round {n} point better for you, with the best play on both sides",
                "ends the round {n} points better for you, with the best play on both sides",
                points,
            )
        case NothingBetter():
            return t("brings as much as any other move, with the best play on both sides")


def _few_collect(found: FewCollect, item: str, t: Words) -> str:
    if not found.out:
        return t("leaves nothing for the cards of “{item}” still out to capture", item=item)
    return t.plural(
        "leaves a table where {n} card still out that counts for “{item}” could capture, instead of {against}",
        "leaves a table where {n} cards still out that count for “{item}” could capture, instead of {against}",
        found.out,
        item=item,
        against=found.against,
    )


def _guards(found: Guards, t: Words) -> str:
    if found.against is None:
        return t.plural(
            "leaves {total} on the table, of which {n} card still out could take something: no move leaves fewer",
            "leaves {total} on the table, of which {n} cards still out could take something: no move leaves fewer",
            found.out,
            total=found.cards.worth,
        )
    if found.everything:
        return t.plural(
            "leaves a table of which {n} card still out could take something, instead of {against}",
            "leaves a table of which {n} cards still out could take something, instead of {against}",
            found.out,
            against=found.against,
        )
    cards = named_all(found.cards, t)
    if not found.out:
        return t("leaves {cards} out of everyone else's reach", cards=cards)
    return t.plural(
        "leaves {cards} within reach of only {n} card still out, instead of {against}",
        "leaves {cards} within reach of only {n} cards still out, instead of {against}",
        found.out,
        cards=cards,
        against=found.against,
    )


def _gains(found: Gains, rules: Rules, t: Words) -> str:
    term = found.term
    shown = round(max(_LEAST_SHOWN, found.points), 1)  # what roll-outs have measured is never told as zero
    n, points = grammatical(shown, t), t.rounded(shown)
    if term is None:
        return t.plural(
            "brings you about {points} point more, a little of everything",
            "brings you about {points} points more, a little of everything",
            n,
            points=points,
        )
    if isinstance(term, Others):
        return t.plural(
            "saves you about {points} point in escobas against you",
            "saves you about {points} points in escobas against you",
            n,
            points=points,
        )
    if term is Item.ESCOBAS:
        return t.plural(
            "brings you about {points} point more from escobas",
            "brings you about {points} points more from escobas",
            n,
            points=points,
        )
    if term is Item.SEVEN_OF_OROS and found.seen:
        seven = named(SEVEN_OF_OROS, t)
        return t.plural(
            "brings you about {points} point more through the {card}",
            "brings you about {points} points more through the {card}",
            n,
            points=points,
            card=seven,
        )
    if term is Item.SEVEN_OF_OROS:  # in words that don't name the card: who holds it is secret
        return t.plural(
            "brings you about {points} point more through the seven that is a point by itself",
            "brings you about {points} points more through the seven that is a point by itself",
            n,
            points=points,
        )
    name = item_name(term, rules, t)
    return t.plural(
        "brings you about {points} point more for “{item}”",
        "brings you about {points} points more for “{item}”",
        n,
        points=points,
        item=name,
    )


def grammatical(shown: float, t: Words) -> int:
    """The number that decides between singular and plural for a number with decimals: French has "1,5 point"."""
    return 1 if Locale.parse(t.language).plural_form(shown) == "one" else 2


def _brings(items: tuple[Item, ...], cards: CardSet, rules: Rules, t: Words) -> str:
    if any(MOST_OF[item].single for item in items if item in MOST_OF):
        return t("puts the {card} into your pile, a point by itself", card=named_all(cards, t))
    if Item.CARDS in items and len(items) == 1:
        return t.plural("puts {n} card into your pile", "puts {n} cards into your pile", len(cards))
    named_cards = named_all(cards, t)
    if items == (Item.SEVENS,):
        return t.plural(
            "puts the {cards} into your pile", "puts {n} sevens into your pile", len(cards), cards=named_cards
        )
    names = " + ".join(item_name(item, rules, t) for item in items)
    return t("puts the {cards} into your pile, which counts for “{item}”", cards=named_cards, item=names)
