"""People without a partner in a tournament of pairs, who are paired with each other when a round is drawn."""

from __future__ import annotations

from bot.tournaments.rules.log import LeftEntry, PartnerJoined, TournamentEvent
from bot.tournaments.rules.tournament import Format, Tournament, TournamentStage


def paired_singles(now: Tournament) -> list[TournamentEvent]:
    """Pair the people who are waiting for a partner, two at a time, in the order in which they signed up.

    With an odd number, the last one goes on waiting. Late ones in an all-play-all are paired only while there is a
    place for a pair.
    """
    waiting = now.singles
    if now.stage is TournamentStage.PLAYING and now.setup.format is Format.KNOCKOUT:
        return []  # no round after the first takes a new entry
    if now.stage is TournamentStage.PLAYING and now.setup.format is Format.ALL_PLAY_ALL:
        waiting = waiting[:2] if now.free_place else ()
    events: list[TournamentEvent] = []
    for one, other in zip(waiting[::2], waiting[1::2], strict=False):
        [person] = other.people
        events += [LeftEntry(person.id), PartnerJoined(one.number, person)]
    return events
