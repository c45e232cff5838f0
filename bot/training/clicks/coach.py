"""Asking for advice: a hint on a player's turn, and the review of a match that is over."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import discord

from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen
from bot.platform.layout import Layout
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import own_server
from bot.platform.transport.reply import private_words, reply_to
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.ids.game import Verb
from bot.tables.log.actions import Touch
from bot.tables.refusals import TableRefusal
from bot.tables.store.logs import Games
from bot.training.ids.practice import ReviewRef, ReviewVerb
from bot.training.live.review import Review, look_back
from bot.training.parts import TrainingParts
from bot.training.refusals import TrainingRefusal
from bot.training.screens.review import broken_off_layout, decision_layout, progress_layout, summary_layout
from bot.training.store.lessons import MatchLuck
from bot.training.words.coaching import hint_text

SCREEN: Final = Screen("reviews", ReviewRef)


@at_table(Verb.HINT)
async def hint(press: GamePress) -> None:
    """Say on the panel which move is best, and why."""
    table = press.table
    await table.submit(Touch(press.person))
    view, text = press.seat_view(), None
    if view is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    if not table.view().hints:
        raise Refusal(TrainingRefusal.NO_HINTS)
    if view.moves:  # else the panel is outdated: it isn't their turn any more
        analysis = await press.host.of(TrainingParts).hints.of(view, table.id, press.person.id)
        no_advice = TrainingRefusal.NO_ADVICE
        text = no_advice.reason(press.t) if analysis is None else hint_text(view, analysis, press.t)
    async with press.answering() as answer:  # only now, so that no message is held up while the computer thinks
        answer.note = text if table.seat_view(view.seat) is view else None


@at_table(Verb.REVIEW)
async def review(press: GamePress) -> None:
    """Look back at the match whose result shows the button."""
    await begin_review(press.interaction, press.ref.game)


async def begin_review(interaction: discord.Interaction[Any], game_id: int) -> None:
    """Show the review of a game in a private message; if there is none yet, make it.

    Raises Refusal if there is nothing to review, reviews aren't available, or another of this person's is being made.
    """
    host = host_of(interaction)
    person_id = interaction.user.id
    reply, t = reply_to(interaction), private_words(interaction)
    if (made := host.of(TrainingParts).reviews.get(game_id, person_id)) is not None:
        await reply.send_private(summary_layout(made, t))
        return
    if not host.of(TrainingParts).advises:
        raise Refusal(TrainingRefusal.NO_REVIEWS)
    with host.of(TrainingParts).reviews.only_one(person_id):
        host.throttle.reviews.take_or_refuse(
            person_id, TrainingRefusal.TOO_MANY_REVIEWS
        )  # before the match is replayed
        try:
            match = await look_back(host.of(Games), host.of(MatchLuck), game_id, own_server(interaction), person_id)
        except Refusal:
            host.throttle.reviews.give_back(person_id)
            raise
        before = host.of(TrainingParts).reviews.before
        sent = await reply.send_private(progress_layout(game_id, 0, len(match.decisions), t, before=before))
        host.of(TrainingParts).reviews.begin(person_id, game_id, match, sent, t)


@SCREEN.on(ReviewVerb.CANCEL)
async def cancel(press: Press, ref: ReviewRef) -> None:
    """Stop the review that is being made."""
    press.host.of(TrainingParts).reviews.cancel(press.person.id)
    text = press.t("I've stopped. Nothing of it is kept.")
    await press.reply.update_private(broken_off_layout(ref.game, text, press.t))


@SCREEN.on(ReviewVerb.MAKE)
async def make(press: Press, ref: ReviewRef) -> None:
    """Retry a review that was stopped or failed."""
    await begin_review(press.interaction, ref.game)


@SCREEN.on(ReviewVerb.SUMMARY)
async def summarise(press: Press, ref: ReviewRef) -> None:
    await _show_part(press, ref, lambda made: summary_layout(made, press.t))


@SCREEN.on(ReviewVerb.SHOW, ReviewVerb.PREVIOUS, ReviewVerb.NEXT)
async def show(press: Press, ref: ReviewRef) -> None:
    await _show_at(press, ref, lambda made: ref)


@SCREEN.on(ReviewVerb.ONLY)
async def narrow(press: Press, ref: ReviewRef) -> None:
    """Step only through decisions that cost points, from the next one on; or through all of them."""

    def nearest(made: Review) -> ReviewRef:
        numbers = ref.beside(made) or [0]
        return replace(ref, number=next((number for number in numbers if number >= ref.number), numbers[-1]))

    await _show_at(press, ref, nearest)


async def _show_at(press: Press, ref: ReviewRef, where: Callable[[Review], ReviewRef]) -> None:
    def layout(made: Review) -> Layout:
        there = where(made)
        if not 0 <= there.number < len(made.judged):
            return summary_layout(made, press.t)  # forged, or from a review of another log
        return decision_layout(made, there, press.t, press.host.of(TrainingParts).replay_button)

    await _show_part(press, ref, layout)


async def _show_part(press: Press, ref: ReviewRef, layout: Callable[[Review], Layout]) -> None:
    """Show a part of a review; one that isn't kept any more is made again."""
    made = press.host.of(TrainingParts).reviews.get(ref.game, press.person.id)
    if made is None:
        await begin_review(press.interaction, ref.game)
    else:
        await press.reply.update_private(layout(made))
