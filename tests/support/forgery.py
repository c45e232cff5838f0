"""Strategies for what a client could send without having been offered it: buttons, menus, commands and forms."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from bot.engine.cards import DECK
from bot.engine.rules import PRESETS
from bot.platform.kit.codec import base36
from bot.tables.ids.game import Ref, Verb
from bot.tables.screens.picking import ANY, CLAIM
from cogs.escoba import Escoba
from tests.support.references import custom_ids as of_any_screen
from tests.support.references import mutated

COMMANDS = tuple(command.name for command in Escoba.__cog_app_commands__)
STRING, INTEGER, BOOLEAN, USER, NUMBER = 3, 4, 5, 6, 10
TEXT_INPUT, LABEL, ACTION_ROW = 4, 18, 1


@dataclass(frozen=True)
class Click:
    """A button, or with `values` a menu, on the person's own panel (`private`) or on the table."""

    private: bool
    custom_id: str
    values: tuple[str, ...] | None


@dataclass(frozen=True)
class Slash:
    """A command; `data` as Discord forwards it."""

    data: dict[str, Any]


@dataclass(frozen=True)
class Form:
    """A submitted modal, on the person's own panel (`on`) or on no message."""

    on: bool
    custom_id: str
    components: tuple[dict[str, Any], ...]


Forged = Click | Slash | Form

numbers = st.one_of(st.integers(0, 60), st.integers(0, 36**13 - 1)).map(base36)
arguments = st.one_of(
    st.sampled_from([card.notation for card in DECK]),
    st.sampled_from([CLAIM, ANY]),
    numbers,
    st.text("0123456789abcxyz", min_size=1, max_size=13),
)
ours = st.builds(
    lambda verb, game, version, args: ":".join((Ref.kind, verb, game, version, *args))[:100],
    st.sampled_from(Verb),
    st.one_of(st.just("1"), numbers),
    numbers,
    st.lists(arguments, max_size=4),
)
anything = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=100)
custom_ids = st.one_of(
    ours, of_any_screen, of_any_screen.flatmap(mutated).map(lambda text: text[:100] or "x"), anything
)
clicks = st.builds(Click, st.booleans(), custom_ids, st.none() | st.lists(arguments, max_size=3).map(tuple))

written = st.one_of(
    anything,
    anything.map(lambda text: text * 60),
    st.integers().map(str),
    st.sampled_from(["", " ", "-1", "0", "5", "101", "102", "1e2", "٣٠", "²", "@everyone", "\u202e15"]),
)
values = {
    STRING: st.one_of(written, st.sampled_from([*PRESETS, "wins", "all"])),
    INTEGER: st.one_of(st.integers(-(2**53), 2**53), st.integers(0, 120)),
    BOOLEAN: st.booleans(),
    USER: st.integers(1, 2**63).map(str),
    NUMBER: st.floats(allow_nan=False, allow_infinity=False),
}
options = st.builds(
    lambda name, sent: {"name": name, "type": sent[0], "value": sent[1]},
    st.sampled_from(["variant", "target", "order", "season", "player", "x"]),
    st.sampled_from(sorted(values)).flatmap(lambda kind: st.tuples(st.just(kind), values[kind])),
)
distinct = st.lists(options, max_size=3, unique_by=lambda option: option["name"])
below = st.builds(
    lambda name, given, kind: [{"name": name, "type": kind, "options": given}],
    st.one_of(st.sampled_from(COMMANDS), anything),
    distinct,
    st.sampled_from([1, 1, 1, 2]),
)
slashes = st.builds(
    lambda name, given: Slash({"name": name, "options": given}),
    st.sampled_from(["escoba", "escoba", "escoba", "escoba-admin", "chess"]),
    st.one_of(below, below, distinct),
)

plays = st.builds(
    lambda given: Slash({"name": "escoba", "options": [{"name": "play", "type": 1, "options": given}]}), distinct
)


def _field(kind: int, custom_id: str, value: Any) -> dict[str, Any]:
    field = {"type": TEXT_INPUT, "id": 2, "custom_id": custom_id, "value": value}
    inner: dict[str, Any] = {"component": field} if kind == LABEL else {"components": [field]}
    return {"type": kind, "id": 1, **inner}


fields = st.builds(_field, st.sampled_from([LABEL, ACTION_ROW]), st.one_of(st.just("target"), anything), written)
forms = st.builds(Form, st.booleans(), custom_ids, st.lists(fields, max_size=3).map(tuple))
aims = st.builds(
    lambda on, version, given: Form(on, f"{Ref.kind}:{Verb.TARGET}:1:{version}", tuple(given)),
    st.booleans(),
    numbers,
    st.lists(fields, min_size=1, max_size=2),
)

forged: st.SearchStrategy[Forged] = st.one_of(clicks, slashes, forms, aims)
