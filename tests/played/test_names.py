"""Names with markup, mentions or direction marks are shown as plain text, from the lobby to the leaderboard."""

import re
from typing import Any

import pytest

from bot.platform.people import plain, safe
from tests.played import brief
from tests.support.escoba import RoomOf
from tests.support.limits_components import TEXT, walk
from tests.support.secrecy import strings

NASTY = (
    "**@everyone** ||x||",
    "\u202eanA \u2066<@1> @here",
    "[a](http://b.c) `x",
    "# <#2> <@&3>\n> _z_",
)
FOREIGN = re.compile(r"(?<!\\)<(?:@1|#2|@&3)>")
"""The mentions in these names, unless escaped by a backslash."""


def texts(body: Any) -> list[str]:
    """The texts of a request body that Discord renders as markdown."""
    found = [node["content"] for _, node in walk(body.get("components") or []) if node.get("type") == TEXT]
    return [*found, *([body["content"]] if body.get("content") else [])]


@pytest.mark.thorough
async def test_no_name_is_rendered_as_markup_or_as_a_mention(room_of: RoomOf):
    async with room_of(NASTY, chance=brief.PAIRS, turn_seconds=60, warn_seconds=30, computer_seconds=1) as here:
        await here.begin(pairs=True, target=5)
        match = here.table.view().match
        assert match is not None
        assert match.turn is not None
        warned = here.people[match.turn]
        await here.wait(35)
        assert any(warned.mention in text for text in here.people[0].sees(here.channel))
        clicks = here.clicks
        await here.play_out(until=lambda: here.clicks > clicks + 12)
        await here.finish()
        for person in here.people:
            for command in ("leaderboard", "stats", "games"):
                await person.slash(here.channel, f"escoba {command}")
        shown = [text for request in here.tap.requests if request.body for text in texts(request.message)]
        for name in NASTY:
            assert any(safe(name) in text for text in shown), name
            assert not any(plain(name) in text.replace(safe(name), "") for text in shown), name
        for request in here.tap.requests:
            for place, text in strings(request.message):
                assert "\u202e" not in text, (place, text)
                assert "\u2066" not in text, (place, text)
            for text in texts(request.message):
                assert "@everyone" not in text
                assert "@here" not in text
                assert not FOREIGN.search(text), text
            allowed = request.message.get("allowed_mentions") or {}
            assert not allowed.get("parse"), request
            assert not allowed.get("roles"), request
