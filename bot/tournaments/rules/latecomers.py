"""Late entries of a knockout, which take the byes of its first round."""

from __future__ import annotations

from bot.tournaments.rules.log import TournamentEvent
from bot.tournaments.rules.pairings import take_bye
from bot.tournaments.rules.setup import Format
from bot.tournaments.rules.state import apply_all
from bot.tournaments.rules.tournament import Tournament, TournamentStage


def placed(now: Tournament, events: list[TournamentEvent]) -> list[TournamentEvent]:
    """Give an entry that is new in a running knockout the bye that is free there, once it is complete."""
    if now.stage is not TournamentStage.PLAYING or now.setup.format is not Format.KNOCKOUT:
        return events
    after = apply_all(now, events)
    new = [each for each in after.entries if after.complete(each) and not (each.withdrawn or after.took_part(each))]
    taken = take_bye(after, new[0].number) if new else None
    return events if taken is None else [*events, taken]
