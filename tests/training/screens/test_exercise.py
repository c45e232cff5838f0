"""An exercise shows only what its player sees, with a way to choose each move, and Discord accepts all of it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from bot.cards.words.cards import shown
from bot.coach.analysis import TERMS, Analysis, MoveRating
from bot.engine.cards import DECK, Card
from bot.engine.events import Event, MatchStarted, Played, RoundDealt, Sang
from bot.engine.moves import Sing, Stage
from bot.engine.notation import Position
from bot.engine.rules import PRESETS, Seating
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.layout import Layout, row
from bot.tables.pictures.table import PanelScene
from bot.training.live.finding import Exercise
from bot.training.screens.exercise import chosen, question_layout, verdict_layout
from tests.support.dose import thorough_but
from tests.support.engine import COMBOS, random_events
from tests.support.layouts import thorough_but_few, troubles, words_of
from tests.support.limits_components import walk

EMOJIS = {card.notation: f"<:card_{card.notation}:{10**18 + number}>" for number, card in enumerate(DECK)}
EN = Display(words("en"))
DISPLAYS = [
    Display(words(language, faces=CardFaces(deck, emojis)), pictures)
    for language, deck, (emojis, pictures) in product(
        ("en", "es"), Deck, ((EMOJIS, True), (EMOJIS, False), ({}, False))
    )
]
every_display = pytest.mark.parametrize("display", thorough_but(DISPLAYS, DISPLAYS[6], DISPLAYS[-1]))


def rated(position: Position, best: int = 0) -> Exercise:
    """A position with made-up ratings: move `best` first, the others half a point apart."""
    moves = list(position.view.moves)
    moves = [moves.pop(best % len(moves)), *moves]
    terms = dict.fromkeys(TERMS, 0.1)
    ratings = (MoveRating(move, -behind / 2, terms, 0.5, behind / 2, 0.01) for behind, move in enumerate(moves))
    return Exercise(position, Analysis(tuple(ratings), exact=False))


def exercises(preset: str, seating: Seating, most: int, *, seed: int = 3) -> Iterator[Exercise]:
    """Decisions of a random match."""
    yield from islice(widest(preset, seating, seed), most)


@cache
def widest(preset: str, seating: Seating, seed: int) -> tuple[Exercise, ...]:
    """The six decisions of a random match with the most moves, in falling order of their number."""
    events: list[Any] = []
    found: list[tuple[int, int]] = []
    for event, match in islice(random_events(preset, seating, Random(seed)), 45):
        events.append(event)
        if match.stage is Stage.TO_PLAY and (moves := len(match.legal_moves())) > 1:
            found.append((-moves, len(events)))
    return tuple(rated(Position(tuple(events[:after]))) for _, after in sorted(found)[:6])


def custom_id(number: int) -> str:
    return f"x:play:{number}"


def question(exercise: Exercise, display: Display = EN) -> Layout:
    return question_layout(exercise, display, custom_id, "## The position")


def moves_offered(layout: Layout) -> list[tuple[str, str, str]]:
    """The custom_id, value and label by which each move can be chosen."""
    return [
        (node["custom_id"], each["value"], each["label"])
        for _, node in walk(layout.to_components())
        for each in node.get("options", ())
    ]


@pytest.mark.parametrize(("preset", "seating"), thorough_but_few(COMBOS))
def test_each_move_can_be_chosen_by_a_label_of_its_own(preset: str, seating: Seating):
    for number, exercise in enumerate(exercises(preset, seating, 6)):
        display = DISPLAYS[number % len(DISPLAYS)]
        layout = question_layout(exercise, display, custom_id, "## The position", row(), row())
        offered = moves_offered(layout)
        read = [chosen(exercise, value) for _, value, _ in offered]
        assert read == list(exercise.view.moves)
        assert len({label for *_, label in offered}) == len(offered), offered
        assert not troubles(question(exercise, display))
        for move in exercise.view.moves[:2]:
            assert not troubles(verdict_layout(exercise, move, display, "## The position"))


def test_more_moves_than_a_menu_holds_are_in_several(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.training.screens.exercise._IN_A_MENU", 15)
    exercise = next(exercises("cientifica", Seating.PAIRS, 1, seed=11))
    most = len(exercise.view.moves)
    assert 15 < most <= 30
    layout = question(exercise)
    assert not troubles(layout)
    assert {each for each, *_ in moves_offered(layout)} == {custom_id(0), custom_id(15)}
    values = [value for _, value, _ in moves_offered(layout)]
    assert values == [str(number) for number in range(most)]


def chorizo(*events: Event) -> Exercise:
    """A round of chorizo: the reader's opponent holds 1, 2, 3 and the reader three sevens."""
    front = [Card.parse(each) for each in "1o 2c 3e 7o 7c 7e".split()]
    deck = (*front, *(card for card in DECK if card not in front))
    begun = (MatchStarted(PRESETS["chorizo"].rules, Seating.TWO, 1), RoundDealt(deck))
    return rated(Position((*begun, *events)))


@pytest.mark.parametrize("pictures", [False, True])
def test_a_song_is_a_move_among_others(pictures: bool):
    exercise, display = chorizo(), replace(EN, pictures=pictures)
    assert moves_offered(question(exercise, display))[0] == (custom_id(0), "0", "Sing escalera + miseria (+5)")
    assert not troubles(verdict_layout(exercise, Sing(), display, "## The position"))


def test_what_the_opponent_has_sung_can_be_read():
    after = chorizo(Sang(0), Played(0, Card.parse("3e")))
    assert "Your opponent sang and still holds" in words_of(question(after))
    assert "sang" not in words_of(question(chorizo(Played(0, Card.parse("3e")))))


@pytest.mark.parametrize("value", ["999", "-1", "x", "", "²"])
def test_an_unknown_number_chooses_no_move(value: str):
    exercise = next(exercises("escoba", Seating.TWO, 1))
    assert chosen(exercise, value) is None


@pytest.mark.parametrize("display", DISPLAYS[:2])
def test_the_question_says_nothing_of_the_solution_or_of_hidden_cards(display: Display):
    """The question is the same with all unseen cards exchanged, and whichever move is best."""
    for exercise in exercises("quince", Seating.THREE, 3):
        shown_first = question(exercise, display)
        position = exercise.position
        unseen = [card for card in DECK if card in exercise.view.unseen]
        exchanged = dict(zip(unseen, unseen[::-1], strict=True))
        *_, deal = (each for each in position.events if isinstance(each, RoundDealt))
        other_deal = replace(deal, deck=tuple(exchanged.get(card, card) for card in deal.deck))
        other = Position(tuple(other_deal if each is deal else each for each in position.events))
        assert other.match != position.match
        for best in range(3):
            again = question(rated(other, best), display)
            assert again == shown_first
            assert again.whole_digest == shown_first.whole_digest


def test_the_position_can_be_read_without_its_picture():
    for exercise in exercises("escoba", Seating.TWO, 4):
        view = exercise.view
        for display in (EN, replace(EN, pictures=True)):
            layout = question(exercise, display)
            text = words_of(layout)
            known = view.hand | view.public.table
            for pile in view.memory.piles:
                known |= pile
            assert all(shown(card, EN.words) in text for card in known)
            assert not any(re.search(rf"\b{shown(card, EN.words)}", text) for card in view.unseen)
    drawing = question(exercise, replace(EN, pictures=True)).drawing
    assert drawing is not None
    assert isinstance(drawing.scene, PanelScene)
    assert drawing.scene.alt(EN.words) in str(drawing.components)
    assert "turn" not in drawing.scene.alt(EN.words), "nobody is called “You” in the third person"


def test_an_opponent_has_a_number_only_beside_others():
    for seating, names in (
        (Seating.TWO, {"You", "Your opponent"}),
        (Seating.THREE, {"You", "Opponent 1", "Opponent 2"}),
        (Seating.PAIRS, {"You", "Your partner", "Opponent 1", "Opponent 2"}),
    ):
        drawing = question(next(exercises("escoba", seating, 1)), replace(EN, pictures=True)).drawing
        assert drawing is not None
        assert isinstance(drawing.scene, PanelScene)
        assert {name for side in drawing.scene.table.sides for name in side.names} == names


def test_an_untried_move_is_said_to_lose_at_least_as_much_as_the_worst():
    exercise = next(exercises("escoba", Seating.TWO, 1))
    *_, worst, left_out = exercise.analysis.ratings
    short = replace(exercise, analysis=Analysis(exercise.analysis.ratings[:-1], exact=False))
    text = words_of(verdict_layout(short, left_out.move, EN, "## The position"))
    assert f"−{int(10 * worst.behind) / 10:g} points or more**" in text
    assert "or more" not in words_of(verdict_layout(exercise, left_out.move, EN, "## The position"))


def test_a_verdict_says_what_was_better():
    exercise = next(exercises("escoba", Seating.TWO, 1))
    best, worse = exercise.analysis.ratings[0].move, exercise.analysis.ratings[2].move
    assert "✅ Good" in words_of(verdict_layout(exercise, best, EN, "## The position"))
    text = words_of(verdict_layout(exercise, worse, EN, "## The position"))
    assert "🔴 Blunder: −1 point**" in text
    assert "Better:" in text
