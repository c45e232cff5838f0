"""Every reason for a refusal is said in words of its own subject's, whichever subject declares it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import get_type_hints

import pytest

from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict
from bot.platform.language import refusals
from bot.platform.language.refusals import refusal
from bot.platform.language.texts import words
from bot.platform.refusal import CommonRefusal, Refusal, RefusalCode
from bot.tables.errors import Conflicting, TableRefusal
from tests.platform.language.test_texts import in_the_code
from tests.test_complete import modules

EN = words("en")


def below(kind: type) -> Iterator[type]:
    """The classes that derive from one, wherever they are declared."""
    for each in type.__subclasses__(kind):
        yield each
        yield from below(each)


def kinds_of_code() -> set[type[StrEnum]]:
    """All types of codes: the subjects' own, and those that an error of another room carries, such as the engine's."""
    assert list(modules()), "all have been imported"
    errors = [each for each in below(Exception) if each.__module__.startswith("bot.") and "__init__" in vars(each)]
    carried = [get_type_hints(each.__init__).get("code") for each in errors]
    codes = {each for each in carried if isinstance(each, type) and issubclass(each, StrEnum)}
    return {*codes, *below(RefusalCode)}


def test_every_code_of_a_subject_has_its_words():
    kinds = kinds_of_code()
    assert kinds >= {CommonRefusal, TableRefusal, RuleCode}
    declared = refusals._SAID  # pyright: ignore[reportPrivateUsage] - only the whole of it shows what is missing
    assert declared.keys() == kinds
    assert {kind: set(declared[kind]) for kind in kinds} == {kind: set(kind) for kind in kinds}
    texts = [said for table in declared.values() for said in table.values() if isinstance(said, str)]
    assert [text for text in texts if text not in in_the_code()] == [], "translators only see what is marked"


def test_codes_that_are_spelled_alike_have_words_of_their_own_subject():
    spelled: dict[str, list[StrEnum]] = {}
    for code in [code for kind in kinds_of_code() for code in kind if code is not TableRefusal.CONFLICT]:
        spelled.setdefault(code.value, []).append(code)
    alike = [codes for codes in spelled.values() if len(codes) > 1]
    assert alike, "the tables' and the tournaments' too_few, for one"
    for codes in alike:
        assert len({refusal(Refusal(code), EN) for code in codes}) == len(codes), codes


def test_rules_that_exclude_each_other_are_named():
    conflicts = (Conflict.SCOPONE_IS_FOR_FOUR, Conflict.CARDS_DO_NOT_DIVIDE)
    heading, *reasons = refusal(Conflicting(conflicts), EN).splitlines()
    assert heading == "These rules don't go together:"
    assert [each.startswith("- ") for each in reasons] == [True, True]


def test_a_target_is_refused_without_another_rule():
    assert refusal(Conflicting((Conflict.TARGET_OUT_OF_RANGE,)), EN) == "The target must be between 5 and 101 points."


def test_a_code_that_nobody_has_declared_is_an_error():
    class Forgotten(StrEnum):
        CODE = "stale"

    with pytest.raises(KeyError):
        refusal(Refusal(Forgotten.CODE), EN)
