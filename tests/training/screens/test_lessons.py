"""Every step of every lesson as it is shown: within Discord's limits, and solvable from its words alone."""

from dataclasses import replace
from random import Random

import pytest

from bot.cards.words.cards import shown, spoken
from bot.engine.cards import CardSet
from bot.engine.scoring import Item
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.people import Person
from bot.training.ids.lesson import LessonRef, LessonVerb
from bot.training.live.lesson_deal import LessonDeal
from bot.training.rules.lesson_steps import FIRST, LESSONS
from bot.training.rules.lessons import Asks
from bot.training.screens.lesson import (
    Chosen,
    correct_answer_layout,
    deal_layout,
    done_layout,
    menu_layout,
    over_layout,
    step_layout,
)
from bot.training.store.rows import LessonRow
from bot.training.words.lessons import fault_text
from tests.support.dose import thorough_but
from tests.support.languages import longest_words
from tests.support.layouts import LARGEST, NAME, troubles, words_of
from tests.support.limits_components import BUTTON, walk
from tests.support.store import NOON
from tests.training.test_lessons import DEAL, every_answer, played

LEARNER = Person(LARGEST, NAME)
EVERYWHERE = [
    *(words("en", faces=CardFaces(deck)) for deck in Deck),
    *(longest_words(CardFaces(deck)) for deck in Deck),
]
QUESTIONS = [
    (LessonRef(lesson.name, number), step)
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps)
    if step.asks is not Asks.DEAL
]
everywhere = pytest.mark.parametrize(
    "t", thorough_but(EVERYWHERE, EVERYWHERE[-1]), ids=("spanish", "french", "longest-spanish", "longest-french")
)


def forms(layout: Layout) -> list[Layout]:
    """A layout with its picture, if it has one, and without."""
    drawn = [] if layout.drawing is None else [Layout(layout.drawing.components)]
    return [layout, *drawn]


def refused(layout: Layout) -> list[str]:
    """What Discord would refuse about either form, apart from the picture that isn't painted here."""
    return [line for form in forms(layout) for line in troubles(form) if not line.startswith("attachment:")]


def answers_on(layout: Layout) -> set[str]:
    """The answers that the buttons give."""
    ids = [node["custom_id"] for _, node in walk(layout.to_components()) if node.get("type") == BUTTON]
    refs = [LessonRef.read(rest) for _, _, *rest in (each.split(":") for each in ids)]
    assert None not in refs, "each button can be read"
    return {ref.answer for ref in refs if ref is not None}


@everywhere
def test_every_step_and_every_reply_to_an_answer_fits_a_message(t: Words):
    display = Display(t, pictures=True)
    for ref, step in QUESTIONS:
        layouts = [step_layout(ref, step, LEARNER, display)]
        said = {fault_text(fault, step.match.rules, t) for each in every_answer(step) if (fault := step.fault(each))}
        longest = max(said, key=len)
        assert all("{" not in text for text in said)
        layouts.append(step_layout(ref, step, LEARNER, display, note=longest))
        layouts += [correct_answer_layout(ref, step, answer, LEARNER, display) for answer in step.right]
        for each in layouts:
            assert refused(each) == [], (step.key, words_of(each))
            assert all("{" not in words_of(form) for form in forms(each))


@everywhere
def test_without_pictures_the_words_are_enough_to_answer(t: Words):
    for ref, step in QUESTIONS:
        text = words_of(step_layout(ref, step, LEARNER, Display(t)))
        view = step.view
        cards = CardSet.of([*view.hand, *view.public.table])
        if step.key == "score_seven":
            mine, theirs = next(each.cards for each in step.match.scores[-1].items if each.item is Item.OROS)
            cards = mine | theirs
        assert all(shown(card, t) in text for card in cards), (step.key, text)


@everywhere
def test_with_a_picture_its_alt_text_names_the_table_and_the_hand(t: Words):
    for ref, step in QUESTIONS:
        layout = step_layout(ref, step, LEARNER, Display(t, pictures=True))
        assert layout.drawing is not None
        [alt] = [
            item["description"]
            for _, node in walk(layout.drawing.components)
            for item in node.get("items", ())
            if "media" in item
        ]
        cards = CardSet.of([*step.view.hand, *step.view.public.table])
        assert all(spoken(card, t, t.faces.deck) in alt for card in cards), (step.key, alt)


def test_each_question_has_a_button_for_each_answer():
    display = Display(words("en"))
    for ref, step in QUESTIONS:
        on = answers_on(step_layout(ref, step, LEARNER, display))
        if step.asks is not Asks.PICK:
            assert on == set(step.answers)


def test_the_cards_chosen_on_the_table_go_with_every_card_of_the_hand():
    ref, step = next((ref, step) for ref, step in QUESTIONS if step.key == "quince_find")
    chosen = Chosen(CardSet.of("5e 3b"))
    on = answers_on(step_layout(ref, step, LEARNER, Display(words("en")), chosen=chosen))
    assert {"7c-3b-5e", "10e-3b-5e", "2o-3b-5e"} <= on


@everywhere
def test_the_deal_fits_a_message_at_every_turn_and_at_its_end(t: Words):
    display = Display(t, pictures=True)
    deal, rng = LessonDeal(DEAL), Random(4)
    ref = LessonRef(FIRST, len(LESSONS[FIRST]) - 1)
    while not deal.over:
        assert refused(deal_layout(replace(ref, moves=len(deal.events)), deal, LEARNER, display)) == []
        deal = played(deal, rng)
    assert refused(over_layout(ref, deal, LEARNER, display)) == []


@everywhere
def test_the_list_of_lessons_shows_the_progress_in_each(t: Words):
    rows = {"escoba": LessonRow("escoba", 99, None, NOON), "quince": LessonRow("quince", 1, None, NOON)}
    layout = menu_layout(rows, t)
    assert troubles(layout) == []
    ids = [node["custom_id"] for _, node in walk(layout.to_components()) if node.get("type") == BUTTON]
    assert [each.split(":")[1:3] for each in ids] == [
        [LessonVerb.AGAIN, "escoba"],
        [LessonVerb.OPEN, "quince"],
        [LessonVerb.OPEN, "clasica"],
    ]
    assert t("step {step} of {steps}", step=2, steps=3) in words_of(layout)
    for lesson in LESSONS:
        assert troubles(done_layout(lesson, t)) == []


def seen(layout: Layout) -> str:
    """Everything on a layout, in one text."""
    return str(layout.to_components()) + ("" if layout.drawing is None else str(layout.drawing.components))


def test_no_step_shows_the_other_hand():
    display = Display(words("en"), pictures=True)
    for ref, step in QUESTIONS:
        if step.item is not None:
            continue
        hidden = CardSet.of([*step.match.round.hands[1]]) if step.match.round else CardSet()
        text = seen(step_layout(ref, step, LEARNER, display))
        assert not any(shown(card, display.words) in text for card in hidden), step.key
