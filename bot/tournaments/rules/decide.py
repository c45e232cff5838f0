"""Decisions in a tournament: the events that an action causes, or the reason why it is refused."""

from collections.abc import Collection, Mapping

from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.latecomers import paired_singles, placed
from bot.tournaments.rules.log import (
    Answer,
    Ask,
    Asked,
    Begin,
    BeginCheckIn,
    CameBack,
    CancelTournament,
    ChangeSetup,
    CheckedIn,
    CheckIn,
    Correct,
    DrawRound,
    Enter,
    Entered,
    JoinPartner,
    LeaveEntry,
    LeftEntry,
    PartnerJoined,
    PlayAgain,
    Proposed,
    Remove,
    Repeat,
    RepeatSet,
    Report,
    RoundPaired,
    Seeded,
    SetUp,
    StageBegan,
    TournamentAction,
    TournamentEvent,
    Withdraw,
    Withdrawn,
)
from bot.tournaments.rules.pairings import beaten, by_rating, draw, in_play, knocked_out
from bot.tournaments.rules.results import answer, correct, play_again, report
from bot.tournaments.rules.setup import is_invalid, max_entries, min_entries
from bot.tournaments.rules.state import apply, apply_all
from bot.tournaments.rules.tournament import Entry, Gone, Setup, Tournament, TournamentStage


def decide(
    now: Tournament,
    action: TournamentAction | Report,
    *,
    manages: bool = False,
    moderates: bool = False,
    running: Collection[int] = (),
) -> list[TournamentEvent]:
    """Decide which events an action causes, in order; none if it changes nothing.

    `Begin` and `DrawRound` also draw the round, which takes a tenth of a second with 64 entries.

    Args:
        now: the tournament.
        action: the request of a person, or the report of the director.
        manages: whether the person may manage events there, and so may do all that the organiser may.
        moderates: whether they may manage messages there, and so decide about results without those whom that costs
            something, unless they take part.
        running: the latest round's tables without an outcome whose matches already count.

    Raises:
        Refusal: if it can't be done now.
    """
    if isinstance(action, Report):
        return report(now, action)
    if not now.stage.open and not (isinstance(action, Correct | Answer) and now.stage is TournamentStage.FINISHED):
        raise Refusal(TournamentRefusal.OVER)
    match action:
        case Enter(person):
            return placed(now, _enter(now, person))
        case JoinPartner(person, number):
            return placed(now, _join(now, person, number))
        case LeaveEntry(person) | Withdraw(person):
            return _leave(now, person, before=isinstance(action, LeaveEntry))
        case CheckIn(person):
            if now.stage is not TournamentStage.CHECK_IN:
                raise Refusal(TournamentRefusal.NOT_CHECK_IN)
            entry = _own_entry(now, person)
            return [] if entry.present else [CheckedIn(entry.number)]
        case Answer():
            return answer(now, action)
        case _:
            if not (manages or action.person.id == now.organiser.id):
                raise Refusal(TournamentRefusal.NOT_ORGANISER)
            decides = moderates and not _takes_part(now, action.person)
            return _organise(now, action, decides=decides, running=running)


def _takes_part(now: Tournament, person: Person) -> bool:
    """Whether somebody is, or was, in an entry."""
    return any(person.id == other.id for entry in now.entries for other in entry.people)


def _organise(
    now: Tournament, action: TournamentAction, *, decides: bool, running: Collection[int]
) -> list[TournamentEvent]:
    match action:
        case Ask(person, whom):
            return _ask(now, person, whom)
        case Remove():
            return _remove(now, action)
        case ChangeSetup(_, setup):
            return _set_up(now, setup)
        case Repeat(person, weekly):
            if now.setup.start is None:
                raise Refusal(TournamentRefusal.NO_TIME)
            return [] if weekly == now.setup.start.weekly else [RepeatSet(weekly, person)]
        case BeginCheckIn(person):
            if now.stage is not TournamentStage.SIGN_UP:
                raise Refusal(TournamentRefusal.CHECK_IN_BEGAN)
            return [StageBegan(TournamentStage.CHECK_IN, person)]
        case Begin(person, ratings, due):
            return _begin(now, None if due else person, dict(ratings))
        case DrawRound(person, due):
            if now.stage is not TournamentStage.PLAYING:
                raise Refusal(TournamentRefusal.NOT_STARTED)
            assert now.round is not None, "the first round is drawn when play begins"
            if not now.round.over:
                raise Refusal(TournamentRefusal.ROUND_RUNNING)
            return _next_round(now, None if due else person)
        case Correct(person, number, table) | PlayAgain(person, number, table):
            runs = number == len(now.rounds) and table in running
            if isinstance(action, PlayAgain):
                return play_again(now, Proposed(number, table, None, person, runs), decides=decides)
            return correct(now, Proposed(number, table, action.outcome, person, runs), decides=decides)
        case CancelTournament(person):
            return [StageBegan(TournamentStage.CANCELLED, person)]
        case _:
            raise AssertionError(f"no decision is defined for {type(action).__name__}")


# ------------------------------------------------------------------------------------------------ entries


def _enter(now: Tournament, person: Person) -> list[TournamentEvent]:
    if now.entry_of(person.id) is not None:
        raise Refusal(TournamentRefusal.ALREADY_ENTERED)
    former = _former(now, person)
    full = sum(not other.withdrawn for other in now.entries) >= max_entries(now.setup)
    if now.stage is TournamentStage.PLAYING:
        for entry in reversed(former):
            alone = all(now.entry_of(other.id) is None for other in entry.people)
            returns = not beaten(now, entry.number) if now.took_part(entry) else now.takes_late_entries
            if alone and now.complete(entry) and returns:
                if len(now.rounds) == now.planned:
                    raise Refusal(TournamentRefusal.TOO_LATE)
                if full:
                    raise Refusal(TournamentRefusal.FULL)
                return [CameBack(entry.number)]
        _check_late_entry(now)
    if full:
        raise Refusal(TournamentRefusal.FULL)
    return [Entered((person,))]


def may_enter(now: Tournament, person: Person) -> bool:
    """Whether somebody could take part now, be it for the first time, late, or again."""
    try:
        return bool(decide(now, Enter(person)))
    except Refusal:
        return False


def _ask(now: Tournament, by: Person, whom: Person) -> list[TournamentEvent]:
    """Ask somebody who could take part now."""
    if any(person.id == whom.id for person in now.asked):
        raise Refusal(TournamentRefusal.ALREADY_ASKED)
    _enter(now, whom)
    if not now.asks:
        raise Refusal(TournamentRefusal.TOO_LATE)
    return [Asked(whom, by)]


def _join(now: Tournament, person: Person, number: int) -> list[TournamentEvent]:
    if not now.setup.pairs:
        raise Refusal(TournamentRefusal.NOT_PAIRS)
    if not 1 <= number <= now.numbered:
        raise Refusal(TournamentRefusal.NO_TABLE)
    if not now.has_entry(number) or now.entry(number).withdrawn or now.complete(now.entry(number)):
        raise Refusal(TournamentRefusal.NO_PLACE_BESIDE)
    entry, own = now.entry(number), now.entry_of(person.id)
    if own is not None and (own == entry or now.complete(own)):
        raise Refusal(TournamentRefusal.ALREADY_ENTERED)
    _former(now, person)
    if now.stage is TournamentStage.PLAYING:
        _check_late_entry(now)
    left = [] if own is None else [LeftEntry(person.id)]
    return [*left, PartnerJoined(number, person)]


def _former(now: Tournament, person: Person) -> list[Entry]:
    """List a person's entries. A person who was removed can't come back."""
    found = [entry for entry in now.entries if any(other.id == person.id for other in entry.people)]
    if any(entry.barred for entry in found):
        raise Refusal(TournamentRefusal.REMOVED)
    return found


def _check_late_entry(now: Tournament) -> None:
    if not now.takes_late_entries:
        raise Refusal(TournamentRefusal.TOO_LATE)


def _leave(now: Tournament, person: Person, *, before: bool) -> list[TournamentEvent]:
    if now.entry_of(person.id) is None and any(other.id == person.id for other in now.asked):
        return [LeftEntry(person.id)]
    entry = _own_entry(now, person)
    if now.stage is not TournamentStage.PLAYING:
        return [LeftEntry(person.id)]
    if before:
        raise Refusal(TournamentRefusal.STARTED)
    if not now.complete(entry):
        return [LeftEntry(person.id)]
    if knocked_out(now, entry.number):
        raise Refusal(TournamentRefusal.OUT)
    return [Withdrawn(entry.number, Gone.WITHDREW)]


def _remove(now: Tournament, action: Remove) -> list[TournamentEvent]:
    """Remove an entry. One that plays no more can still be disqualified, as that is about the podium."""
    if not now.has_entry(action.entry):
        raise Refusal(TournamentRefusal.NO_TABLE)
    entry, why = now.entry(action.entry), Gone.DISQUALIFIED if action.disqualified else Gone.REMOVED
    may_disqualify = action.disqualified and now.took_part(entry)
    if entry.gone is Gone.DISQUALIFIED or (knocked_out(now, entry.number) and not may_disqualify):
        raise Refusal(TournamentRefusal.OUT)
    if any(person in entry.people for person in _opponents_now(now, action.person)):
        raise Refusal(TournamentRefusal.OWN_OPPONENT)
    return [Withdrawn(entry.number, why, action.person)]


def _opponents_now(now: Tournament, person: Person) -> list[Person]:
    round = now.round
    waiting = [] if round is None else [pairing for pairing in round.pairings if pairing.table not in round.outcomes]
    return [other for pairing in waiting for other in now.opponents_of(person.id, pairing)]


def _own_entry(now: Tournament, person: Person) -> Entry:
    entry = now.entry_of(person.id)
    if entry is None:
        raise Refusal(TournamentRefusal.NOT_ENTERED)
    return entry


def _set_up(now: Tournament, setup: Setup) -> list[TournamentEvent]:
    if now.stage is TournamentStage.PLAYING:
        raise Refusal(TournamentRefusal.SETTLED)
    if is_invalid(setup):
        raise Refusal(TournamentRefusal.BAD_SETUP)
    entered = sum(not entry.withdrawn for entry in now.entries)
    if entered and setup.pairs != now.setup.pairs:
        raise Refusal(TournamentRefusal.ENTERED_ALREADY)
    if entered > max_entries(setup):
        raise Refusal(TournamentRefusal.TOO_MANY)
    return [SetUp(setup)] if setup != now.setup else []


# ------------------------------------------------------------------------------------------------- rounds


def _begin(now: Tournament, by: Person | None, ratings: Mapping[int, float]) -> list[TournamentEvent]:
    if now.stage is TournamentStage.PLAYING:
        raise Refusal(TournamentRefusal.STARTED)
    formed = paired_singles(now)
    now = apply_all(now, formed)
    staying = {entry.number for entry in now.starters}
    if len(staying) < min_entries(now.setup):
        raise Refusal(TournamentRefusal.TOO_FEW)
    dropped: list[TournamentEvent] = [
        Withdrawn(entry.number, Gone.ABSENT if now.complete(entry) else Gone.NO_PARTNER)
        for entry in now.entries
        if not entry.withdrawn and entry.number not in staying
    ]
    begun = [*dropped, StageBegan(TournamentStage.PLAYING, by)]
    if now.setup.seeded:
        begun.append(Seeded(by_rating(now, staying, ratings)))
    after = apply_all(now, begun)
    return [*formed, *begun, draw(after)]


def _next_round(now: Tournament, by: Person | None) -> list[TournamentEvent]:
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
