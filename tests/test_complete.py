"""Tables by case: whoever adds a case to an enum, or a preset, or a switch, is told of every table that lacks it.

A table is a mapping at the top level of a module, or the options of a `Choice` there. One that is meant to lack cases
is in `INCOMPLETE`, with the reason.
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum, StrEnum
from functools import cache
from types import ModuleType
from typing import cast

import bot
import cogs
from bot.engine.rules import PRESETS, SWITCHES
from bot.engine.scoring import MOST_OF, Item
from bot.platform.settings.choices import Choice
from bot.training.rules.lesson_steps import LESSONS

Cases = Mapping[object, object]

RUN_BY_ALEMBIC = "bot.schema.migrations.env"
FIGURES_ARE_ALIKE = "figures are alike, and worth least"
NAMED = "other ranks are named by their number"
TAUGHT = "a preset without a lesson has none to write about"
INCOMPLETE = {
    "bot.engine.scoring.MOST_OF": "each of the other items is counted in a way of its own",
    "bot.engine.scoring._BEST_FOUR": "a prime of sevens compares the sides; with none, there is nothing to count",
    "bot.engine.scoring._PRIME_POINTS": FIGURES_ARE_ALIKE,
    "bot.engine.scoring._SETENTA_ORDER": FIGURES_ARE_ALIKE,
    "bot.players.choosing._SKILLS": "the hard level searches instead",
    "bot.players.choosing.PRIME_STEPS": "other ranks hardly ever decide a prime",
    "bot.platform.database.database._WORDS": "with the other faults it is the backend that says what is wrong",
    "bot.tables.log.pace._TURNS": "the usual time is the server's",
    "bot.training.rules.lesson_steps.LESSONS": "the others are learned from their rules, once one of these is known",
    "bot.club.screens.ranking.MENUS": "the other verbs are buttons",
    "bot.tables.clicks.rules._CHANGES": "only these change the rules",
    "bot.tables.screens.rules_editor._MENUS": "only these are menus of rules",
    "bot.tables.screens.rules_editor.RULES": "the other menus set more than one field",
    "bot.cards.words.items._NAMES": "the others are named as in the code",
    "bot.cards.words.cards.FRENCH_INDICES": NAMED,
    "bot.cards.words.cards._FIGURES": NAMED,
    "bot.cards.words.cards._FRENCH_FIGURES": NAMED,
    "bot.cards.words.cards._WORDED": NAMED,
    "bot.training.rules.themes._THEMES": "another item is about winning the most of some cards",
    "bot.cards.words.rules._PRIMES": "without a prime there is no line about it",
    "bot.cards.words.rules._BRIEFLY": "a caption doesn't say that there is no opening",
    "bot.training.words.lesson_texts.GOODBYES": TAUGHT,
    "bot.training.words.lesson_texts.LESSON_NAMES": TAUGHT,
    "bot.training.words.lesson_texts.LESSON_TEXTS": TAUGHT,
}


def modules() -> Iterator[ModuleType]:
    for room in (bot, cogs):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if found.name != RUN_BY_ALEMBIC:
                yield importlib.import_module(found.name)


def assigned_in(module: ModuleType) -> set[str]:
    """The names that a module assigns at its top level; others are imported."""
    found: set[str] = set()
    for node in ast.parse(inspect.getsource(module)).body:
        match node:
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                found.add(name)
            case _:
                pass
    return found


def cases_of(table: Cases) -> set[object] | None:
    """The keys that a table must have if it is complete; None if its keys aren't cases."""
    keys = set(table)
    if keys and all(isinstance(key, Enum) for key in keys):
        return {case for kind in {type(key) for key in keys} for case in cast(type[Enum], kind)}
    for known in (set(PRESETS), set(SWITCHES)):
        if keys and keys <= known:
            return set(known)
    return None


@cache
def tables() -> dict[str, tuple[Cases, set[object]]]:
    """The tables by case, with the cases that they should have."""
    found: dict[str, tuple[Cases, set[object]]] = {}
    for module in modules():
        for name in assigned_in(module):
            value = getattr(module, name, None)
            for each in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
                table = each.options if isinstance(each, Choice) else each
                if isinstance(table, Mapping) and (cases := cases_of(cast(Cases, table))) is not None:
                    place = f"{name}.{each.field}" if isinstance(each, Choice) else name
                    found[f"{module.__name__}.{place}"] = (cast(Cases, table), cases)
    return found


def is_handlers(name: str) -> bool:
    """Whether a table has handlers of clicks: each screen's are complete together, which its own test checks."""
    return ".clicks." in name and name not in INCOMPLETE


def test_every_table_has_all_its_cases_or_a_reason_to_lack_some() -> None:
    assert len(tables()) > 100
    lacking = {
        name: cases - table.keys()
        for name, (table, cases) in tables().items()
        if cases != table.keys() and name not in INCOMPLETE and not is_handlers(name)
    }
    assert not lacking


def test_tables_that_may_lack_cases_do() -> None:
    whole = [name for name in INCOMPLETE if name not in tables() or tables()[name][0].keys() == tables()[name][1]]
    assert not whole


def test_whatever_is_said_in_lessons_is_said_in_each() -> None:
    lessons = [table for name, (table, _) in tables().items() if INCOMPLETE.get(name) is TAUGHT]
    assert [table.keys() for table in lessons] == [LESSONS.keys()] * 3


def test_items_about_a_single_card_have_a_sentence_that_does_not_name_it() -> None:
    assert {item for item, most in MOST_OF.items() if most.single} == {Item.SEVEN_OF_OROS}, "coaching words these"


def test_a_table_without_one_case_is_found() -> None:
    class Colour(StrEnum):
        RED = "red"
        BLUE = "blue"

    assert cases_of({Colour.RED: 1}) == {Colour.RED, Colour.BLUE}
    assert cases_of({"escoba": 1}) == PRESETS.keys()
    assert cases_of({"cantos": 1}) == set(SWITCHES)
    assert cases_of({"red": 1}) is None
    assert cases_of({}) is None
