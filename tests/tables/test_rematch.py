"""Whom a rematch invites."""

from bot.platform.people import Person
from bot.tables.live.rematch import rematch_of
from bot.tables.log.events import LogEvent, Presence, PresenceChanged
from tests.support.recorded import log_events, store_log
from tests.support.tables.hall import Hall
from tests.support.tables.kit import ANA, BEA, CHANNEL, GUILD

ERASED = Person(-7, "?")
"""What an erasure leaves of a person in the logs of games that are over."""


async def invited(hall: Hall, log: list[LogEvent]) -> tuple[Person | None, ...]:
    """The people invited to the rematch that Ana asks for."""
    game_id = await store_log(hall.store, GUILD, CHANNEL, log, hall.time.now())
    return (await rematch_of(hall.manager, hall.store.games, game_id, ANA, guild_id=GUILD, channel_id=CHANNEL)).invited


async def test_everybody_who_played_is_invited_by_seat(hall: Hall):
    assert await invited(hall, log_events("escoba", [ANA, BEA], target=5)) == (ANA, BEA)


async def test_somebody_who_has_been_erased_is_not_invited(hall: Hall):
    assert await invited(hall, log_events("escoba", [ANA, ERASED], target=5)) == (ANA, None)


async def test_somebody_who_left_is_not_invited(hall: Hall):
    log = log_events("escoba", [ANA, BEA], target=5)
    assert await invited(hall, [*log[:-1], PresenceChanged(1, Presence.LEFT), log[-1]]) == (ANA, None)
