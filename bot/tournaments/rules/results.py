"""Decisions about how a tournament's tables ended: reports, corrections, and who has to agree to them."""

from typing import Final

from bot.platform.refusals import Refusal
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import (
    Agreed,
    Answer,
    CameBack,
    Corrected,
    Declined,
    Proposed,
    Replayed,
    Report,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.tournaments.rules.state import apply
from bot.tournaments.rules.tournament import (
    Format,
    Gone,
    Outcome,
    Proposal,
    Setup,
    Tournament,
    TournamentRound,
    TournamentStage,
)

_FORFEITS: Final = 2
"""Matches lost without playing to the end after which an entry is taken to have gone home."""


def report(now: Tournament, report: Report) -> list[TournamentEvent]:
    """Record how a table has ended, if that isn't known yet."""
    round = now.round
    if (
        now.stage is not TournamentStage.PLAYING
        or round is None
        or round.number != report.round
        or round.pairing(report.table) is None
        or report.table in round.outcomes
        or round.attempt(report.table) != report.attempt
    ):
        return []
    return _settled(now, TableEnded(report.table, report.outcome))


def correct(now: Tournament, wanted: Proposed, *, decides: bool) -> list[TournamentEvent]:
    """Replace an outcome, or propose that to those who have to agree. `decides`: the person needs nobody."""
    assert wanted.outcome is not None
    made = _corrected(now, Corrected(wanted.round, wanted.table, wanted.outcome, wanted.by))
    return [wanted] if made and not decides and _asked(now, wanted) else made


def play_again(now: Tournament, wanted: Proposed, *, decides: bool) -> list[TournamentEvent]:
    """Have a table play again, or propose that, likewise."""
    made = _replayed(now, wanted.round, Replayed(wanted.table, wanted.by))
    return [wanted] if not decides and _asked(now, wanted) else made


def awaited(now: Tournament, proposal: Proposal) -> frozenset[int]:
    """The people whose agreement a proposal still waits for; of a table where nothing counts, that of one of them is
    enough."""
    wanted = Proposed(proposal.round, proposal.table, proposal.after, proposal.by, proposal.running)
    return _asked(now, wanted) - {person.id for person in proposal.agreed}


def _asked(now: Tournament, wanted: Proposed) -> frozenset[int]:
    """The people who have to agree to another outcome: all whom it costs something, or the opponents of somebody who
    played there and changes what counts nowhere else. Whoever proposes it agrees, and an erased person can lose
    nothing."""
    pairing = now.rounds[wanted.round - 1].pairing(wanted.table)
    assert pairing is not None, "it was looked up"
    asked = now.opponents_of(wanted.by.id, pairing)
    if wanted.running or _counts(now, wanted.round, wanted.table):
        before = now.rounds[wanted.round - 1].outcomes.get(wanted.table)
        sides = [side for side in range(2) if _costs(before, wanted.outcome, side)]
        entries = (now.entry(pairing.first), now.entry(pairing.second))
        asked = [person for side in sides for person in entries[side].people]
    return frozenset(person.id for person in asked if person.id > 0 and person.id != wanted.by.id)


def _counts(now: Tournament, number: int, table: int) -> bool:
    """Whether a table has an outcome that may count outside the tournament."""
    return now.setup.format is not Format.DUPLICATE and table in now.rounds[number - 1].outcomes


def _costs(before: Outcome | None, after: Outcome | None, side: int) -> bool:
    """Whether a side has less of another outcome: of a void match nobody has anything. Both sides of a match that runs
    may still win it."""
    if before is None:
        return after is None or after.winner != side
    if after is None or after.winner is None:
        return before.winner is not None
    ahead = [outcome.points[side] - outcome.points[1 - side] for outcome in (before, after)]
    fewer = after.points[side] < before.points[side] or ahead[1] < ahead[0]
    return fewer or (before.winner == side and after.winner != side)


def answer(now: Tournament, action: Answer) -> list[TournamentEvent]:
    """Carry out what was proposed for a table once everybody who has to agree does; drop it if somebody doesn't."""
    proposal = now.proposal(action.round, action.table)
    if proposal is None or proposal.number != action.number:
        raise Refusal(TournamentRefusal.ANSWERED)
    by = proposal.by
    waits = awaited(now, proposal)
    if action.person.id not in waits:
        raise Refusal(TournamentRefusal.NOT_ASKED)
    if not action.agrees:
        return [Declined(action.round, action.table, action.person)]
    if len(waits) > 1 and (proposal.running or _counts(now, action.round, action.table)):
        return [Agreed(action.round, action.table, action.person)]
    if proposal.after is None:
        _check_playing(now)
        return _replayed(now, action.round, Replayed(action.table, by, action.person))
    return _corrected(now, Corrected(action.round, action.table, proposal.after, by, action.person))


def _check_playing(now: Tournament) -> None:
    if now.stage is not TournamentStage.PLAYING:
        raise Refusal(TournamentRefusal.OVER if now.rounds else TournamentRefusal.NOT_STARTED)


def _corrected(now: Tournament, event: Corrected) -> list[TournamentEvent]:
    if not now.rounds:
        raise Refusal(TournamentRefusal.NOT_STARTED)
    round = _table(now, event.round, event.table)
    if not _is_possible(now.setup, event.outcome):
        raise Refusal(TournamentRefusal.BAD_OUTCOME)
    if now.setup.format is Format.KNOCKOUT and round.number < len(now.rounds):
        raise Refusal(TournamentRefusal.PAIRED_SINCE)
    if round.outcomes.get(event.table) == event.outcome:
        return []
    return [*_forgiven(now, event, event.round, event.table), *_settled(now, event)[1:]]


def _replayed(now: Tournament, number: int, event: Replayed) -> list[TournamentEvent]:
    _check_playing(now)
    if now.setup.format is Format.DUPLICATE:
        raise Refusal(TournamentRefusal.BOARDS_SEEN)
    if number != len(now.rounds):
        raise Refusal(TournamentRefusal.PAIRED_SINCE)
    _table(now, number, event.table)
    return _forgiven(now, event, number, event.table)


def _forgiven(now: Tournament, event: Corrected | Replayed, number: int, table: int) -> list[TournamentEvent]:
    """Apply the organiser's decision about a table; entries that were out for a forfeit that is now void come back."""
    after = apply(now, event)
    pairing = after.rounds[number - 1].pairing(table)
    assert pairing is not None
    back = [
        CameBack(each)
        for each in (pairing.first, pairing.second)
        if after.entry(each).gone is Gone.FORFEITS and after.forfeits(each) < _FORFEITS
    ]
    return [event, *back]


def _settled(now: Tournament, event: TableEnded | Corrected) -> list[TournamentEvent]:
    """Record an outcome and its consequences: too many forfeits put an entry out; the last outcome ends the
    tournament."""
    events: list[TournamentEvent] = [event]
    after = apply(now, event)
    assert after.round is not None
    if after.stage is not TournamentStage.PLAYING:
        return events
    last = len(after.rounds) == after.planned
    if isinstance(event, TableEnded) and not last and after.setup.format is not Format.KNOCKOUT:
        pairing = after.round.pairing(event.table)
        assert pairing is not None
        events += [
            Withdrawn(number, Gone.FORFEITS)
            for number in (pairing.first, pairing.second)
            if not after.entry(number).withdrawn and after.forfeits(number) >= _FORFEITS
        ]
    if last and after.round.over:
        events.append(StageBegan(TournamentStage.FINISHED))
    return events


def _table(now: Tournament, number: int, table: int) -> TournamentRound:
    if not 1 <= number <= len(now.rounds) or now.rounds[number - 1].pairing(table) is None:
        raise Refusal(TournamentRefusal.NO_TABLE)
    return now.rounds[number - 1]


def _is_possible(setup: Setup, outcome: Outcome) -> bool:
    duplicate = setup.format is Format.DUPLICATE
    boards = outcome.board_points
    if outcome.winner not in (0, 1, None) or not all(0 <= points <= 999 for points in outcome.points):
        return False
    if boards and (
        not duplicate or len(boards) > setup.boards or outcome.points != tuple(map(sum, zip(*boards, strict=True)))
    ):
        return False
    if outcome.forfeit:
        return True
    first, second = outcome.points
    if outcome.winner is None:
        return duplicate and first == second
    return outcome.points[outcome.winner] > outcome.points[1 - outcome.winner]
