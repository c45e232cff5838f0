"""The examples in the engine's docstrings are true, and its main modules begin with a session that one can type."""

import doctest
import pkgutil
from importlib import import_module

import pytest

from bot import engine

MODULES = [found.name for found in pkgutil.walk_packages(engine.__path__, "bot.engine.") if not found.ispkg]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", ["cards", "rules", "round", "match", "scoring", "notation"])
def test_a_main_module_begins_with_a_session_that_imports_what_it_uses(name: str) -> None:
    text = import_module(f"bot.engine.{name}").__doc__
    assert text is not None
    session = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert len(session.examples) > 3
    assert doctest.DocTestRunner(verbose=False).run(session).failed == 0
