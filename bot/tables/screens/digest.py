"""The private message that tells somebody once a day which of their matches wait for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from discord.utils import format_dt

from bot.platform.kit.links import channel_url
from bot.platform.language.texts import Words
from bot.tables.live.running import RunningMatch
from bot.tables.live.view import holder_name

ROOM: Final = 1_800
"""The characters that the list may have: a message has 2,000, and is plain text, since a notification shows that."""


def digest_text(waiting: Sequence[RunningMatch], t: Words, *, puzzle: bool = False) -> str:
    """List the matches that wait for somebody, with a link to each, and say so if the daily puzzle does."""
    heading = t.plural("It's your turn in {n} match.", "It's your turn in {n} matches.", len(waiting))
    lines = [_line(each, t) for each in waiting]
    fitting = sum(length <= ROOM for length in accumulate(len(line) + 1 for line in lines))
    more = len(waiting) - fitting
    last = [t.plural("… and {n} more", "… and {n} more", more)] if more else []
    how = t("You asked for this in `/escoba me`.")
    matches = [f"**{heading}**", *lines[:fitting], *last] if waiting else []
    today = ["**" + t("🧩 You haven't solved today's puzzle yet: `/escoba today`") + "**"] if puzzle else []
    return "\n".join((*matches, *today, f"-# {how}"))


def _line(match: RunningMatch, t: Words) -> str:
    against = t("against {names}", names=t.listed([holder_name(seat) for seat in match.others]))
    left = [] if match.deadline is None else [f"⏳ {format_dt(match.deadline, 'R')}"]
    assert match.guild_id is not None, "people play it on a server"
    assert match.channel_id is not None, "likewise"
    link = t("[jump to the table]({url})", url=channel_url(match.guild_id, match.channel_id))
    return "- " + " · ".join((against, *left, link))
