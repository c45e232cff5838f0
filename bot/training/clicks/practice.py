"""Practising: positions that somebody has missed, and the worst decisions of a match they have had reviewed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.coach.grading import Grade
from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen, without_reference
from bot.platform.layout import Component
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import private_words
from bot.training.clicks.coach import begin_review
from bot.training.ids.practice import (
    SECOND,
    PracticeHomeRef,
    PracticeHomeVerb,
    PracticeRef,
    PracticeVerb,
    decision_of,
    is_again,
)
from bot.training.live.finding import Exercise
from bot.training.live.practice import exercise_of
from bot.training.parts import TrainingParts
from bot.training.screens.day import today_button, week_button
from bot.training.screens.exercise import chosen
from bot.training.screens.practice import (
    again_buttons,
    again_head,
    first_try,
    home_layout,
    kept_note,
    practice_buttons,
    practice_head,
    second_try,
    verdict,
)
from bot.training.screens.review import summary_layout
from bot.training.store.answers import Answers
from bot.training.store.rows import PracticeState

SCREEN: Final = Screen("positions to practise", PracticeRef)


@dataclass(frozen=True, slots=True)
class Asked:
    """A position that somebody is asked, its title, and the buttons after it."""

    source: str
    exercise: Exercise
    head: str
    buttons: Sequence[Component]


async def send_home(interaction: discord.Interaction[Any], *, exhausted: bool = False) -> None:
    """Show how much the person has to practise, with the day's position first if they haven't answered it."""
    host, t = host_of(interaction), private_words(interaction)
    queue, today = await host.of(TrainingParts).practice.queue(interaction.user.id), host.of(TrainingParts).days.today
    answered = (await host.of(Answers).record(interaction.user.id, today, today, 1)).answers
    button = None if today in answered else today_button(today, t)
    await host.tools.answer(interaction, home_layout(queue, t, button, week_button(today, t), exhausted=exhausted))


async def home(press: Press) -> None:
    await send_home(press.interaction)


async def due(press: Press) -> None:
    """Ask the next position that is due; if there is none, say that practice is done."""
    found = await press.host.of(TrainingParts).practice.due(press.person.id)
    if found is None:
        await send_home(press.interaction)
    else:
        await _ask(press, await _practised(press, *found))


async def more(press: Press) -> None:
    """Ask a position that is due, or else one that the person hasn't seen."""
    practice = press.host.of(TrainingParts).practice
    found = await practice.due(press.person.id) or await practice.another(press.person.id)
    if found is None:
        await send_home(press.interaction, exhausted=True)
    else:
        await _ask(press, await _practised(press, *found))


@SCREEN.on(PracticeVerb.ASK)
async def ask(press: Press, ref: PracticeRef) -> None:
    """Put the person before a decision."""
    if (asked := await _asked(press, ref.source)) is not None:
        await _ask(press, asked)


@SCREEN.on(PracticeVerb.ANSWER)
async def answer(press: Press, ref: PracticeRef) -> None:
    """Judge a move. After a wrong first attempt the best move isn't told yet."""
    asked = await _asked(press, ref.source)
    if asked is None:
        return
    exercise = asked.exercise
    move = chosen(exercise, press.value or str(ref.number))
    if move is None:
        raise Refusal(CommonRefusal.STALE)
    state: PracticeState | None = None
    if ref.attempt < SECOND and not is_again(ref.source):
        state = await press.host.of(TrainingParts).practice.answered(press.person.id, ref.source, exercise, move)
    if ref.attempt < SECOND and exercise.judged(move).grade is not Grade.GOOD:
        ref = PracticeRef(ref.source, number=exercise.view.moves.index(move))
        await press.answer(second_try(exercise, move, ref, asked.head, press.display))
        return
    note = kept_note(state, press.t)
    await press.answer(verdict(exercise, move, asked.head, press.display, note, *asked.buttons))


@SCREEN.on(PracticeVerb.GIVE_UP)
async def give_up(press: Press, ref: PracticeRef) -> None:
    """Tell which move would have been better than the first one."""
    asked = await _asked(press, ref.source)
    if asked is None:
        return
    move = chosen(asked.exercise, str(ref.number))
    if move is None:
        raise Refusal(CommonRefusal.STALE)
    await press.answer(verdict(asked.exercise, move, asked.head, press.display, None, *asked.buttons))


async def _asked(press: Press, source: str) -> Asked | None:
    """The position of a source; None if it is no longer kept and the person was shown something else instead."""
    if is_again(source):
        return await _reviewed(press, source)
    exercise = await press.host.of(TrainingParts).practice.exercise(press.person.id, source)
    if exercise is None:
        await send_home(press.interaction)
        return None
    return await _practised(press, source, exercise)


async def _practised(press: Press, source: str, exercise: Exercise) -> Asked:
    queue = await press.host.of(TrainingParts).practice.queue(press.person.id)
    left = sum(state.source != source for state in queue.due)
    return Asked(source, exercise, practice_head(left, press.t), practice_buttons(left, press.t))


async def _reviewed(press: Press, source: str) -> Asked | None:
    """One of the worst decisions of a review; if the review isn't kept any more, it is made again."""
    named = decision_of(source)
    if named is None:
        raise Refusal(CommonRefusal.STALE)
    game_id, place = named
    review = press.host.of(TrainingParts).reviews.get(game_id, press.person.id)
    if review is None:
        await begin_review(press.interaction, game_id)
        return None
    if not 0 <= place < len(review.moments):
        await press.reply.update_private(summary_layout(review, press.t))
        return None
    count, t = len(review.moments), press.t
    exercise = await asyncio.to_thread(exercise_of, review, review.moments[place])  # it replays the match
    return Asked(source, exercise, again_head(place, count, t), again_buttons(game_id, place, count, t))


async def _ask(press: Press, asked: Asked) -> None:
    await press.answer(first_try(asked.exercise, PracticeRef(asked.source), asked.head, press.display))


HOME: Final = Screen(
    "practice",
    PracticeHomeRef,
    without_reference({PracticeHomeVerb.HOME: home, PracticeHomeVerb.DUE: due, PracticeHomeVerb.MORE: more}),
)
