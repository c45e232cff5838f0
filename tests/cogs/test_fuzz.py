"""Whatever a client could send, by error or on purpose, is answered, writes nothing, and shows nothing hidden.

The dose is small here; `FUZZ=10000` sends as many clicks as that.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.engine.cards import DECK
from bot.ui.ids import Ref, base36
from bot.ui.items import GameItem, GameSelect
from bot.ui.picking import CLAIM
from bot.ui.registry import ITEMS
from tests.support.escoba import room
from tests.support.people import forge

CLICKS = int(os.environ.get("FUZZ", "300"))
AT_ONCE = 50
"""Clicks in one server; each server is new, and takes a while to begin."""

GAME_ITEMS = [item for item in ITEMS if issubclass(item, GameItem)]
VERBS = sorted(item.verb for item in GAME_ITEMS)
MENUS = {item.verb for item in GAME_ITEMS if issubclass(item, GameSelect)}

numbers = st.one_of(st.integers(0, 60), st.integers(0, 36**13 - 1)).map(base36)
arguments = st.one_of(
    st.sampled_from([card.notation for card in DECK]),
    st.just(CLAIM),
    numbers,
    st.text("0123456789abcxyz", min_size=1, max_size=13),
)
ours = st.builds(
    lambda verb, game, version, args: ":".join(("e", verb, game, version, *args))[:100],
    st.sampled_from(VERBS),
    st.one_of(st.just("1"), numbers),
    numbers,
    st.lists(arguments, max_size=4),
)
other = st.one_of(
    st.builds(
        "{}:{}:{}:{}:{}".format,
        st.just("r"),
        st.sampled_from(["prev", "metric"]),
        st.sampled_from(["wins", "x"]),
        st.just("all"),
        st.integers(0, 10**7),
    ),
    st.sampled_from(["s:preset", "s:turn", "p:data", "p:erase", "s:x", "p:x"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=100),
)
clicks = st.tuples(st.booleans(), st.one_of(ours, other), st.lists(arguments, max_size=3))


@settings(
    max_examples=max(1, CLICKS // AT_ONCE),
    phases=[Phase.generate],  # each example is a server with a match: too slow to look for a smaller one
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
    database=None,
)
@given(st.lists(clicks, min_size=AT_ONCE, max_size=AT_ONCE))
def test_what_nobody_offered_is_answered_and_changes_nothing(sent: list[tuple[bool, str, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(everything_sent(Path(folder), sent))


async def everything_sent(folder: Path, sent: list[tuple[bool, str, list[str]]]) -> None:
    """Send all that to a match in which none of it is a move: from a stranger, or of another state."""
    async with room(folder, 3) as here:
        ana, _, stranger = here.people
        await here.begin(2)
        before = (here.table.version, here.table.view().match)
        current = base36(here.table.view().version)
        for private, custom_id, values in sent:
            person, message = (ana, ana.panel(here.channel)) if private else (stranger, here.shown)
            verb, _, rest = custom_id.removeprefix("e:").partition(":")
            if person is ana and (rest.startswith(f"1:{current}") or verb in ("leaveyes", "cancelyes")):
                continue  # that is a move of hers
            await forge(person, message, custom_id, values if verb in MENUS or verb.startswith("metric") else None)
            assert here.bot.manager.at(here.channel.id) is not None, custom_id
            assert (here.table.version, here.table.view().match) == before, (person, custom_id)


def test_a_custom_id_of_any_text_is_read_or_refused() -> None:
    patterns = [item.__discord_ui_compiled_template__ for item in ITEMS]

    @given(st.one_of(ours, other))
    def read(custom_id: str) -> None:
        found = [match for pattern in patterns if (match := pattern.fullmatch(custom_id))]
        assert len(found) <= 1
        if found and "game" in found[0].groupdict():
            ref = Ref.parse(found[0])
            assert 0 <= ref.game < 2**63
            assert len(ref.custom_id("v")) <= 110

    read()
