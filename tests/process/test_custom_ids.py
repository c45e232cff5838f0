"""What a button refers to survives its custom_id, and each custom_id has exactly one handler."""

import re
from collections import defaultdict
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import FULL, CardSet
from bot.platform.kit.codec import LARGEST, LONGEST, Reference, base36, longest_of, number_in
from bot.platform.kit.screen import Screen
from bot.process.dispatch import SCREENS, handler_of
from bot.tables.ids.game import VERSIONED, Ref, Verb, pack, unpack
from bot.tournaments.clicks import tournament
from bot.tournaments.ids.tournament import MANAGERS, TournamentVerb
from tests.support.references import custom_ids, mutated, references

every_screen = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)


def parts_of(custom_id: str) -> list[str]:
    """What follows a custom_id's verb."""
    return custom_id.split(":")[2:]


@every_screen
def test_a_reference_survives_its_custom_id(screen: Screen[Any]):
    @given(references(screen.refers_to), st.sampled_from(list(screen.refers_to.verbs)))
    def survives(ref: Reference[Any], verb: Any) -> None:
        custom_id = ref.custom_id(verb)
        read = screen.refers_to.read(parts_of(custom_id))
        assert read is not None
        assert read.custom_id(verb) == custom_id
        if not isinstance(ref, Ref) or VERSIONED in verb.marks:
            assert read == ref
        assert handler_of(custom_id) is not None
        assert len(custom_id) <= longest_of(screen.refers_to)
        for other in (f"{custom_id}:!", f"x{custom_id}", custom_id.upper(), custom_id.partition(":")[2], ""):
            assert handler_of(other) is None, other

    survives()


@every_screen
def test_the_longest_custom_id_fits(screen: Screen[Any]):
    assert longest_of(screen.refers_to) <= LONGEST


@given(st.one_of(custom_ids.flatmap(mutated), st.text()), st.lists(st.text(), max_size=2))
def test_no_custom_id_raises_when_it_is_read(custom_id: str, written: list[str]):
    handler_of(custom_id)
    handler_of(custom_id, written)


@every_screen
def test_every_verb_has_a_handler(screen: Screen[Any]):
    verbs = set(screen.refers_to.verbs)
    assert set(screen.handlers) == verbs
    assert set(screen.forms) <= verbs
    assert set(screen.public) <= verbs
    assert all(re.fullmatch("[a-z_]{1,12}", verb) for verb in verbs)


def test_a_module_handles_what_is_for_a_tournaments_managers_or_what_is_for_everybody():
    marks = defaultdict[str, set[bool]](set)
    for verb in TournamentVerb:
        handler = tournament.SCREEN.handlers[verb].args[1]  # type: ignore[attr-defined] - see `in_tournament`
        handler = handler.func if isinstance(handler, partial) else handler
        marks[handler.__module__].add(MANAGERS in verb.marks)
    assert {len(each) for each in marks.values()} == {1}, marks


def test_every_reference_belongs_to_a_screen():
    every = (each for each in Reference.__subclasses__() if each.__module__.startswith("bot."))
    assert {each.__qualname__ for each in every} == {screen.refers_to.__qualname__ for screen in SCREENS}


def test_no_two_screens_share_a_verb():
    names = [(screen.refers_to.kind, str(verb)) for screen in SCREENS for verb in screen.refers_to.verbs]
    assert len(set(names)) == len(names)
    assert len({screen.name for screen in SCREENS}) == len(SCREENS)
    assert all(re.fullmatch("[a-z]", screen.refers_to.kind) for screen in SCREENS)


@pytest.mark.parametrize("verb", Verb)
def test_a_custom_id_changes_with_the_state_only_if_its_handler_needs_the_version(verb: Verb):
    assert (Ref(7, 1).custom_id(verb) != Ref(7, 2).custom_id(verb)) is (VERSIONED in verb.marks)
    assert Ref(7, 1).custom_id(verb) != Ref(8, 1).custom_id(verb)


def test_only_what_is_pressed_for_one_state_of_the_game_needs_its_version():
    everywhere = {
        "join",
        "leave",
        "rules",
        "rule",
        "options",
        "cancel",
        "winner",
        "thatsall",
        "hand",
        "guide",
        "panel",
        "hint",
        "claim",
        "react",
        "wins",
        "rematch",
        "solo",
        "again",
        "rounds",
        "review",
        "learn",
        "nolesson",
        "rated",
        "hints",
        "decline",
        "seek",
        "guests",
        "saverules",
        "newrules",
    }
    everywhere |= {"endask", "agree", "disagree", "pause", "resume", "takeseat", "takewin", "takeout"}
    everywhere |= {"nextgame", "opengame", "ahead"}
    confirmations = {"cancelyes", "leaveyes", "clearyes", "keep"}
    assert set(Verb) - set(Verb.marked(VERSIONED)) == everywhere | confirmations | {"thread", "aside", "awaitnext"}


@given(st.integers(0, FULL.mask))
def test_a_set_of_cards_survives_its_argument(mask: int):
    assert unpack(pack(CardSet(mask))) == CardSet(mask)
    assert len(pack(CardSet(mask))) <= 8


@pytest.mark.parametrize("argument", ["", "!", "-1", "1.5", base36(FULL.mask + 1), "zzzzzzzzzzzzz", "7-o"])
def test_an_invalid_set_of_cards_reads_as_none(argument: str):
    assert unpack(argument) is None


@pytest.mark.parametrize(
    "custom_id",
    [
        "e:take:1",
        "e:take:1:",
        "e:take::1",
        "e:take:1:1:",
        "e:take:-1:1",
        "e:take:1:1:7O",
        "e:take:1:1:7o:1:2:3",
        f"e:take:1:1:{'z' * 14}",
        f"e:take:{'z' * 13}:1",
        f"e:take:{base36(LARGEST + 1)}:1",
        f"e:take:1:{'z' * 13}:7o",
        "take",
        "s:preset:1",
        "d:open:20260314",
        "d:open:20260231:0",
        "d:open:00010101:0",
        "d:open:2026-3-1:0",
        f"d:open:20260314:{base36(1000)}",
        "l:open:chess:0:0",
        f"o:one:{base36(LARGEST + 1)}",
        "r:next:wins:2026-13:0",
        "r:next:wins:all:0:chess",
        "t:format:swiss:0:escoba:4:0:2:0",
    ],
)
def test_a_custom_id_that_was_never_written_refers_to_nothing(custom_id: str):
    assert handler_of(custom_id) is None


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_a_number_that_no_custom_id_can_carry_is_not_written(number: int):
    with pytest.raises(ValueError, match=r"negative|more than"):
        Ref(number).custom_id(Verb.PANEL)


@given(st.integers(0, LARGEST))
def test_a_number_is_read_as_it_was_written(number: int):
    assert number_in(str(number)) == number_in(base36(number), base=36) == number
    assert number_in(str(number), number - 1) is None


@pytest.mark.parametrize("text", ["", " ", "1 ", "+1", "-1", "1_0", "1.0", "²", "٣", "x", "9" * 20, "9" * 9999])
def test_only_plain_digits_make_a_number(text: str):
    assert number_in(text) is None
