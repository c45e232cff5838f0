"""Decisions in a tournament: the events that an action causes, or the reason why it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.club.person import Person
from bot.club.tournaments.actions import (
    Begin,
    BeginCheckIn,
    CancelTournament,
    ChangeSetup,
    CheckIn,
    Correct,
    DrawRound,
    Enter,
    JoinPartner,
    LeaveEntry,
    PlayAgain,
    Remove,
    Repeat,
    Report,
    TournamentAction,
    Withdraw,
)
from bot.club.tournaments.latecomers import placed
from bot.club.tournaments.log import (
    CameBack,
    CheckedIn,
    Corrected,
    Entered,
    LeftEntry,
    PartnerJoined,
    RepeatSet,
    Replayed,
    RoundPaired,
    Seeded,
    SetUp,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.club.tournaments.pairings import beaten, by_rating, draw, in_play, knocked_out
from bot.club.tournaments.refusal import NotAllowed, TournamentRefusal
from bot.club.tournaments.setup import is_invalid, max_entries, min_entries
from bot.club.tournaments.singles import paired_singles
from bot.club.tournaments.state import apply, apply_all
from bot.club.tournaments.tournament import (
    Entry,
    Format,
    Gone,
    Setup,
    Tournament,
    TournamentRound,
    TournamentStage,
    is_possible,
)

_FORFEITS: Final = 2
"""Matches lost without playing to the end after which an entry is taken to have gone home."""


def decide(now: Tournament, action: TournamentAction | Report, *, manages: bool = False) -> list[TournamentEvent]:
    """Decide which events an action causes, in order; none if it changes nothing.

    `Begin` and `DrawRound` also draw the round, which takes a tenth of a second with 64 entries.

    Args:
        now: the tournament.
        action: the request of a person, or the report of the director.
        manages: whether the person may manage events there, and so may do all that the organiser may.

    Raises:
        NotAllowed: if it can't be done now.
    """
    if isinstance(action, Report):
        return _report(now, action)
    if not now.stage.open and not (isinstance(action, Correct) and now.stage is TournamentStage.FINISHED):
        raise NotAllowed(TournamentRefusal.OVER)
    match action:
        case Enter(person):
            return placed(now, _enter(now, person))
        case JoinPartner(person, number):
            return placed(now, _join(now, person, number))
        case LeaveEntry(person) | Withdraw(person):
            return _leave(now, person, before=isinstance(action, LeaveEntry))
        case CheckIn(person):
            if now.stage is not TournamentStage.CHECK_IN:
                raise NotAllowed(TournamentRefusal.NOT_CHECK_IN)
            entry = _own_entry(now, person)
            return [] if entry.present else [CheckedIn(entry.number)]
        case _:
            if not (manages or action.person.id == now.organiser.id):
                raise NotAllowed(TournamentRefusal.NOT_ORGANISER)
            return _organise(now, action)


def _organise(now: Tournament, action: TournamentAction) -> list[TournamentEvent]:
    match action:
        case Remove(person, number):
            if not 1 <= number <= len(now.entries):
                raise NotAllowed(TournamentRefusal.NO_TABLE)
            return _remove(now, now.entry(number), person)
        case ChangeSetup(_, setup):
            return _set_up(now, setup)
        case Repeat(person, weekly):
            if now.setup.start is None:
                raise NotAllowed(TournamentRefusal.NO_TIME)
            return [] if weekly == now.setup.start.weekly else [RepeatSet(weekly, person)]
        case BeginCheckIn(person):
            if now.stage is not TournamentStage.SIGN_UP:
                raise NotAllowed(TournamentRefusal.CHECK_IN_BEGAN)
            return [StageBegan(TournamentStage.CHECK_IN, person)]
        case Begin(person, ratings):
            return _begin(now, person, dict(ratings))
        case DrawRound(person):
            _check_playing(now)
            assert now.round is not None, "the first round is drawn when play begins"
            if not now.round.over:
                raise NotAllowed(TournamentRefusal.ROUND_RUNNING)
            return _next_round(now, person)
        case Correct(person, number, table, outcome):
            return _correct(now, Corrected(number, table, outcome, person))
        case PlayAgain(person, number, table):
            _check_playing(now)
            if now.setup.format is Format.DUPLICATE:
                raise NotAllowed(TournamentRefusal.BOARDS_SEEN)
            if number != len(now.rounds):
                raise NotAllowed(TournamentRefusal.PAIRED_SINCE)
            _table(now, number, table)
            return _forgiven(now, Replayed(table, person), number, table)
        case CancelTournament(person):
            return [StageBegan(TournamentStage.CANCELLED, person)]
        case _:
            raise AssertionError(f"no decision is defined for {type(action).__name__}")


# ------------------------------------------------------------------------------------------------ entries


def _enter(now: Tournament, person: Person) -> list[TournamentEvent]:
    if now.entry_of(person.id) is not None:
        raise NotAllowed(TournamentRefusal.ALREADY_ENTERED)
    former = _former(now, person)
    full = sum(not each.withdrawn for each in now.entries) >= max_entries(now.setup)
    if now.stage is TournamentStage.PLAYING:
        for entry in reversed(former):
            alone = all(now.entry_of(other.id) is None for other in entry.people)
            returns = not beaten(now, entry.number) if now.took_part(entry) else now.takes_late_entries
            if alone and now.complete(entry) and returns:
                if len(now.rounds) == now.planned:
                    raise NotAllowed(TournamentRefusal.TOO_LATE)
                if full:
                    raise NotAllowed(TournamentRefusal.FULL)
                return [CameBack(entry.number)]
        _check_late_entry(now)
    if full:
        raise NotAllowed(TournamentRefusal.FULL)
    return [Entered((person,))]


def may_enter(now: Tournament, person: Person) -> bool:
    """Whether somebody could take part now, be it for the first time, late, or again."""
    try:
        return bool(decide(now, Enter(person)))
    except NotAllowed:
        return False


def _join(now: Tournament, person: Person, number: int) -> list[TournamentEvent]:
    if not now.setup.pairs:
        raise NotAllowed(TournamentRefusal.NOT_PAIRS)
    if not 1 <= number <= len(now.entries):
        raise NotAllowed(TournamentRefusal.NO_TABLE)
    entry, own = now.entry(number), now.entry_of(person.id)
    if entry.withdrawn or now.complete(entry):
        raise NotAllowed(TournamentRefusal.NO_PLACE_BESIDE)
    if own is not None and (own == entry or now.complete(own)):
        raise NotAllowed(TournamentRefusal.ALREADY_ENTERED)
    _former(now, person)
    if now.stage is TournamentStage.PLAYING:
        _check_late_entry(now)
    left = [] if own is None else [LeftEntry(person.id)]
    return [*left, PartnerJoined(number, person)]


def _former(now: Tournament, person: Person) -> list[Entry]:
    """List a person's entries. A person who was removed can't come back."""
    found = [each for each in now.entries if any(other.id == person.id for other in each.people)]
    if any(each.gone is Gone.REMOVED for each in found):
        raise NotAllowed(TournamentRefusal.REMOVED)
    return found


def _check_late_entry(now: Tournament) -> None:
    if not now.takes_late_entries:
        raise NotAllowed(TournamentRefusal.TOO_LATE)


def _leave(now: Tournament, person: Person, *, before: bool) -> list[TournamentEvent]:
    entry = _own_entry(now, person)
    if now.stage is not TournamentStage.PLAYING:
        return [LeftEntry(person.id)]
    if before:
        raise NotAllowed(TournamentRefusal.STARTED)
    if not now.complete(entry):
        return [LeftEntry(person.id)]
    if knocked_out(now, entry.number):
        raise NotAllowed(TournamentRefusal.OUT)
    return [Withdrawn(entry.number, Gone.WITHDREW)]


def _remove(now: Tournament, entry: Entry, by: Person) -> list[TournamentEvent]:
    if entry.gone is Gone.REMOVED or knocked_out(now, entry.number):
        raise NotAllowed(TournamentRefusal.OUT)
    return [Withdrawn(entry.number, Gone.REMOVED, by)]


def _own_entry(now: Tournament, person: Person) -> Entry:
    entry = now.entry_of(person.id)
    if entry is None:
        raise NotAllowed(TournamentRefusal.NOT_ENTERED)
    return entry


def _set_up(now: Tournament, setup: Setup) -> list[TournamentEvent]:
    if now.stage is TournamentStage.PLAYING:
        raise NotAllowed(TournamentRefusal.SETTLED)
    if is_invalid(setup):
        raise NotAllowed(TournamentRefusal.BAD_SETUP)
    entered = sum(not each.withdrawn for each in now.entries)
    if entered and setup.pairs != now.setup.pairs:
        raise NotAllowed(TournamentRefusal.ENTERED_ALREADY)
    if entered > max_entries(setup):
        raise NotAllowed(TournamentRefusal.TOO_MANY)
    return [SetUp(setup)] if setup != now.setup else []


# ------------------------------------------------------------------------------------------------- rounds


def _check_playing(now: Tournament) -> None:
    if now.stage is not TournamentStage.PLAYING:
        raise NotAllowed(TournamentRefusal.NOT_STARTED)


def _begin(now: Tournament, by: Person, ratings: Mapping[int, float]) -> list[TournamentEvent]:
    if now.stage is TournamentStage.PLAYING:
        raise NotAllowed(TournamentRefusal.STARTED)
    formed = paired_singles(now)
    now = apply_all(now, formed)
    staying = {entry.number for entry in now.starters}
    if len(staying) < min_entries(now.setup):
        raise NotAllowed(TournamentRefusal.TOO_FEW)
    dropped: list[TournamentEvent] = [
        Withdrawn(each.number, Gone.ABSENT if now.complete(each) else Gone.NO_PARTNER)
        for each in now.entries
        if not each.withdrawn and each.number not in staying
    ]
    begun = [*dropped, StageBegan(TournamentStage.PLAYING, by)]
    if now.setup.seeded:
        begun.append(Seeded(by_rating(now, staying, ratings)))
    after = apply_all(now, begun)
    return [*formed, *begun, draw(after)]


def _next_round(now: Tournament, by: Person) -> list[TournamentEvent]:
    """Draw rounds up to the next one with a table to play at, or end the tournament if there is none."""
    events = paired_singles(now) if len(now.rounds) < now.planned else []
    now = apply_all(now, events)
    while len(now.rounds) < now.planned and len(in_play(now)) > 1:
        paired: RoundPaired = draw(now)
        events.append(paired)
        if paired.pairings:
            return events
        now = apply(now, paired)
    return [*events, StageBegan(TournamentStage.FINISHED, by)]


def _report(now: Tournament, report: Report) -> list[TournamentEvent]:
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


def _correct(now: Tournament, event: Corrected) -> list[TournamentEvent]:
    if not now.rounds:
        raise NotAllowed(TournamentRefusal.NOT_STARTED)
    round = _table(now, event.round, event.table)
    if not is_possible(now.setup, event.outcome):
        raise NotAllowed(TournamentRefusal.BAD_OUTCOME)
    if now.setup.format is Format.KNOCKOUT and round.number < len(now.rounds):
        raise NotAllowed(TournamentRefusal.PAIRED_SINCE)
    if round.outcomes.get(event.table) == event.outcome:
        return []
    return [*_forgiven(now, event, event.round, event.table), *_settled(now, event)[1:]]


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
        raise NotAllowed(TournamentRefusal.NO_TABLE)
    return now.rounds[number - 1]
