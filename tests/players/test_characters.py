"""Each character has a noticeable habit of its own, and none plays much worse or knows more than its level."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.habits import deviations, measured
from bot.engine.cards import FULL, Card, CardSet
from bot.engine.moves import Play, Sing
from bot.engine.rules import PRESETS
from bot.players import PERSONAS, Character, Level, choose
from bot.players.characters import begins_high, begins_low, doubles, hoards_oros, holds_sevens, patient, preferred
from bot.players.last_deal import solved
from bot.players.lookahead import SOLVED_OPEN, Hidden, fast_move
from bot.players.outlook import Outlook, Weights
from tests.players.positions import play, position, view_at_turn
from tests.players.test_levels import shuffled_behind, some_states
from tests.support.dose import dose

characters = st.sampled_from(Character)


def moves_of(match, level=Level.NORMAL):
    """Choose a move as each character of a level does."""
    view = view_at_turn(match)
    return {who: choose(view, level, Random(0), character=who) for who in Character}


@given(some_states, characters, st.integers(0, 100))
@settings(max_examples=dose("LEVELS", 30), deadline=None)
def test_a_character_never_gives_away_more_than_its_freedom(match, who, seed):
    view = view_at_turn(match)
    move = choose(view, Level.NORMAL, Random(seed), character=who)
    worth = Outlook.from_view(view, Weights()).worth
    # Whether to sing is decided first, by how often the character does that: the freedom is for what it plays.
    plays = [each for each in view.moves if each is move or not isinstance(each, Sing)]
    assert worth(move) >= max(map(worth, plays)) - PERSONAS[who].freedom - 1e-5


@pytest.mark.parametrize(
    ("level", "rounds"), [(Level.EASY, 60), pytest.param(Level.NORMAL, 100, marks=pytest.mark.thorough)]
)
def test_each_character_shows_a_habit_that_the_others_of_its_level_do_not_have(level, rounds):
    """The decks are always the same ones; docs/PLAYERS.md has the figures of more."""
    for who, off in deviations(measured(level, level, "escoba", rounds)).items():
        assert off >= 1.5, who


@given(some_states, characters, st.integers(0, 100))
@settings(max_examples=dose("LEVELS", 30), deadline=None)
def test_an_open_last_deal_is_played_perfectly(match, who, seed):
    view = view_at_turn(match)
    hidden = Hidden(view)
    if not hidden.open or hidden.left > SOLVED_OPEN or len(view.moves) == 1:
        return
    move = choose(view, Level.HARD, Random(seed), character=who)
    side = view.public.seating.side_of(view.seat)
    state = hidden.with_cards(hidden.unseen)
    assert solved(state, fast_move(move), side) == max(solved(state, fast_move(each), side) for each in view.moves)


@given(
    st.lists(st.floats(-3, 3), min_size=1, max_size=5),
    characters,
)
def test_the_preferred_move_is_within_the_characters_freedom(worths, who):
    view = view_at_turn(position("5c 4e 1b", "5b 10o 12b 1c 6o"))
    moves = view.moves[: len(worths)]
    worths = worths[: len(moves)]
    found = preferred(view, moves, worths, who)
    assert worths[moves.index(found)] >= max(worths) - PERSONAS[who].freedom
    assert worths[moves.index(preferred(view, moves, worths, None))] == max(worths)


@given(some_states, characters, st.sampled_from(Level), st.integers(0, 100))
@settings(max_examples=60, deadline=None)
def test_hidden_cards_change_no_characters_move(match, who, level, seed):
    ours, theirs = view_at_turn(match), view_at_turn(shuffled_behind(match, seed))
    move = choose(ours, level, Random(seed), character=who, effort=0.1)
    assert move == choose(theirs, level, Random(seed), character=who, effort=0.1)
    assert move in ours.moves


def test_characters_differ_where_their_level_considers_moves_equal():
    """On an empty table all small cards are equally safe; Delfina lays the lowest, others don't."""
    moves = moves_of(position("", "1c 4b 4e"))
    assert moves[Character.DELFINA] == Play(Card.parse("1c"))
    assert len(set(moves.values())) > 1


@pytest.mark.parametrize(
    ("habit", "liked", "other"),
    [
        (patient, play("5e", "10o"), play("5e", "7o 3c")),
        (doubles, play("7c"), play("6c")),
        (holds_sevens, play("12c"), play("7c")),
        (hoards_oros, play("12c"), play("1o")),
        (begins_high, play("12c"), play("1o")),
        (begins_low, play("1o"), play("12c")),
    ],
)
def test_a_habit_decides_between_moves_that_are_worth_the_same(habit, liked, other, monkeypatch):
    view = view_at_turn(position("10o 7o 3c", "5e 7c 1o"))
    monkeypatch.setitem(PERSONAS, Character.NURIA, replace(PERSONAS[Character.NURIA], habit=habit, freedom=0.1))
    assert preferred(view, [other, liked], [0.1, 0.05], Character.NURIA) == liked
    assert preferred(view, [other, liked], [0.2, 0.05], Character.NURIA) == other, "it would cost too much"


def test_a_habit_of_beginning_a_deal_ends_with_its_beginning():
    table = CardSet.of("10o 7o 3c")
    assert [begins_low(play("1o"), table, left) for left in (2, 1, 0)] == [1, 0, 0]
    assert [begins_high(play("12o"), table, left) for left in (2, 1, 0)] == [1, 0, 0]
    assert [hoards_oros(play("12o"), table, left) for left in (2, 1, 0)] == [-1, 0, 0]
    assert [holds_sevens(play("7c"), table, left) for left in (2, 1, 0)] == [-1, -1, 0]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_all_characters_play_the_same_last_card(preset):
    gone = str(FULL - CardSet.of("1c 12e"))
    match = position("12e", "1c", gone=gone, rules=preset.rules, seating=preset.seatings[0])
    assert len(set(moves_of(match).values())) == 1


@pytest.mark.parametrize("level", Level)
def test_a_level_has_one_character_of_each_habit(level):
    habits = [persona.habit for persona in PERSONAS.values() if persona.level is level]
    assert len(set(habits)) == len(habits) == len({persona.habit for persona in PERSONAS.values()})


def test_no_freedom_is_as_large_as_the_least_difference_between_two_results():
    """With four sides a margin is a multiple of a third: a certain gain is never given away."""
    assert max(persona.freedom for persona in PERSONAS.values()) < 1 / 3


def test_every_character_says_something_now_and_then():
    assert all(0 < persona.talks <= 12 for persona in PERSONAS.values())
    assert max(PERSONAS.values(), key=lambda persona: persona.talks).comments > 0
