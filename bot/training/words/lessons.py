"""Lessons in words: the question of each step, the praise for a right answer, and the fault of a wrong one."""

from typing import Final

from bot.cards.words.cards import (
    deck_text,
    figure_name,
    index,
    named,
    named_all,
    oros_in,
    sum_of,
    values_text,
    worth_name,
)
from bot.cards.words.rules import item_name
from bot.engine.facts import CaptureClaimed, CardPlayed
from bot.engine.match import Match
from bot.engine.rules import Capture, Rules
from bot.engine.scoring import SEVEN_OF_OROS, Item, ItemScore
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.players import PERSONAS
from bot.training.live.lesson_deal import OPPONENT, LessonDeal, advice
from bot.training.rules.lessons import (
    LEARNER,
    Adds,
    ClaimFirst,
    Fault,
    Fewer,
    LaysInstead,
    LeavesPart,
    LeavesSeven,
    LessonStep,
    Misadded,
    Miscounted,
    NothingFor,
    Sweepable,
)
from bot.training.words.coaching import move_text, why_text
from bot.training.words.lesson_texts import ASKED, CHAPTERS, PRAISED

OTHER: Final = PERSONAS[OPPONENT].name
"""The name of the learner's opponent."""


def chapter(step: LessonStep, t: Words) -> str:
    """Say what a step is about, in a few words."""
    return t(CHAPTERS[step.key])


def asked(step: LessonStep, t: Words) -> str:
    """Write the question of a step."""
    oros = oros_in(t)
    values = {"other": OTHER, **oros, "Oros": capital(oros["oros"]), "values": values_text(t), "deck": deck_text(t)}
    if step.card is not None:
        values["figure"] = figure_name(step.card, t)
    public = step.view.public
    if public.laid is not None:
        values["card"] = named(public.laid, t)
    if (laid := step.view.memory.claimable) is not None:
        values["laid"] = named(laid, t)
    return t(ASKED[step.key], **values)


def praised(step: LessonStep, after: Match, t: Words) -> str:
    """Praise a right answer; `after`: the match after the answer's move."""
    values: dict[str, object] = {"other": OTHER, **oros_in(t), "target": after.rules.target}
    if step.item is not None:
        own, theirs = _sides(step, t)
        values |= {"own": own, "theirs": theirs}
    elif isinstance(move := after.facts[0], CardPlayed | CaptureClaimed):
        values |= {
            "sum": sum_of([move.card, *move.captured], 15, t),
            "cards": named_all(move.captured, t),
            "worth": move.card.worth,
            "total": 0 if after.round is None else after.round.table.worth,
        }
    return t(PRAISED[step.key], **values)


def _sides(step: LessonStep, t: Words) -> tuple[str, str]:
    """Write what the learner and the other player have of the item that a step is about."""
    if step.item is Item.ESCOBAS:
        own, theirs = step.match.scores[-1].points
        return str(own), str(theirs)
    return _had(step.scored, LEARNER, t), _had(step.scored, 1 - LEARNER, t)


def _had(item: ItemScore, side: int, t: Words) -> str:
    if item.item is not Item.PRIME:
        return str(item.amounts[side])
    return "-".join(index(card, t) for card in sorted(item.cards[side], key=lambda card: -card.worth))


def fault_text(fault: Fault, rules: Rules, t: Words) -> str:
    """Explain why an answer is wrong, in a sentence or two."""
    match fault:
        case Adds(card, terms, aim, printed):
            made = sum_of(terms, aim, t)
            if printed and index(card, t) == str(card.printed):
                text = t("The {card} has {printed} printed on it, but it's worth {worth}.", card=figure_name(card, t),
                         printed=card.printed, worth=card.worth)  # fmt: skip
                return f"{text} {made}."
            if rules.capture is Capture.FIFTEEN:
                need = t("Your card needs {need} more from the table.", need=aim - card.worth)
                return f"{made}. {need}"
            worth = card.worth
            if len(terms) == 1:
                return t("That card is worth {other}, and yours {worth}.", other=terms[0].worth, worth=worth)
            return t("{sum}. Your {card} takes one card worth {worth}, or several that add up to {worth}.",
                     sum=made, card=named(card, t), worth=worth)  # fmt: skip
        case NothingFor(card, need):
            return t("Your {card} needs {need} more to make 15, and no cards here add up to {need}. It would just stay "
                     "on the table.", card=named(card, t), need=need)  # fmt: skip
        case LaysInstead(card, itself=True, claimable=True):
            return t("Your {card} can take something here. If you just play it to the table, {other} may claim what "
                     "you miss: look again.", card=named(card, t), other=OTHER)  # fmt: skip
        case LaysInstead(card, itself=True):
            return t("Your {card} can take something here. Choose that on the table first.", card=named(card, t))
        case LaysInstead(card):
            return t("Your {card} takes nothing and would stay on the table, while another of your cards can take "
                     "something.", card=named(card, t))  # fmt: skip
        case ClaimFirst(laid):
            return t("First claim: once you have played, it's too late. Which cards on the table make 15 with the "
                     "{card}?", card=named(laid, t))  # fmt: skip
        case LeavesPart(rest, total):
            return t("That leaves {cards} on the table. They add up to {total}, and one of your cards takes "
                     "everything.", cards=named_all(rest, t), total=total)  # fmt: skip
        case LeavesSeven(taken):
            return t("That takes {cards}, but leaves the {seven} to {other}: a point by itself.",
                     cards=named_all(taken, t), seven=named(SEVEN_OF_OROS, t), other=OTHER)  # fmt: skip
        case Fewer(cards, most):
            return t("That brings you {n} cards. Another one brings {most}.", n=cards, most=most)
        case Sweepable(total, need):
            card = worth_name(need, t)
            if rules.capture is Capture.FIFTEEN:
                return t("Then the table adds up to {total}, and any {card} makes 15 with that: an escoba for "
"{other}!", total=total, card=card, other=OTHER)  # fmt: skip
            return t("Then the table adds up to {total}, and any {card} takes it all: an escoba for "
"{other}!",
                     total=total, card=card, other=OTHER)  # fmt: skip
        case Miscounted(item):
            return _miscounted(item, t)
        case Misadded(_, items):
            counted = " + ".join(f"{item_name(scored.item, rules, t)} {scored.points[LEARNER]}" for scored in items)
            return t("Count again, item by item. You have: {items}.", items=counted)


def _miscounted(item: ItemScore, t: Words) -> str:
    own, theirs = _had(item, LEARNER, t), _had(item, 1 - LEARNER, t)
    if item.item is Item.SEVEN_OF_OROS:
        return t("Look for the {card} among the cards of both sides: someone has it.", card=named(SEVEN_OF_OROS, t))
    if item.item is Item.PRIME:
        return t("Compare card by card: {own} for you, {theirs} for {other}. The first difference decides, and there "
                 "is one.", own=own, theirs=theirs, other=OTHER)  # fmt: skip
    if own == theirs:
        return t("Count again: {n} for you, {n} for {other}. Nobody has more.", n=own, other=OTHER)
    return t("Count again: {own} for you, {theirs} for {other}. Someone has more.", own=own, theirs=theirs, other=OTHER)


def whisper(deal: LessonDeal, t: Words) -> str:
    """Suggest what the learner could play now, and say why."""
    view = deal.view
    move, why = advice(view)
    return t("💡 **{move}.** {why}", move=move_text(move, t), why=why_text(why, view.public.rules, t))


def remark(deal: LessonDeal, t: Words) -> str | None:
    """Remark on the moves just made, if there is something to say."""
    own, theirs = deal.swept
    if own:
        return t("🧹 **Escoba!** That's a point for you.")
    if theirs:
        return t("🧹 {other} has swept the table. It happens: what you left made 15 with one card.", other=OTHER)
    return None


def outcome(deal: LessonDeal, t: Words) -> str:
    """Say who has won the round."""
    own, theirs = deal.match.scores[-1].points
    if own > theirs:
        return t("## 🎉 You win the round, {own} to {theirs}!", own=own, theirs=theirs)
    if own < theirs:
        return t("## 🤝 {other} wins the round, {theirs} to {own}", other=OTHER, own=own, theirs=theirs)
    return t("## 🤝 The round is a tie, {own} to {theirs}", own=own, theirs=theirs)
