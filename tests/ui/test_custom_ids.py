"""What a button refers to survives its custom_id, and each custom_id has exactly one handler."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.tournaments.tournament import Format, Setup
from bot.engine.cards import DECK, FULL, CardSet
from bot.training.lesson_steps import LESSONS
from bot.ui.club.screens.ranking import METRICS, LeaderboardRef, LeaderboardVerb
from bot.ui.dispatch import GAME, handler_of
from bot.ui.kit.ids.game import VERSIONED, Ref, Verb, base36, pack, unpack
from bot.ui.kit.ids.lesson import WITH_ANSWER, LessonRef, LessonVerb
from bot.ui.kit.ids.practice import PracticeRef, PracticeVerb, again_source, plain_id
from bot.ui.kit.ids.replay import ReplayRef, ReplayVerb
from bot.ui.kit.ids.review import ReviewRef, ReviewVerb
from bot.ui.kit.ids.sheet import SheetRef, SheetVerb
from bot.ui.kit.ids.tournament import Draft, DraftVerb, TournamentRef, TournamentVerb
from bot.ui.server.screens.club_settings import ClubSetting
from bot.ui.server.screens.guild_settings import SettingsMenu
from bot.ui.server.screens.privacy import PrivacyVerb
from bot.ui.server.screens.season_settings import SeasonSetting
from bot.ui.training.screens.day import DayRef, DayVerb

LARGEST = 2**63 - 1
PRACTICE_AS_A_WHOLE = (PracticeVerb.HOME, PracticeVerb.DUE, PracticeVerb.MORE)
numbers = st.integers(0, LARGEST)
arguments = st.one_of(
    st.sampled_from([card.notation for card in DECK]), st.integers(0, FULL.mask).map(base36), st.just("claim")
)


def read(custom_id: str) -> Ref | None:
    """What the custom_id of a game's button refers to; None if it is malformed."""
    return Ref.read(custom_id.split(":")[2:])


def samples() -> list[str]:
    """At least one custom_id of every kind."""
    many = ((), ("7o",), ("12b", pack(FULL)), ("claim", "0", "1"))
    ids = [Ref(LARGEST, LARGEST, args).custom_id(verb) for verb in Verb for args in many]
    for metric in METRICS:
        for period in ("season", "all", "2026-03", "2026-Q1"):
            refs = (LeaderboardRef(metric, period, 999_999, preset) for preset in ("", "quince"))
            ids += [ref.custom_id(verb) for ref in refs for verb in LeaderboardVerb]
    for verb in ReviewVerb:
        ids += [ReviewRef(LARGEST, 999_999, only).custom_id(verb) for only in (True, False)]
    for source in (f"review/{LARGEST}/9999", "day/2099-12-31", "starter/20", again_source(LARGEST, 2)):
        ids += [PracticeRef(source, 2, 999).custom_id(verb) for verb in PracticeVerb if verb not in PRACTICE_AS_A_WHOLE]
    ids += map(plain_id, PRACTICE_AS_A_WHOLE)
    ids += [DayRef(day, 999).custom_id(verb) for verb in DayVerb for day in (date(2026, 3, 4), date(2099, 12, 31))]
    ids += [
        LessonRef(lesson, 99, 999, "2b-1c-2e-3b-7o" if verb in WITH_ANSWER else "").custom_id(verb)
        for verb in LessonVerb
        for lesson in LESSONS
        if verb is not LessonVerb.MENU
    ]
    ids += [TournamentRef(LARGEST).custom_id(verb, 15, 32, 2) for verb in TournamentVerb]
    draft = Draft(Setup(Format.DUPLICATE, True, "cientifica", 101, 9, 8), tells=True)
    ids += [draft.custom_id(verb) for verb in DraftVerb]
    ids += [f"s:{menu}" for each in (SettingsMenu, SeasonSetting, ClubSetting) for menu in each]
    ids += [ReplayRef(LARGEST, 99_999).custom_id(verb) for verb in ReplayVerb]
    ids += [SheetRef(LARGEST, 99, 999, 99).custom_id(verb) for verb in SheetVerb]
    return [*ids, "l:menu"] + [f"p:{verb}" for verb in PrivacyVerb]


@given(numbers, numbers, st.lists(arguments, max_size=3))
def test_a_reference_survives_its_custom_id(game: int, version: int, args: list[str]):
    ref = Ref(game, version, tuple(args))
    custom_id = ref.custom_id(Verb.TAKE)
    assert read(custom_id) == ref
    assert len(custom_id) <= 100


@pytest.mark.parametrize("verb", Verb)
def test_a_custom_id_changes_with_the_state_only_if_its_handler_needs_the_version(verb: Verb):
    assert (Ref(7, 1).custom_id(verb) != Ref(7, 2).custom_id(verb)) is (verb in VERSIONED)
    assert Ref(7, 1).custom_id(verb) != Ref(8, 1).custom_id(verb)


def test_only_what_is_pressed_for_one_state_of_the_game_needs_its_version():
    everywhere = {
        "join",
        "leave",
        "rules",
        "cancel",
        "hand",
        "guide",
        "panel",
        "hint",
        "claim",
        "react",
        "rematch",
        "review",
        "learn",
        "nolesson",
        "rated",
        "hints",
        "decline",
        "seek",
        "saverules",
        "newrules",
    }
    confirmations = {"cancelyes", "leaveyes", "clearyes", "keep"}
    assert set(Verb) - VERSIONED == everywhere | confirmations | {"thread"}


@given(st.integers(0, FULL.mask))
def test_a_set_of_cards_survives_its_argument(mask: int):
    assert unpack(pack(CardSet(mask))) == CardSet(mask)
    assert len(pack(CardSet(mask))) <= 8


@pytest.mark.parametrize("argument", ["", "!", "-1", "1.5", base36(FULL.mask + 1), "zzzzzzzzzzzzz", "7-o"])
def test_an_invalid_set_of_cards_reads_as_none(argument: str):
    assert unpack(argument) is None


@pytest.mark.parametrize("custom_id", [f"e:take:{'z' * 13}:1", f"e:take:1:{'z' * 13}:7o"])
def test_numbers_too_large_for_any_game_refer_to_nothing(custom_id: str):
    assert handler_of(custom_id) is not None
    assert read(custom_id) == Ref(0, 0)


@pytest.mark.parametrize(
    "custom_id",
    [
        "e:take:1",
        "e:take:1:",
        "e:take::1",
        "e:take:1:1:",
        "e:take:-1:1",
        "e:take:1:1:7O",
        f"e:take:1:1:{'z' * 14}",
        "take",
    ],
)
def test_a_malformed_custom_id_refers_to_nothing(custom_id: str):
    assert handler_of(custom_id) is None


@pytest.mark.parametrize(
    "custom_id",
    ["d:open:20260314", "d:open:20260231:0", "d:open:00010101:0", "d:open:2026-3-1:0", "d:open:20260314:1000"],
)
def test_an_invalid_day_refers_to_nothing(custom_id: str):
    assert handler_of(custom_id) is None


def test_every_custom_id_has_a_handler():
    for custom_id in samples():
        assert handler_of(custom_id) is not None, custom_id


def test_a_custom_id_with_anything_before_or_after_it_has_no_handler():
    for custom_id in samples():
        for other in (f"{custom_id}:!", f"x{custom_id}", custom_id.upper(), custom_id.partition(":")[2], ""):
            assert handler_of(other) is None, other


def test_every_verb_of_a_game_has_its_own_handler():
    assert set(GAME) == set(Verb)
    assert len(set(GAME.values())) == len(GAME)
    assert all(re.fullmatch("[a-z]{1,12}", verb) for verb in GAME)
