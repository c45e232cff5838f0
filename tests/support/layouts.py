"""The most extreme tables, matches and people, and a check of what Discord would refuse about a layout."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from bot.engine.highlights import no_highlights
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.engine.views import public_view
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.seats import Seat
from bot.tables.log.topics import Face
from bot.tables.log.votes import Poll, is_open
from tests.support import limits
from tests.support.dose import thorough_but
from tests.support.languages import longest_words
from tests.support.limits import COMPONENTS_V2
from tests.support.limits_components import CONTAINER, ROW, SELECTS, TEXT, walk

LARGEST = 2**63 - 1
EMOJIS = "🧹" * 32  # 64 UTF-16 units, 128 bytes
NAME = "ש*__||`[<@&~~_*|`[<@&~~_*|`[<@&ש"  # nearly every character needs escaping, and it ends from right to left
LONGEST = longest_words()
LANGUAGES: tuple[Words, ...] = (words("en"), words("es"), LONGEST)
every_language = pytest.mark.parametrize("t", thorough_but(LANGUAGES, LONGEST), ids=("en", "es", "longest"))
"""Usually only the longest of all translations of each text: what has room for them has room for every language."""
FEW = (
    ("escoba", Seating.TWO),
    ("quince", Seating.PAIRS),
    ("quince", Seating.TRIPLE_PAIRS),
    ("cientifica", Seating.PAIRS),
    ("chorizo", Seating.TWO),
)


def thorough_but_few(combos: Iterable[tuple[str, Seating]]) -> list[Any]:
    """Presets and seatings as parameters; `make test` runs only those whose screens differ most."""
    return [pytest.param(*each, marks=[] if each in FEW else pytest.mark.thorough) for each in combos]


def seats_of(count: int, *, computers: int = 0) -> tuple[Seat, ...]:
    """Seats with the worst names, the last of them computers."""
    people = [
        Seat(NAME, LARGEST - index, presence=Presence.AWAY if index else Presence.HERE)
        for index in range(count - computers)
    ]
    return (*people, *(Seat(NAME) for _ in range(computers)))


def table_of(
    match: Match | None, seats: int, *, phase: Phase = Phase.PLAYING, config: Config | None = None
) -> TableView:
    """A table's view with the largest numbers."""
    return TableView(
        id=LARGEST,
        guild_id=LARGEST,
        channel_id=LARGEST,
        opener_id=LARGEST,
        locale="en",
        phase=phase,
        config=config or Config(),
        seats=seats_of(seats),
        version=LARGEST if match is None else match.version,
        match=None if match is None else public_view(match),
        highlights=None if match is None else no_highlights(match.seating),
        deadline=datetime(2999, 12, 31, tzinfo=UTC),
        waiting=False,
        restored=True,
        faces=None if match is None or match.over else (10**9,) * len(Face),
        poll=None if match is None else poll_of(match),
    )


def poll_of(match: Match) -> Poll:
    """The largest poll that a match can have."""
    seen = public_view(match)
    if match.stage is Stage.TO_PLAY:
        return Poll(is_open(seen), (10**9,) * match.seating.sides)
    return Poll(open=False, counts=(), right=tuple(LARGEST - n for n in range(9)))


def view_of(match: Match) -> TableView:
    """The match at a table of people called 0, 1, 2."""
    view = table_of(match, match.seating.seats)
    return replace(view, seats=tuple(replace(seat, name=f"P{n}") for n, seat in enumerate(view.seats)))


def body_of(layout: Layout) -> dict[str, Any]:
    """The body of a request that sends a layout."""
    return {"flags": COMPONENTS_V2, "components": layout.to_components(), "allowed_mentions": {"parse": []}}


def troubles(layout: Layout) -> list[str]:
    """What Discord would refuse about a layout, warnings that a text may be too long, and menus without a label."""
    body = body_of(layout)
    found = limits.problems("POST", "/channels/1/messages", body)
    found += [f"no label above the menu {name}" for name in _unlabelled(layout.to_components())]
    return found + [line for line in limits.warnings("POST", "/channels/1/messages", body) if line.startswith("text")]


_CLEAR: Final = ("target", "tempo", "takeoff", "partner")
"""The verbs of a lobby's menus that need no label: each choice says what it is about ("1 minute per turn"), or nothing
stays chosen, so that the placeholder does."""


def _is_clear(menu: Component) -> bool:
    """Whether a menu says by itself what it is about, whatever is chosen."""
    return menu["custom_id"].split(":")[1] in _CLEAR or (
        menu["custom_id"].startswith("e:guests:") and not menu.get("default_values")
    )


def _unlabelled(components: Sequence[Component]) -> Iterator[str]:
    """The menus that don't follow a text: a placeholder is no label, as it disappears once a value is chosen."""
    above = None
    for each in components:
        if each["type"] == CONTAINER:
            yield from _unlabelled(each["components"])
        elif each["type"] == ROW and above != TEXT:
            menus = (every for every in each["components"] if every["type"] in SELECTS)
            yield from (menu["custom_id"] for menu in menus if not _is_clear(menu))
        above = each["type"]


def words_of(layout: Layout) -> str:
    """The texts of a layout."""
    return "\n".join(str(node["content"]) for _, node in walk(layout.to_components()) if node.get("type") == TEXT)
