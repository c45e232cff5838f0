"""The review of a match for one of its players: progress while it is made, the summary, and each decision."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from discord import ButtonStyle

from bot.cards.words.cards import named, shown_all
from bot.coach.grading import Grade
from bot.coach.luck import Luck
from bot.engine.views import SeatView
from bot.platform.kit.colours import FELT, QUIET, TURN
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, layout_of, row
from bot.tables.words.scores import cards_text, signed_tenths
from bot.training.ids.practice import PracticeRef, PracticeVerb, ReviewRef, ReviewVerb, again_source
from bot.training.live.review import Judged, Review
from bot.training.words.coaching import GRADES, behind_text, given_text, move_text, points_text, verdict_lines

_MOVES_SHOWN: Final = 4
_BAR: Final = 12


def progress_layout(game: int, done: int, of: int, t: Words, *, before: int = 0) -> Layout:
    """Shown while a review is being made: `done` of `of` decisions are judged, or `before` others come first."""
    filled = _BAR * done // max(1, of)
    progress = t.plural("{done} of {n} decision", "{done} of {n} decisions", of, done=done)
    if before:
        progress = t.plural("{n} review comes before yours", "{n} reviews come before yours", before)
    return box_of(
        FELT,
        t("## 🔍 I'm reviewing your match…"),
        f"`{'▰' * filled}{'▱' * (_BAR - filled)}` {progress}",
        row(button(ReviewRef(game).custom_id(ReviewVerb.CANCEL), t.context("button", "Cancel"))),
    )


def broken_off_layout(game: int, text: str, t: Words) -> Layout:
    """Shown when a review failed or was cancelled, with a button to try again."""
    again = button(ReviewRef(game).custom_id(ReviewVerb.MAKE), t("Try again"), emoji="🔍")
    return layout_of(text, row(again))


def summary_layout(review: Review, t: Words) -> Layout:
    """A review's result, and the moments that mattered."""
    ref = ReviewRef(review.game_id)
    if not review.judged:
        return box_of(QUIET, t("### 🔍 Your match, reviewed"), t("There was nothing for you to decide in it."))
    points, given_away = review.thousandths
    score = t("**Your play: {score} out of 100**", score=points // 10)
    given = given_text(given_away / 1000 / review.rounds, t)
    made = t.plural("{n} decision", "{n} decisions", len(review.judged))
    counts = " · ".join(f"{t(name)}{t.colon}{review.grades[grade]}" for grade, name in GRADES.items())
    moments = [_moment(review, place, t) for place in review.moments]
    costly = len(replace(ref, only=True).beside(review))
    return box_of(
        TURN,
        t("### 🔍 Your match, reviewed"),
        f"{score} · {made} · {given}\n-# {counts}",
        None if review.luck is None else _luck(review.luck, t),
        t("**The moments that mattered**") if moments else t("You gave nothing away: there's nothing to find here."),
        *moments,
        row(
            button(ref.custom_id(ReviewVerb.SHOW), t("Step through"), style=ButtonStyle.primary, emoji="👣"),
            *(
                [button(replace(ref, only=True).custom_id(ReviewVerb.ONLY), t("Costly moves"), emoji="⚠️")]
                if costly
                else []
            ),
            *([_again_button(review.game_id, t)] if moments else []),
        ),
        "-# " + t("You're judged by what you could know. An easy robot gets about 25, a normal one 50, a hard one 90."),
    )


def _luck(luck: Luck, t: Words) -> str:
    """The luck of the reader's side."""
    return "-# " + t(
        "🎲 Was it luck? {cards} by the cards · {lead} in fact",
        cards=cards_text(luck, t),
        lead=signed_tenths(luck.lead, t),
    )


def decision_layout(
    review: Review, ref: ReviewRef, t: Words, replay_button: Callable[[int, Words, int], Component]
) -> Layout:
    """One decision: the position as its player saw it, the move, and what was better and why.

    `replay_button`: the button that shows a match from a version on.
    """
    judged = review.judged[ref.number]
    decision = judged.decision
    places = ref.beside(review)
    before = replace(ref, number=max((place for place in places if place < ref.number), default=ref.number))
    after = replace(ref, number=min((place for place in places if place > ref.number), default=ref.number))
    view, table = decision.view, decision.view.public.table
    return box_of(
        {Grade.GOOD: FELT, Grade.SMALL: FELT}.get(judged.grade, TURN),
        t("### Decision {place} of {all}", place=ref.number + 1, all=len(review.judged))
        + f"\n-# {_when(view, t)} · {_standing(view, t)}",
        t("**On the table**") + "\n" + (f"# {shown_all(table, t, '  ')}" if table else t("# — empty —")),
        t("**Your hand**") + f"\n# {shown_all(view.hand, t, '  ')}",
        claimable_note(view, t),
        "\n".join(verdict_lines(judged, t)),
        _others(judged, t),
        row(
            button(before.custom_id(ReviewVerb.PREVIOUS), t.context("button", "Previous"), disabled=before == ref),
            button(after.custom_id(ReviewVerb.NEXT), t.context("button", "Next"), disabled=after == ref),
            button(
                replace(ref, only=not ref.only).custom_id(ReviewVerb.ONLY),
                t("All decisions") if ref.only else t("Costly moves"),
                disabled=not ref.only and not replace(ref, only=True).beside(review),
            ),
            button(ref.custom_id(ReviewVerb.SUMMARY), t.context("button", "Summary"), emoji="🔍"),
            replay_button(ref.game, t, decision.version),
        ),
    )


def _again_button(game_id: int, t: Words) -> Component:
    ref = PracticeRef(again_source(game_id, 0))
    return button(ref.custom_id(PracticeVerb.ASK), t("Try again"), emoji="🔁")


def _moment(review: Review, place: int, t: Words) -> str:
    """A decision in two lines; its position is a press away."""
    judged = review.judged[place]
    head = f"**{t(GRADES[judged.grade])}{t.colon}{points_text(judged.lost, t)}** · {_when(judged.decision.view, t)}"
    better = t("Better: **{move}**.", move=move_text(judged.analysis.best.move, t))
    return f"{head}\n{move_text(judged.decision.move, t)}. {better}"


def _others(judged: Judged, t: Words) -> str | None:
    ratings = judged.analysis.ratings[:_MOVES_SHOWN]
    lines = [f"{move_text(rating.move, t)}{t.colon}{behind_text(rating, t)}" for rating in ratings]
    return "\n".join(f"-# {text}" for text in lines) or None


def _when(view: SeatView, t: Words) -> str:
    return t("round {round}, deal {deal} of {deals}", round=view.public.round_number, deal=view.public.deal,
             deals=view.public.deals)  # fmt: skip


def _standing(view: SeatView, t: Words) -> str:
    """The points, captured cards and escobas of the player's side, then of the others."""
    public = view.public
    own = public.seating.side_of(view.seat)
    order = [own, *(side for side in range(public.seating.sides) if side != own)]
    points = " – ".join(str(public.totals[side]) for side in order)
    cards = " – ".join(str(public.pile_counts[side]) for side in order)
    escobas = " – ".join(str(public.escobas[side]) for side in order)
    named = {"points": points, "cards": cards, "escobas": escobas}
    return t("Your side first: points {points}, cards captured {cards}, escobas {escobas}.", **named)


def claimable_note(view: SeatView, t: Words) -> str | None:
    """The card just laid, if the capture it missed might be claimed. The player saw it laid, so they could know."""
    card = view.memory.claimable
    if card is None:
        return None
    return "-# " + t("{card} was just played and could have taken something.", card=named(card, t))
