"""The beginning of a tournament's table: directly with its match, as there is nobody to wait for in a lobby."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from bot.engine.events import MatchStarted, RoundDealt
from bot.platform.people.person import Person
from bot.platform.refusals import Refusal
from bot.tables.live.chance import Chance
from bot.tables.log.change import deck_of
from bot.tables.log.events import Config, Fixture, Joined, LogEvent, Opened
from bot.tables.refusals import Conflicting, TableRefusal


def opening(
    fixture: Fixture, people: Sequence[Person], config: Config, chance: Chance, *, sealed: bool
) -> list[LogEvent]:
    """The first events of a pairing's table: its people sit down, and the first of them is dealt to first.

    If it is `sealed`, the first deal follows once its message has been posted.

    Raises Refusal if this many people can't play by these rules.
    """
    first, *others = people
    seating = config.seating(len(people))
    if seating is None:
        raise Refusal(TableRefusal.NO_SEATING)
    if conflicts := config.conflicts_with(seating):
        raise Conflicting(conflicts)
    lot = crc32(f"{fixture.tournament}/{fixture.key}".encode())  # the table has no number yet
    dealt = [] if sealed else [RoundDealt(deck_of(chance, fixture, lot, 1, seating))]
    return [
        Opened(first, config, fixture=fixture),
        *(Joined(person) for person in others),
        MatchStarted(config.rules, seating, dealer=len(people) - 1),
        *dealt,
    ]
