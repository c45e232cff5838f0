"""The lessons: opened by a command or from a panel, and played step by step. What is shown next is stored first."""

from functools import partial
from typing import Any, Final

import discord

from bot.platform.kit.host import host_of
from bot.platform.kit.screen import Press, Screen, without_reference
from bot.platform.layout import Layout
from bot.platform.transport.reply import person_of, private_words, reply_to
from bot.players import PERSONAS
from bot.tables.clicks.alone import play_alone
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.ids.game import Verb, unpack
from bot.tables.live.manager import TableManager
from bot.tables.log.seats import Seat
from bot.training.ids.lesson import LessonRef, LessonsRef, LessonsVerb, LessonVerb
from bot.training.live.lesson_deal import OPPONENT, LessonDeal
from bot.training.rules.lesson_steps import FIRST, LESSONS
from bot.training.rules.lessons import Asks, LessonStep
from bot.training.screens.lesson import (
    Chosen,
    correct_answer_layout,
    deal_layout,
    done_layout,
    menu_layout,
    over_layout,
    step_layout,
)
from bot.training.store.lessons import Lessons
from bot.training.store.rows import LessonRow
from bot.training.words.lessons import fault_text

SCREEN: Final = Screen("lessons", LessonRef)


async def begin_lessons(interaction: discord.Interaction[Any]) -> None:
    """Go on with the lesson that the person was in last, begin the first one, or show all if none is left undone."""
    host = host_of(interaction)
    begun = await host.of(Lessons).of(interaction.user.id)
    undone = [row.lesson for row in begun if row.lesson in LESSONS and row.step < len(LESSONS[row.lesson])]
    if begun and not undone:
        layout = menu_layout({row.lesson: row for row in begun}, private_words(interaction))
    else:
        layout = await _opened(interaction, undone[0] if undone else FIRST)
    await host.tools.send(interaction.channel_id or 0, layout, reply_to(interaction))


@at_table(Verb.LEARN)
async def learn(press: GamePress) -> None:
    """Accept the offer in a lobby."""
    await begin_lessons(press.interaction)


@at_table(Verb.NO_LESSON)
async def decline(press: GamePress) -> None:
    """Dismiss the offer on a panel that 1.0 has sent, as every answer on a panel does."""
    async with press.answering():
        pass


async def menu(press: Press) -> None:
    rows = await press.host.of(Lessons).of(press.person.id)
    await press.answer(menu_layout({row.lesson: row for row in rows}, press.t))


@SCREEN.on(LessonVerb.OPEN)
async def show(press: Press, ref: LessonRef) -> None:
    """Show the step that the person is at, whichever step the button was for."""
    await press.answer(await _opened(press.interaction, ref.lesson))


@SCREEN.on(LessonVerb.AGAIN)
async def again(press: Press, ref: LessonRef) -> None:
    """Begin a lesson again if it is done; if the button is outdated, go on with the lesson."""
    row = await _row(press.host.of(Lessons), press.person.id, ref.lesson)
    if row is not None and row.step >= len(LESSONS[ref.lesson]):
        await _keep(press, ref.lesson, 0)
    await show(press, ref)


@SCREEN.on(LessonVerb.PLAY)
async def play(press: Press, ref: LessonRef) -> None:
    """Start a match against the robot of the lesson, by the rules that it teaches."""
    persona = PERSONAS[OPPONENT]
    robot = Seat(persona.name, level=persona.level, character=OPPONENT)
    await play_alone(press.interaction, ref.lesson, robot)


@SCREEN.on(LessonVerb.TRY)
async def attempt(press: Press, ref: LessonRef) -> None:
    """Judge an answer, or play a card of the deal."""
    row = await _row(press.host.of(Lessons), press.person.id, ref.lesson)
    lesson = LESSONS[ref.lesson]
    layout: Layout | None = None
    if row is not None and row.step == ref.step < len(lesson):
        step = lesson.steps[ref.step]
        if step.asks is Asks.DEAL:
            layout = await _played(press, ref, LessonDeal.load(step, row.state))
        elif ref.moves == 0 and step.accepts(ref.answer):
            layout = await _judged(press, ref, step)
    if layout is None:  # they aren't at that step any more, or the click is forged
        await show(press, ref)
    else:
        await press.answer(layout)


@SCREEN.on(LessonVerb.PICK)
async def pick(press: Press, ref: LessonRef, *, claim: bool = False) -> None:
    """Show a choice of table cards, for which nothing has to be stored."""
    row = await _row(press.host.of(Lessons), press.person.id, ref.lesson)
    cards = unpack(ref.answer)
    if row is None or cards is None or row.step != ref.step or ref.step >= len(LESSONS[ref.lesson]):
        await show(press, ref)
        return
    step = LESSONS[ref.lesson].steps[ref.step]
    laid = step.view.memory.claimable
    if step.asks is not Asks.PICK or not cards <= step.view.public.table or (claim and laid not in cards):
        await show(press, ref)
        return
    layout = step_layout(_bare(ref), step, press.person, press.display, chosen=Chosen(cards, claim))
    await press.answer(layout)


async def _judged(press: Press, ref: LessonRef, step: LessonStep) -> Layout:
    display, fault = press.display, step.fault(ref.answer)
    if fault is None:
        await _keep(press, ref.lesson, ref.step + 1)
        return correct_answer_layout(_bare(ref), step, ref.answer, press.person, display)
    note, chosen = fault_text(fault, step.match.rules, press.t), None
    if step.asks is Asks.PICK and (move := step.move(ref.answer)) is not None:
        chosen = Chosen(move.captured, ref.answer.startswith(LessonVerb.CLAIM))
    return step_layout(_bare(ref), step, press.person, display, note=note, chosen=chosen)


async def _played(press: Press, ref: LessonRef, deal: LessonDeal) -> Layout | None:
    after = deal.play(ref.answer) if len(deal.events) == ref.moves else None
    if after is None:
        return None
    display = press.display
    if after.over:
        await _keep(press, ref.lesson, ref.step + 1)
        return over_layout(_bare(ref), after, press.person, display)
    await _keep(press, ref.lesson, ref.step, after.dump())
    return deal_layout(_at(ref.lesson, ref.step, after), after, press.person, display)


async def _opened(interaction: discord.Interaction[Any], name: str) -> Layout:
    """The step of a lesson that somebody is at. If they haven't begun the lesson, they begin it."""
    store = host_of(interaction).of(Lessons)
    person = person_of(interaction)
    display = host_of(interaction).tools.display_for(interaction)
    row = await _row(store, person.id, name)
    if row is None:
        row = LessonRow(name, 0, None, host_of(interaction).of(TableManager).now())
        await store.put(person.id, row)
    lesson = LESSONS[name]
    if row.step >= len(lesson):
        return done_layout(name, display.words)
    step = lesson.steps[row.step]
    if step.asks is Asks.DEAL:
        deal = LessonDeal.load(step, row.state)
        return deal_layout(_at(name, row.step, deal), deal, person, display)
    return step_layout(LessonRef(name, row.step), step, person, display)


async def _row(store: Lessons, person_id: int, name: str) -> LessonRow | None:
    return next((row for row in await store.of(person_id) if row.lesson == name), None)


async def _keep(press: Press, name: str, step: int, state: str | None = None) -> None:
    await press.host.of(Lessons).put(press.person.id, LessonRow(name, step, state, press.host.of(TableManager).now()))


def _bare(ref: LessonRef) -> LessonRef:
    return LessonRef(ref.lesson, ref.step)


def _at(name: str, step: int, deal: LessonDeal) -> LessonRef:
    return LessonRef(name, step, len(deal.events))


MENU: Final = Screen("the list of lessons", LessonsRef, without_reference({LessonsVerb.MENU: menu}))


SCREEN.on(LessonVerb.CLAIM)(partial(pick, claim=True))
