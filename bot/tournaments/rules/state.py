"""The state of a tournament after the events of its log."""

from collections.abc import Iterable
from dataclasses import replace

from bot.platform.people import Person
from bot.tournaments.rules.log import (
    Agreed,
    Announced,
    Asked,
    ByeTaken,
    CameBack,
    CheckedIn,
    Corrected,
    Declined,
    Entered,
    LeftEntry,
    PartnerJoined,
    Proposed,
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
from bot.tournaments.rules.tournament import (
    Correction,
    Entry,
    Outcome,
    Pairing,
    Proposal,
    Tournament,
    TournamentRound,
    TournamentStage,
)


def begin(event: Announced) -> Tournament:
    """Begin a new tournament, at version 1."""
    return Tournament(event.organiser, event.setup, event.lot, last=event.last)


def apply_all(tournament: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    for event in events:
        tournament = apply(tournament, event)
    return tournament


def apply(tournament: Tournament, event: TournamentEvent) -> Tournament:
    """Apply one more event of a tournament's log.

    Raises ValueError if the event doesn't fit there, so that the log can't have been made by `decide`.
    """
    try:
        return replace(_after(tournament, event), version=tournament.version + 1)
    except (IndexError, KeyError) as error:
        raise ValueError(f"no such entry, round or table: {type(event).__name__}") from error


def _after(now: Tournament, event: TournamentEvent) -> Tournament:
    match event:
        case Announced():
            raise ValueError("a tournament is announced once")
        case SetUp(setup):
            return replace(now, setup=setup)
        case RepeatSet(weekly):
            start = now.setup.start
            assert start is not None, "it is decided only where there is a time"
            return replace(now, setup=replace(now.setup, start=replace(start, weekly=weekly)))
        case Asked(person):
            return replace(now, asked=(*now.asked, person), called=now.called | {person.id})
        case Entered(people):
            now = _answered(now, *people)
            number = now.numbered + 1
            entry = Entry(number, people, now.stage is not TournamentStage.SIGN_UP, len(now.rounds) + 1)
            return replace(now, entries=(*now.entries, entry), numbered=number)
        case PartnerJoined(number, person):
            entry = now.entry(number)
            return _with_entry(_answered(now, person), replace(entry, people=(*entry.people, person)))
        case LeftEntry(person_id):
            return _without_person(now, person_id)
        case StageBegan(stage, by):
            return _staged(now, stage, by)
        case CheckedIn(number):
            return _with_entry(now, replace(now.entry(number), present=True))
        case Withdrawn(number, why):
            return _with_entry(now, replace(now.entry(number), gone=why))
        case CameBack(number):
            entry = now.entry(number)
            now = _answered(now, *entry.people)
            from_round = entry.from_round if now.took_part(entry) else len(now.rounds) + 1
            return _with_entry(now, replace(entry, gone=None, present=True, from_round=from_round))
        case Seeded(numbers):
            return replace(now, seeds=numbers)
        case RoundPaired(pairings, byes):
            return replace(now, rounds=(*now.rounds, TournamentRound(len(now.rounds) + 1, pairings, byes)))
        case ByeTaken(pairing):
            return _with_guest(now, pairing)
        case TableEnded(table, outcome):
            return _with_round(_settled(now, len(now.rounds), table), _ended(now.rounds[-1], table, outcome))
        case Corrected(number, table, outcome, by, agreed):
            now, round = _settled(now, number, table), now.rounds[number - 1]
            note = Correction(number, table, round.outcomes.get(table), outcome, by, agreed)
            return replace(_with_round(now, _ended(round, table, outcome)), corrections=(*now.corrections, note))
        case Proposed(number, table, outcome, by, running):
            made = Proposal(now.version + 1, number, table, outcome, by, running=running)
            return replace(now, proposals=(*_settled(now, number, table).proposals, made))
        case Agreed(number, table, by):
            return replace(now, proposals=tuple(_agreed(each, number, table, by) for each in now.proposals))
        case Declined(number, table):
            return _settled(now, number, table)
        case Replayed(table, by, agreed):
            round = now.rounds[-1]
            now = _settled(now, round.number, table)
            note = Correction(round.number, table, round.outcomes.get(table), None, by, agreed)
            left = {other: outcome for other, outcome in round.outcomes.items() if other != table}
            again = replace(round, outcomes=left, replays={**round.replays, table: round.attempt(table)})
            return replace(_with_round(now, again), corrections=(*now.corrections, note))


def _with_guest(now: Tournament, pairing: Pairing) -> Tournament:
    round = now.rounds[-1]
    [host] = {pairing.first, pairing.second} & {*round.byes}
    guest = pairing.second if host == pairing.first else pairing.first
    byes = tuple(bye for bye in round.byes if bye != host)
    after = _with_entry(now, replace(now.entry(guest), from_round=round.number))
    after = _with_round(after, replace(round, pairings=(*round.pairings, pairing), byes=byes))
    return replace(after, guests=(*now.guests, (guest, host)))


def _ended(round: TournamentRound, table: int, outcome: Outcome) -> TournamentRound:
    return replace(round, outcomes={**round.outcomes, table: outcome})


def _staged(now: Tournament, stage: TournamentStage, by: Person | None) -> Tournament:
    """Begin a stage. Check-in calls all who have signed up."""
    called = now.called
    if stage is TournamentStage.CHECK_IN:
        called |= {person.id for entry in now.entries if not entry.withdrawn for person in entry.people}
    cancelled_by = by if stage is TournamentStage.CANCELLED else None
    return replace(now, stage=stage, called=called, cancelled_by=cancelled_by)


def _answered(now: Tournament, *people: Person) -> Tournament:
    """Ask some people no more, as they take part."""
    known = {person.id for person in people}
    return replace(now, asked=tuple(person for person in now.asked if person.id not in known))


def _settled(now: Tournament, round: int, table: int) -> Tournament:
    """Drop what was proposed for a table."""
    left = tuple(proposal for proposal in now.proposals if (proposal.round, proposal.table) != (round, table))
    return replace(now, proposals=left)


def _agreed(proposal: Proposal, round: int, table: int, by: Person) -> Proposal:
    """A proposal once somebody has agreed, if it is for that table."""
    this = (proposal.round, proposal.table) == (round, table)
    return replace(proposal, agreed=(*proposal.agreed, by)) if this else proposal


def _with_entry(now: Tournament, entry: Entry) -> Tournament:
    return replace(now, entries=tuple(entry if old.number == entry.number else old for old in now.entries))


def _with_round(now: Tournament, round: TournamentRound) -> Tournament:
    at = round.number - 1
    return replace(now, rounds=(*now.rounds[:at], round, *now.rounds[at + 1 :]))


def _without_person(now: Tournament, person_id: int) -> Tournament:
    entry = now.entry_of(person_id)
    if entry is None:
        if not any(person.id == person_id for person in now.asked):
            raise ValueError("the person who leaves isn't in any entry")
        return replace(now, asked=tuple(person for person in now.asked if person.id != person_id))
    people = tuple(person for person in entry.people if person.id != person_id)
    if people:
        return _with_entry(now, replace(entry, people=people))
    return replace(now, entries=tuple(other for other in now.entries if other is not entry))
