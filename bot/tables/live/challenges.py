"""Challenges: how soon somebody who hasn't accepted one may be mentioned in another."""

from datetime import datetime, timedelta
from typing import Final

from bot.platform.refusals import Refusal
from bot.tables.live.running import states_of
from bot.tables.log.codec import MATCH
from bot.tables.log.events import Phase
from bot.tables.log.state import TableState
from bot.tables.refusals import TableRefusal
from bot.tables.store.logs import Games

SILENCE: Final = timedelta(hours=24)
"""Time in which nobody may challenge somebody again who has declined their challenge, or not answered it."""
_MOST_UNANSWERED: Final = 2
"""Challenges that are open or were taken back: whoever has made a mistake may correct it once."""


async def check_may_challenge(games: Games, challenger_id: int, person_id: int, now: datetime) -> None:
    """Check that somebody may challenge another person now; the logs of their earlier challenges say so.

    Raises:
        Refusal: if the other person hasn't accepted one within a day.
        StoreError: if that can't be read.
    """
    found = await states_of(games, await games.unplayed(challenger_id, person_id, now - SILENCE, MATCH))
    challenges = [state for state, _ in found.values() if state.challenge and state.opener_id == challenger_id]
    pending = sum(state.phase in (Phase.LOBBY, Phase.CANCELLED) for state in challenges)
    forgiven = any(map(_gave_way, challenges))  # one: two friends could have the winner mentioned all day
    if pending - forgiven >= _MOST_UNANSWERED or pending < len(challenges):
        raise Refusal(TableRefusal.NOT_ACCEPTED)


def _gave_way(state: TableState) -> bool:
    """Whether a challenge was closed to make room for a rematch."""
    # Whoever takes one back leaves it, or is noted.
    return state.phase is Phase.CANCELLED and state.ended_by is None and bool(state.seats)
