"""Advice in sentences: a move, the reasons why it is better, and the worth of a decision."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Final

from babel.numbers import format_decimal

from bot.engine.cantos import canto_points
from bot.engine.cards import CardSet
from bot.engine.round import Claim, Move, Sing
from bot.engine.rules import Rules
from bot.engine.scoring import MOST_OF, Item
from bot.engine.views import SeatView
from bot.players.training.analysis import Analysis, Others, Term
from bot.players.training.explaining import why_best
from bot.players.training.grading import Grade
from bot.players.training.reasons import (
    Brings,
    EndsBetter,
    FewSweep,
    Gains,
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
    Unswept,
    Why,
)
from bot.training.review import Judged
from bot.ui.words.cantos import sung_text
from bot.ui.words.cards import named, named_all
from bot.ui.words.items import item_name
from bot.ui.words.texts import N_, Words

GRADES: Final[Mapping[Grade, str]] = {
    Grade.GOOD: N_("✅ Good"),
    Grade.SMALL: N_("🟡 Slip"),
    Grade.MISTAKE: N_("🟠 Mistake"),
    Grade.BLUNDER: N_("🔴 Blunder"),
}
SQUARES: Final[Mapping[Grade, str]] = {Grade.GOOD: "🟩", Grade.SMALL: "🟨", Grade.MISTAKE: "🟥", Grade.BLUNDER: "🟥"}
"""Signs that show a decision to others, without a word about the move."""
_LEAST_SHOWN: Final = 0.1


def move_text(move: Move, t: Words) -> str:
    if isinstance(move, Claim):
        return t("claim {cards}", cards=named_all(move.captured, t))
    if isinstance(move, Sing):
        return t("sing your hand")
    if move.captured:
        return t("{card} takes {cards}", card=named(move.card, t), cards=named_all(move.captured, t))
    return t("{card} to the table", card=named(move.card, t))


def why_text(why: Why, rules: Rules, t: Words) -> str:
    """Explain why a move is better, in one sentence, followed by another if that is certain."""
    clauses = [_clause(reason, rules, t) for reason in why.reasons]
    if not clauses:
        return t("Another move is about as good.")
    text = t("It {reason}.", reason=clauses[0])
    if len(clauses) > 1:
        text = t("It {reason}, and {more}.", reason=clauses[0], more=clauses[1])
    return text + " " + t("All cards are known by now, so this is certain.") if why.exact else text


def hint_text(view: SeatView, analysis: Analysis, t: Words) -> str:
    """Write the best move, and the reasons for it."""
    if len(view.moves) == 1:
        why = t("There's nothing else that you could play.")
    else:
        why = why_text(why_best(view, analysis), view.public.rules, t)
    return t("💡 **{move}.** {why}", move=move_text(analysis.best.move, t), why=why)


def danger_text(why: Why, t: Words) -> str | None:
    """Describe what the played move left for the others; None if that isn't what was wrong with it."""
    left = why.danger
    if left is None or left.need is None:
        return None
    if why.known:
        return t(
            "Your move left {total} on the table, and the other hand had a card worth {need}, which sweeps that.",
            total=left.total,
            need=left.need,
        )
    return t.plural(
        "Your move left {total} on the table: {n} card worth {need} was still out, and sweeps that.",
        "Your move left {total} on the table: {n} cards worth {need} were still out, and each sweeps that.",
        left.out,
        total=left.total,
        need=left.need,
    )


def points_text(points: float, t: Words) -> str:
    """Write points given away, as "−0.8 points"; a certain loss is a whole number."""
    shown = full_tenths(points)
    count, written = _grammatical(shown), number(shown, t)
    return t.plural("−{points} point", "−{points} points", count, points=written)


def full_tenths(points: float) -> float:
    """Round points down to a tenth: a mistake begins at 0.4, so 0.39 must not be shown as that."""
    return floor(round(10 * points, 6)) / 10


def number(value: float, t: Words) -> str:
    """Write a number with at most one decimal, as the language does."""
    return format_decimal(value, format="0.#", locale=t.language)


def given_text(points: float, t: Words) -> str:
    """Write the points that somebody gave away in a round, on average."""
    return t("points given away a round: {points}", points=number(points, t))


def _clause(reason: Reason, rules: Rules, t: Words) -> str:
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
        case Prepares(card, escoba=True):
            return t("prepares an escoba with your {card}", card=named(card, t))
        case Prepares(card):
            return t("prepares a capture with your {card}", card=named(card, t))
        case Gains(term, points):
            return _gains(term, points, rules, t)
        case EndsBetter(points):
            return t.plural(
                "ends the round {n} point better for you, with the best play on both sides",
                "ends the round {n} points better for you, with the best play on both sides",
                points,
            )
        case NothingBetter():
            return t("brings as much as any other move, with the best play on both sides")


def _gains(term: Term, gained: float, rules: Rules, t: Words) -> str:
    shown = round(max(_LEAST_SHOWN, gained), 1)  # what roll-outs have measured is never told as zero
    n, points = _grammatical(shown), number(shown, t)
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


def _grammatical(shown: float) -> int:
    """The number that decides between singular and plural for a number with decimals."""
    return 1 if shown == 1 else 2


def _brings(items: tuple[Item, ...], cards: CardSet, rules: Rules, t: Words) -> str:
    if any(MOST_OF[item].single for item in items if item in MOST_OF):
        return t("puts the {card} into your pile, a point by itself", card=named_all(cards, t))
    if Item.CARDS in items and len(items) == 1:
        return t.plural("puts {n} card into your pile", "puts {n} cards into your pile", len(cards))
    names = " + ".join(item_name(item, rules, t) for item in items)
    return t("puts the {cards} into your pile, which counts for “{item}”", cards=named_all(cards, t), item=names)


def brief_verdict(judged: Judged, t: Words) -> str:
    """Write the grade of a decision with the move that was played, and what was better, with a single reason."""
    played, best, why = judged.decision.move, judged.analysis.best.move, judged.why
    reason = why_text(Why(why.reasons[:1]), judged.decision.view.public.rules, t)
    text = f"**{_graded(judged, t)}** · {move_text(played, t)}"
    if judged.lost:
        return f"{text}\n" + t("Better: **{move}**. {why}", move=move_text(best, t), why=reason)
    return f"{text}\n" + (reason if played == best else t("As good: **{move}**.", move=move_text(best, t)))


def _graded(judged: Judged, t: Words) -> str:
    grade = t(GRADES[judged.grade])
    if not judged.lost:
        return grade
    points = points_text(judged.lost, t)
    return f"{grade}: " + (t("{points} or more", points=points) if judged.untried else points)


def verdict_lines(judged: Judged, t: Words) -> list[str]:
    """Write the grade of a decision, the move that was played, and what was better and why."""
    return [f"**{_graded(judged, t)}**", *explained_lines(judged, t)]


def explained_lines(judged: Judged, t: Words) -> list[str]:
    """Write the move that was played, and what was better and why."""
    decision = judged.decision
    why = judged.why
    rules = judged.decision.view.public.rules
    best = judged.analysis.best.move
    lines = [t("You played: **{move}**.", move=move_text(decision.move, t))]
    if judged.lost:
        if danger := danger_text(why, t):
            lines.append(danger)
        lines.append(t("Better: **{move}**. {why}", move=move_text(best, t), why=why_text(why, rules, t)))
    elif decision.move == best:
        lines.append(why_text(why, rules, t))
    else:
        lines.append(t("As good: **{move}**.", move=move_text(best, t)))
    return lines
