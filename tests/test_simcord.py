"""Whether `tests/README.md` lists everything that the demo and the tests use beyond SimCord's public interface."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import pytest
import simcord

ROOT = Path(__file__).parents[1]
PUBLIC = ("simcord.builders", "simcord.enums")
LISTED = (ROOT / "tests" / "README.md").read_text(encoding="utf-8").split("## A new version of SimCord\n")[1]
QUOTED = re.compile(r"`([^`]+)`")
ENVIRONMENTS = ("env", "_env", "actor")
BACKENDS = ("backend", "_backend")


@cache
def is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def resolved(name: str) -> Any:
    """The object of a dotted name in the installed version; an error if it is gone."""
    module = name
    while not is_module(module):
        module = module.rpartition(".")[0]
    return reduce(getattr, name.removeprefix(module).split(".")[1:], importlib.import_module(module))


@cache
def source() -> str:
    return "".join(path.read_text(encoding="utf-8") for path in Path(simcord.__path__[0]).rglob("*.py"))


def is_private(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return module not in PUBLIC and name not in PUBLIC and not (module == "simcord" and last in simcord.__all__)


def imported(tree: ast.Module) -> dict[str, str]:
    """SimCord's names in a module, each with its dotted name there."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "simcord":
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        if isinstance(node, ast.Import):
            plain = [each for each in node.names if each.name.split(".")[0] == "simcord"]
            found |= {each.asname or "simcord": each.name if each.asname else "simcord" for each in plain}
    return found


def uses(text: str) -> Iterator[str]:
    """The names of SimCord's that a module's text uses and that are not public: dotted, or `env._name`."""
    tree = ast.parse(text)
    known = imported(tree)
    yield from (name for name in known.values() if is_private(name) and name != "simcord" and not is_module(name))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        path = ast.unparse(node).split(".")
        owner = path[-2]
        if owner in BACKENDS and not node.attr.startswith("_"):
            yield f"Backend.{node.attr}"
        elif owner in ENVIRONMENTS and node.attr.startswith("_"):
            yield f"{owner.lstrip('_')}.{node.attr}"
        elif path[0] in known:
            name = ".".join([known[path[0]], *path[1:]])
            if is_module(name.rpartition(".")[0]) and is_private(name) and not is_module(name):
                yield name


def patches(text: str) -> Iterator[str]:
    """The names of SimCord's that a module's text replaces."""
    tree = ast.parse(text)
    known = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            path = ast.unparse(node).split(".")
            if path[0] in known:
                yield ".".join([known[path[0]], *path[1:]])
            elif path[-2] in ENVIRONMENTS:
                yield f"{path[-2].lstrip('_')}.{node.attr}"
            elif path[-2] in BACKENDS and not node.attr.startswith("_"):
                yield f"Backend.{node.attr}"


def texts() -> Iterator[tuple[str, str]]:
    for folder in ("bot", "cogs", "tests", "bench"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if path != Path(__file__) and ("simcord" in text.lower() or "backend" in text):
                yield path.relative_to(ROOT).as_posix(), text


def rows(heading: str) -> set[tuple[str, str]]:
    """The modules and names of the table below a line."""
    table = LISTED.split(heading)[1].lstrip().split("\n\n")[0]
    cells = [line.split("|")[1:3] for line in table.splitlines()[2:]]
    return {
        (where, name) for names, places in cells for where in QUOTED.findall(places) for name in QUOTED.findall(names)
    }


def members() -> set[str]:
    return set(QUOTED.findall(LISTED.split("left there:\n")[1].split("\n\n")[0]))


def place(module: str) -> str:
    """A module as the list names it: what plays by clicks is one entry."""
    return "tests/played/" if module.startswith("tests/played/") else module


def is_part(name: str, dotted: str) -> bool:
    return f"{dotted}.".startswith(f"{name}.")


REPLACED, USED = rows("takes long:"), rows("Used as it is:")


def test_the_list_has_everything_that_is_replaced_in_simcord() -> None:
    assert {(place(module), name) for module, text in texts() for name in patches(text)} == REPLACED


def test_the_list_has_everything_that_is_used_and_not_public() -> None:
    found = {(place(module), name) for module, text in texts() for name in uses(text)}
    used = {(module, name) for module, name in found if not name.startswith("Backend.")}
    parts = {
        (module, name) for module, name in used for by, replaced in REPLACED if by == module and is_part(name, replaced)
    }
    assert used - parts == USED
    assert {name.removeprefix("Backend.") for _, name in found - used} == members()


@pytest.mark.parametrize("name", sorted({name for _, name in REPLACED | USED}))
def test_what_is_listed_is_still_there(name: str) -> None:
    if name.startswith("simcord."):
        assert resolved(name) is not None
    else:
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", source())


def test_the_members_of_the_backend_are_still_there() -> None:
    assert [name for name in sorted(members()) if not re.search(rf"\b{name}\b", source())] == []


def test_a_module_that_uses_more_is_found() -> None:
    text = """
import simcord
import simcord.results
from simcord import Env, _clock, gateway
from simcord.backend import errors, state as kept

def use(env: Env, here) -> None:
    gateway.copy = _clock.Clock
    simcord.results.deepcopy = kept.Backend
    here.env._work.backend.guilds.clear()
    env._settle_internal = errors.SetupError
    env.backend.delete_message = simcord.SetupError
"""
    replaced = {"simcord.gateway.copy", "simcord.results.deepcopy", "env._settle_internal", "Backend.delete_message"}
    used = {"simcord._clock.Clock", "simcord.backend.state.Backend", "simcord.backend.errors.SetupError"}
    assert set(patches(text)) == replaced
    assert set(uses(text)) == replaced | used | {"env._work", "Backend.guilds"}
