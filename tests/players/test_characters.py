"""Each character has a noticeable manner of its own, and none plays much worse or knows more than its level."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import FULL, Card, CardSet
from bot.engine.round import Play, Sing
from bot.engine.rules import PRESETS
from bot.players import PERSONAS, Character, Level, choose, choosing, hard
from bot.players.characters import bold, hoards_oros, hunts_sevens, patient, preferred
from bot.players.hidden import Hidden, fast_move
from bot.players.last_deal import solved
from bot.players.lookahead import SOLVED_OPEN
from bot.players.outlook import Outlook
from bot.players.weights import Weights
from tests.players.positions import GAMES, level, position, states, view_at_turn
from tests.players.test_levels import shuffled_behind, some_states
from tests.support.dose import dose

characters = st.sampled_from(Character)


def moves_of(match, level=Level.NORMAL):
    """What each character of a level plays in a match."""
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


def some_decisions(number):
    """Views with several moves, from rounds of normal players in all presets and seatings."""
    rng = Random("decisions")
    found = []
    for rules, seating in GAMES * (1 + number // len(GAMES)):
        *played, _ = states(rules, seating, [level(Level.NORMAL)] * seating.sides, rng.randrange(10_000), rounds=1)
        views = [view for match in rng.sample(played, 12) if len((view := view_at_turn(match)).moves) > 1]
        found += views[: number // len(GAMES) + 1]
        if len(found) >= number:
            break
    return found[:number]


@pytest.mark.parametrize(
    ("which", "decisions"),
    [
        (Level.EASY, 600),
        pytest.param(Level.NORMAL, 600, marks=pytest.mark.thorough),
        pytest.param(Level.HARD, 100, marks=pytest.mark.thorough),
    ],
)
def test_each_character_decides_about_one_time_in_twelve_its_own_way(which, decisions, monkeypatch):
    """The aim is 8 %; a sample's share has an error of 1 %, or of 2 % with the hard level."""
    views, found = some_decisions(dose("MANNERS", decisions)), []

    def recorded(view, moves, worths, _):
        found.append((view, moves, worths))
        return moves[0]

    monkeypatch.setattr(choosing, "preferred", recorded)
    monkeypatch.setattr(hard, "preferred", recorded)
    for number, view in enumerate(views):
        choose(view, which, Random(number), effort=0.3)
    monkeypatch.undo()
    least, most = (0.03, 0.14) if which is Level.HARD else (0.05, 0.12)
    for who, persona in PERSONAS.items():
        if persona.level is which:
            own = sum(preferred(*each, character=who) != preferred(*each, character=None) for each in found)
            assert least <= own / len(views) <= most, who


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
    moves = moves_of(position("", "1c 3b 4e"))
    assert moves[Character.DELFINA] == Play(Card.parse("1c"))
    assert len(set(moves.values())) > 1


def test_one_character_keeps_sevens_and_another_keeps_oros():
    view = view_at_turn(position("12o 12c 10e", "5e 7c 1o"))
    assert hunts_sevens(view, Play(Card.parse("7c"))) < hunts_sevens(view, Play(Card.parse("1o")))
    assert hoards_oros(view, Play(Card.parse("1o"))) < hoards_oros(view, Play(Card.parse("7c")))
    by_oro = Play(Card.parse("5e"), CardSet.of("12o"))
    assert hoards_oros(view, by_oro) > hoards_oros(view, Play(Card.parse("5e"), CardSet.of("12c")))


def test_among_moves_that_take_nothing_manners_look_at_what_comes_next():
    # With the 5 on the table a 4 laid makes 9, which the 6 in hand captures: 3 cards. A 2 laid prepares nothing.
    view = view_at_turn(position("5c", "6e 4b 2c"))
    for manner in bold, patient:
        assert manner(view, Play(Card.parse("4b"))) > manner(view, Play(Card.parse("2c")))
    # The 5 takes the king of oros next time, unless it is laid.
    view = view_at_turn(position("12o 12c", "5e 6c 1b"))
    assert hoards_oros(view, Play(Card.parse("6c"))) > hoards_oros(view, Play(Card.parse("5e")))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_all_characters_play_the_same_last_card(preset):
    gone = str(FULL - CardSet.of("1c 12e"))
    match = position("12e", "1c", gone=gone, rules=preset.rules, seating=preset.seatings[0])
    assert len(set(moves_of(match).values())) == 1


@pytest.mark.parametrize("level", Level)
def test_a_level_has_one_character_of_each_manner(level):
    manners = [persona.manner for persona in PERSONAS.values() if persona.level is level]
    assert len(set(manners)) == len(manners) == len({persona.manner for persona in PERSONAS.values()})


def test_no_freedom_is_as_large_as_the_least_difference_between_two_results():
    """With four sides a margin is a multiple of a third: a certain gain is never given away."""
    assert max(persona.freedom for persona in PERSONAS.values()) < 1 / 3


def test_every_character_says_something_now_and_then():
    assert all(0 < persona.talks <= 12 for persona in PERSONAS.values())
    assert max(PERSONAS.values(), key=lambda persona: persona.talks).comments > 0
