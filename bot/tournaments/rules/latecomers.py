"""Entries that are placed by themselves: people without a partner, and latecomers."""

from bot.tournaments.rules.log import LeftEntry, PartnerJoined, TournamentEvent
from bot.tournaments.rules.pairings import take_bye
from bot.tournaments.rules.setup import Format
from bot.tournaments.rules.state import apply_all
from bot.tournaments.rules.tournament import Tournament, TournamentStage


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


def placed(now: Tournament, events: list[TournamentEvent]) -> list[TournamentEvent]:
    """Give an entry that is new in a running knockout the bye that is free there, once it is complete."""
    if now.stage is not TournamentStage.PLAYING or now.setup.format is not Format.KNOCKOUT:
        return events
    after = apply_all(now, events)
    new = [each for each in after.entries if after.complete(each) and not (each.withdrawn or after.took_part(each))]
    taken = take_bye(after, new[0].number) if new else None
    return events if taken is None else [*events, taken]
