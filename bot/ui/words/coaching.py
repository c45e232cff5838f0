"""Advice in sentences: a move, why it is better, and what a decision was worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from babel.numbers import format_decimal, format_percent

from bot.engine.round import Claim, Move
from bot.engine.rules import Prime, Rules
from bot.engine.views import SeatView
from bot.players.analysis import Analysis, Term
from bot.players.grading import Grade, TableAfter, Why, why_best
from bot.ui.words.cards import named, named_all
from bot.ui.words.texts import N_, Words

GRADES: Final[Mapping[Grade, str]] = {
    Grade.GOOD: N_("✅ Good"),
    Grade.SMALL: N_("🟡 Small slip"),
    Grade.MISTAKE: N_("🟠 Mistake"),
    Grade.BLUNDER: N_("🔴 Blunder"),
}
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_REASONS: Final = 2
_FEW: Final = 2
"""With nothing to compare it with, a table counts as hard to sweep if no more cards than this would sweep it."""


def move_text(move: Move, t: Words) -> str:
    if isinstance(move, Claim):
        return t("claim {cards}", cards=named_all(move.captured, t))
    if move.captured:
        return t("{card} takes {cards}", card=named(move.card, t), cards=named_all(move.captured, t))
    return t("{card} to the table", card=named(move.card, t))


def why_text(why: Why, rules: Rules, t: Words) -> str:
    """Why a move is better, in one sentence, followed by another where that is certain."""
    clauses = _clauses(why, rules, t)
    if not clauses:
        return t("Another move comes to about the same.")
    text = t("It {reason}.", reason=clauses[0])
    if len(clauses) > 1:
        text = t("It {reason}, and {more}.", reason=clauses[0], more=clauses[1])
    return text + " " + t("All cards are known by now, so this is certain.") if why.exact else text


def hint_text(view: SeatView, analysis: Analysis, t: Words) -> str:
    """The best move, and why."""
    if len(view.moves) == 1:
        why = t("There is nothing else that you could play.")
    else:
        why = why_text(why_best(view, analysis), view.public.rules, t)
    return t("💡 **{move}.** {why}", move=move_text(analysis.best.move, t), why=why)


def danger_text(why: Why, t: Words) -> str | None:
    """What the move that was played left for the others; None if that isn't what was wrong with it."""
    left = why.other_left
    if left is None or Term.AGAINST not in why.terms or not left.out or left.need is None:
        return None
    return t.plural(
        "Your move left {total} on the table: {n} card worth {need} was still out, and sweeps that.",
        "Your move left {total} on the table: {n} cards worth {need} were still out, and each sweeps that.",
        left.out,
        total=left.total,
        need=left.need,
    )


def points_text(points: float, t: Words) -> str:
    """Points given away, as "−0.8 points"; a certain loss is a whole number."""
    return t("−{points} points", points=number(points, t))


def number(value: float, t: Words) -> str:
    """A number with at most one decimal, as the language writes it."""
    return format_decimal(value, format="0.#", locale=t.language)


def percent(share: float, t: Words) -> str:
    """A share as a percentage, as the language writes it."""
    return format_percent(share, locale=t.language).replace(_NO_BREAK, " ")  # texts hold no invisible characters


def _clauses(why: Why, rules: Rules, t: Words) -> list[str]:
    """One or two reasons, each the end of a sentence that begins with the move."""
    if why.sweeps:
        others = [term for term in why.terms if term is not Term.ESCOBAS][:1]
        return [
            t("sweeps the table: an escoba, and a point at once"),
            *(_clause(term, why, rules, t) for term in others),
        ]
    if why.last:
        return [t("makes it likelier that you take last, and get what is left on the table")]
    clauses = [_clause(term, why, rules, t) for term in why.terms]
    if why.prepares is not None and why.terms[:1] not in ((Term.AGAINST,), ()):
        clauses.insert(0, t("prepares a capture with your {card}", card=named(why.prepares, t)))
    return clauses[:_REASONS]


def _clause(term: Term, why: Why, rules: Rules, t: Words) -> str:
    match term:
        case Term.ESCOBAS:
            return t("gives you more chances of an escoba")
        case Term.AGAINST:
            return _safer(why, t)
        case Term.CARDS:
            return t("gets you more cards in the end, for the point of most cards")
        case Term.OROS if why.lays:
            return t("keeps oros out of the others' reach")
        case Term.OROS:
            return t("gets you more oros in the end, for the point of most oros")
        case Term.SEVEN_OF_OROS if why.seven:
            return t("puts the seven of oros into your pile, a point by itself")
        case Term.SEVEN_OF_OROS if why.keeps_seven:
            return t("keeps the seven of oros in your hand, until it can take something")
        case Term.SEVEN_OF_OROS:
            return t("gives you better chances of the seven of oros")
        case Term.SEVENS:
            return t("helps you to the point of most sevens")
        case Term.PRIME if why.lays and rules.prime is Prime.SETENTA:
            return t("keeps the good cards for the setenta out of the others' reach")
        case Term.PRIME if why.lays:
            return t("keeps the good cards for the prime out of the others' reach")
        case Term.PRIME if rules.prime is Prime.SETENTA:
            return t("helps you to the setenta, with high cards of every suit")
        case Term.PRIME:
            return t("helps you to the prime, with your four best cards")


def _safer(why: Why, t: Words) -> str:
    """Why the others make fewer escobas: because of what is left on the table, where that explains it."""
    left, other = why.left, why.other_left
    if left.empty:
        return t("leaves the table empty, so that the next player can take nothing")
    if other is None or other.out > left.out:
        if left.need is None:
            return t("leaves {total} on the table, which no single card can sweep", total=left.total)
        if not left.out:
            return t("leaves {total} on the table, and no card is out any more that sweeps that", total=left.total)
        if other is not None or left.out <= _FEW:
            return _few(left, t)
    return t("gives the others fewer chances of an escoba")


def _few(left: TableAfter, t: Words) -> str:
    return t.plural(
        "leaves {total} on the table, where only {n} card that is still out makes an escoba",
        "leaves {total} on the table, where only {n} cards that are still out make an escoba",
        left.out,
        total=left.total,
    )
