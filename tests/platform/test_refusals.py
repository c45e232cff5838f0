"""Every reason for a refusal is a text that translators see, and is no other reason's of its subject."""

from collections.abc import Iterator

from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict
from bot.platform.language.catalogues import words
from bot.platform.refusals import CommonRefusal, RefusalCode
from bot.tables.refusals import CONFLICTS, Conflicting, MoveRefusal, TableRefusal
from tests.platform.language.test_texts import in_the_code
from tests.test_complete import modules

EN = words("en")


def kinds_of_code() -> Iterator[type[RefusalCode]]:
    """The subjects' codes, wherever they are declared."""
    assert list(modules()), "all have been imported"
    yield from RefusalCode.__subclasses__()


def test_every_reason_is_marked_for_translators():
    kinds = set(kinds_of_code())
    assert kinds >= {CommonRefusal, TableRefusal, MoveRefusal}
    texts = [code.value for kind in kinds for code in kind] + list(CONFLICTS.values())
    assert [text for text in texts if text not in in_the_code()] == []


def test_two_reasons_have_one_text_only_where_a_player_needs_no_other():
    alike = {
        name: code.name for kind in kinds_of_code() for name, code in kind.__members__.items() if name != code.name
    }
    stale = dict.fromkeys(("NO_ROUND", "ROUND_RUNNING", "BAD_DECK", "BAD_RULES"), "NOTHING_TO_CHOOSE")
    assert alike == {"NOTHING_TO_CLAIM": "NOT_A_CAPTURE", **stale}


def test_every_reason_of_the_rules_has_words():
    assert MoveRefusal.__members__.keys() == RuleCode.__members__.keys()
    assert CONFLICTS.keys() == set(Conflict)


def test_rules_that_exclude_each_other_are_named():
    conflicts = (Conflict.SCOPONE_IS_FOR_FOUR, Conflict.CARDS_DO_NOT_DIVIDE)
    heading, *reasons = Conflicting(conflicts).reason(EN).splitlines()
    assert heading == "These rules don't go together:"
    assert [each.startswith("- ") for each in reasons] == [True, True]


def test_a_target_is_refused_without_another_rule():
    assert Conflicting((Conflict.TARGET_OUT_OF_RANGE,)).reason(EN) == "The target must be between 5 and 101 points."
